"""Recomputed aggregates, thresholds, curves, combinations and simulations as text and JSON.

In go results of `cvlint.runtime`; out comes text.
"""
