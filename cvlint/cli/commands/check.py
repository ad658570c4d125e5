"""``cvlint check``: find faults in files, folders, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.check.fix import Fixing, fixing, show_diff, write_fixes
from cvlint.cli.check.ignores import check_adding, write_ignores
from cvlint.cli.check.report_writer import (
    FurtherReport,
    check_marking,
    check_showing_fixes,
    further_reports,
    name_unread_files,
    write_report,
)
from cvlint.cli.check.rewriting import State, alone, states
from cvlint.cli.check.statistics import check_style, show_statistics
from cvlint.cli.console.paths import existing, report_target, working_directory
from cvlint.cli.console.terminal import deliver
from cvlint.cli.options.check_arguments import NEVER, STDIN, Asked, check_arguments, refuse_contradictions
from cvlint.findings.finding import SEVERITIES, Report, with_suppressed, without_suppressed
from cvlint.output.findings.formats import FORMATS
from cvlint.usage_error import Refusal, refused
from cvlint.workspace.check_options import check_options, config_adjustments
from cvlint.workspace.config import Config, Configs, named_config
from cvlint.workspace.config_groups import Group, Part, Projects, common_options, joined
from cvlint.workspace.rule_selection import compiled
from cvlint.workspace.suppressed_check import heeding

if TYPE_CHECKING:
    from cvlint.cli.check.since import Past
    from cvlint.workspace.baselines import Known
    from cvlint.workspace.check import Options

FOUND = 1


Stdin = tuple[str, bytes] | None


@dataclass(frozen=True, slots=True)
class Task:
    """A check that can be made: what is asked for together with what the configs say, found to make sense.

    ``options`` are those of all parts together; ``past`` is what the commit holds that ``--since`` names.
    """

    asked: Asked
    projects: Projects
    parts: tuple[Part, ...]
    stdin: Stdin
    options: Options
    fixing: Fixing | None
    target: Path | None
    reports: tuple[FurtherReport, ...]
    past: Past | None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders that are checked."""
        return tuple(path for part in self.parts for path in part.paths)


