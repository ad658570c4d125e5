"""``cvlint run``: run an experiment unchanged, and report how wrong its faulty numbers are.

The command runs the program in this process with recording hooks, and an exit handler (`ReportAtExit`) checks the code
and writes the report when the program ends.
"""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401  pyarrow imports it, which Python 3.10 refuses when the script has ended
import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

import click

from cvlint.cli.console.paths import report_target, working_directory
from cvlint.cli.console.signals import restore_default_signals
from cvlint.cli.console.terminal import use_colours
from cvlint.cli.options.mlflow import mlflow_options, require_mlflow
from cvlint.cli.options.rules import rule_options
from cvlint.filesystem.atomic_write import write_file
from cvlint.findings.finding import Confidence, Report, Severity, without_suppressed
from cvlint.output.shared.locations import as_line, printable
from cvlint.records import dataclass, replace
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.adjustments import adjusted, config_adjustments
from cvlint.workspace.settings.check_options import check_options
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.workspace import CheckGroup

if TYPE_CHECKING:
    from cvlint.recording.call_sites import CallSite
    from cvlint.recording.experiments import Experiment
    from cvlint.recording.hooks.processes import WorkerProcesses
    from cvlint.recording.recorder import Recorder
    from cvlint.recording.script import Program
    from cvlint.workspace.settings.check_options import CheckOptions

REPORT_FAILED = 2
"""The exit status if the program succeeded, but its report or capture could not be written."""
PROGRAM_FAILED = 1


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.argument("script", metavar="SCRIPT")
@click.argument("arguments", nargs=-1, metavar="[ARGS]...", type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="SCRIPT is the name of a module, as for python -m.")
@click.option("--capture", metavar="FILE", help="Keep the folds in a CSV, Parquet or NPZ file.")
@click.option("-o", "--output", metavar="FILE", help="Write the report to a file instead of standard error.")
@mlflow_options
@rule_options
@click.help_option("-h", "--help")
def command(
    script: str,
    arguments: tuple[str, ...],
    as_module: bool,
    capture: str | None,
    output: str | None,
    mlflow: bool,
    mlflow_uri: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    confidence: Confidence | None,
    min_severity: Severity | None,
) -> None:
    """Run SCRIPT (.py or .ipynb) unchanged, and report on standard error how wrong its faulty numbers are.

    Options come before SCRIPT; what follows SCRIPT goes to the script. The exit status is that of the script. Comments
    that suppress findings and the config nearest to SCRIPT count as for `cvlint check`; a baseline does not, because
    a known fault also gives a wrong number.
    """
    folder = working_directory()
    capture_path, output_path = capture_target(capture), output_target(output)
    program = find_program(script, arguments, as_module)
    request = run_request(program, folder, select, ignore, confidence, min_severity)
    request = replace(request, capture=capture_path, output=output_path)
    if mlflow or mlflow_uri is not None:
        require_mlflow()
        request = replace(request, mlflow=True, mlflow_uri=mlflow_uri)
    run(program, request)


def run_request(
    program: Program,
    folder: Path,
    select: Sequence[str],
    ignore: Sequence[str],
    confidence: Confidence | None,
    min_severity: Severity | None,
) -> RunRequest:
    """Join the options with the config nearest to the program; refuse words and settings that cannot be used."""
    config = ConfigLookup(Configs()).config(program.path)
    options = run_options(check_options(config, select, ignore, confidence, 1))
    group = CheckGroup(config, (), None, options, config_adjustments(config, min_severity), config.require_reason)
    return RunRequest(group, folder, sys.stderr)


def run_options(options: CheckOptions) -> CheckOptions:
    """Leave out the rules about comments: only a check of the whole project knows which comments are unused."""
    from cvlint.rules.comment_rules import meta_rules

    rules = options.rules - {rule.name for rule in meta_rules()}
    if not rules:
        raise UsageError("No rule is left that a run could measure, because all selected rules are about comments")
    return replace(options, rules=rules)


def capture_target(name: str | None) -> Path | None:
    """The file of --capture; one that cannot be written is refused before the run, which may take long."""
    if name is None:
        return None
    path = Path(name)
    if path.suffix.lower() not in (".csv", ".npz", ".parquet"):
        raise UsageError(
            f"The option --capture cannot be '{name}'", "valid is a name that ends in .csv, .npz or .parquet"
        )
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"The folds cannot be written to '{name}', because there is no folder '{path.parent}'")
    return path.absolute()


