"""What the command line of ``cvlint check`` asks for: its options, and which of them contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from cvlint.cli.check.report_writer import FINDINGS_ALONE, FORMATS
from cvlint.cli.options.rules import config_options, rule_options
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.findings.finding import SEVERITIES, Confidence, Severity
from cvlint.usage_error import Refusal

STDIN = "-"
NEVER = "never"
FAILING = (*SEVERITIES, NEVER)


@dataclass(frozen=True, slots=True)
class CheckArguments:
    """The command line of ``cvlint check``, a field an option; ``None`` and ``()`` where nothing is given."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    confidence: Confidence | None
    min_severity: Severity | None
    config: str | None
    isolated: bool
    exclude: tuple[str, ...]
    force_exclude: bool
    style: str
    output: str | None
    reports: tuple[str, ...]
    capture: str | None
    statistics: bool
    show_files: bool
    watch: bool
    baseline: str | None
    new_baseline: str | None
    since: str | None
    require_reason: bool
    ignore_noqa: bool
    show_suppressed: bool
    add_ignores: bool
    reason: str | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    show_fixes: bool
    fail_on: str | None
    exit_zero: bool
    strict: bool
    jobs: int
    stdin_filename: str | None

    @property
    def fails_on(self) -> str:
        """The least severity that fails the check, or ``"never"``."""
        return self.fail_on or (NEVER if self.exit_zero else "note" if self.strict else "warning")


def check_arguments(command: Any) -> Any:
    """Add the paths and the options that `CheckArguments` holds."""
    for add in reversed((click.argument("paths", nargs=-1, metavar="[PATHS]..."), *_WHAT, *_SHOWN, *_KNOWN, *_HOW)):
        command = add(command)
    return command


