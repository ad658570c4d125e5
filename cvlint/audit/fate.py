"""A fate: what became of one value that the analysis followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from cvlint.records import dataclass
from cvlint.source.location import Location

Kind = Literal["finding", "lost", "harmless"]
KINDS: tuple[Kind, ...] = ("finding", "lost", "harmless")
"""The kinds of fates; of several for one place the first counts."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one birth.

    Attributes
    ----------
    location
        The place of the birth.
    what
        What is born there, in words.
    kind
        ``finding``, ``lost`` or ``harmless``.
    why
        The codes of the rules, the reason, or the construct at which the value was lost.
    name
        Of a loss: the function or attribute that took the value.
    end
        Where this happens.
    """

    location: Location
    what: str
    kind: Kind
    why: str
    name: str = ""
    end: Location | None = None


def counts(fates: Iterable[Fate]) -> list[tuple[Kind, str, int]]:
    """Count the fates by kind and reason; the codes of rules and the constructs of losses are counted one by one."""
    found = Counter((fate.kind, fate.why) for fate in fates)
    order = sorted(found.items(), key=lambda item: (KINDS.index(item[0][0]), -item[1], item[0][1]))
    return [(kind, why, count) for (kind, why), count in order]
