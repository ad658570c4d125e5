from __future__ import annotations

import json
from typing import Any

import click
import pytest

from cvlint.output.rules import rule_page
from cvlint.rules.catalogue import load_rules
from cvlint.rules.comment_rules import all_rules
from cvlint.runtime.examples.counter_examples import counter_example

HEADINGS = [
    "## What it does",
    "## Why is this bad",
    "## Example",
    "## Use instead",
    "## Fix and its safety",
    "## In numbers",
]


def test_rules_lists_one_a_line(run: Any) -> None:
    result = run("rules")
    assert result.exit_code == 0
    rows = result.stdout.splitlines()
    assert len(rows) == len(all_rules())
    for row, rule in zip(rows, all_rules(), strict=True):
        assert row.split()[:3] == [rule.code, rule.name, rule.severity]
        assert rule.summary in row


def test_rules_as_json(run: Any) -> None:
    result = run("rules", "--format", "json")
    document = json.loads(result.stdout)
    lines = [line.split()[:3] for line in run("rules").stdout.splitlines()]
    assert [[rule["code"], rule["name"], rule["severity"]] for rule in document["rules"]] == lines
    assert document["version"] == 1
    assert all(rule[key] for rule in document["rules"] for key in ("summary", "what", "why", "bad", "good", "fix"))
    assert not all(rule["enabled"] for rule in document["rules"])
    refused = run("rules", "--format", "json", "--check", ".")
    assert refused.exit_code == 2 and "cannot go together" in refused.stderr


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: str(rule.name))
def test_every_rule_has_a_page(run: Any, rule: Any) -> None:
    page = run("rule", rule.name)
    assert page.exit_code == 0
    assert page.stdout == run("rule", rule.code.lower()).stdout
    places = [page.stdout.index(f"\n{heading}\n") for heading in HEADINGS]
    assert places == sorted(places)
    assert rule.docs.bad.strip() in page.stdout
    assert rule.docs.good.strip() in page.stdout
    assert all(f"- {reference}" in page.stdout for reference in rule.docs.references)


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: str(rule.name))
def test_a_page_ends_with_numbers(run: Any, rule: Any) -> None:
    example = counter_example(rule.name)
    assert example is not None
    page = run("rule", rule.name).stdout
    title, table, conclusion = page.split("\n## In numbers\n\n")[1].split("\n\n")
    assert title == example.title
    assert conclusion == f"{example.conclusion}\n"
    head, line, *rows = ([cell.strip() for cell in row[1:-1].split("|")] for row in table.splitlines())
    assert tuple(head) == example.columns
    assert all(set(cell) <= set("-:") for cell in line)
    assert [tuple(row) for row in rows] == list(example.rows)
    assert len({len(row) for row in table.splitlines()}) == 1  # columns line up where nothing renders them


def test_a_terminal_draws_the_table(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    example = counter_example("mean-of-fold-f")
    assert example is not None
    lines = [line.split() for line in click.unstyle(run("rule", "mean-of-fold-f").stdout).splitlines()]
    place = lines.index(["In", "numbers"])
    table = [lines.index(list(row), place) for row in (example.columns, *example.rows)]
    assert table == sorted(table)
    assert " ".join(word for line in lines[table[-1] + 1 :] for word in line) == example.conclusion


def test_a_rule_without_numbers_has_a_page() -> None:
    rule = load_rules()[0]
    assert "In numbers" not in rule_page.render(rule)
    assert rule_page.render(rule).endswith("\n")