def output_target(name: str | None) -> Path | None:
    """The file of --output; one that cannot be written is refused before the run."""
    return None if name is None else (report_target(name) or Path(name)).absolute()


def find_program(name: str, arguments: Sequence[str], as_module: bool) -> Program:
    """Find the script or the module to run."""
    from cvlint.recording import script

    if not as_module:
        return script.script(name, arguments)
    script.search_first(os.getcwd())
    return script.module(name, arguments)


def run(program: Program, request: RunRequest) -> NoReturn:
    """Run the program with hooks, and exit as Python would; the report comes last, after the program's threads."""
    from cvlint.recording import script
    from cvlint.recording.hooks.install import install_hooks
    from cvlint.recording.recorder import Recorder

    recorder = Recorder()
    workers = install_hooks(recorder)
    at_exit = ReportAtExit(os.getpid(), program, recorder, workers, request)
    atexit.register(at_exit)  # Python calls the handler that was registered first as the last one
    restore_default_signals()
    main = script.enter(program)
    try:
        script.execute(program, main)
    except SystemExit as end:
        at_exit.status = exit_status(end)
    except KeyboardInterrupt as error:
        script.show(error)
        at_exit.failed = at_exit.interrupted = True
        at_exit.status = 128 + signal.SIGINT
    except BaseException as error:
        script.show(error)
        at_exit.failed, at_exit.status = True, PROGRAM_FAILED
    sys.exit(at_exit.status)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The options of the command line and the config; paths are absolute, and the group has no files yet."""

    group: CheckGroup
    folder: Path
    stderr: IO[str]
    capture: Path | None = None
    output: Path | None = None
    mlflow: bool = False
    mlflow_uri: str | None = None


@dataclass(slots=True)
class ReportAtExit:
    """The exit handler: it writes the report, and then ends the process as the program would have ended."""

    process: int
    program: Program
    recorder: Recorder
    workers: WorkerProcesses
    request: RunRequest
    status: int = 0
    interrupted: bool = False
    failed: bool = False
    """Whether an error, or the user, ended the program before its end."""

    def __call__(self) -> None:
        """Write the report, unless this is a process that the program has forked."""
        if os.getpid() != self.process:
            return
        flush_streams()
        self.workers.collect()
        with working_in(self.request.folder):
            try:
                succeeded = report_run(self.program, self.recorder, self.request, self.failed)
            except Exception:
                traceback.print_exc(file=self.request.stderr)
                message = "This is a fault of cvlint itself; please report it with the lines above."
                print_line(self.request.stderr, message)
                succeeded = False
        flush_streams()
        if self.interrupted:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        if not succeeded and not self.status:
            os._exit(REPORT_FAILED)


def flush_streams() -> None:
    """Flush standard output and standard error, if they are still open."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def print_line(stderr: IO[str], message: str) -> None:
    """Write a line of cvlint, if the stream is still open."""
    with contextlib.suppress(OSError, ValueError):
        stderr.write(f"cvlint: {message}\n")


