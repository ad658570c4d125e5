"""Two experiments on the same samples and folds: the paired difference of every aggregate, and tests of it.

In go two `FoldSet` objects; out come differences with intervals, tests with their assumptions, and the verdict in one
sentence.
"""
