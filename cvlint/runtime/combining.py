"""The path that the documentation of cvlint 0.1 names; new code imports ``combination_of`` from `cvlint.runtime`."""

from cvlint.runtime.combination.roc_hull import combination_of

__all__ = ["combination_of"]
