"""``cvlint run``: run an experiment unchanged, and say how far off its faulty numbers are."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cvlint.cli.refusal import Refusal, one_of
from cvlint.cli.terminal import coloured
from cvlint.config import find_config
from cvlint.findings import CONFIDENCES, Confidence

if TYPE_CHECKING:
    from cvlint.check import Options
    from cvlint.recording.records import Recorder
    from cvlint.recording.script import Program

UNDONE = 2
FAILED = 1


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.argument("script", metavar="SCRIPT")
@click.argument("arguments", nargs=-1, metavar="[ARGS]...", type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="SCRIPT is the name of a module, as for python -m.")
@click.option("--capture", metavar="FILE", help="Keep the folds in a CSV, Parquet or NPZ file.")
@click.option("--output", metavar="FILE", help="Write the report to a file instead of standard error.")
@click.option("--select", multiple=True, metavar="RULES", help="Rules to report: names, codes, CVL1, or ALL.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Rules to leave out, named in the same ways.")
@click.option(
    "--confidence",
    callback=one_of(CONFIDENCES),
    metavar="|".join(CONFIDENCES),
    help="Least confidence; default medium.",
)
@click.help_option("-h", "--help")
def command(
    script: str,
    arguments: tuple[str, ...],
    as_module: bool,
    capture: str | None,
    output: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    confidence: Confidence | None,
) -> None:
    """Run SCRIPT (.py or .ipynb) unchanged, and say on standard error how far off its faulty numbers are.

    Options come before SCRIPT; what follows it is the script's own. The exit status is that of the script.
    """
    from cvlint.cli.check import check_options, report_target, working_directory

    folder = working_directory()
    options = check_options(find_config(folder), select, ignore, confidence, 1)
    capture_file = capture_target(capture)
    output_file = report_target(output)
    program = program_of(script, arguments, as_module)
    stderr = sys.stderr
    process = os.getpid()
    recorder, status = recorded(program)
    if os.getpid() != process:  # a child that the script forked: the report is the parent's
        sys.exit(status)
    with inside(folder):
        done = tell(program, recorder, options, folder, capture_file, output_file, stderr)
    sys.exit(status if done or status else UNDONE)


def capture_target(name: str | None) -> Path | None:
    """Refuse a file that cannot be written before the run, which may take long."""
    if name is None:
        return None
    path = Path(name)
    if path.suffix.lower() not in (".csv", ".npz", ".parquet"):
        raise Refusal(f"The option --capture cannot be '{name}'", "valid is a name that ends in .csv, .npz or .parquet")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise Refusal(f"The folds cannot be written to '{name}', because there is no folder '{path.parent}'")
    return path.absolute()


def program_of(name: str, arguments: Sequence[str], as_module: bool) -> Program:
    """What to run."""
    from cvlint.recording import script

    try:
        if not as_module:
            return script.script(name, arguments)
        script.search_first(os.getcwd())
        return script.module(name, arguments)
    except script.CannotRun as error:
        raise Refusal(str(error)) from None


def recorded(program: Program) -> tuple[Recorder, int]:
    """Run the program with hooks set; gives what was recorded and the exit status that Python would end with."""
    from cvlint.knowledge import load_knowledge
    from cvlint.recording import script
    from cvlint.recording.metrics import hook_metrics
    from cvlint.recording.records import Recorder
    from cvlint.recording.splitters import hook_splitters

    recorder = Recorder()
    hook_metrics(load_knowledge(), recorder)
    hook_splitters(recorder)
    main = script.enter(program)
    status = 0
    try:
        script.execute(program, main)
    except script.CannotRun as error:
        raise Refusal(str(error)) from None
    except SystemExit as end:
        status = exit_status(end)
    except KeyboardInterrupt as error:
        script.show(error)
        atexit.register(die_interrupted)
        status = 128 + signal.SIGINT
    except BaseException as error:
        script.show(error)
        status = FAILED
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()  # as Python does before it ends
    return recorder, status


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


def die_interrupted() -> None:
    """End by the signal, as Python does when a KeyboardInterrupt is not caught."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


@contextlib.contextmanager
def inside(folder: Path):  # type: ignore[no-untyped-def]
    """Work in a folder, and then go back to where the script was."""
    try:
        before = os.getcwd()
    except OSError:
        before = str(folder)
    with contextlib.suppress(OSError):
        os.chdir(folder)
    yield
    with contextlib.suppress(OSError):
        os.chdir(before)


def tell(
    program: Program,
    recorder: Recorder,
    options: Options,
    folder: Path,
    capture_file: Path | None,
    output_file: Path | None,
    stderr: IO[str],
) -> bool:
    """Report the findings with what they amounted to; tells whether all that was asked for could be done."""
    from cvlint.check import check
    from cvlint.output.measured import pieces
    from cvlint.output.pieces import plain, show_coloured
    from cvlint.recording.experiments import experiments_of
    from cvlint.recording.labels import shown
    from cvlint.recording.measures import attach
    from cvlint.rules import load_rules

    experiments = experiments_of(recorder.calls, recorder.splits)
    name = shown(str(program.path), str(folder))
    others = sorted({use.site.path for e in experiments for use in e.uses} - {str(program.path)})
    paths = [Path(shown(path, str(folder))) for path in others if os.path.isfile(path)]
    report = check(paths, options, stdin=(name, program.data))
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    findings = attach(report.findings, experiments, pairs, str(folder))
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    text = plain(pieces(findings))
    if output_file is not None:
        output_file.write_text(text, encoding="utf-8")
    elif coloured(stderr):
        show_coloured(pieces(findings), stderr)
    else:
        stderr.write(text)
    for problem in recorder.problems:
        stderr.write(f"cvlint: {problem}\n")
    return True
