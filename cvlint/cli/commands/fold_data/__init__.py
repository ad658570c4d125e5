"""Commands about fold data: they compute what the code should have reported.

In go the options that click has parsed; out come aggregates with intervals, comparisons, curves and reports.
"""
