"""Events: what experiment code does with measures, folds and scores. Rules are patterns over them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.environment import Module
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import Measure


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened to a measure at ``node``.

    Parameters
    ----------
    name
        ``reduce`` (it is averaged over ``axes``), ``measure`` (it is computed; ``axes`` are those over which its
        scores were pooled), ``formula`` (it is written out by hand; ``axes`` are those over which its parts were
        averaged), ``split`` (it is computed in each part of a splitter; at the splitter), ``skip`` (its undefined
        values along ``axes`` are dropped or patched), ``report`` (the score of a search is shown), ``fit`` (something
        learns from data, or draws them anew, that are split later; at the fit), ``compare`` (it stands beside one that
        was made in another way), ``choose`` (the best of several is
        chosen by data on which it is measured again; at the choice).
    facts
        What else rules match on: ``kind``, ``shape``, ``guarded``, ``how``, ``scores``, ``splitter``, …
    trace
        The steps that led here, the place of the event itself not included.
    note
        What happens here, where that is more than the name says.
    """

    name: str
    module: Module
    node: ast.AST
    measure: Measure
    axes: Axes = NO_AXES
    trace: Trace = ()
    note: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
