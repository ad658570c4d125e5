"""Wrap the measures, splitters and cross-validation of libraries while a script runs.

In go the library's functions; out come records of their calls.
"""
