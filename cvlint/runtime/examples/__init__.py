"""The counter-example of each rule, computed when it is asked for.

In goes the name of a rule; out comes a small table of numbers.
"""
