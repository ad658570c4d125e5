"""The command line of ``cvlint check``: its options, and which of them contradict each other."""

from __future__ import annotations

from cvlint.cli.console.terminal import WHENS, When
from cvlint.cli.options.option import Option, flag
from cvlint.cli.options.rules import CONFIG_OPTIONS, RULE_OPTIONS
from cvlint.findings.finding import SEVERITIES, Confidence, Severity
from cvlint.output.findings.formats import FORMATS, format_names
from cvlint.records import dataclass
from cvlint.usage_error import UsageError

STDIN = "-"
NEVER = "never"
FAILING = (*SEVERITIES, NEVER)


@dataclass(frozen=True, slots=True)
class CheckArguments:
    """The command line of ``cvlint check``, one field per option; ``None`` or ``()`` if an option is not given."""

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
    verbose: bool
    quiet: bool
    colour: When
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
    ignore_errors: bool
    strict: bool
    jobs: int
    no_cache: bool
    cache_dir: str | None
    stdin_filename: str | None

    @property
    def writes(self) -> bool:
        """Whether the check changes files of the project."""
        return (self.fix and not self.diff) or self.add_ignores or self.new_baseline is not None

    @property
    def fails_on(self) -> str:
        """The lowest severity that fails the check, or ``"never"``."""
        return self.fail_on or (NEVER if self.exit_zero else "note" if self.strict else "warning")


_INPUT_OPTIONS = (
    *RULE_OPTIONS,
    Option(("--extend-select",), "extend_select", "Rules to add to the selected ones.", "RULES", "words"),
    *CONFIG_OPTIONS,
    Option(("--exclude",), "exclude", "Files to exclude, in addition to the config.", "GLOB", "words"),
    flag("--force-exclude", "Skip excluded files even if PATHS names them."),
    Option(("--stdin-filename",), "stdin_filename", "The name of standard input (path '-') in the report.", "NAME"),
)
_REPORT_OPTIONS = (
    Option(("--format",), "style", "Default: text.", "|".join(FORMATS), choices=format_names(), default="text"),
    Option(("--output-format",), "output_format", choices=format_names(), hidden=True),
    flag("--verbose", "Show all steps of each finding: --format full.", short="-v"),
    flag("--quiet", "Show findings, and nothing else.", short="-q"),
    Option(
        ("--color",),
        "colour",
        "When to use colours; default auto: on a terminal.",
        "|".join(WHENS),
        choices=WHENS,
        default="auto",
    ),
    Option(("-o", "--output", "--output-file"), "output", "Write the report to a file.", "FILE"),
    Option(
        ("--report",),
        "reports",
        "Also write a report to a file, for example sarif:cvlint.sarif.",
        "FORMAT:FILE",
        "words",
    ),
    Option(("--capture",), "capture", "Fold data of `cvlint run --capture`: show how wrong the numbers are.", "FILE"),
    flag("--statistics", "Show the number of findings of each rule (as text or json)."),
    flag("--show-files", "List the files that would be checked, and check nothing."),
    flag("--watch", "Check again whenever a file or the config changes, until Ctrl+C."),
)
_CHANGE_OPTIONS = (
    Option(("--baseline",), "baseline", "A file of known findings, which are not reported.", "FILE"),
    Option(("--write-baseline",), "new_baseline", "Write all findings to a baseline, or update it.", "FILE"),
    Option(("--since",), "since", "Report only findings that are new since a commit, branch or tag.", "REV"),
    flag("--require-reason", "Ignore `# cvlint: ignore` comments that give no reason."),
    flag("--ignore-noqa", "Ignore suppression comments (`# cvlint: ignore`, `# noqa`)."),
    flag("--show-suppressed", "Show findings that comments suppress as well, marked."),
    flag("--add-ignores", "Write a comment at each finding that suppresses it."),
    Option(("--reason",), "reason", "With --add-ignores: the reason that each comment gives.", "TEXT"),
    flag("--fix", "Write fixes into the files, if they change no reported number."),
    flag("--unsafe-fixes", "With --fix or --diff: also fixes that change reported numbers."),
    flag("--diff", "Show what --fix would change, and write nothing."),
    flag("--show-fixes", "Add the edits of confirmed fixes to the report (as json)."),
)
_RUN_OPTIONS = (
    Option(
        ("--fail-on",),
        "fail_on",
        "The lowest severity that makes the exit status 1; default warning.",
        "|".join(FAILING),
        choices=FAILING,
    ),
    flag("--exit-zero", "Always exit with status 0: --fail-on never."),
    flag("--ignore-errors", "Do not fail because of files that cannot be read or parsed."),
    flag("--strict", "Let notes fail the check as well: --fail-on note."),
    Option(("--jobs",), "jobs", "Number of processes; by default cvlint chooses it.", "N", "number", default="0"),
    flag("--no-cache", "Analyse all files again, and keep no results."),
    Option(("--cache-dir",), "cache_dir", "Where results are kept; default: your folder for caches.", "FOLDER"),
)
CHECK_OPTIONS = (*_INPUT_OPTIONS, *_REPORT_OPTIONS, *_CHANGE_OPTIONS, *_RUN_OPTIONS)
"""The options that `CheckArguments` holds, in the order of the help page."""

