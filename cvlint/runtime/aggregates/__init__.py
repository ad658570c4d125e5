"""Every aggregate of an experiment over its folds, its expected bias, and what is odd about the folds.

In goes a `FoldSet` or counts a fold; out come F_avg, F_pr,re, F_tp,fp, AUC_avg, AUC_merge and their companions.
"""