_WHAT = (
    rule_options,
    click.option("--extend-select", multiple=True, metavar="RULES", help="Rules to report beside those selected."),
    config_options,
    click.option("--exclude", multiple=True, metavar="GLOB", help="What to leave out beside the key `exclude`."),
    click.option("--force-exclude", is_flag=True, help="Leave out what is excluded also where it is named."),
    click.option("--stdin-filename", metavar="NAME", help="What to call standard input (path '-') in the report."),
)
_SHOWN = (
    click.option(
        "--format", "style", callback=one_of(FORMATS), default="text", metavar="|".join(FORMATS), help="Default: text."
    ),
    click.option("--output", metavar="FILE", help="Write the report to a file."),
    click.option(
        "--report",
        "reports",
        multiple=True,
        metavar="FORMAT:FILE",
        help="Write a further report to a file, as sarif:cvlint.sarif.",
    ),
    click.option(
        "--capture", metavar="FILE", help="Fold data of a run (`cvlint run --capture`): say how far off it is."
    ),
    click.option("--statistics", is_flag=True, help="Show how many findings each rule has (as text or json)."),
    click.option("--show-files", is_flag=True, help="Show which files would be checked, and check nothing."),
    click.option("--watch", is_flag=True, help="Check again whenever a file or the config changes, until Ctrl+C."),
)
_KNOWN = (
    click.option("--baseline", metavar="FILE", help="Known findings, which are not reported."),
    click.option(
        "--write-baseline",
        "new_baseline",
        metavar="FILE",
        help="Write what is found as known findings, or update them.",
    ),
    click.option("--since", metavar="REV", help="Report only what is new since a commit: a branch, tag, hash or HEAD."),
    click.option("--require-reason", is_flag=True, help="Let `# cvlint: ignore` count only with a reason behind it."),
    click.option("--ignore-noqa", is_flag=True, help="Ignore all such comments: `# cvlint: ignore` and `# noqa`."),
    click.option("--show-suppressed", is_flag=True, help="Show what comments suppress, too, and mark it."),
    click.option("--add-ignores", is_flag=True, help="Write a comment that suppresses it at each finding."),
    click.option("--reason", metavar="TEXT", help="With --add-ignores: why, to be written into each comment."),
    click.option("--fix", is_flag=True, help="Fix in the files what can be fixed without changing a reported number."),
    click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: fix also what changes reported numbers."),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and write nothing."),
    click.option("--show-fixes", is_flag=True, help="Add the edits of fixes that hold to the report (as json)."),
)
_HOW = (
    click.option(
        "--fail-on",
        callback=one_of(FAILING),
        metavar="|".join(FAILING),
        help="The least severity that makes the exit status 1; default warning.",
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with status 0 whatever is found: --fail-on never."),
    click.option("--strict", is_flag=True, help="Let notes fail the check, too: --fail-on note."),
    click.option(
        "--jobs", callback=whole_number, default="0", metavar="N", help="Processes; default: as it seems best."
    ),
)

_STEP = "because each is a step of its own"
_NO_COMMENTS = "because the first ignores all comments"
_REPEATED = "because a check that repeats itself shows findings, and writes nothing"
_SHOWING = ("--format", "--output", "--report", "--statistics", "--capture", "--show-suppressed", "--show-fixes")
_CONTRADICTIONS = (
    ("--fail-on", "--exit-zero", "because the second is short for --fail-on never"),
    ("--fail-on", "--strict", "because the second is short for --fail-on note"),
    *(("--ignore-noqa", other, _NO_COMMENTS) for other in ("--show-suppressed", "--require-reason", "--add-ignores")),
    *(
        ("--show-files", other, _STEP)
        for other in ("--fix", "--diff", "--write-baseline", "--add-ignores", "--statistics", "--watch")
    ),
    *(
        ("--show-files", other, "because a list of files holds no findings")
        for other in ("--baseline", "--since", "--report", "--capture", "--show-suppressed", "--show-fixes")
    ),
    ("--show-fixes", "--statistics", "because statistics hold no fixes"),
    ("--show-files", "--format", "because a list of files has no formats"),
    *(("--add-ignores", other, "because the first writes comments, and shows no findings") for other in _SHOWING),
    *(
        ("--write-baseline", other, "because the first writes findings into a file, and shows none")
        for other in _SHOWING
    ),
    *(
        ("--diff", other, "because the first shows what fixes would change, and no findings")
        for other in _SHOWING
        if other != "--output"
    ),
    *(
        ("--watch", other, _REPEATED)
        for other in ("--fix", "--diff", "--write-baseline", "--add-ignores", "--output", "--report")
    ),
    ("--watch", "--since", "because each round would check the commit again"),
    ("--write-baseline", "--since", "because the first writes all that is found, whether it is new or not"),
)


def refuse_contradictions(asked: CheckArguments) -> None:
    """Refuse options that do not go together; those of which one is a matter of files are refused where it is."""
    given = {
        "--fail-on": asked.fail_on is not None,
        "--exit-zero": asked.exit_zero,
        "--strict": asked.strict,
        "--ignore-noqa": asked.ignore_noqa,
        "--show-suppressed": asked.show_suppressed,
        "--require-reason": asked.require_reason,
        "--add-ignores": asked.add_ignores,
        "--show-files": asked.show_files,
        "--show-fixes": asked.show_fixes,
        "--fix": asked.fix,
        "--diff": asked.diff,
        "--write-baseline": asked.new_baseline is not None,
        "--baseline": asked.baseline is not None,
        "--capture": asked.capture is not None,
        "--statistics": asked.statistics,
        "--format": asked.style != "text",
        "--watch": asked.watch,
        "--output": asked.output is not None,
        "--report": bool(asked.reports),
        "--since": asked.since is not None,
    }
    for one, other, reason in _CONTRADICTIONS:
        if given[one] and given[other]:
            raise Refusal(f"The options {one} and {other} cannot go together, {reason}")
    if asked.reason is not None and not asked.add_ignores:
        raise Refusal("The option --reason needs --add-ignores, which writes it into comments")
    if asked.since is not None and STDIN in asked.paths:
        raise Refusal("The option --since compares files with those of a commit, and so not standard input")
    if asked.watch and STDIN in asked.paths:
        raise Refusal("The option --watch needs files that can change, and so it cannot be used with standard input")
    if asked.watch and asked.style not in FINDINGS_ALONE:
        valid = f"with --watch valid are {' and '.join(FINDINGS_ALONE)}"
        raise Refusal(f"The option --format cannot be '{asked.style}' here", valid, asked.style, FINDINGS_ALONE)
