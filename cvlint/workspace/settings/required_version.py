"""The versions of cvlint that a project demands: comparisons with releases, as PEP 440 writes them."""

from __future__ import annotations

import re

_RELEASE = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
_COMPARISON = rf" *(?:(?:[<>]=?|[!=]=) *{_RELEASE}|~= *{_RELEASE}\.[0-9]{{1,9}}) *"
DEMAND = re.compile(rf"{_COMPARISON}(?:,{_COMPARISON})*")
"""Comparisons of which all must hold; what is no plain release (``0.2rc1``, ``0.2.*``) has no place in them."""


def is_met(demand: str, version: str) -> bool:
    """Tell whether a version is one of those demanded.

    Parameters
    ----------
    demand : str
        What `DEMAND` matches, such as ``>=0.1, <0.3``; ``~=0.1.2`` is short for ``>=0.1.2`` and any ``0.1``.
    version : str
        Begins with a release; what follows it does not count, so that ``0.2.dev1`` is taken for 0.2.
    """
    release = re.match(_RELEASE, version)
    if release is None:
        raise ValueError(f"{version!r} does not begin with a release.")
    return all(_holds(comparison.replace(" ", ""), release[0]) for comparison in demand.split(","))


def _holds(comparison: str, release: str) -> bool:
    operator = comparison.rstrip("0123456789.")
    named = _numbers(comparison.removeprefix(operator))
    found = _numbers(release)
    width = max(len(named), len(found))
    wanted, ours = (numbers + (0,) * (width - len(numbers)) for numbers in (named, found))  # 0.1 is 0.1.0
    match operator:
        case "==":
            return ours == wanted
        case "!=":
            return ours != wanted
        case ">=":
            return ours >= wanted
        case "<=":
            return ours <= wanted
        case ">":
            return ours > wanted
        case "<":
            return ours < wanted
        case _:
            return ours >= wanted and ours[: len(named) - 1] == named[:-1]


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))