_EXCLUSIVE = "because each does something else"
_NO_COMMENTS = "because the first ignores all comments"
_REPEATED = "because a check that repeats only shows findings, and writes no file"
_REPORT_NAMES = ("--format", "--output", "--report", "--statistics", "--capture", "--show-suppressed", "--show-fixes")
_CONTRADICTIONS = (
    ("--fail-on", "--exit-zero", "because the second is short for --fail-on never"),
    ("--fail-on", "--strict", "because the second is short for --fail-on note"),
    *(("--ignore-noqa", other, _NO_COMMENTS) for other in ("--show-suppressed", "--require-reason", "--add-ignores")),
    *(
        ("--show-files", other, _EXCLUSIVE)
        for other in ("--fix", "--diff", "--write-baseline", "--add-ignores", "--statistics", "--watch")
    ),
    *(
        ("--show-files", other, "because a list of files holds no findings")
        for other in ("--baseline", "--since", "--report", "--capture", "--show-suppressed", "--show-fixes")
    ),
    ("--verbose", "--quiet", "because one asks for more and the other for less"),
    *(("--verbose", other, "because it is short for --format full") for other in ("--format", "--statistics")),
    ("--show-fixes", "--statistics", "because statistics hold no fixes"),
    ("--no-cache", "--cache-dir", "because the first keeps no results"),
    ("--show-files", "--format", "because a list of files has no formats"),
    *(("--add-ignores", other, "because the first writes comments, and shows no findings") for other in _REPORT_NAMES),
    *(
        ("--write-baseline", other, "because the first writes findings into a file, and shows none")
        for other in _REPORT_NAMES
    ),
    *(
        ("--diff", other, "because the first shows what fixes would change, and no findings")
        for other in _REPORT_NAMES
        if other != "--output"
    ),
    *(
        ("--watch", other, _REPEATED)
        for other in ("--fix", "--diff", "--write-baseline", "--add-ignores", "--output", "--report")
    ),
    ("--watch", "--since", "because each round would check the commit again"),
    ("--write-baseline", "--since", "because the first writes all findings, whether they are new or not"),
)


def refuse_contradictions(arguments: CheckArguments) -> None:
    """Refuse options that contradict each other, as far as the command line alone shows it.

    `plan_check` refuses contradictions that depend on files.
    """
    given = {
        "--fail-on": arguments.fail_on is not None,
        "--exit-zero": arguments.exit_zero,
        "--strict": arguments.strict,
        "--ignore-noqa": arguments.ignore_noqa,
        "--show-suppressed": arguments.show_suppressed,
        "--require-reason": arguments.require_reason,
        "--add-ignores": arguments.add_ignores,
        "--show-files": arguments.show_files,
        "--show-fixes": arguments.show_fixes,
        "--fix": arguments.fix,
        "--diff": arguments.diff,
        "--write-baseline": arguments.new_baseline is not None,
        "--baseline": arguments.baseline is not None,
        "--capture": arguments.capture is not None,
        "--statistics": arguments.statistics,
        "--format": arguments.style != "text",
        "--verbose": arguments.verbose,
        "--quiet": arguments.quiet,
        "--watch": arguments.watch,
        "--output": arguments.output is not None,
        "--report": bool(arguments.reports),
        "--no-cache": arguments.no_cache,
        "--cache-dir": arguments.cache_dir is not None,
        "--since": arguments.since is not None,
    }
    for one, other, reason in _CONTRADICTIONS:
        if given[one] and given[other]:
            raise UsageError(f"The options {one} and {other} cannot go together, {reason}")
    if arguments.reason is not None and not arguments.add_ignores:
        raise UsageError("The option --reason needs --add-ignores, which writes it into comments")
    if arguments.since is not None and STDIN in arguments.paths:
        raise UsageError("The option --since compares files with a commit, so it cannot be used with standard input")
    if arguments.watch and STDIN in arguments.paths:
        raise UsageError("The option --watch needs files that can change, so it cannot be used with standard input")
    if arguments.watch and not FORMATS[arguments.style].on_terminal:
        names = format_names(lambda one: one.on_terminal)
        valid = f"with --watch valid are {', '.join(names)}"
        raise UsageError(f"The option --format cannot be '{arguments.style}' here", valid, arguments.style, names)
