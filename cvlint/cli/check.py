"""``cvlint check``: find faults in files, folders, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.refusal import Refusal, one_of, refused, whole_number
from cvlint.cli.selection import rule_options
from cvlint.cli.terminal import coloured, guarded, write
from cvlint.config import Config, find_config
from cvlint.findings import Confidence, Report

if TYPE_CHECKING:
    from cvlint.check import Options
    from cvlint.output.excerpt import Lines

FORMATS = ("text", "concise", "json")
STDIN = "-"
FOUND = 1


@dataclass(frozen=True, slots=True)
class Inputs:
    """What to check: paths, and the name and bytes of standard input if ``-`` is among them."""

    paths: tuple[Path, ...]
    stdin: tuple[str, bytes] | None


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@rule_options
@click.option(
    "--format", "style", callback=one_of(FORMATS), default="text", metavar="|".join(FORMATS), help="Default: text."
)
@click.option("--output", metavar="FILE", help="Write the report to a file.")
@click.option("--capture", metavar="FILE", help="Fold data of a run (`cvlint run --capture`): say how far off it is.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 whatever is found.")
@click.option("--strict", is_flag=True, help="Let notes fail the check as errors and warnings do.")
@click.option("--jobs", callback=whole_number, default="0", metavar="N", help="Processes; default: as it seems best.")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (path '-') in the report.")
@click.help_option("-h", "--help")
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    confidence: Confidence | None,
    style: str,
    output: str | None,
    capture: str | None,
    exit_zero: bool,
    strict: bool,
    jobs: int,
    stdin_filename: str | None,
) -> None:
    """Find faults in files and folders (by default the working directory); '-' is standard input.

    Exit status: 0 if no error or warning was found, 1 if there was one, 2 if cvlint could not do what was asked.
    """
    config = find_config(working_directory())
    options = check_options(config, select, ignore, confidence, jobs)
    target = report_target(output)
    inputs = _inputs(paths or (".",), stdin_filename)
    report = _check(inputs, options)
    if capture is not None:
        report = _measured(report, capture)
    if style != "json":
        _tell_errors(report)
    _show(report, style, target, inputs)
    context.exit(0 if exit_zero else status(report, strict))


def status(report: Report, strict: bool) -> int:
    """Settle the exit status: notes alone fail only a strict check."""
    failing = {"error", "warning", "note"} if strict else {"error", "warning"}
    return FOUND if any(finding.severity in failing for finding in report.findings) else 0


def working_directory() -> Path:
    """The working directory, or a refusal where it was taken away."""
    try:
        return Path.cwd()
    except OSError as error:
        raise Refusal("The working directory is not there any more") from error


def check_options(
    config: Config, select: Sequence[str], ignore: Sequence[str], confidence: Confidence | None, jobs: int
) -> Options:
    """What the options and the config say together."""
    from cvlint.check import Options
    from cvlint.cli.selection import selected_rules
    from cvlint.knowledge import KnowledgeError, load_knowledge
    from cvlint.rules import RuleError, load_rules

    try:
        rules = load_rules(*config.extend_rules)
        load_knowledge(*config.extend_knowledge)
    except (RuleError, KnowledgeError) as error:
        raise Refusal(str(error).rstrip(".")) from None
    return Options(
        rules=selected_rules(rules, select, ignore, config),
        confidence=confidence or config.confidence or "medium",
        exclude=config.exclude,
        jobs=jobs,
        own_knowledge=config.extend_knowledge,
        own_rules=config.extend_rules,
    )


def report_target(output: str | None) -> Path | None:
    """Refuse a file that cannot be written before the check, which may take long."""
    if output is None:
        return None
    path = Path(output)
    if not output or path.is_dir():
        raise Refusal(f"The option --output cannot be '{output}'", "valid is the name of a file")
    if not path.parent.is_dir():
        raise Refusal(f"The report cannot be written to '{output}', because there is no folder '{path.parent}'")
    return path


def _inputs(given: Sequence[str], stdin_filename: str | None) -> Inputs:
    paths = tuple(_existing(path) for path in given if path != STDIN)
    if STDIN in given:
        return Inputs(paths, (stdin_filename or "<stdin>", sys.stdin.buffer.read()))
    if stdin_filename is not None:
        raise Refusal("The option --stdin-filename names standard input, so it needs '-' as the path")
    return Inputs(paths, None)


def _existing(given: str) -> Path:
    path = Path(given)
    try:
        os.stat(given)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: a NUL in the name
        valid = "valid are files and folders that exist, and '-' for standard input"
        choices = [str(path.with_name(name)) for name in _names(path.parent)] if path.name else []
        raise Refusal(f"There is no file or folder '{given}'", valid, given, choices) from error
    except OSError as error:
        raise Refusal(f"The path '{given}' cannot be reached: {error.strerror}") from error
    return path


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def _check(inputs: Inputs, options: Options) -> Report:
    from cvlint import check as engine
    from cvlint.cli.progress import ProgressBar

    with ProgressBar() as progress:
        return engine.check(inputs.paths, options, stdin=inputs.stdin, progress=progress)


def _measured(report: Report, capture: str) -> Report:
    """Join the findings with the experiments of an earlier run."""
    from cvlint.recording.captures import read_experiments
    from cvlint.recording.measures import attach
    from cvlint.rules import load_rules
    from cvlint.runtime.faults import FoldDataError

    folder = str(working_directory())
    try:
        experiments = read_experiments(Path(capture), folder)
    except FoldDataError as error:
        raise refused(error, capture) from None
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach(report.findings, experiments, pairs, folder))


def _tell_errors(report: Report) -> None:
    from cvlint.output.places import printable

    for error in report.errors:
        line = "" if error.line is None else f"{error.line}:"
        click.echo(f"{printable(error.path)}:{line} {printable(' '.join(error.message.split()))}", err=True)


def _show(report: Report, style: str, target: Path | None, inputs: Inputs) -> None:
    from cvlint.cli.sources import source_lines

    lines = source_lines(inputs.stdin)
    if style == "text" and target is None and report.findings and coloured(sys.stdout):
        guarded(lambda: _show_coloured(report, lines))
        return
    text = _rendered(report, style, lines)
    if target is None:
        write(text)
        return
    try:
        target.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise Refusal(f"The report cannot be written to '{target}': {error.strerror}") from error


def _show_coloured(report: Report, lines: Lines) -> None:
    from cvlint.output.pieces import show_coloured
    from cvlint.output.text import pieces

    show_coloured(pieces(report, lines), sys.stdout)


def _rendered(report: Report, style: str, lines: Lines) -> str:
    from cvlint.output import concise, json, text

    match style:
        case "json":
            return json.render(report)
        case "concise":
            return concise.render(report)
        case _:
            return text.render(report, lines)
