"""``cvlint config``: the effective settings, and the config file that each comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.paths import existing_path, working_directory
from cvlint.cli.console.terminal import write
from cvlint.cli.options.config import config_lookup
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.rules import config_options
from cvlint.output.shared.locations import printable
from cvlint.output.shared.strangers_text import harmless_json
from cvlint.records import dataclass
from cvlint.workspace.settings.adjustments import config_adjustments
from cvlint.workspace.settings.check_options import check_options
from cvlint.workspace.settings.config import KEYS, FileIgnores
from cvlint.workspace.settings.config_groups import ConfigLookup

if TYPE_CHECKING:
    from cvlint.findings.finding import Severity
    from cvlint.rules.catalogue import Rule

VERSION = 1
FORMATS = ("text", "json")
EXCLUDED = (
    "A check of a folder leaves this path out, by the key 'exclude'; it is checked when it is named, "
    "but not with --force-exclude."
)


@click.command("config")
@click.argument("path", required=False, metavar="[PATH]")
@config_options
@click.option("--schema", is_flag=True, help="Print the JSON schema of a config file, for editors.")
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(path: str | None, config: str | None, isolated: bool, schema: bool, form: str) -> None:
    """Show the effective settings, the config file that each comes from, and the rules that a check uses.

    PATH is a file or folder; the default is the working directory. The config file is the nearest one from there
    upwards, as for `cvlint check`.
    """
    if schema:
        write(resources.files("cvlint.workspace.settings").joinpath("config_schema.json").read_text(encoding="utf-8"))
        return
    settings = effective_settings(config_lookup(config, isolated), path)
    write(render_json(settings) if form == "json" else render_text(settings, working_directory()))


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """The settings that a check of a path uses, or a check of the whole project."""

    path: str | None
    """The path as the user gives it; None for the project."""
    files: tuple[Path, ...]
    """The config files, the nearest first."""
    values: Mapping[str, tuple[Any, tuple[Path, ...]]]
    """The value of each key, and the files that it comes from; a default comes from no file."""
    excluded: bool
    """Whether a check of a folder leaves the path out."""
    rules: tuple[tuple[Rule, Severity], ...]
    """The rules that the check uses, with their severities; without those below the least severity."""
    ignored: tuple[str, ...]
    """The names of the rules that the config ignores in this file only."""


def effective_settings(lookup: ConfigLookup, path: str | None) -> EffectiveSettings:
    """Work out the settings for a path; a wrong path or setting is an error, as for a check."""
    from cvlint.rules.comment_rules import all_rules

    if path is not None:
        existing_path(path, "valid are files and folders that exist")
    config = lookup.config(path or os.curdir)
    options = check_options(config, (), (), None, 1)
    changes = config_adjustments(config)
    selected = [rule for rule in all_rules(*config.extend_rules) if rule.name in options.rules]
    ignored = changes.ignored_rules(path) if path is not None and os.path.isfile(path) else frozenset()
    values = {key: (getattr(config, key.replace("-", "_")), config.sources.get(key, ())) for key in KEYS}
    for key, value in (("confidence", options.confidence), ("min-severity", changes.min_severity)):
        values[key] = value, values[key][1]
    graded = [(rule, changes.severity(rule.name, rule.severity)) for rule in selected if rule.name not in ignored]
    return EffectiveSettings(
        path,
        config.files,
        values,
        path is not None and lookup.excludes(path),
        tuple((rule, severity) for rule, severity in graded if changes.is_reported(severity)),
        tuple(rule.name for rule in selected if rule.name in ignored),
    )


def _as_json(value: Any, folder: Path | None = None) -> Any:
    """A value for JSON; a path below the folder becomes relative to it."""
    match value:
        case Path() if folder is not None and value.is_relative_to(folder):
            return str(value.relative_to(folder))
        case Path():
            return str(value)
        case (FileIgnores(), *_):
            globs = dict.fromkeys(entry.glob for entry in value)
            return {glob: [rule for entry in value if entry.glob == glob for rule in entry.rules] for glob in globs}
        case tuple():
            return [_as_json(item, folder) for item in value]
        case _:
            return value


def render_json(settings: EffectiveSettings) -> str:
    """Write the settings as JSON, with absolute paths of config files."""
    document = {
        "version": VERSION,
        "path": settings.path,
        "files": _as_json(settings.files),
        "settings": {
            key: {"value": _as_json(value), "files": _as_json(files)} for key, (value, files) in settings.values.items()
        },
        "excluded": settings.excluded,
        "rules": [{"rule": rule.name, "code": rule.code, "severity": severity} for rule, severity in settings.rules],
        "ignored": list(settings.ignored),
    }
    return harmless_json(json.dumps(document, indent=2)) + "\n"


def render_text(settings: EffectiveSettings, folder: Path) -> str:
    """Write the settings for people, with paths of config files relative to a folder."""
    lines = [_title(settings, folder), ""]
    values = {
        key: json.dumps(_as_json(value, folder), ensure_ascii=False) for key, (value, _) in settings.values.items()
    }
    width = max(map(len, values.values()))
    for key, (value, files) in settings.values.items():
        origin = ", ".join(_relative(path, folder) for path in files) or "default"
        lines.append(f"{key:<16}  {printable(values[key]) if value not in (None, (), {}) else '-':<{width}}  {origin}")
    lines.append("")
    if settings.excluded:
        lines += [EXCLUDED, ""]
    for rule, severity in settings.rules:
        usual = "" if severity == rule.severity else f" (usually {rule.severity})"
        lines.append(f"{rule.code}  {severity:<7}  {rule.name}{usual}")
    if settings.ignored:
        lines += ["", f"Left out in this file, by the key 'per-file-ignores': {', '.join(settings.ignored)}."]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _title(settings: EffectiveSettings, folder: Path) -> str:
    what = "Settings" if settings.path is None else f"Settings for {printable(settings.path)}"
    if not settings.files:
        return f"{what}: there is no config file, so all settings are defaults."
    return f"{what} from {', which extends '.join(_relative(path, folder) for path in settings.files)}."


def _relative(path: Path, folder: Path) -> str:
    return printable(_as_json(path, folder))
