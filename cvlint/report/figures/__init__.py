"""The drawings of a report, each with a description in words and a table of its data.

In go experiments, curves and thresholds; out come pictures, or None if the data do not allow one.
"""
