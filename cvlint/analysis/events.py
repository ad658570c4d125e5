"""Events: what experiment code does with measures, folds and scores.

Events are the only type that leaves the analysis. Rules are patterns over them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.frozen import dataclass
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import Measure
from cvlint.records import field
from cvlint.source.module import Source

LABEL_THRESHOLD = "threshold of a label"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to a measure at ``node``.

    Parameters
    ----------
    name
        ``reduce``: the measure is averaged over ``axes``.
        ``measure``: it is computed; its scores were pooled over ``axes``.
        ``formula``: the program writes it out by hand; its parts were averaged over ``axes``.
        ``split``: it is computed in each part of a splitter; ``node`` is the splitter.
        ``skip``: its undefined values along ``axes`` are dropped or patched.
        ``report``: the score of a search is shown.
        ``fit``: something learns from data, or resamples them, before they are split; ``node`` is the fit.
        ``compare``: it stands beside a measure that was computed in another way.
        ``choose``: the best of several is chosen on data on which it is measured again; ``node`` is the choice.
        ``refit``: a transformer is fitted anew to test rows; ``node`` is the fit.
        ``retest``: a model is measured on rows that it was fitted to, as if they were a test part.
        ``trained``: a model is measured on its training rows only.
    facts
        What else rules match on: ``kind``, ``shape``, ``guarded``, ``how``, ``scores``, ``splitter``, …
    trace
        The steps that led here, without the place of the event itself.
    note
        What happens here, if that is more than the name says.
    """

    name: str
    source: Source
    node: ast.AST
    measure: Measure
    axes: Axes = NO_AXES
    trace: Trace = ()
    note: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def is_excusable(event: Event, judged: Collection[tuple[ast.AST, ast.AST | None]]) -> bool:
    """Whether other code can make good what an event reports; it cannot for a separate threshold for each label.

    A helper may choose on a test part in one call, and in others on data whose choices other data judge: these are
    ``judged``, each with the call that leads to it, and say nothing of the one.
    """
    if event.name != "choose":
        return event.name in ("formula", "split")
    calls = [None, *(step.node for step in event.trace)]
    is_judged = event.facts["part"] != "test" or any((event.node, call) in judged for call in calls)
    return is_judged and event.facts["what"] != LABEL_THRESHOLD
