"""``cvlint run``: run an experiment unchanged, and say how far off its faulty numbers are."""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401  pyarrow imports it, which Python 3.10 refuses when the script has ended
import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.adjustments import adjusted, config_adjustments
from cvlint.workspace.settings.check_options import check_options
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.workspace import CheckGroup

if TYPE_CHECKING:
    from cvlint.recording.call_sites import CallSite
    from cvlint.recording.experiments import Experiment
    from cvlint.recording.records import Recorder
    from cvlint.recording.script import Program
    from cvlint.workspace.settings.check_options import CheckOptions

UNDONE = 2
FAILED = 1


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.argument("script", metavar="SCRIPT")
@click.argument("arguments", nargs=-1, metavar="[ARGS]...", type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="SCRIPT is the name of a module, as for python -m.")
@click.option("--capture", metavar="FILE", help="Keep the folds in a CSV, Parquet or NPZ file.")
@click.option("--output", metavar="FILE", help="Write the report to a file instead of standard error.")
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
    """Run SCRIPT (.py or .ipynb) unchanged, and say on standard error how far off its faulty numbers are.

    Options come before SCRIPT; what follows it is the script's own. The exit status is that of the script. Comments
    that suppress findings and the config nearest to SCRIPT count as for `cvlint check`; a baseline does not, because
    a known fault has its number, too.
    """
    folder = working_directory()
    kept, target = capture_target(capture), output_target(output)
    program = program_of(script, arguments, as_module)
    asked = asked_for(program, folder, select, ignore, confidence, min_severity)
    asked = replace(asked, capture=kept, output=target)
    if mlflow or mlflow_uri is not None:
        require_mlflow()
        asked = replace(asked, mlflow=True, mlflow_uri=mlflow_uri)
    run(program, asked)


def asked_for(
    program: Program,
    folder: Path,
    select: Sequence[str],
    ignore: Sequence[str],
    confidence: Confidence | None,
    min_severity: Severity | None,
) -> RunArguments:
    """What the options and the config nearest to the program ask for together; refuses what makes no sense."""
    config = ConfigLookup(Configs()).config(program.path)
    options = run_options(check_options(config, select, ignore, confidence, 1))
    group = CheckGroup(config, (), None, options, config_adjustments(config, min_severity), config.require_reason)
    return RunArguments(group, folder, sys.stderr)


def run_options(options: CheckOptions) -> CheckOptions:
    """Leave out the rules about comments: only a check of the whole project can tell which of them are of no use."""
    from cvlint.rules.comment_rules import meta_rules

    rules = options.rules - {rule.name for rule in meta_rules()}
    if not rules:
        raise UsageError("No rule is left that a run could measure, because those selected are about comments")
    return replace(options, rules=rules)


def capture_target(name: str | None) -> Path | None:
    """Refuse a file that cannot be written before the run, which may take long."""
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
    """Refuse a report that cannot be written, likewise."""
    return None if name is None else (report_target(name) or Path(name)).absolute()


def program_of(name: str, arguments: Sequence[str], as_module: bool) -> Program:
    """What to run."""
    from cvlint.recording import script

    try:
        if not as_module:
            return script.script(name, arguments)
        script.search_first(os.getcwd())
        return script.module(name, arguments)
    except script.CannotRun as error:
        raise UsageError(str(error)) from None


def run(program: Program, asked: RunArguments) -> NoReturn:
    """Run the program with hooks set, and end as Python would; the report comes last, after the program's threads."""
    from cvlint.recording import script
    from cvlint.recording.hooks.install import install_hooks
    from cvlint.recording.records import Recorder

    recorder = Recorder()
    install_hooks(recorder)
    ending = Ending(os.getpid(), program, recorder, asked)
    atexit.register(ending)  # what is registered first is called last
    restore_default_signals()
    main = script.enter(program)
    try:
        script.execute(program, main)
    except script.CannotRun as error:
        ending.process = 0
        raise UsageError(str(error)) from None
    except SystemExit as end:
        ending.status = exit_status(end)
    except KeyboardInterrupt as error:
        script.show(error)
        ending.interrupted, ending.status = True, 128 + signal.SIGINT
    except BaseException as error:
        script.show(error)
        ending.status = FAILED
    sys.exit(ending.status)


@dataclass(frozen=True, slots=True)
class RunArguments:
    """What the command line and the config ask for; paths are absolute, and the group has no files yet."""

    group: CheckGroup
    folder: Path
    stderr: IO[str]
    capture: Path | None = None
    output: Path | None = None
    mlflow: bool = False
    mlflow_uri: str | None = None


