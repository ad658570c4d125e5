"""Confidence intervals of aggregates by bootstrap.

In go fold data; out come lower and upper limits.
"""
