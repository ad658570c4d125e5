"""Which rules have rewrites, for those who only count: the registry itself loads libcst, which is slow to load."""

from __future__ import annotations

FIXABLE = frozenset(
    {
        "auc-hard-labels",
        "auc-merge",
        "macro-f-of-means",
        "mean-of-fold-f",
        "preprocess-before-split",
        "ranking-merge",
        "unguarded-f",
        "unstratified-folds",
        "unused-ignore",
    }
)
"""The names of the rules whose findings may have a fix; only a new check of the code confirms each."""
