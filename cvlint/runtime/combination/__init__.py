"""Boolean combinations of classifiers, chosen on some folds and measured on others.

In go several experiments on the same samples; out come rules and their operating points.
"""