@click.command("check")
@check_arguments
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find faults in files and folders (by default the working directory); '-' is standard input.

    Exit status: 0 if no error or warning was found, 1 if there was one, 2 if cvlint could not do what was asked.
    """
    asked = Asked(**given)
    refuse_contradictions(asked)
    if asked.watch:
        from cvlint.cli.check.watch import watch

        context.exit(watch(asked))
    with alone(asked):
        status = carried_out(prepared(asked))
    context.exit(status)


def prepared(asked: Asked) -> Task:
    """Read the configs and what else the options name; refuses what makes no sense before the check, which may last."""
    projects = asked_projects(asked)
    paths, stdin = _inputs(asked, projects)
    known = _known(asked)
    groups = projects.groups(paths, None if stdin is None else stdin[0])
    parts = tuple(_part(asked, group, stdin, projects, known) for group in groups)
    target = report_target(asked.output)
    reports = further_reports(asked.reports, target)
    styles = {asked.style, *(one.format_name for one in reports)}
    if asked.statistics:
        check_style(asked.style)
    if asked.add_ignores:
        check_adding(stdin, asked.new_baseline, asked.reason, any(part.require_reason for part in parts))
    if asked.show_suppressed:
        for style in sorted(styles):
            check_marking(style)
    if asked.show_fixes:
        check_showing_fixes(asked.style, styles)
    others = {"--write-baseline": asked.new_baseline is not None, "--add-ignores": asked.add_ignores}
    fixes = fixing(asked.fix, asked.unsafe_fixes, asked.diff, stdin, others)
    options = common_options(parts, asked.exclude)
    return Task(asked, projects, parts, stdin, options, fixes, target, reports, _past(asked, parts))


def carried_out(task: Task) -> int:
    """Check, and do with the findings what is asked for; gives the exit status."""
    asked = task.asked
    if asked.show_files:
        return _show_files(task)
    before = _states(task) if asked.add_ignores else {}
    heeded = _heeded(task)
    if task.fixing is not None:
        found = _new(without_suppressed(heeded), task)
        if task.fixing.diff:
            name_unread_files(found)
            changed = show_diff(found, task.fixing, task.options, task.stdin, task.target, task.paths)
            return 0 if asked.fails_on == NEVER else changed
        changes = write_fixes(found, task.fixing, task.options, task.paths)
        heeded = _heeded(task) if changes else heeded
    report = without_suppressed(heeded)
    if asked.new_baseline is not None:
        name_unread_files(report)
        return _write_baseline(report, task)
    report = _new(report, task, tell=FORMATS[asked.style].on_terminal)
    if asked.add_ignores:
        name_unread_files(report)
        return write_ignores(report, (asked.reason or "").strip(), task.paths, before)
    return _reported(with_suppressed(report, heeded) if asked.show_suppressed else report, task)


def _reported(report: Report, task: Task) -> int:
    """Show what was found, in the way that is asked for; gives the exit status."""
    asked = task.asked
    if asked.capture is not None:
        report = _measured(report, asked.capture)
    if not FORMATS[asked.style].holds_unread_files:
        name_unread_files(report)
    if asked.statistics:
        show_statistics(report, asked.style, task.target)
    else:
        write_report(report, asked.style, task.target, task.stdin, task.options, asked.show_fixes)
    for style, target in task.reports:
        write_report(report, style, target, task.stdin, task.options, asked.show_fixes)
    return status(report, asked.fails_on)


def status(report: Report, fails_on: str = "warning") -> int:
    """Settle the exit status: what is as severe as `fails_on`, or more, fails the check; ``"never"`` nothing does."""
    failing = () if fails_on == NEVER else SEVERITIES[: SEVERITIES.index(fails_on) + 1]
    active = without_suppressed(report).findings
    return FOUND if any(finding.severity in failing for finding in active) else 0


def asked_projects(asked: Asked) -> Projects:
    """The configs that are to be heeded, and what the command line leaves out beside theirs."""
    exclude = [compiled(pattern, "The option --exclude")[0] for pattern in asked.exclude]
    return Projects(chosen_configs(asked.config, asked.isolated), exclude)


def chosen_configs(named: str | None, isolated: bool) -> Configs:
    """The config file that is named for all files, or for each the nearest one; none if none is to be heeded."""
    if named is not None and isolated:
        raise Refusal("The options --config and --isolated cannot go together, because the second heeds no config file")
    folder = working_directory()
    if isolated:
        return Configs(Config())
    return Configs(None if named is None else named_config(folder / existing(named, "valid is a TOML file")))


def _part(asked: Asked, group: Group, stdin: Stdin, projects: Projects, known: Known | None) -> Part:
    """What the command line and the config of a group say together."""
    config = group.config
    options = check_options(config, asked.select, asked.ignore, asked.confidence, asked.jobs, asked.extend_select)
    options = _without_comments(options) if asked.ignore_noqa else options
    if known is None and config.baseline is not None:
        from cvlint.workspace.baselines import Known, read_baseline

        known = Known(config.baseline, read_baseline(config.baseline))
    return Part(
        config,
        group.paths,
        stdin if stdin is not None and projects.config(stdin[0]).path == config.path else None,
        replace(options, exclude=group.exclude),
        asked.require_reason or config.require_reason,
        config_adjustments(config, asked.min_severity),
        known,
    )


def _without_comments(options: Options) -> Options:
    """Leave out the rules about comments, where no comments are heeded."""
    from cvlint.rules.comment_rules import meta_rules

    rules = options.rules - {rule.name for rule in meta_rules()}
    if not rules:
        raise Refusal(
            "No rule is left to check, because --ignore-noqa heeds no comments, and those selected are about comments"
        )
    return replace(options, rules=rules)


def _inputs(asked: Asked, projects: Projects) -> tuple[list[Path], Stdin]:
    """What is to be checked: with --force-exclude not what is excluded, also by the name of standard input."""
    given = asked.paths or (".",)
    paths = [existing(path) for path in given if path != STDIN]
    if asked.force_exclude:
        paths = [path for path in paths if not projects.leaves_out(str(path))]
    if STDIN in given:
        stdin = (asked.stdin_filename or "<stdin>", sys.stdin.buffer.read())
        is_left_out = asked.force_exclude and projects.leaves_out(stdin[0])
        return paths, None if is_left_out else stdin
    if asked.stdin_filename is not None:
        raise Refusal("The option --stdin-filename names standard input, so it needs '-' as the path")
    return paths, None


def _heeded(task: Task) -> Report:
    """What is found, with what comments suppress marked as such; as the configs adjust it."""
    return joined([(part, _found(part, task.asked.ignore_noqa)) for part in task.parts], task.projects)


def _found(part: Part, ignore_noqa: bool) -> Report:
    look = partial(_check, part)
    if ignore_noqa:
        return look(part.options)
    return heeding(look, part.paths, part.stdin, part.options, part.require_reason)


def _check(part: Part, options: Options) -> Report:
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.workspace import check as engine

    with ProgressBar() as progress:
        return engine.check(part.paths, options, stdin=part.stdin, progress=progress)


def _states(task: Task) -> Mapping[str, State]:
    """What the system says of the files that are going to be checked, to notice which of them change meanwhile."""
    from cvlint.source.discovery import discover

    return states([entry for entry in discover(task.paths, task.options.exclude) if isinstance(entry, Path)])


def _show_files(task: Task) -> int:
    """Name the files that would be checked, one a line."""
    from cvlint.output.shared.locations import printable
    from cvlint.source.discovery import discover
    from cvlint.source.unread_file import UnreadFile

    found = [entry for part in task.parts for entry in discover(part.paths, part.options.exclude)]
    name_unread_files(Report((), tuple(entry for entry in found if isinstance(entry, UnreadFile)), 0))
    names = [str(entry) for entry in found if isinstance(entry, Path)]
    names += [task.stdin[0]] if task.stdin is not None else []
    deliver("".join(f"{printable(name)}\n" for name in names), task.target)
    return 0


def _known(asked: Asked) -> Known | None:
    """The file of known findings that the command line names, to be used or written."""
    if (asked.baseline, asked.new_baseline) == (None, None):
        return None
    from cvlint.cli.check.baseline import known_findings

    return known_findings(asked.baseline, asked.new_baseline)


def _past(asked: Asked, parts: tuple[Part, ...]) -> Past | None:
    """What the commit holds that the command line names; refuses what is no commit."""
    if asked.since is None:
        return None
    from cvlint.cli.check.since import Past, named_commit

    commit = named_commit(asked.since, [path for part in parts for path in part.paths])
    return Past(commit, parts, partial(_found, ignore_noqa=asked.ignore_noqa))


def _write_baseline(report: Report, task: Task) -> int:
    from cvlint.cli.check.baseline import write_baseline
    from cvlint.workspace.baselines import scopes_of

    known = task.parts[0].known
    if known is not None:
        write_baseline(report, known, scopes_of(task.parts, report))
    return 0


def _new(report: Report, task: Task, *, tell: bool = False) -> Report:
    """Hide known findings, and those of an earlier commit; tells what is gone of the known, if that is wanted."""
    if any(part.known is not None for part in task.parts):
        from cvlint.cli.check.baseline import tell_expired
        from cvlint.workspace.baselines import without_known

        report, gone = without_known(report, task.parts, task.projects)
        for known, entries in gone if tell else ():
            tell_expired(entries, known, task.asked.paths)
    return report if task.past is None else task.past.hidden(report)


def _measured(report: Report, capture: str) -> Report:
    """Join the findings with the experiments of an earlier run."""
    from cvlint.recording.captures import read_experiments
    from cvlint.recording.measured_findings import attach_measurements
    from cvlint.rules.catalogue import load_rules
    from cvlint.runtime.errors import FoldDataError

    folder = str(working_directory())
    try:
        experiments = read_experiments(Path(capture), folder)
    except FoldDataError as error:
        raise refused(error, capture) from None
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach_measurements(report.findings, experiments, pairs, folder))
