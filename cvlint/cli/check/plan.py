"""The plan of one ``cvlint check``: the steps from report to report, and the ending that uses the last report.

Making the plan refuses all wrong options before the analysis starts, because that may take long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.cli.check.report_writer import (
    Display,
    FurtherReport,
    check_marking,
    check_showing_fixes,
    further_reports,
    name_unread_files,
    show_report,
)
from cvlint.cli.console.exit_status import CANNOT_RUN
from cvlint.cli.console.paths import existing_path, report_target, working_directory
from cvlint.cli.console.progress import ProgressBar
from cvlint.cli.console.terminal import print_problem, write_report
from cvlint.cli.options.check_arguments import NEVER, STDIN, CheckArguments
from cvlint.cli.options.config import config_lookup
from cvlint.findings.finding import SEVERITIES, Report, without_suppressed
from cvlint.output.findings.formats import FORMATS
from cvlint.output.shared.locations import printable
from cvlint.records import dataclass, replace
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import UsageError, as_usage_error
from cvlint.workspace.cache.folder import cache_folder
from cvlint.workspace.request import CheckRequest, Stdin
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.steps.analyse import Progress
from cvlint.workspace.steps.find import find
from cvlint.workspace.steps.pipeline import Step, run_steps
from cvlint.workspace.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from cvlint.workspace.settings.baseline_file import BaselineFile

FOUND = 1
Finish = Callable[[Report], int]
"""Shows or writes the last report, and returns the exit status."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """The steps to the last report, and the function that shows or writes it."""

    steps: tuple[Step, ...]
    finish: Finish
    progress: ProgressBar

    def carry_out(self) -> int:
        """Run the check, and return the exit status."""
        with self.progress:
            report = run_steps(self.steps)
        return self.finish(report)


def plan_check(arguments: CheckArguments) -> CheckPlan:
    """Read the configs and the files that the options name; refuse options that cannot be used."""
    lookup = config_lookup(arguments.config, arguments.isolated, arguments.exclude)
    workspace = open_workspace(_request(arguments, lookup), lookup)
    target = report_target(arguments.output)
    further = further_reports(arguments.reports, target)
    _check_formats(arguments, {arguments.style, *(one.format_name for one in further)})
    _check_changes(arguments, workspace)
    progress = ProgressBar()
    since = _since_steps(arguments, workspace, progress)
    if arguments.show_files:
        return CheckPlan((), partial(_show_files, workspace, target), progress)
    find_step = find(workspace, progress)
    hide_steps = (*_baseline_steps(workspace), *since)
    baseline = _baseline_steps(workspace, arguments)
    if arguments.diff:
        steps = (find_step, *hide_steps, without_suppressed)
        return CheckPlan(steps, partial(_diff, workspace, arguments, target), progress)
    if arguments.new_baseline is not None:
        return CheckPlan((find_step, without_suppressed), partial(_write_baseline, workspace), progress)
    if arguments.add_ignores:
        steps = (find_step, *baseline, *since, without_suppressed)
        return CheckPlan(steps, _write_ignores(workspace, arguments), progress)
    fix = _fix_steps(arguments, workspace, hide_steps, find_step)
    hide_suppressed = () if arguments.show_suppressed else (without_suppressed,)
    measure = () if arguments.capture is None else (partial(_join_capture, arguments.capture),)
    steps = (find_step, *fix, *baseline, *since, *hide_suppressed, *measure)
    return CheckPlan(steps, partial(_show, workspace, arguments, target, further), progress)


def _request(arguments: CheckArguments, lookup: ConfigLookup) -> CheckRequest:
    paths, stdin = _inputs(arguments, lookup)
    return CheckRequest(
        paths,
        stdin,
        arguments.select,
        arguments.ignore,
        arguments.extend_select,
        arguments.confidence,
        arguments.min_severity,
        arguments.jobs,
        arguments.exclude,
        arguments.require_reason,
        not arguments.ignore_noqa,
        _given_baseline(arguments),
        cache=None if arguments.no_cache else cache_folder(arguments.cache_dir, print_problem),
    )


def _inputs(arguments: CheckArguments, lookup: ConfigLookup) -> tuple[tuple[Path, ...], Stdin]:
    """The paths and the standard input of the command line; --force-exclude leaves out those that are excluded."""
    given = arguments.paths or (".",)
    paths = tuple(existing_path(path) for path in given if path != STDIN)
    if arguments.force_exclude:
        paths = tuple(path for path in paths if not lookup.excludes(str(path)))
    if STDIN in given:
        stdin = (arguments.stdin_filename or "<stdin>", sys.stdin.buffer.read())
        is_excluded = arguments.force_exclude and lookup.excludes(stdin[0])
        return paths, None if is_excluded else stdin
    if arguments.stdin_filename is not None:
        raise UsageError("The option --stdin-filename names standard input, so it needs '-' as the path")
    return paths, None


def _given_baseline(arguments: CheckArguments) -> BaselineFile | None:
    """The baseline that the command line names, to read or to write."""
    if (arguments.baseline, arguments.new_baseline) == (None, None):
        return None
    from cvlint.cli.check.baseline import baseline_file

    return baseline_file(arguments.baseline, arguments.new_baseline)


def _check_formats(arguments: CheckArguments, styles: set[str]) -> None:
    """Refuse formats that cannot show what the options add."""
    if arguments.statistics:
        from cvlint.cli.check.statistics import refuse_other_formats

        refuse_other_formats(arguments.style)
    if arguments.show_suppressed:
        for style in sorted(styles):
            check_marking(style)
    if arguments.show_fixes:
        check_showing_fixes(arguments.style, styles)


def _check_changes(arguments: CheckArguments, workspace: Workspace) -> None:
    """Refuse options about comments and fixes that have no effect, or contradict each other."""
    stdin = workspace.request.stdin
    if arguments.add_ignores:
        from cvlint.cli.check.ignores import refuse_useless_ignores

        reasons = any(group.require_reason for group in workspace.groups)
        refuse_useless_ignores(stdin, arguments.new_baseline, arguments.reason, reasons)
    if arguments.fix or arguments.unsafe_fixes or arguments.diff:
        from cvlint.cli.check.fix import refuse_useless_fixes

        others = {"--write-baseline": arguments.new_baseline is not None, "--add-ignores": arguments.add_ignores}
        refuse_useless_fixes(arguments.fix, arguments.unsafe_fixes, arguments.diff, stdin, others)


def _fix_steps(
    arguments: CheckArguments, workspace: Workspace, hide_steps: Sequence[Step], find_step: Step
) -> tuple[Step, ...]:
    """The step that writes fixes, if it is asked for."""
    if not arguments.fix:
        return ()
    from cvlint.cli.check.fix import make_fixes

    return (partial(make_fixes, workspace, arguments.unsafe_fixes, hide_steps, find_step),)


def _baseline_steps(workspace: Workspace, arguments: CheckArguments | None = None) -> tuple[Step, ...]:
    """The step that hides known findings, if there is a baseline; with arguments it prints expired entries."""
    if not any(group.baseline is not None for group in workspace.groups):
        return ()
    from cvlint.cli.check.baseline import print_expired
    from cvlint.workspace.steps.baseline import hide_baseline

    if arguments is None or not FORMATS[arguments.style].on_terminal:
        return (hide_baseline(workspace),)
    return (hide_baseline(workspace, lambda baseline, expired: print_expired(baseline, expired, arguments.paths)),)


def _since_steps(arguments: CheckArguments, workspace: Workspace, progress: Progress) -> tuple[Step, ...]:
    """The step that hides the findings of the commit after --since; a word that names no commit is refused."""
    if arguments.since is None:
        return ()
    from cvlint.workspace.steps.since import hide_commit, named_commit

    commit = named_commit(arguments.since, workspace.paths)
    return (hide_commit(workspace, commit, print_problem, progress),)


def _join_capture(capture: str, report: Report) -> Report:
    """Join the findings with the experiments that an earlier run has captured."""
    from cvlint.recording.captures import read_experiments
    from cvlint.recording.measured_findings import attach_measurements
    from cvlint.rules.catalogue import load_rules
    from cvlint.runtime.errors import FoldDataError

    folder = str(working_directory())
    try:
        experiments = read_experiments(Path(capture), folder)
    except FoldDataError as error:
        raise as_usage_error(error, capture) from None
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach_measurements(report.findings, experiments, pairs, folder))


def _show(
    workspace: Workspace,
    arguments: CheckArguments,
    target: Path | None,
    further: Sequence[FurtherReport],
    report: Report,
) -> int:
    """Write the report or its statistics, and all further reports."""
    stdin, options = workspace.request.stdin, workspace.options
    if not FORMATS[arguments.style].holds_unread_files:
        name_unread_files(report)
    if arguments.statistics:
        from cvlint.cli.check.statistics import show_statistics

        show_statistics(report, arguments.style, target, arguments.colour)
    else:
        display = Display(arguments.show_fixes, arguments.quiet, arguments.colour)
        show_report(report, arguments.style, target, stdin, options, display)
    for style, place in further:
        show_report(report, style, place, stdin, options, Display(arguments.show_fixes))
    return max(status(report, arguments.fails_on), _status_of_errors(workspace, arguments, report))


def _status_of_errors(workspace: Workspace, arguments: CheckArguments, report: Report) -> int:
    """The exit status because of files that could not be read: 2 if there was no other file; said on standard error."""
    unread = [error for error in report.errors if not error.is_checked]
    if not unread or arguments.ignore_errors or arguments.fails_on == NEVER:
        return 0
    files = "a file" if len(unread) == 1 else f"{len(unread)} files"
    way_out = "exclude what is no code of yours, or let it pass with --ignore-errors"
    print_problem(f"cvlint: The check fails because {files} could not be read; {way_out}.")
    unlisted = {entry for group in workspace.groups for entry in group.discovered if isinstance(entry, UnreadFile)}
    return FOUND if report.files > sum(error not in unlisted for error in unread) else CANNOT_RUN


def status(report: Report, fails_on: str = "warning") -> int:
    """The exit status: findings of the severity ``fails_on`` or a higher one fail the check, ``"never"`` means none."""
    failing = () if fails_on == NEVER else SEVERITIES[: SEVERITIES.index(fails_on) + 1]
    active = without_suppressed(report).findings
    return FOUND if any(finding.severity in failing for finding in active) else 0


def _show_files(workspace: Workspace, target: Path | None, report: Report) -> int:
    """List the files that a check reads, one per line."""
    entries = [entry for group in workspace.groups for entry in group.discovered]
    name_unread_files(replace(report, errors=tuple(entry for entry in entries if isinstance(entry, UnreadFile))))
    names = [str(entry) for entry in entries if isinstance(entry, Path)]
    names += [workspace.request.stdin[0]] if workspace.request.stdin is not None else []
    write_report("".join(f"{printable(name)}\n" for name in names), target)
    return 0


def _diff(workspace: Workspace, arguments: CheckArguments, target: Path | None, report: Report) -> int:
    from cvlint.cli.check.fix import show_diff

    name_unread_files(report)
    changed = show_diff(report, workspace, arguments.unsafe_fixes, target)
    return FOUND if changed and arguments.fails_on != NEVER else 0


def _write_baseline(workspace: Workspace, report: Report) -> int:
    from cvlint.cli.check.baseline import write_baseline
    from cvlint.workspace.steps.baseline import baseline_scopes

    name_unread_files(report)
    baseline = workspace.groups[0].baseline
    if baseline is not None:
        write_baseline(report, baseline, baseline_scopes(workspace, report))
    return 0


def _write_ignores(workspace: Workspace, arguments: CheckArguments) -> Finish:
    """The end of --add-ignores: the stamps of the files before the check show which of them change during it."""
    from cvlint.cli.check.ignores import write_ignores
    from cvlint.cli.check.rewriting import file_stamps

    stamps = file_stamps([file for group in workspace.groups for file in group.files])

    def finish(report: Report) -> int:
        name_unread_files(report)
        return write_ignores(report, (arguments.reason or "").strip(), workspace.paths, stamps)

    return finish
