"""``cvlint check``: find faults in files, folders, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.fix import fixing, show_diff, write_fixes
from cvlint.cli.ignores import check_adding, write_ignores
from cvlint.cli.refusal import Refusal, one_of, refused, whole_number
from cvlint.cli.selection import Adjustments, adjusted, adjustments, compiled, rule_options, selected_rules
from cvlint.cli.statistics import check_style, show_statistics
from cvlint.cli.suppressing import check_marking, heeding
from cvlint.cli.terminal import coloured, deliver, guarded
from cvlint.config import Config, find_config
from cvlint.findings import Confidence, Report, with_suppressed, without_suppressed

if TYPE_CHECKING:
    from cvlint.check import Options
    from cvlint.cli.baseline import Known

FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
FINDINGS_ALONE = ("text", "concise")
"""Formats without a place for files that could not be read: those are told on standard error."""
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
@click.option("--statistics", is_flag=True, help="Show how many findings each rule has (as text or json).")
@click.option("--baseline", metavar="FILE", help="Known findings, which are not reported.")
@click.option(
    "--write-baseline", "new_baseline", metavar="FILE", help="Write what is found as known findings, or update them."
)
@click.option("--require-reason", is_flag=True, help="Heed `# cvlint: ignore` only with a reason behind it.")
@click.option("--show-suppressed", is_flag=True, help="Show what comments suppress, too, and mark it.")
@click.option("--add-ignores", is_flag=True, help="Write a comment that suppresses it at each finding.")
@click.option("--fix", is_flag=True, help="Fix in the files what can be fixed without changing a reported number.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: fix also what changes reported numbers.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and write nothing.")
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
    statistics: bool,
    baseline: str | None,
    new_baseline: str | None,
    require_reason: bool,
    show_suppressed: bool,
    add_ignores: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
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
    changes = config_adjustments(config)
    target = report_target(output)
    known = _known(baseline, new_baseline, output, config)
    if statistics:
        check_style(style)
    inputs = _inputs(paths or (".",), stdin_filename)
    if add_ignores:
        check_adding(inputs.stdin, new_baseline)
    if show_suppressed:
        check_marking(style)
    others = {"--write-baseline": new_baseline is not None, "--add-ignores": add_ignores}
    asked = fixing(fix, unsafe_fixes, diff, inputs.stdin, others)
    look = partial(_heeded, inputs, options, require_reason or config.require_reason)
    heeded = adjusted(look(), changes)
    if asked is not None:
        found = without_suppressed(heeded)
        found = found if known is None else _new(found, known, inputs, options, None)
        if asked.diff:
            _tell_errors(found)
            changed = show_diff(found, asked, options, inputs.stdin, target)
            context.exit(0 if exit_zero else changed)
        heeded = adjusted(look(), changes) if write_fixes(found, asked, options) else heeded
    report = without_suppressed(heeded)
    if known is not None and known.writes:
        _tell_errors(report)
        context.exit(_write_baseline(report, known, inputs, options))
    if known is not None:
        report = _new(report, known, inputs, options, paths if style in FINDINGS_ALONE else None)
    if add_ignores:
        _tell_errors(report)
        context.exit(write_ignores(report))
    if show_suppressed:
        report = with_suppressed(report, heeded)
    if capture is not None:
        report = _measured(report, capture)
    if style in FINDINGS_ALONE:
        _tell_errors(report)
    if statistics:
        show_statistics(report, style, target)
    else:
        _show(report, style, target, inputs, options)
    context.exit(0 if exit_zero else status(report, strict))


def status(report: Report, strict: bool) -> int:
    """Settle the exit status: notes alone fail only a strict check."""
    failing = {"error", "warning", "note"} if strict else {"error", "warning"}
    active = without_suppressed(report).findings
    return FOUND if any(finding.severity in failing for finding in active) else 0


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
    from cvlint.knowledge import KnowledgeError, load_knowledge
    from cvlint.meta_rules import all_rules
    from cvlint.rules import RuleError

    try:
        rules = all_rules(*config.extend_rules)
        load_knowledge(*config.extend_knowledge)
    except (RuleError, KnowledgeError) as error:
        raise Refusal(str(error).rstrip(".")) from None
    for pattern in config.exclude:
        compiled(pattern, config.where("exclude"))
    return Options(
        rules=selected_rules(rules, select, ignore, config),
        confidence=confidence or config.confidence or "medium",
        exclude=config.exclude,
        jobs=jobs,
        own_knowledge=config.extend_knowledge,
        own_rules=config.extend_rules,
    )


def config_adjustments(config: Config) -> Adjustments:
    """What the config changes in findings; its rules are known to be good when `check_options` has passed."""
    from cvlint.meta_rules import all_rules

    return adjustments(all_rules(*config.extend_rules), config)


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
    paths = tuple(existing(path) for path in given if path != STDIN)
    if STDIN in given:
        return Inputs(paths, (stdin_filename or "<stdin>", sys.stdin.buffer.read()))
    if stdin_filename is not None:
        raise Refusal("The option --stdin-filename names standard input, so it needs '-' as the path")
    return Inputs(paths, None)


def existing(given: str, valid: str = "valid are files and folders that exist, and '-' for standard input") -> Path:
    """Refuse a path that is not there."""
    path = Path(given)
    try:
        os.stat(given)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: a NUL in the name
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


def _heeded(inputs: Inputs, options: Options, require_reason: bool) -> Report:
    return heeding(partial(_check, inputs), inputs.paths, inputs.stdin, options, require_reason)


def _check(inputs: Inputs, options: Options) -> Report:
    from cvlint import check as engine
    from cvlint.cli.progress import ProgressBar

    with ProgressBar() as progress:
        return engine.check(inputs.paths, options, stdin=inputs.stdin, progress=progress)


def _known(baseline: str | None, new_baseline: str | None, output: str | None, config: Config) -> Known | None:
    """The file of known findings, if one is to be used or written."""
    if (baseline, new_baseline, config.baseline) == (None, None, None):
        return None
    from cvlint.cli.baseline import known_findings

    return known_findings(baseline, new_baseline, output, config)


def _write_baseline(report: Report, known: Known, inputs: Inputs, options: Options) -> int:
    from cvlint.cli.baseline import scope_of, write_baseline

    write_baseline(report, known, scope_of(inputs.paths, inputs.stdin, report, options))
    return 0


def _new(report: Report, known: Known, inputs: Inputs, options: Options, tell: Sequence[str] | None) -> Report:
    """Hide known findings; what is gone of them is told with the paths that were given, if with any."""
    from cvlint.cli.baseline import scope_of, tell_expired, without_known

    report, gone = without_known(report, known, scope_of(inputs.paths, inputs.stdin, report, options))
    if tell is not None:
        tell_expired(gone, known, tell)
    return report


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


def _show(report: Report, style: str, target: Path | None, inputs: Inputs, options: Options) -> None:
    if style == "text" and target is None and report.findings and coloured(sys.stdout):
        guarded(lambda: _show_coloured(report, inputs))
        return
    deliver(_rendered(report, style, inputs, options), target)


def _show_coloured(report: Report, inputs: Inputs) -> None:
    from cvlint.cli.sources import source_lines
    from cvlint.output.pieces import show_coloured
    from cvlint.output.text import pieces

    show_coloured(pieces(report, source_lines(inputs.stdin)), sys.stdout)


def _rendered(report: Report, style: str, inputs: Inputs, options: Options) -> str:
    from cvlint.cli.sources import source_lines
    from cvlint.output import concise, json, jsonl, text

    match style:
        case "text":
            return text.render(report, source_lines(inputs.stdin))
        case "concise":
            return concise.render(report)
        case "json":
            return json.render(report)
        case "jsonl":
            return jsonl.render(report)
        case _:
            return _rendered_for_tools(report, style, inputs, options)


def _rendered_for_tools(report: Report, style: str, inputs: Inputs, options: Options) -> str:
    """Write the formats that CI systems read: they know files by their paths from the working directory."""
    from cvlint.cli.rows import file_rows
    from cvlint.cli.sources import source_lines
    from cvlint.meta_rules import all_rules
    from cvlint.output import github, gitlab, junit, markdown, sarif
    from cvlint.output.relative import from_folder, path_from_folder

    folder = working_directory()
    report = from_folder(report, folder)
    stdin = inputs.stdin and (path_from_folder(inputs.stdin[0], folder), inputs.stdin[1])
    match style:
        case "sarif":
            rules = [rule for rule in all_rules(*options.own_rules) if rule.name in options.rules]
            return sarif.render(report, rules, file_rows(stdin))
        case "github":
            return github.render(report, file_rows(stdin))
        case "gitlab":
            return gitlab.render(report, file_rows(stdin))
        case "junit":
            return junit.render(report, file_rows(stdin))
        case _:
            return markdown.render(report, source_lines(stdin))
