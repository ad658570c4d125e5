"""Counts of a confusion matrix, the F-measure, and measures of a ranking.

In go labels, decisions and scores; out come counts and values, undefined ones as NaN. `f_over_folds` makes one F of
several folds in five ways: F_tp,fp is `f_tpfp`.
"""
