"""``cvlint config``: which settings are in force, and which file each comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.paths import existing, working_directory
from cvlint.cli.console.terminal import write
from cvlint.cli.options.config import config_lookup
from cvlint.cli.options.rules import config_options
from cvlint.cli.options.validation import one_of
from cvlint.output.shared.locations import printable
from cvlint.workspace import settings
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
SCHEMA = Path(settings.__file__).parent / "config_schema.json"


@click.command("config")
@click.argument("path", required=False, metavar="[PATH]")
@config_options
@click.option("--schema", is_flag=True, help="Print the JSON schema of a config file, for editors.")
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@click.help_option("-h", "--help")
def command(path: str | None, config: str | None, isolated: bool, schema: bool, form: str) -> None:
    """Show the settings in force, the file that each comes from, and the rules that are checked.

    With a PATH, those for this file or folder. The config file is the nearest one from there upwards, as for
    `cvlint check`; without a PATH it is that of the working directory.
    """
    if schema:
        write(SCHEMA.read_text(encoding="utf-8"))
        return
    found = in_force(config_lookup(config, isolated), path)
    write(render_json(found) if form == "json" else render_text(found, working_directory()))


@dataclass(frozen=True, slots=True)
class InForce:
    """What holds for a path, or for the whole project.

    Attributes
    ----------
    path
        As it was given; None for the project.
    files
        The config files, the nearest first.
    settings
        The value of each key, and the files that it comes from; none where it is the default.
    excluded
        Whether a check of a folder leaves the path out.
    rules
        The rules that are checked, with their severities; without those that are not grave enough to be reported.
    ignored
        The names of those that are left out in this file alone.
    """

    path: str | None
    files: tuple[Path, ...]
    settings: Mapping[str, tuple[Any, tuple[Path, ...]]]
    excluded: bool
    rules: tuple[tuple[Rule, Severity], ...]
    ignored: tuple[str, ...]


def in_force(projects: ConfigLookup, path: str | None) -> InForce:
    """Settle what holds for a path; refuses a path or settings that make no sense, as the check does."""
    from cvlint.rules.comment_rules import all_rules

    if path is not None:
        existing(path, "valid are files and folders that exist")
    config = projects.config(path or os.curdir)
    options = check_options(config, jobs=1)
    changes = config_adjustments(config)
    selected = [rule for rule in all_rules(*config.extend_rules) if rule.name in options.rules]
    ignored = changes.ignored_rules(path) if path is not None and os.path.isfile(path) else frozenset()
    values = {key: (getattr(config, key.replace("-", "_")), config.sources.get(key, ())) for key in KEYS}
    for key, value in (("confidence", options.confidence), ("min-severity", changes.min_severity)):
        values[key] = value, values[key][1]
    graded = [(rule, changes.severity(rule.name, rule.severity)) for rule in selected if rule.name not in ignored]
    return InForce(
        path,
        config.files,
        values,
        path is not None and projects.excludes(path),
        tuple((rule, severity) for rule, severity in graded if changes.is_reported(severity)),
        tuple(rule.name for rule in selected if rule.name in ignored),
    )


def _plain(value: Any, folder: Path | None = None) -> Any:
    """A setting as JSON has it; paths below a folder are shortened."""
    match value:
        case Path() if folder is not None and value.is_relative_to(folder):
            return str(value.relative_to(folder))
        case Path():
            return str(value)
        case (FileIgnores(), *_):
            globs = dict.fromkeys(entry.glob for entry in value)
            return {glob: [rule for entry in value if entry.glob == glob for rule in entry.rules] for glob in globs}
        case tuple():
            return [_plain(item, folder) for item in value]
        case _:
            return value


def render_json(found: InForce) -> str:
    """Write what is in force as JSON; paths of config files are absolute."""
    document = {
        "version": VERSION,
        "path": found.path,
        "files": _plain(found.files),
        "settings": {
            key: {"value": _plain(value), "files": _plain(files)} for key, (value, files) in found.settings.items()
        },
        "excluded": found.excluded,
        "rules": [{"rule": rule.name, "code": rule.code, "severity": severity} for rule, severity in found.rules],
        "ignored": list(found.ignored),
    }
    return json.dumps(document, indent=2) + "\n"


def render_text(found: InForce, folder: Path) -> str:
    """Write what is in force for people; config files are named as seen from a folder."""
    lines = [_title(found, folder), ""]
    values = {key: json.dumps(_plain(value, folder), ensure_ascii=False) for key, (value, _) in found.settings.items()}
    width = max(map(len, values.values()))
    for key, (value, files) in found.settings.items():
        origin = ", ".join(_shown(path, folder) for path in files) or "default"
        lines.append(f"{key:<16}  {printable(values[key]) if value not in (None, (), {}) else '-':<{width}}  {origin}")
    lines.append("")
    if found.excluded:
        lines += [EXCLUDED, ""]
    for rule, severity in found.rules:
        usual = "" if severity == rule.severity else f" (usually {rule.severity})"
        lines.append(f"{rule.code}  {severity:<7}  {rule.name}{usual}")
    if found.ignored:
        lines += ["", f"Left out in this file, by the key 'per-file-ignores': {', '.join(found.ignored)}."]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _title(found: InForce, folder: Path) -> str:
    what = "Settings" if found.path is None else f"Settings for {printable(found.path)}"
    if not found.files:
        return f"{what}: there is no config file, so all is as usual."
    return f"{what} from {', which extends '.join(_shown(path, folder) for path in found.files)}."


def _shown(path: Path, folder: Path) -> str:
    return printable(_plain(path, folder))
