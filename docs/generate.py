"""Write the pages of the reference that follow from the program itself: ``python docs/generate.py``.

The build of the site runs this first. It writes a page for each command (from click), a page for each rule (what
``cvlint rule NAME`` prints), the keys of the configuration (from ``cvlint config --schema``), and indexes of them.
These pages are not kept in git.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from cvlint.cli import main

GENERATED = ("reference/commands", "reference/rules", "reference/configuration-keys.md")
"""Folders and files, relative to this one, that hold nothing else but generated pages."""
FOOT = """
---

Names such as F_avg and AUC_merge are explained in [Why the mean of F misleads](../../explanation/mean-of-f.md).
[Suppress a finding](../../how-to/suppress.md) · [Fix findings](../../how-to/fix.md) · [All rules](index.md)
"""
FAMILIES = {
    "CVL0": "Comments that suppress findings",
    "CVL1": "F-measure and the folds",
    "CVL2": "AUC and other ranking measures",
    "CVL3": "How the data are split",
    "CVL4": "Formulas of F",
    "CVL5": "What is chosen on the test data",
}


def write_pages(folder: Path) -> None:
    """Write all generated pages below a folder, and remove those that nothing generates any more."""
    pages = dict(all_pages())
    for place in GENERATED:
        for old in (folder / place).glob("*.md"):
            if old.relative_to(folder).as_posix() not in pages:
                old.unlink()
    for name, text in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:  # Sphinx reads again what is newer
            target.write_text(text, encoding="utf-8", newline="\n")


def all_pages() -> Iterator[tuple[str, str]]:
    """The path of each generated page, and its text."""
    yield from command_pages()
    yield from rule_pages()
    yield "reference/configuration-keys.md", configuration_keys(json.loads(printed("config", "--schema")))


def printed(*arguments: str) -> str:
    """What a command of cvlint prints."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        main(list(arguments), standalone_mode=False)
    return stream.getvalue()


def command_pages() -> Iterator[tuple[str, str]]:
    """A page for each command, and an index."""
    names = main.list_commands(click.Context(main))
    rows = []
    for name in names:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=click.Context(main, info_name="cvlint"))
        yield f"reference/commands/{name}.md", command_page(command, context)
        first = re.split(r"(?<=\.)\s", " ".join((command.help or "").split()), maxsplit=1)[0]
        rows.append(f"| [`cvlint {name}`]({name}.md) | {text(first)} |")
    yield (
        "reference/commands/index.md",
        "# Commands\n\nEach page shows what `--help` prints. `cvlint --version` prints the version.\n\n"
        + table("| command | what it does |", rows)
        + "\n"
        + toctree(names),
    )


def command_page(command: click.Command, context: click.Context) -> str:
    """What ``--help`` says of a command, as a page."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    paragraphs = [text(" ".join(part.split())) for part in (command.help or "").split("\n\n")]
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    rows = [option_row(*record) for option in options if (record := option.get_help_record(context))]
    return (
        f"# `{context.command_path}`\n\n```text\n{usage}\n```\n\n"
        + "\n\n".join(paragraphs)
        + "\n\n## Options\n\n"
        + table("| option | meaning |", rows)
    )


def option_row(names: str, meaning: str) -> str:
    """A row of the table of options; long choices stand beside the meaning, where a narrow page can break them."""
    head, _space, value = names.rpartition(" ")
    if "|" in value:
        choices = ", ".join(code(choice) for choice in value.split("|"))
        names, meaning = head, f"{text(meaning)} Choices: {choices}.".strip()
    else:
        meaning = text(" ".join(meaning.split()))
    return f"| {code(names)} | {meaning} |"


def rule_pages() -> Iterator[tuple[str, str]]:
    """A page for each rule, and an index by families of codes."""
    rules: list[Mapping[str, Any]] = json.loads(printed("rules", "--format", "json"))["rules"]
    lines = [
        "# Rules",
        "",
        "Each page shows what `cvlint rule NAME` prints. Names and codes are stable. [How to suppress a",
        "finding](../../how-to/suppress.md) and [how to choose rules](../configuration.md) have pages of their own.",
        "",
    ]
    for family, title in FAMILIES.items():
        members = [rule for rule in rules if rule["code"].startswith(family)]
        rows = [
            f"| {rule['code']} | [`{rule['name']}`]({rule['name']}.md) | {rule['severity']} | {text(rule['summary'])} |"
            for rule in members
        ]
        lines += [f"## {title}", "", table("| code | name | severity | finds |", rows)]
    for rule in rules:
        assert any(rule["code"].startswith(family) for family in FAMILIES), rule["code"]
        yield f"reference/rules/{rule['name']}.md", printed("rule", rule["name"]) + FOOT
    yield "reference/rules/index.md", "\n".join(lines) + "\n" + toctree([rule["name"] for rule in rules])


def configuration_keys(schema: Mapping[str, Any]) -> str:
    """The keys of the configuration, each under a heading of its own."""
    lines = [
        "# Keys of the configuration",
        "",
        "This page is made from the JSON schema that `cvlint config --schema` prints.",
        "[Configuration](configuration.md) explains which file is read and how files are joined.",
        "",
    ]
    for key, entry in schema["properties"].items():
        default = json.dumps(entry["default"], ensure_ascii=False) if "default" in entry else ""
        lines += [f"## `{key}`", "", text(entry["description"]), "", f"- Type: {kind(entry)}"]
        lines += [f"- Default: `{default}`"] if default else ["- Default: none"]
        lines.append("")
    return "\n".join(lines)


def kind(entry: Mapping[str, Any]) -> str:
    """The type of a setting, in words."""
    if "enum" in entry:
        return "one of " + ", ".join(f'`"{value}"`' for value in entry["enum"])
    match entry["type"]:
        case "array":
            return "list of strings"
        case "object" if entry["additionalProperties"].get("type") == "array":
            return "table from a pattern to a list of rules"
        case "object":
            return f"table from rules to {kind(entry['additionalProperties'])}"
        case "boolean":
            return "`true` or `false`"
        case other:
            return str(other)


def text(words: str) -> str:
    """Plain words as Markdown, for a cell of a table as well; what stands between backticks stays code."""
    parts = words.replace("|", "\\|").split("`")
    parts[::2] = [re.sub(r"([*_<>\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def code(words: str) -> str:
    """Code in a cell of a table."""
    return f"`{words}`".replace("|", "\\|")


def table(head: str, rows: list[str]) -> str:
    """A Markdown table."""
    rule = re.sub(r"[^|]+", " --- ", head)
    return "\n".join([head, rule, *rows]) + "\n"


def toctree(names: list[str]) -> str:
    """The table of contents that puts pages below this one."""
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


if __name__ == "__main__":
    write_pages(Path(__file__).parent)
