"""Simulated and exactly summed cross-validations: the bias and spread of each aggregate of F.

In go numbers of samples, positives and folds with a true precision and recall; out come expectations.
"""
