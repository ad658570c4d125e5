"""``%load_ext cvlint``: the events and magics of IPython, and what is displayed under a cell."""

from __future__ import annotations

import contextvars
import functools
import os
import re
import shutil
import threading
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cvlint.notebook.answers import Answer, FoundFault, Greeting, Question
from cvlint.notebook.check_process import CheckProcess
from cvlint.notebook.history import Cell, History
from cvlint.notebook.measuring import CellRecorder, awaits, run_cell
from cvlint.source.prefilter import Prefilter
from cvlint.source.project import ImportResolver

PATIENCE = 0.025
"""Seconds that a kernel waits for the findings of a cell; later ones appear when they are there. It does not wait at
all if the last checks took longer.
"""
DEADLINE = 60.0
"""Seconds that it waits when the user asks for a check."""
TOO_LATE = f"The cells are not checked, because the check took more than {DEADLINE:.0f} seconds."
ENDED = "The cells are not checked, because the process that checks them has ended; %reload_ext cvlint starts it again."


def harmless(method: Callable[..., None]) -> Callable[..., None]:
    """Turn a fault of cvlint into one sentence, once: it must never break a cell of the user."""

    @functools.wraps(method)
    def guarded(self: Extension, *args: Any) -> None:
        try:
            method(self, *args)
        except KeyboardInterrupt:
            self.say("The check was interrupted.")
        except Exception as error:
            self.say_once(f"The cells are not checked because of a fault of cvlint itself, please report it: {error!r}")

    return guarded


def refuse(cell: str, code: str) -> None:
    """Refuse a cell that cannot be measured, before it runs.

    Raises
    ------
    UsageError
        IPython prints it as one sentence, and does not run the cells below.
    """
    from IPython.core.error import UsageError

    inner = re.match(r"\s*%%(\w+)", cell)
    if inner is not None and inner[1] != "cvlint":
        magic = f"%%{inner[1]}"
        raise UsageError(f"%%cvlint cannot measure what {magic} runs: write {magic} above %%cvlint, or leave it out.")
    if awaits(code):
        raise UsageError(
            "%%cvlint cannot measure a cell with `await` outside of a function: move what it waits for to a cell above."
        )


def lacks_input(shell: Any) -> bool:
    """Whether the program that runs the cells has nobody who could answer `input()`.

    Such a program takes the outputs of a cell only while the cell runs.
    """
    request = getattr(shell, "parent_header", None) or {}
    return request.get("content", {}).get("allow_stdin") is False


