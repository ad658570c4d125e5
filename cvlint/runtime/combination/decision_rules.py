"""Rules that decide from the scores of several classifiers: thresholds, and Boolean functions of rules."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.combination.boolean_functions import AND, BY_NAME, OR, BooleanFunction
from cvlint.runtime.errors import FoldDataError

Scores: TypeAlias = Mapping[str, ArrayLike]
"""The scores of the samples by each classifier, by its name: (n,) each."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Positive where a classifier's score is at least a threshold."""

    classifier: str
    at: float

    def __str__(self) -> str:
        return f"{self.classifier} >= {repr(self.at).removesuffix('.0')}"

    def decide(self, scores: Scores) -> NDArray[np.bool_]:
        """Which samples are positive, (n,).

        Raises
        ------
        FoldDataError
            When the classifier has no scores, or a score is NaN.
        """
        if self.classifier not in scores:
            known = ", ".join(map(repr, scores)) or "none"
            raise FoldDataError(f"there are no scores of the classifier {self.classifier!r}: given are {known}.")
        values = np.asarray(scores[self.classifier], dtype=np.float64)
        if np.isnan(values).any():
            raise FoldDataError(f"a score of the classifier {self.classifier!r} is NaN: no threshold can decide by it.")
        return np.asarray(values >= self.at)

    def as_object(self) -> dict[str, Any]:
        """For JSON."""
        return {"classifier": self.classifier, "at": self.at}


@dataclass(frozen=True, slots=True)
class Combined:
    """A Boolean function of two rules."""

    function: BooleanFunction
    a: Rule
    b: Rule

    def __str__(self) -> str:
        operands = {name: self._operand(rule) for name, rule in self._operands()}
        return re.sub(r"\b[ab]\b", lambda found: operands[found[0]], self.function.name)

    def decide(self, scores: Scores) -> NDArray[np.bool_]:
        """Which samples are positive, (n,).

        Raises
        ------
        FoldDataError
            As `Threshold.decide`, and when two classifiers have different numbers of scores.
        """
        a, b = self.a.decide(scores), self.b.decide(scores)
        if a.shape != b.shape:
            raise FoldDataError(f"classifiers have {len(a)} scores and {len(b)}: those of the same samples are needed.")
        return self.function.decide(a, b)

    def as_object(self) -> dict[str, Any]:
        """For JSON."""
        return {"function": self.function.name} | {name: rule.as_object() for name, rule in self._operands()}

    def _operand(self, rule: Rule) -> str:
        chained = isinstance(rule, Combined) and rule.function is self.function and self.function in (AND, OR)
        return str(rule) if isinstance(rule, Threshold) or chained else f"({rule})"

    def _operands(self) -> tuple[tuple[str, Rule], ...]:
        return (("a", self.a), ("b", self.b))


Rule: TypeAlias = Threshold | Combined
DEEPEST = 200  # far above the iterations after which nothing rises, and below what Python can nest


def is_finite(value: Any) -> bool:
    """Whether a value of a JSON document is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def rule_of(document: Any, deepest: int = DEEPEST) -> Rule:
    """The rule that `as_object` wrote, with at most so many levels of functions.

    Raises
    ------
    FoldDataError
        When the document is not a rule.
    """
    match document:
        case {"classifier": str(name), "at": at} if is_finite(at):
            return Threshold(name, float(at))
        case {"function": str(name), "a": a, "b": b} if name in BY_NAME and deepest:
            return Combined(BY_NAME[name], rule_of(a, deepest - 1), rule_of(b, deepest - 1))
        case {"function": _} if not deepest:
            raise FoldDataError(f"this is no rule of a combination: it has more than {DEEPEST} levels of functions.")
        case _:
            valid = "a classifier and a threshold 'at', or a 'function' of 'a' and 'b', is needed"
            raise FoldDataError(f"this is no rule of a combination: {str(document)[:60]!r}; {valid}.")
