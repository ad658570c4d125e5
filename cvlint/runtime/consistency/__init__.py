"""Which aggregate a printed value can be, with a proof where one is impossible, in exact arithmetic.

In go printed values and the sizes of folds; out come verdicts.
"""
