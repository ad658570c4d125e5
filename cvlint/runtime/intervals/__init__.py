"""Confidence intervals of aggregates.

In go fold data; out come lower and upper limits. F and other measures of counts are drawn again by bootstrap
(`count_bootstrap`, `cluster_bootstrap` for groups). AUC_avg, AP_avg and P@k have formulas, which draw nothing
(`ranking_intervals`, from the `ranking_influence` of each sample).
"""
