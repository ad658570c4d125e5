"""Recognise what is worth an event: averages, formulas, leakage, undefined folds, choices made on test data.

In goes what the interpreter or a model has just seen (a binding, a branch, a call, a measure); out come events. For
each event of `cvlint.analysis.events`, the checker that emits it and the rules that match it:

- ``reduce`` (`averages`): CVL101 mean-of-fold-f, CVL103 (by ``nanmean``), CVL104 search-best-f
  (of an objective), CVL105 mean-of-batch-f, CVL107 mean-of-fold-ratio
- ``formula`` (`formulas`): CVL102 f-of-mean-pr, CVL401 wrong-f-definition, CVL402 unguarded-f,
  CVL403 macro-f-of-means
- ``skip`` (`undefined_folds`): CVL103 skipped-undefined-fold
- ``report`` (`search_scores`): CVL104 search-best-f
- ``compare`` (`comparisons`): CVL106 mixed-aggregation, CVL504 f-across-priors
- ``measure`` (`rankings`): CVL201 auc-merge, CVL202 ranking-merge, CVL203 auc-hard-labels
- ``split`` (`undefined_folds`): CVL301 unstratified-folds
- ``fit`` (`leakage`): CVL302 resampled-before-split, CVL303 preprocess-before-split
- ``refit`` (`rows`): CVL304 refit-on-test
- ``retest`` (`rows`): CVL305 test-in-training
- ``trained`` (`rows`): CVL306 training-score-only
- ``choose`` (`selection_bias`): CVL501 threshold-on-test, CVL502 max-over-test, CVL503 per-label-f-threshold

Measures that are written by hand come from `formulas.hand_written` and `formulas.areas`. `selections`, `compared_sides`
and `sweeps` serve `selection_bias`.
"""
