"""The counter-example of each rule, computed on demand: numbers that show what the rule finds."""

from __future__ import annotations

from collections.abc import Callable

from cvlint.runtime.examples import (
    definition_examples,
    fold_examples,
    protocol_examples,
    selection_examples,
    training_examples,
)
from cvlint.runtime.examples.example_table import CounterExample as CounterExample

EXAMPLES: dict[str, Callable[[], CounterExample]] = {
    "mean-of-fold-f": fold_examples.mean_of_fold_f,
    "f-of-mean-pr": fold_examples.f_of_mean_pr,
    "skipped-undefined-fold": fold_examples.skipped_undefined_fold,
    "search-best-f": selection_examples.search_best_f,
    "mean-of-batch-f": fold_examples.mean_of_batch_f,
    "mixed-aggregation": fold_examples.mixed_aggregation,
    "mean-of-fold-ratio": fold_examples.mean_of_fold_ratio,
    "auc-merge": fold_examples.auc_merge,
    "ranking-merge": fold_examples.ranking_merge,
    "auc-hard-labels": definition_examples.auc_hard_labels,
    "unstratified-folds": protocol_examples.unstratified_folds,
    "resampled-before-split": protocol_examples.resampled_before_split,
    "preprocess-before-split": protocol_examples.preprocess_before_split,
    "refit-on-test": training_examples.refit_on_test,
    "test-in-training": training_examples.test_in_training,
    "training-score-only": training_examples.training_score_only,
    "wrong-f-definition": definition_examples.wrong_f_definition,
    "unguarded-f": definition_examples.unguarded_f,
    "macro-f-of-means": definition_examples.macro_f_of_means,
    "threshold-on-test": selection_examples.threshold_on_test,
    "max-over-test": selection_examples.max_over_test,
    "per-label-f-threshold": selection_examples.per_label_f_threshold,
    "f-across-priors": definition_examples.f_across_priors,
}


def counter_example(rule_name: str) -> CounterExample | None:
    """Compute the counter-example of a rule.

    Parameters
    ----------
    rule_name
        The name of the rule, such as "mean-of-fold-f".

    Returns
    -------
    CounterExample or None
        The same in every call; None for a rule without one, such as a rule of a user.
    """
    make = EXAMPLES.get(rule_name)
    return None if make is None else make()