class Extension:
    """The extension in one IPython shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.history = History(is_own=self.is_own)
        self.recorder = CellRecorder()
        self.filenames: dict[str, str] = {}
        """The name of each cell that has run or runs, by the file name of its code."""
        self.contexts: dict[str, contextvars.Context] = {}
        """For each key of a cell, where its displays go."""
        self.asked: dict[int, tuple[Cell, ...]] = {}
        """For the number of a question, the cells that it was about."""
        self.number = 0
        self.answers = threading.Condition()
        self.answer: Answer | None = None
        self.awaited = self.answered = 0
        """The numbers of the question that a cell waits for, and of the last one that was answered."""
        self.times: deque[float] = deque(maxlen=3)
        """How long the last checks took, in seconds."""
        self.is_unattended = False
        """Whether the front end drops what is displayed after the end of a cell, as nbclient and nbconvert do."""
        self.late: Answer | None = None
        """The last answer that came after the end of its cell, if the front end drops it there."""
        self.reported: set[object] = set()
        self.said: set[str] = set()
        self.has_recorded = False
        self.process = CheckProcess(self.on_greeting, self.on_answer)

    def register(self) -> None:
        """Begin to follow the cells."""
        self.shell.events.register("post_run_cell", self.after_cell)
        self.shell.register_magic_function(self.line_magic, "line", "cvlint")
        self.shell.register_magic_function(self.cell_magic, "cell", "cvlint")

    def unregister(self) -> None:
        """Follow the cells no longer."""
        self.shell.events.unregister("post_run_cell", self.after_cell)
        for kind in ("line", "cell"):
            self.shell.magics_manager.magics[kind].pop("cvlint", None)
        self.process.stop()

    @harmless
    def after_cell(self, result: Any) -> None:
        """Add a cell that has run, and show the faults that it completes."""
        info = result.info
        if not info.store_history or info.silent or result.error_before_exec is not None:
            return
        has_recorded, self.has_recorded = self.has_recorded, False
        self.is_unattended = lacks_input(self.shell)
        cell, code = self.cell_of(result)
        self.history.add(cell)
        self.contexts[cell.key] = contextvars.copy_context()
        answer = None
        if has_recorded:
            self.show_measured(cell)
        elif self.history.concerns(cell, code):
            answer = self.ask(self.patience)
        elif self.is_unattended:
            self.await_late()
        late, self.late = self.late, None
        newest = answer or late
        if newest is not None:
            self.report(newest)

    def await_late(self) -> None:
        """Wait for the findings of an earlier cell, which no later cell may show."""
        with self.answers:
            self.answers.wait_for(lambda: self.answered == self.number or not self.process.is_alive, PATIENCE)

    @property
    def patience(self) -> float:
        """How long a cell waits: not while the process starts, and not if the findings would come too late anyway."""
        is_ready = self.history.words is not None
        return PATIENCE if is_ready and min(self.times, default=0) < PATIENCE else 0

    def cell_of(self, result: Any) -> tuple[Cell, str]:
        """The cell of a result, and its code without the syntax of IPython."""
        text = result.info.raw_cell
        code = getattr(result.info, "transformed_cell", None) or self.shell.transform_cell(text)
        number = self.running_number()
        key = getattr(result.info, "cell_id", None) or text
        cell = Cell(key, text, number, result.success)
        self.filenames[self.shell.compile.get_code_name(text, code, number)] = cell.label
        return cell, code

    def running_number(self) -> int:
        """The number of the cell that runs, or has just run; ``execution_count`` grows before or after it runs."""
        return len(self.shell.history_manager.input_hist_raw) - 1

    @harmless
    def line_magic(self, line: str) -> None:
        """Check all cells that have run so far, and show all faults, also those that were shown before."""
        count = len(self.history.cells)
        if not count:
            self.say("No cell has run since %load_ext cvlint, so there is nothing to check.")
            return
        answer = self.asked_for()
        if answer is None:
            return
        for problem in answer.problems:
            self.say(problem)
        faults = (
            "no fault"
            if not answer.faults
            else "1 fault"
            if len(answer.faults) == 1
            else f"{len(answer.faults)} faults"
        )
        cells = "the one cell that has run" if count == 1 else f"the {count} cells that have run"
        self.say(f"cvlint finds {faults} in {cells}.")
        for fault in answer.faults:
            self.is_new(fault, answer.number)
            self.show(fault.html, fault.text)

    def cell_magic(self, line: str, cell: str) -> Any:
        """Run the cell, and measure how wrong the numbers of its faults are."""
        __tracebackhide__ = True
        number = self.running_number()
        above = 1 + len(cell) - len(cell.lstrip("\n"))  # the line of the magic, and empty ones, which IPython drops
        code = "\n" * above + self.shell.transform_cell(cell)
        refuse(cell, code)
        filename = self.shell.compile.cache(code, number, raw_code=f"%%cvlint {line}\n{cell}")
        self.filenames[filename] = f"In [{number}]"
        with self.recorder.recording(self.filenames, self.shell.user_ns):
            self.has_recorded = True
            return run_cell(code, filename, self.shell.user_ns)

    def show_measured(self, cell: Cell) -> None:
        """Show the faults that a measured cell has a part in, or whose code it called, with their amounts."""
        self.history.concerns(cell, cell.text)
        answer = self.asked_for()
        if answer is None:
            return
        measured = self.recorder.measured(finding for fault in answer.faults for finding in fault.findings)
        problems = self.recorder.problems
        self.recorder.forget()
        shown = self.asked_for(measured)
        faults = [fault for fault in shown.faults if fault.has_part(cell.label)] if shown is not None else []
        for fault in faults:
            self.is_new(fault, self.number)
            self.show(fault.html, fault.text)
        if shown is not None and not faults and cell.succeeded:
            self.say("cvlint finds no fault in this cell, so there is nothing to measure.")
        for problem in problems:
            self.say(problem)

    def asked_for(self, measured: tuple[Any, ...] | None = None) -> Answer | None:
        """The answer to a question of the user; None if there is none, and then the user knows why."""
        answer = self.ask(DEADLINE, measured)
        reason = answer.failure if answer is not None else TOO_LATE if self.process.is_alive else ENDED
        if reason:
            self.say(reason)
        return None if reason else answer

    def ask(self, patience: float, measured: tuple[Any, ...] | None = None) -> Answer | None:
        """Ask for the faults of all cells; None if no answer comes in time, which is then shown later."""
        cells = tuple(self.history.cells)
        labels = tuple(cell.label for cell in cells)
        with self.answers:
            self.number += 1
            self.asked[self.number] = cells
            self.awaited, self.answer = self.number, None
        columns = shutil.get_terminal_size().columns or 80  # Python 3.10 says 0 where the terminal says nothing
        self.process.ask(
            Question(self.number, self.notebook_path(), self.history.notebook(), labels, columns, measured)
        )
        with self.answers:
            self.answers.wait_for(lambda: self.answer is not None or not self.process.is_alive, patience)
            self.awaited = 0
            return self.answer

    def notebook_path(self) -> Path:
        """The path of the notebook, as far as the front end says it; a name in the working directory otherwise."""
        given = self.shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""
        name = os.path.basename(str(given))
        return Path.cwd() / (name if name.endswith(".ipynb") else "notebook.ipynb")

    def is_own(self, module: str) -> bool:
        """Whether a module lies beside the notebook, or above it in its project."""
        return ImportResolver().may_find(str(self.notebook_path()), {module})

    def on_greeting(self, greeting: Greeting) -> None:
        """Take the words of the prefilter, in the thread that reads from the process."""
        self.history.words = Prefilter(greeting.words)

    @harmless
    def on_answer(self, answer: Answer) -> None:
        """Give an answer to the thread that waits for it, or show it now, in the thread that reads from the process."""
        self.times.append(answer.seconds)
        with self.answers:
            self.answered = answer.number
            self.answers.notify_all()
            if answer.number == self.awaited:
                self.answer = answer
                return
            if self.is_unattended:
                self.late = answer
                return
            if self.awaited:
                return  # it knows less than the answer that comes next
        self.report(answer)

    def report(self, answer: Answer) -> None:
        """Show the faults that were not shown before, each under the cell that completes it if that is possible."""
        if answer.failure:
            self.say_once(answer.failure)
        cells = {cell.label: cell for cell in self.asked.get(answer.number, ())}
        for fault in answer.faults:
            parts = [cells[place] for place in fault.places if place in cells]  # none, if it is all in a module
            last = max(parts or cells.values(), key=lambda cell: cell.number, default=None)
            if last is not None and last.succeeded and self.is_new(fault, answer.number):
                here = contextvars.copy_context() if self.is_unattended else self.contexts[last.key].copy()
                here.run(self.show, fault.html, fault.text)
        for number in [number for number in self.asked if number < answer.number]:
            del self.asked[number]

    def is_new(self, fault: FoundFault, number: int) -> bool:
        """Whether none of the findings of a fault was shown before; all of them count as shown from now on.

        A finding stays the same when its cell is edited elsewhere, or runs again under another number.
        """
        keys = {cell.label: cell.key for cell in self.asked.get(number, ())}
        counts: Counter[object] = Counter()
        seen = set()
        for finding in fault.findings:
            place = keys.get(finding.location.path, finding.location.path)
            key = (finding.rule, place, finding.function, finding.statement)
            counts[key] += 1
            seen.add((key, counts[key]))
        is_new = self.reported.isdisjoint(seen)
        self.reported |= seen
        return is_new

    def show(self, html: str, text: str) -> None:
        """Display a fault."""
        self.shell.display_pub.publish({"text/html": html, "text/plain": text})

    def say(self, sentence: str) -> None:
        """Display a sentence."""
        from html import escape

        text = sentence if "cvlint" in sentence else f"cvlint: {sentence}"
        self.show(f'<div class="cvlint-sentence">{escape(text)}</div>', text)

    def say_once(self, sentence: str) -> None:
        """Display a sentence that was not displayed before."""
        if sentence not in self.said:
            self.said.add(sentence)
            self.say(sentence)


_loaded: list[Extension] = []


def load(shell: Any) -> None:
    """Follow the cells of a shell from now on."""
    extension = Extension(shell)
    extension.register()
    _loaded.append(extension)


def unload(shell: Any) -> None:
    """Follow the cells of a shell no longer."""
    for extension in [one for one in _loaded if one.shell is shell]:
        extension.unregister()
        _loaded.remove(extension)