def exit_status(end: SystemExit) -> int:
    """The exit status of Python for the argument of ``sys.exit``; a text is printed, as Python does."""
    match end.code:
        case None:
            return 0
        case int(code):
            return code
        case other:
            print(other, file=sys.stderr)
            return PROGRAM_FAILED


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Change the working directory to a folder, and then back to that of the program."""
    try:
        before: str | None = os.getcwd()
    except OSError:
        before = None
    with contextlib.suppress(OSError):
        os.chdir(folder)
    yield
    with contextlib.suppress(OSError):
        if before is not None:
            os.chdir(before)


def report_run(program: Program, recorder: Recorder, request: RunRequest, failed: bool = False) -> bool:
    """Report the findings with the size of each fault; return whether everything could be written."""
    from cvlint.recording.experiments import experiments_of

    experiments = experiments_of(recorder.calls, recorder.splits)
    is_captured = request.capture is None or write_capture(experiments, request.capture, request)
    report = measured_report(program, experiments, {split.site for split in recorder.splits if split.site}, request)
    if failed:
        report = without_unreached(report, request)
    succeeded = show_report(report, request) and is_captured
    if report.suppressed:
        subject, verb = ("1 finding", "is") if report.suppressed == 1 else (f"{report.suppressed} findings", "are")
        print_line(request.stderr, f"{subject} that comments suppress {verb} not measured.")
    for error in report.errors:
        print_line(request.stderr, f"{as_line(error.path)}: {printable(error.message)}.")
    for problem in recorder.problems:
        print_line(request.stderr, problem)
    if recorder.full:
        message = "The program computed more labels and scores than cvlint can keep: the last ones are not measured."
        print_line(request.stderr, message)
    if request.mlflow and is_captured:
        succeeded = log_to_mlflow(program, experiments, request) and succeeded
    return succeeded


def without_unreached(report: Report, request: RunRequest) -> Report:
    """The report without the findings whose places a program that failed did not reach, and those without a number.

    The number of those that were not reached is printed.
    """
    from cvlint.recording.measured_findings import NOT_REACHED

    left = sum(finding.unmeasured == NOT_REACHED for finding in report.findings)
    reached = tuple(f for f in report.findings if f.measured or f.unmeasured not in ("", NOT_REACHED))
    if left:
        places = "the place of 1 finding, which is" if left == 1 else f"the places of {left} findings, which are"
        print_line(request.stderr, f"The program ended before it reached {places} not measured.")
    return replace(report, findings=reached)


def log_to_mlflow(program: Program, experiments: Sequence[Experiment], request: RunRequest) -> bool:
    """Log the folds to MLflow; return whether that succeeded."""
    from cvlint.cli.options.mlflow import log_recorded

    succeeded, message = log_recorded(
        experiments, program.path.stem, request.capture, request.folder, request.mlflow_uri
    )
    with contextlib.suppress(OSError, ValueError):
        request.stderr.write(message)
    return succeeded


def write_capture(experiments: Sequence[Experiment], path: Path, request: RunRequest) -> bool:
    """Write the folds to a file; return whether that succeeded."""
    from cvlint.recording.captures import write_experiments
    from cvlint.runtime.errors import FoldDataError

    try:
        for sentence in write_experiments(experiments, path, str(request.folder)):
            print_line(request.stderr, sentence)
    except FoldDataError as error:
        print_line(request.stderr, str(error))
        return False
    return True


def measured_report(
    program: Program, experiments: Sequence[Experiment], splits: Iterable[CallSite], request: RunRequest
) -> Report:
    """Check the program and the other files that compute measures, and join the findings with the recorded folds.

    Suppressed findings are only counted, and rules that the config ignores in a file are left out.
    """
    from cvlint.recording.experiment_names import shown_path
    from cvlint.recording.measured_findings import attach_measurements
    from cvlint.rules.catalogue import load_rules
    from cvlint.workspace.steps.find import group_steps
    from cvlint.workspace.steps.pipeline import run_steps

    folder = str(request.folder)
    others = sorted({use.site.path for e in experiments for use in e.measurements} - {str(program.path)})
    paths = [Path(shown_path(path, folder)) for path in others if os.path.isfile(path)]
    script = (shown_path(str(program.path), folder), program.data)
    group = replace(request.group, paths=tuple(paths), stdin=script)
    report = without_suppressed(adjusted(run_steps(group_steps(group)), group.adjustments))
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach_measurements(report.findings, experiments, pairs, folder, splits))


def show_report(report: Report, request: RunRequest) -> bool:
    """Write the report; return whether that succeeded."""
    from cvlint.output.shared.measured import styled_measurements
    from cvlint.output.shared.styled_text import plain, show_coloured

    try:
        if request.output is not None:
            write_file(request.output, plain(styled_measurements(report.findings)).encode("utf-8", "backslashreplace"))
        elif use_colours(request.stderr):
            show_coloured(styled_measurements(report.findings), request.stderr)
        else:
            request.stderr.write(plain(styled_measurements(report.findings)))
    except (OSError, ValueError) as error:  # ValueError: the program has closed the stream
        if request.output is None:
            return True  # the program has closed standard error, so nobody reads the report
        print_line(
            request.stderr, f"The report cannot be written to '{request.output}': {getattr(error, 'strerror', error)}."
        )
        return False
    return True