@dataclass(slots=True)
class Ending:
    """What happens when the interpreter ends: the report, and then the end that the program would have had."""

    process: int
    program: Program
    recorder: Recorder
    asked: RunArguments
    status: int = 0
    interrupted: bool = False

    def __call__(self) -> None:
        """Report, unless this is a process that the program forked."""
        if os.getpid() != self.process:
            return
        flush()
        with inside(self.asked.folder):
            try:
                done = tell(self.program, self.recorder, self.asked)
            except Exception:
                traceback.print_exc(file=self.asked.stderr)
                say(self.asked.stderr, "This is a fault of cvlint itself; please report it with the lines above.")
                done = False
        flush()
        if self.interrupted:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        if not done and not self.status:
            os._exit(UNDONE)


def flush() -> None:
    """Write out what is buffered, as far as the streams are open."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def say(stderr: IO[str], message: str) -> None:
    """Write a line of ours, if somebody still reads."""
    with contextlib.suppress(OSError, ValueError):
        stderr.write(f"cvlint: {message}\n")


def exit_status(end: SystemExit) -> int:
    """The status that Python makes of what ``sys.exit`` was given; a text is printed."""
    match end.code:
        case None:
            return 0
        case int(code):
            return code
        case other:
            print(other, file=sys.stderr)
            return FAILED


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder, and then go back to where the program was."""
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


def tell(program: Program, recorder: Recorder, asked: RunArguments) -> bool:
    """Report the findings with what they amounted to; tells whether all that was asked for could be done."""
    from cvlint.recording.experiments import experiments_of

    experiments = experiments_of(recorder.calls, recorder.splits)
    kept = asked.capture is None or captured(experiments, asked.capture, asked)
    report = checked(program, experiments, {split.site for split in recorder.splits if split.site}, asked)
    done = show(report, asked) and kept
    if report.suppressed:
        subject, verb = ("1 finding", "is") if report.suppressed == 1 else (f"{report.suppressed} findings", "are")
        say(asked.stderr, f"{subject} that comments suppress {verb} not measured.")
    for error in report.errors:
        say(asked.stderr, f"{printable(error.path)}: {printable(error.message)}.")
    for problem in recorder.problems:
        say(asked.stderr, problem)
    if recorder.full:
        say(asked.stderr, "More labels and scores were computed than can be kept: the last ones are not measured.")
    if asked.mlflow and kept:
        done = logged(program, experiments, asked) and done
    return done


def logged(program: Program, experiments: Sequence[Experiment], asked: RunArguments) -> bool:
    """Log the folds to MLflow; tells whether that could be done."""
    from cvlint.cli.options.mlflow import log_recorded

    done, said = log_recorded(experiments, program.path.stem, asked.capture, asked.folder, asked.mlflow_uri)
    with contextlib.suppress(OSError, ValueError):
        asked.stderr.write(said)
    return done


def captured(experiments: Sequence[Experiment], path: Path, asked: RunArguments) -> bool:
    """Keep the folds in a file; tells whether that could be done."""
    from cvlint.recording.captures import write_experiments
    from cvlint.runtime.errors import FoldDataError

    try:
        for sentence in write_experiments(experiments, path, str(asked.folder)):
            say(asked.stderr, sentence)
    except FoldDataError as error:
        say(asked.stderr, str(error))
        return False
    return True


def checked(
    program: Program, experiments: Sequence[Experiment], splits: Iterable[CallSite], asked: RunArguments
) -> Report:
    """Check the program and the other files that compute measures, and join the findings with what was recorded.

    Findings that comments suppress are counted only, and what the config ignores in a file is left out.
    """
    from cvlint.recording.experiment_names import shown_path
    from cvlint.recording.measured_findings import attach_measurements
    from cvlint.rules.catalogue import load_rules
    from cvlint.workspace.pipeline import run_steps
    from cvlint.workspace.steps.find import group_steps

    folder = str(asked.folder)
    others = sorted({use.site.path for e in experiments for use in e.measurements} - {str(program.path)})
    paths = [Path(shown_path(path, folder)) for path in others if os.path.isfile(path)]
    script = (shown_path(str(program.path), folder), program.data)
    group = replace(asked.group, paths=tuple(paths), stdin=script)
    report = without_suppressed(adjusted(run_steps(group_steps(group)), group.adjustments))
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return replace(report, findings=attach_measurements(report.findings, experiments, pairs, folder, splits))


def show(report: Report, asked: RunArguments) -> bool:
    """Write the report; tells whether that could be done."""
    from cvlint.output.shared.measured import styled_measurements
    from cvlint.output.shared.styled_text import plain, show_coloured

    try:
        if asked.output is not None:
            write_file(asked.output, plain(styled_measurements(report.findings)).encode("utf-8", "backslashreplace"))
        elif use_colours(asked.stderr):
            show_coloured(styled_measurements(report.findings), asked.stderr)
        else:
            asked.stderr.write(plain(styled_measurements(report.findings)))
    except (OSError, ValueError) as error:  # ValueError: the program has closed the stream
        if asked.output is None:
            return True  # nobody reads
        say(asked.stderr, f"The report cannot be written to '{asked.output}': {getattr(error, 'strerror', error)}.")
        return False
    return True
