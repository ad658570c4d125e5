"""Which aggregate a printed value can be: proofs where one is impossible, by exact arithmetic.

In go printed values and the sizes of folds; out come verdicts.
"""
