"""The pages of the reference that are generated are complete, and git does not keep them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from cvlint.cli.program import COMMANDS, main
from tests.docs.pages import GENERATE, ROOT


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(GENERATE.all_pages())


def test_each_command_has_a_page_with_all_its_options(pages: dict[str, str]) -> None:
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        page = pages[f"reference/commands/{name}.md"]
        shown = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
        options = [word for option in shown for word in option.opts]
        assert [word for word in options if f"{word}" not in page] == []
        assert f"]({name}.md)" in pages["reference/commands/index.md"]


def test_each_rule_has_a_page_and_a_row(pages: dict[str, str]) -> None:
    rules = json.loads(GENERATE.printed("rules", "--format", "json"))["rules"]
    for rule in rules:
        page = pages[f"reference/rules/{rule['name']}.md"]
        headings = re.findall(r"^## (.*)", page, re.MULTILINE)
        assert headings[:5] == ["What it does", "Why is this bad", "Example", "Use instead", "Fix and its safety"]
        assert page.startswith(GENERATE.printed("rule", rule["code"]))
        assert f"| {rule['code']} | [`{rule['name']}`]" in pages["reference/rules/index.md"]


def test_each_key_has_a_heading(pages: dict[str, str]) -> None:
    page = pages["reference/configuration-keys.md"]
    assert re.findall(r"^## `(.*)`", page, re.MULTILINE) == list(
        json.loads(GENERATE.printed("config", "--schema"))["properties"]
    )


def test_git_keeps_none_of_them(pages: dict[str, str]) -> None:
    ignored = re.findall(r"^docs/(.*?)/?$", (ROOT / ".gitignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(ignored) == sorted(GENERATE.GENERATED)
    assert [page for page in pages if not page.startswith(tuple(ignored))] == []


def test_pages_of_what_is_gone_are_removed(tmp_path: Path) -> None:
    old = tmp_path / "reference" / "rules" / "no-such-rule.md"
    old.parent.mkdir(parents=True)
    old.write_text("# Gone\n", encoding="utf-8")
    GENERATE.write_pages(tmp_path)
    assert not old.exists()
    assert (old.parent / "mean-of-fold-f.md").exists()


def test_plain_words_stay_plain_in_a_table() -> None:
    assert GENERATE.text("a|b *x* [y] `c_d`") == r"a\|b \*x\* \[y\] `c_d`"
    assert GENERATE.option_row("--format text|json", "Default: text.") == (
        "| `--format` | Default: text. Choices: `text`, `json`. |"
    )
