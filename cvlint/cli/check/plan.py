"""What a call of ``cvlint check`` does: the steps from report to report, and what is done with the last report.

All options are checked here, before the analysis, which may take long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from cvlint.cli.check.fix import SHOWING, check_showing, fixing, make_fixes, show_diff
from cvlint.cli.check.ignores import check_adding, write_ignores
from cvlint.cli.check.report_writer import FINDINGS_ALONE, Further, check_marking, further_reports, show, tell_errors
from cvlint.cli.check.rewriting import states
from cvlint.cli.check.statistics import check_style, show_statistics
from cvlint.cli.console.paths import existing, report_target, working_directory
from cvlint.cli.console.progress import ProgressBar
from cvlint.cli.console.terminal import deliver
from cvlint.cli.options.check_arguments import NEVER, STDIN, CheckArguments
from cvlint.cli.options.config import config_lookup
from cvlint.findings.finding import SEVERITIES, Report, without_suppressed
from cvlint.output.shared.locations import printable
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import Refusal, refused
from cvlint.workspace.pipeline import Step, run_steps
from cvlint.workspace.request import CheckRequest, Stdin
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.known_findings import KnownFindings
from cvlint.workspace.steps.find import find
from cvlint.workspace.workspace import Workspace, open_workspace

FOUND = 1
Ending = Callable[[Report], int]
"""Does with the last report what the options say, and gives the exit status."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """A check that can be made: the steps to the last report, and what is done with it."""

    steps: tuple[Step, ...]
    ending: Ending

    def carry_out(self) -> int:
        """Check, and give the exit status."""
        return self.ending(run_steps(self.steps))


def plan_check(arguments: CheckArguments) -> CheckPlan:
    """Read the configs and whatever else the options name; refuses options that make no sense."""
    lookup = config_lookup(arguments.config, arguments.isolated, arguments.exclude)
    workspace = open_workspace(_request(arguments, lookup), lookup)
    stdin = workspace.request.stdin
    target = report_target(arguments.output)
    further = further_reports(arguments.reports, target)
    _check_formats(arguments, {arguments.style, *(one.style for one in further)})
    if arguments.add_ignores:
        reasons = any(group.require_reason for group in workspace.groups)
        check_adding(stdin, arguments.new_baseline, arguments.reason, reasons)
    others = {"--write-baseline": arguments.new_baseline is not None, "--add-ignores": arguments.add_ignores}
    fixes = fixing(arguments.fix, arguments.unsafe_fixes, arguments.diff, stdin, others)
    past = _past(arguments, workspace)
    if arguments.show_files:
        return CheckPlan((), partial(_show_files, workspace, target))
    found = find(workspace, ProgressBar)
    silent = (*_known(workspace), *past)
    if fixes is not None and fixes.diff:
        return CheckPlan((found, *silent, without_suppressed), partial(_diff, workspace, arguments, target))
    if arguments.new_baseline is not None:
        return CheckPlan((found, without_suppressed), partial(_write_baseline, workspace))
    if arguments.add_ignores:
        return _adding(workspace, arguments, (found, *_known(workspace, arguments), *past, without_suppressed))
    mended = () if fixes is None else (partial(make_fixes, workspace, fixes, silent, found),)
    hidden = () if arguments.show_suppressed else (without_suppressed,)
    measured = () if arguments.capture is None else (partial(_measured, arguments.capture),)
    steps = (found, *mended, *_known(workspace, arguments), *past, *hidden, *measured)
    return CheckPlan(steps, partial(_show, workspace, arguments, target, further))


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
        _baseline(arguments),
    )


def _inputs(arguments: CheckArguments, lookup: ConfigLookup) -> tuple[tuple[Path, ...], Stdin]:
    """What is checked; with --force-exclude without excluded files, and standard input counts by its name."""
    given = arguments.paths or (".",)
    paths = tuple(existing(path) for path in given if path != STDIN)
    if arguments.force_exclude:
        paths = tuple(path for path in paths if not lookup.leaves_out(str(path)))
    if STDIN in given:
        stdin = (arguments.stdin_filename or "<stdin>", sys.stdin.buffer.read())
        is_left_out = arguments.force_exclude and lookup.leaves_out(stdin[0])
        return paths, None if is_left_out else stdin
    if arguments.stdin_filename is not None:
        raise Refusal("The option --stdin-filename names standard input, so it needs '-' as the path")
    return paths, None


def _baseline(arguments: CheckArguments) -> KnownFindings | None:
    """The file of known findings that the command line names, to be read or written."""
    if (arguments.baseline, arguments.new_baseline) == (None, None):
        return None
    from cvlint.cli.check.baseline import known_findings

    return known_findings(arguments.baseline, arguments.new_baseline)


def _check_formats(arguments: CheckArguments, styles: set[str]) -> None:
    """Refuse formats that have no place for what the options want shown."""
    if arguments.statistics:
        check_style(arguments.style)
    if arguments.show_suppressed:
        for style in sorted(styles):
            check_marking(style)
    if arguments.show_fixes and SHOWING not in styles:
        check_showing(arguments.style)


def _known(workspace: Workspace, arguments: CheckArguments | None = None) -> tuple[Step, ...]:
    """The step that hides known findings, if there are any; with arguments it says which of them are gone."""
    if not any(group.known is not None for group in workspace.groups):
        return ()
    from cvlint.cli.check.baseline import tell_expired
    from cvlint.workspace.steps.baseline import hide_known

    if arguments is None or arguments.style not in FINDINGS_ALONE:
        return (hide_known(workspace),)
    return (hide_known(workspace, lambda known, gone: tell_expired(gone, known, arguments.paths)),)


def _past(arguments: CheckArguments, workspace: Workspace) -> tuple[Step, ...]:
    """The step that hides the findings of the commit that the command line names; refuses what is no commit."""
    if arguments.since is None:
        return ()
    from cvlint.workspace.steps.since import hide_past, named_commit

    commit = named_commit(arguments.since, workspace.paths)
    return (hide_past(workspace, commit, lambda text: click.echo(printable(text), err=True), ProgressBar),)


def _measured(capture: str, report: Report) -> Report:
    """Join the findings with the experiments of an earlier run."""
    from cvlint.recording.captures import read_experiments
    from cvlint.recording.measured_findings import attach
    from cvlint.rules.catalogue import load_rules
    from cvlint.runtime.errors import FoldDataError

    folder = str(working_directory())
    try:
        experiments = read_experiments(Path(capture), folder)
    except FoldDataError as error:
        raise refused(error, capture) from None
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach(report.findings, experiments, pairs, folder))


def _show(
    workspace: Workspace, arguments: CheckArguments, target: Path | None, further: Sequence[Further], report: Report
) -> int:
    """Show what was found."""
    stdin, options = workspace.request.stdin, workspace.options
    if arguments.style in FINDINGS_ALONE:
        tell_errors(report)
    if arguments.statistics:
        show_statistics(report, arguments.style, target)
    else:
        show(report, arguments.style, target, stdin, options, arguments.show_fixes)
    for style, place in further:
        show(report, style, place, stdin, options, arguments.show_fixes)
    return status(report, arguments.fails_on)


def status(report: Report, fails_on: str = "warning") -> int:
    """The exit status: findings as severe as ``fails_on``, or more, fail the check; with ``"never"`` none does."""
    failing = () if fails_on == NEVER else SEVERITIES[: SEVERITIES.index(fails_on) + 1]
    active = without_suppressed(report).findings
    return FOUND if any(finding.severity in failing for finding in active) else 0


def _show_files(workspace: Workspace, target: Path | None, report: Report) -> int:
    """Name the files that a check reads, one a line."""
    found = [entry for group in workspace.groups for entry in group.discovered]
    tell_errors(replace(report, errors=tuple(entry for entry in found if isinstance(entry, UnreadFile))))
    names = [str(entry) for entry in found if isinstance(entry, Path)]
    names += [workspace.request.stdin[0]] if workspace.request.stdin is not None else []
    deliver("".join(f"{printable(name)}\n" for name in names), target)
    return 0


def _diff(workspace: Workspace, arguments: CheckArguments, target: Path | None, report: Report) -> int:
    tell_errors(report)
    changed = show_diff(report, workspace, arguments.unsafe_fixes, target)
    return FOUND if changed and arguments.fails_on != NEVER else 0


def _write_baseline(workspace: Workspace, report: Report) -> int:
    from cvlint.cli.check.baseline import write_baseline
    from cvlint.workspace.steps.baseline import baseline_scopes

    tell_errors(report)
    known = workspace.groups[0].known
    if known is not None:
        write_baseline(report, known, baseline_scopes(workspace, report))
    return 0


def _adding(workspace: Workspace, arguments: CheckArguments, steps: tuple[Step, ...]) -> CheckPlan:
    """The plan of --add-ignores: the state of the files is noted before the check, to notice which of them change."""
    before = states([file for group in workspace.groups for file in group.files])

    def ending(report: Report) -> int:
        tell_errors(report)
        return write_ignores(report, (arguments.reason or "").strip(), workspace.paths, before)

    return CheckPlan(steps, ending)
