"""A finding stays whatever construct carries its value, and right programs stay silent whatever carries theirs.

`lost.txt` names the faulty programs whose finding is lost today. The list may only change with the analysis: a program
that is found again must leave it, and no other may join it without being written down.
"""

from __future__ import annotations

import functools
import random
from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions
from tests.carriers.bases import BASES, Base
from tests.carriers.programs import PLAIN, Program, filled, printed, programs

LOST = Path(__file__).parent / "lost.txt"
RUN_IN_CI = 60
PROGRAMS = {program.name: program for program in programs()}
TOLERANCE = 1e-9


def found(program: Program) -> set[str]:
    options = CheckOptions(frozenset(rule.name for rule in load_rules()))
    return {one.rule for one in check_bytes(program.text.encode(), Path("program.py"), "program.py", options).findings}


@functools.cache
def plain(base: Base, faulty: bool) -> float:
    return printed(filled(base.faulty if faulty else base.right, base, PLAIN))


def test_findings_stay() -> None:
    lost = {name for name, program in PROGRAMS.items() if program.rule and program.rule not in found(program)}
    known = set(LOST.read_text(encoding="utf-8").splitlines())
    assert not lost - known, "these programs have lost their finding"
    assert not known - lost, "these programs are found again: take them out of lost.txt"


def test_right_programs_are_silent() -> None:
    loud = {name: rules for name, program in PROGRAMS.items() if not program.rule and (rules := found(program))}
    assert not loud


@pytest.mark.parametrize("name", random.Random(0).sample(sorted(PROGRAMS), RUN_IN_CI))
def test_programs_print_the_number_of_their_base(name: str) -> None:
    program = PROGRAMS[name]
    assert abs(printed(program.text) - plain(program.base, program.rule is not None)) < TOLERANCE


def test_there_are_enough_of_them() -> None:
    assert len({program.construct for program in PROGRAMS.values()}) >= 200
    assert len(BASES) >= 10


def test_each_has_a_name_of_its_own() -> None:
    assert len(PROGRAMS) == sum(1 for _ in programs())
