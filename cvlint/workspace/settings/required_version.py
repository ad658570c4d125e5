"""The versions of cvlint that a project requires: comparisons with releases, as PEP 440 writes them."""

from __future__ import annotations

import re

_RELEASE = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
_COMPARISON = rf" *(?:(?:[<>]=?|[!=]=) *{_RELEASE}|~= *{_RELEASE}\.[0-9]{{1,9}}) *"
REQUIREMENT = rf"{_COMPARISON}(?:,{_COMPARISON})*"


def is_requirement(text: str) -> bool:
    """Whether a text is comparisons with plain releases; ``0.2rc1`` and ``0.2.*`` are not plain releases."""
    return re.fullmatch(REQUIREMENT, text) is not None


def is_met(requirement: str, version: str) -> bool:
    """Whether a version meets a requirement.

    Parameters
    ----------
    requirement : str
        A text that `is_requirement` accepts, such as ``>=0.1, <0.3``; ``~=0.1.2`` means ``>=0.1.2`` within ``0.1``.
    version : str
        A text that begins with a release; the rest does not count, so ``0.2.dev1`` is read as 0.2.
    """
    release = re.match(_RELEASE, version)
    if release is None:
        raise ValueError(f"{version!r} does not begin with a release.")
    return all(_holds(comparison.replace(" ", ""), release[0]) for comparison in requirement.split(","))


def _holds(comparison: str, release: str) -> bool:
    operator = comparison.rstrip("0123456789.")
    named = _numbers(comparison.removeprefix(operator))
    installed = _numbers(release)
    width = max(len(named), len(installed))
    wanted, ours = (numbers + (0,) * (width - len(numbers)) for numbers in (named, installed))  # 0.1 is 0.1.0
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
