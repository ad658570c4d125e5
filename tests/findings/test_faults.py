"""Findings with a cause in common are one fault; all others are faults of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Measured, Suppression
from cvlint.source.location import Location


def finding(line: int, *causes: str, **changes: object) -> Finding:
    location = Location("train.py", None, line, 1, line, 5)
    one = Finding("mean-of-fold-f", "CVL101", "error", "high", location, "F1 is averaged", fingerprint=f"f{line}")
    return replace(one, causes=causes, **changes)  # type: ignore[arg-type]


def lines(faults: tuple[Fault, ...]) -> list[list[int]]:
    return [[one.location.line for one in fault.findings] for fault in faults]


def test_findings_without_causes_are_faults_of_their_own() -> None:
    assert lines(faults_of([finding(1), finding(2)])) == [[1], [2]]


def test_a_common_cause_makes_one_fault() -> None:
    assert lines(faults_of([finding(1, "place:a"), finding(2, "place:b"), finding(3, "place:a")])) == [[1, 3], [2]]


def test_causes_link_findings_through_others() -> None:
    found = [finding(1, "place:a"), finding(2, "place:b"), finding(3, "place:a", "place:b"), finding(4)]
    assert lines(faults_of(found)) == [[1, 2, 3], [4]]


MEASURED = Measured("f_avg", 0.6, "f_tpfp", 0.5, None, 5, 1, "train.py:5")


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "auc-merge"},
        {"suppressed": Suppression(Location("train.py", None, 1, 1, 1, 5), "# cvlint: ignore", "")},
        {"measured": (MEASURED,)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_a_report_must_not_hide_stays_apart(changes: dict[str, object]) -> None:
    assert lines(faults_of([finding(1, "place:a"), finding(2, "place:a", **changes)])) == [[1], [2]]


def test_the_most_severe_and_then_the_surest_finding_is_shown() -> None:
    note = finding(1, "place:a", severity="note")
    unsure = finding(2, "place:a", confidence="medium")
    (fault,) = faults_of([note, unsure, finding(3, "place:a"), finding(4, "place:a")])
    assert lines((fault,)) == [[3, 1, 2, 4]]
    assert fault.id == "f3"


@pytest.mark.parametrize(
    ("causes", "kind"),
    [
        ([("call:a",), ("call:a",)], "call"),
        ([("place:b", "copy:a"), ("copy:a", "place:b")], "copy"),
        ([("copy:a",), ("copy:a", "call:b"), ("call:b",)], "place"),  # neither holds for all
    ],
)
def test_the_kind_is_what_all_places_have_in_common(causes: list[tuple[str, ...]], kind: str) -> None:
    (fault,) = faults_of([finding(line, *own) for line, own in enumerate(causes)])
    assert fault.kind == kind


@given(st.lists(st.sets(st.sampled_from("abcdef"), max_size=2), max_size=12))
def test_every_finding_is_in_exactly_one_fault(causes: list[set[str]]) -> None:
    found = [finding(line, *sorted(own)) for line, own in enumerate(causes)]
    faults = faults_of(found)
    assert sorted(line for places in lines(faults) for line in places) == list(range(len(found)))
    together = {line: number for number, places in enumerate(lines(faults)) for line in places}
    for one in found:
        for other in found:
            if set(one.causes) & set(other.causes):
                assert together[one.location.line] == together[other.location.line]
