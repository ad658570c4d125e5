"""Every aggregate of an experiment over its folds, its expected bias, and warnings about the folds.

In goes a `FoldSet` or the counts of each fold; out come F_avg, F_pr,re, F_tp,fp, AUC_avg, AUC_merge and their
companions. `registry` is the table of all aggregates; the formulas of F_tp,fp and the others are in
`cvlint.runtime.measures.f_over_folds`.
"""
