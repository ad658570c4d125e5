"""Identifiers: what the name of a variable, key or function says about a value that nothing else is known of.

A convention is a regular expression for names in snake case, from the table ``[conventions]`` of a knowledge file.
Names are weak evidence: the more conventions a finding rests on, the lower is its confidence
(`cvlint.rules.report.confidence_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from cvlint.records import dataclass, field

LOOP_CONVENTIONS = ("train-part", "test-part", "fold-number", "splits", "epoch", "batch", "seed", "prior")
"""The conventions that say what a loop goes over."""

MEASURE_CONVENTIONS = ("f-measure", "average-precision", "roc-auc", "precision", "recall", "accuracy")
"""The conventions that are named after a measure, in the order in which they are tried."""


@dataclass(slots=True)
class Conventions:
    """The naming conventions of the knowledge files; each answer is computed once for each name."""

    expressions: dict[str, str] = field(default_factory=dict)
    """The verbose regular expression of each convention; it is compiled when somebody asks for it."""
    _patterns: dict[str, re.Pattern[str]] = field(default_factory=dict)
    followed: dict[str, dict[str, bool]] = field(default_factory=dict)
    """By convention, the names that were asked for, and whether they follow it."""
    measures: dict[str, str | None] = field(default_factory=dict)
    """The names that were asked for, and the measures that they hold."""
    _of_loops: dict[str, frozenset[str]] = field(default_factory=dict)
    among: dict[tuple[tuple[str, ...], str], tuple[str, ...]] = field(default_factory=dict)
    """By several conventions and a name that were asked for: those of them that it follows."""

    def conforms(self, convention: str, name: str) -> bool:
        """Tell whether a name follows a convention, "fold" or "f-measure" for example."""
        names = self.followed.setdefault(convention, {})
        if name not in names:
            found = convention in self.expressions and self._pattern(convention).search(snake_case(name)) is not None
            names[name] = found
        return names[name]

    def those_followed(self, conventions: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Those of several conventions that a name follows."""
        found = self.among[conventions, name] = tuple(c for c in conventions if self.conforms(c, name))
        return found

    def _pattern(self, convention: str) -> re.Pattern[str]:
        if convention not in self._patterns:
            self._patterns[convention] = re.compile(self.expressions[convention], re.VERBOSE)
        return self._patterns[convention]

    def loop_conventions(self, names: Iterable[str]) -> frozenset[str]:
        """The conventions about loops that at least one of the names follows."""
        for name in names:
            if name not in self._of_loops:
                self._of_loops[name] = frozenset(c for c in LOOP_CONVENTIONS if self.conforms(c, name))
        return frozenset[str]().union(*(self._of_loops[name] for name in names))

    def measure_named(self, name: str) -> str | None:
        """The measure that a variable, key or function holds by its name: "f-measure" for ``val_f1s``."""
        if name not in self.measures:
            follows = (kind for kind in MEASURE_CONVENTIONS if self.conforms(kind, name))
            self.measures[name] = None if self.conforms("not-a-measure", name) else next(follows, None)
        return self.measures[name]


_PART = "(train|test|val|valid|dev)"
_DATA = (
    "(set|data|data_?set|(data_?)?loader|df|dl|ds|iter|generator|x|y|label|target|feature|text|image|idx|ind|index"
    "|indices|mask|row|sample)s?"
)
_GLUED = re.compile(rf"(?<![a-z]){_PART}(?={_DATA}(_|\d|$))")


@cache
def snake_case(name: str) -> str:
    """A name in lower case with underscores between its words: ``F1Score`` and ``f1-score`` become ``f1_score``.

    The parts of a split are words of their own in ``DTItrain`` and ``testloader``, too.
    """
    text = re.sub(r"[^0-9A-Za-z]+", "_", name)
    text = re.sub(rf"(?<=[A-Z])(?={_PART}([^a-z]|$))", "_", text)
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", text)
    return _GLUED.sub(r"\1_", text.lower().strip("_"))
