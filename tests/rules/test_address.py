"""Findings carry the address of their rule's page."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from cvlint.findings.finding import Finding, Report
from cvlint.output.findings.formats import FORMATS, RenderContext
from cvlint.output.shared.styled_text import show_coloured
from cvlint.rules import address
from cvlint.rules.address import rule_address
from cvlint.rules.comment_rules import all_rules
from cvlint.source.location import Location

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
SITE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Documentation"]
PAGE = f"{SITE}reference/rules/auc-merge.html"
FOUND = Finding("auc-merge", "CVL201", "error", "high", Location("a.py", None, 1, 1, 1, 2), "Why.")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_address_stands_in_one_place() -> None:
    assert SITE.startswith("https://") and SITE.endswith("/")
    program = [*(ROOT / "cvlint").rglob("*.py"), *(ROOT / "rules").rglob("*.toml")]
    assert not [path for path in program if SITE in path.read_text(encoding="utf-8")]


def test_every_rule_has_one_and_own_rules_have_none() -> None:
    assert rule_address("auc-merge") == PAGE
    assert all(rule_address(rule.name) for rule in all_rules())
    assert rule_address("our-rule") is None


def test_an_installation_without_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Record:
        def get_all(self, key: str) -> list[str]:
            return ["Source, https://example.org/source", "Documentation, https://example.org/docs"]

    monkeypatch.setattr(metadata, "metadata", lambda name: Record())
    assert address._of_installation() == "https://example.org/docs"
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'another'\nurls = {Documentation = 'https://no'}\n")
    assert address._of_checkout(tmp_path / "pyproject.toml") == ""
    assert address._of_checkout(tmp_path / "none") == ""


def test_formats_carry_it() -> None:
    report = Report((FOUND, dataclasses.replace(FOUND, rule="our-rule", code="LAB1")), (), 1)
    shipped, own = json.loads(FORMATS["json"].render(report, RenderContext()))["findings"]
    assert (shipped["url"], own["url"]) == (PAGE, None)
    rules = [rule for rule in all_rules() if rule.name == "auc-merge"]
    log = json.loads(FORMATS["sarif"].render(report, RenderContext(rules=rules)))
    assert log["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"] == PAGE


@pytest.mark.parametrize("name", ["text", "full"])
def test_rules_are_links_on_a_terminal_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = {}
    for stream in (Terminal(), io.StringIO()):
        show_coloured(FORMATS[name].styled(Report((FOUND,), (), 1), RenderContext()), stream)
        shown[stream.isatty()] = re.findall(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b", stream.getvalue())
    assert shown == {True: [PAGE], False: []}


def test_diagnostics_carry_it() -> None:
    types = pytest.importorskip("lsprotocol.types")
    from cvlint.server.diagnostics import diagnostic

    class Positions:
        def to_range(self, location: Location) -> object:
            return types.Range(types.Position(0, 0), types.Position(0, 1))

    made = diagnostic(FOUND, Positions(), with_steps=False)  # type: ignore[arg-type]
    assert made.code_description == types.CodeDescription(PAGE)
