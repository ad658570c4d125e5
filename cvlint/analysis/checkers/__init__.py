"""Recognise what is worth an event: formulas, leakage, undefined folds, choices made on test data, mixed aggregation.

In goes what the interpreter has just seen (a binding, a branch, a call, a measure); out come events.
"""
