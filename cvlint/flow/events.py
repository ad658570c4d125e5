"""Events: what experiment code does with measures, folds and scores. Rules are patterns over them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from cvlint.flow.scope import Module
from cvlint.flow.values import NO_AXES, Axes, Trace


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened at ``node``.

    Parameters
    ----------
    name
        ``reduce`` (a measure is averaged over ``axes``), ``measure`` (a measure is computed; ``axes`` are those
        over which its scores were pooled), ``formula`` (a measure is written out by hand), ``split`` (a measure
        is computed in each part of a splitter; at the splitter), ``skip`` (undefined values are dropped or
        patched), ``report`` (the score of a search is shown).
    facts
        What rules match on: ``kind``, ``measure``, ``average``, ``shape``, ``guarded``, …
    trace
        The steps that led here, the place of the event itself not included.
    """

    name: str
    module: Module
    node: ast.AST
    axes: Axes = NO_AXES
    facts: dict[str, Any] = field(default_factory=dict)
    trace: Trace = ()
    note: str = ""
