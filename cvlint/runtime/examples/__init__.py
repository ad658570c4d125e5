"""The counter-example of each rule, computed on demand.

In goes the name of a rule; out comes a small table of numbers.
"""
