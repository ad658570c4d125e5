"""The driver: execute the top level of a file, then every function that nothing in it called."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.analysis.checkers.best_shown import record_best_so_far
from cvlint.analysis.checkers.leakage.final_tests import record_applied_to_both, record_untested_leaks
from cvlint.analysis.checkers.rows.measuring import record_trained_rows
from cvlint.analysis.checkers.undefined_folds.one_class_folds import record_one_class_folds
from cvlint.analysis.checkers.undefined_folds.stratification import mark_parts_of_pooled
from cvlint.analysis.domain.environment import ClassValue, Function, Module
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.value import Const
from cvlint.analysis.domain.work import METER, UNBOUNDED, WorkSpent
from cvlint.analysis.events import Event
from cvlint.analysis.interpreter.calls import call_value
from cvlint.analysis.interpreter.expressions import evaluate
from cvlint.analysis.interpreter.statements import execute
from cvlint.analysis.interpreter.uncalled import callers_first, methods_of
from cvlint.analysis.kept import forget_file
from cvlint.analysis.models.containers.files import name_with_stars
from cvlint.analysis.models.experiment.training_loops import BatchMethods
from cvlint.analysis.relevance import Outlines, Relevance
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.knowledge.loader import Knowledge
from cvlint.records import dataclass, field
from cvlint.source.definitions import imports_of
from cvlint.source.file_bytes import content_digest, load
from cvlint.source.links.data_files import DataWriters
from cvlint.source.links.script_text import may_be_same
from cvlint.source.module import Reading, Source, read_bytes
from cvlint.source.prefilter import Prefilter
from cvlint.source.project import UNKNOWN, UNREADABLE, AnalysisInputs, ImportResolver, Lookup

if TYPE_CHECKING:
    from cvlint.analysis.fates.journeys import Journey
    from cvlint.analysis.fates.recorder import FateRecorder

MIN_STEPS = 40_000


STEPS_PER_CHARACTER = 0.25  # a larger budget finds almost nothing more in real code


MIN_WORK = 500_000


WORK_PER_CHARACTER = 10  # real code does up to 2, and seldom 6; see `cvlint.analysis.domain.work`


MAX_WORK = 4_000_000  # a value that is kept takes up to 50 bytes for each unit of the work that made it


MAX_STEPS = 250_000


MAX_IMPORTED = 1_000_000  # characters of a module of the project: what is longer is not followed


MAX_KEPT = 3_000_000  # characters of all modules of the project whose syntax trees are kept


MAX_PROJECT_FILES = 40  # so many modules of the project are read for one file


@dataclass(frozen=True, slots=True)
class AnalysedFile:
    """The events of a file, whether its budget of steps lasted to the end, and its fates if they were asked for."""

    events: list[Event]
    is_complete: bool
    journeys: tuple[Journey, ...] = ()
    inputs: AnalysisInputs = field(default_factory=AnalysisInputs)
    """What the analysis read beside the file."""


class Analysis:
    """The analyses of one process; they share the sources of the project that were read."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.imports = ImportResolver()
        self.data_writers = DataWriters()
        self.sources: dict[str, Source | None] = {}
        self.readings: dict[str, tuple[str, Reading]] = {}  # of imported files, with the digests of their bytes
        self.kept = 0  # characters of the sources
        self.open_texts: Mapping[str, Callable[[], Source | None]] = {}  # of an editor, by name
        self.digests: dict[str, str] = {}
        self.outlines = Outlines(Prefilter(knowledge.prefilter_words), self.source, self.imports.find)

    def analyse(
        self, source: Source, fates: bool = False, whole: bool = True, folders: tuple[str, ...] = ()
    ) -> AnalysedFile:
        """All events of a file, and of the functions in other files that it calls; with ``fates``, where values end.

        Unless the ``whole`` file is wanted, code that can lead to no finding is left out. ``folders`` are the checked
        ones (see `DataWriters.find`).
        """
        if self.kept > MAX_KEPT:
            self.kept = 0
            self.sources.clear()
            self.readings.clear()
            self.outlines = Outlines(Prefilter(self.knowledge.prefilter_words), self.source, self.imports.find)
        if not (whole or fates):
            relevance = self.outlines.relevance(source, MAX_PROJECT_FILES)
            analysis = FileAnalysis(self, source, relevance, folders)
            if relevance.is_relevant:
                return analysis.run()
            analysis.release()
            return AnalysedFile([], True, inputs=analysis.inputs)
        if not fates:
            return FileAnalysis(self, source, folders=folders).run()
        from cvlint.analysis.fates.recorder import FateRecorder

        return FileAnalysis(self, source, folders=folders).run(FateRecorder())

    def source(self, path: Path, importer: Source) -> Source | None:
        """The source of another file of the project, displayed relative to its importer; None if it cannot be read."""
        shown = os.path.join(os.path.dirname(importer.display), os.path.relpath(path, importer.path.parent))
        shown = os.path.normpath(shown)
        if shown not in self.sources:
            open_text = self.open_texts.get(shown)
            found = self._read(path, shown) if open_text is None else open_text()
            self.kept += 0 if found is None else len(found.text)
            self.sources[shown] = found
        return self.sources[shown]

    def _read(self, path: Path, shown: str) -> Source | None:
        """A module of the project; None if it cannot be read or is too long to be followed."""
        data = load(path, shown)
        self.digests[str(path)] = content_digest(data) if isinstance(data, bytes) else UNREADABLE
        if not isinstance(data, bytes) or len(data) > MAX_IMPORTED:
            return None
        reading = read_bytes(data, path, shown)
        self.readings[shown] = self.digests[str(path)], reading
        return reading.source

    def reading(self, data: bytes, digest: str, path: Path, display: str) -> Reading:
        """What the bytes of a file to check hold; a file that others have imported is not parsed again."""
        known = self.readings.get(display)
        if known is not None and known[0] == digest:
            return known[1]
        return read_bytes(data, path, display)


def allowed(source: Source) -> tuple[int, int]:
    """The steps and the work that the execution of a file may take."""
    length = len(source.text)
    steps = min(MAX_STEPS, MIN_STEPS + int(STEPS_PER_CHARACTER * length))
    return steps, min(MAX_WORK, MIN_WORK + WORK_PER_CHARACTER * length)


class FileAnalysis:
    """The analysis of one file; it evaluates the modules that the file imports afresh."""

    def __init__(
        self,
        analysis: Analysis,
        source: Source,
        relevance: Relevance | None = None,
        folders: tuple[str, ...] = (),
    ) -> None:
        self.relevance = relevance or Relevance()
        self.analysis, self.folders = analysis, folders
        self.module = Module(source)
        self.modules: dict[Path, Module] = {source.path: self.module}
        self.opened = {str(path): analysis.digests.get(str(path), UNKNOWN) for path in self.relevance.opened}
        found = self.relevance.lookups.items()
        self.lookups: dict[Lookup, str | None] = {asked: None if p is None else str(p) for asked, p in found}
        self.writers: dict[tuple[str, str], str | None] = {}
        self.executed: set[str] = set()  # these writers
        self.for_writers = MAX_STEPS, MAX_WORK  # the steps and the work that are left for them
        self.state = AnalysisState(
            analysis.knowledge,
            self.locate,
            self.open_module,
            self.run_writer,
            evaluate,
            execute,
            call_value,
            self.module.environment,
        )
        self.state.rows.is_followed = may_hold_models(source.text) or self.imports_project(source)
        self.state.budget, METER.left = allowed(source)

    def imports_project(self, source: Source) -> bool:
        """Whether a file imports other files of the project, which may fit the models."""
        return any(self.look_up(source.path, *asked) is not None for asked in imports_of(source))

    @property
    def inputs(self) -> AnalysisInputs:
        """What this analysis has read beside the file so far."""
        return AnalysisInputs(self.opened, self.lookups, self.writers)

    def run(self, recorder: FateRecorder | None = None) -> AnalysedFile:
        """Execute the file and return its events; a recorder sees every value."""
        self.state.witness = recorder
        is_complete = self.executes_all() and self.state.budget >= 0
        METER.left = UNBOUNDED
        record_one_class_folds(self.state)
        record_untested_leaks(self.state)
        record_trained_rows(self.state)
        record_applied_to_both(self.state)
        record_best_so_far(self.state)
        mark_parts_of_pooled(self.state)
        events = self.state.final_events()
        ways = () if recorder is None else recorded_journeys(self.state, recorder, events, is_complete)
        found = AnalysedFile(events, is_complete, ways, self.inputs)
        self.release()
        return found

    def executes_all(self) -> bool:
        """Execute the file; False if the work that is allowed, or the stack, does not last to its end."""
        try:
            self.execute_module(self.module, "__main__")
            self.execute_uncalled(self.module)
        except (WorkSpent, RecursionError):
            self.state.environment, self.state.suppress_events = self.module.environment, 0
            del self.state.frames[1:]
            return False
        return True

    def release(self) -> None:
        """Take reference cycles apart: to leave them to the garbage collector costs much more time."""
        forget_file()
        vars(self.state).clear()
        for module in self.modules.values():
            for held in (
                module.environment.bindings,
                module.environment.definitions,
                module.environment.dependences,
                module.environment.taint,
            ):
                held.clear()
            del module.environment

    def execute_module(self, module: Module, name: str) -> None:
        """Execute the top level of a module, whose ``__name__`` this is."""
        state = self.state
        outer, state.environment = state.environment, module.environment
        state.frames.append(Frame(module.source.tree, module, None, None, module.environment))
        module.environment.bind("__name__", Const(value=name))
        for statement in module.source.statements():
            state.execute(state, [statement])
        state.frames.pop()
        state.environment = outer

    def execute_uncalled(self, module: Module) -> None:
        """Evaluate functions and methods of a module that nothing called, with unknown arguments."""
        state = self.state
        state.frames.append(Frame(module.source.tree, module, None, None, module.environment))
        waiting: list[tuple[Function, ast.AST]] = []
        bindings = module.environment.bindings
        telling = {name for name, value in bindings.items() if measures_in(value)}
        needs_all = bool(state.files) or module is not self.module  # data in files have a history in every function
        leaves_out = Relevance().leaves_out if needs_all else self.relevance.leaves_out
        for value in [*state.rebound_functions, *bindings.values()]:
            match value:
                case Function(node=ast.AST() as code, environment=environment) if (
                    environment is module.environment and not leaves_out([code], telling)
                ):
                    waiting.append((value, code))
                case ClassValue(node=ast.ClassDef() as cls, environment=environment) if (
                    environment is module.environment and not leaves_out(cls.body, telling)
                ):
                    waiting += methods_of(state, value, cls)
        methods = BatchMethods(state)
        called = frozenset(state.summaries)
        for function, node, again in callers_first(waiting):
            was_called = function.node in (called if again else state.summaries)
            if state.budget > 0 and (not was_called or getattr(node, "name", "") == "__init__"):
                state.suppress_events += was_called  # ``__init__`` ran before: here it only sets the attributes
                state.summaries.pop(node, None)  # even if its summary is full
                methods.call(function, node)
                state.suppress_events -= was_called
        state.frames.pop()

    def locate(self, importer: Module, name: str, level: int) -> Path | None:
        """The file of a module of the project; None for libraries."""
        if not (name or level):
            return None
        own, script = importer.source.path, self.module.source.path
        found = self.look_up(own, name, level)
        if found is None or level or own == script:
            return found
        # Python looks in the folder of the script that runs before it looks anywhere else.
        beside = self.look_up(script, name, 0)
        return beside if beside is not None and beside != own and beside.is_relative_to(script.parent) else found

    def look_up(self, importer: Path, name: str, level: int) -> Path | None:
        """The file of a module that a file imports, as a result of this analysis depends on it."""
        asked = (str(importer), name, level)
        if asked not in self.lookups:
            self.lookups[asked] = self.analysis.imports.locate(*asked)
        found = self.lookups[asked]
        return None if found is None else Path(found)

    def run_writer(self, name: str) -> bool:
        """Execute the script of the project that writes a file of data with this name, unless that is done already.

        Returns False if there is none. What it wrote is then in the files of the state.
        """
        reader = self.state.environment.module
        asked = (str(reader.source.path), name)
        if asked not in self.writers:
            self.writers[asked] = self.analysis.data_writers.find(*asked, self.folders)
        found = self.writers[asked]
        if found is None or Path(found) == self.module.source.path:
            return False
        if found not in self.executed:
            self.executed.add(found)
            self.execute_writer(reader, Path(found), name)
        return True

    def execute_writer(self, reader: Module, path: Path, name: str) -> None:
        """Execute another script as a program, with the steps and the work that it may take if it is checked itself.

        All such scripts together may take as much as the longest file. If it has not written a file with this name
        then, one of its functions does that nothing calls.
        """
        source = self.analysis.source(path, reader.source)
        if source is None:
            return
        state, left = self.state, METER.left
        outside = state.budget, state.taint, state.suppress_events, len(state.frames)
        steps, work = map(min, allowed(source), self.for_writers)
        state.budget, METER.left = steps, work
        state.writers_running += 1
        try:
            module = self.open_module(reader, path, "__main__")
            if module is not None and not self.has_written(name):
                state.suppress_events += 1
                with state.outside_loops():
                    self.execute_uncalled(module)
        except (WorkSpent, RecursionError):
            state.environment = reader.environment
        state.writers_running -= 1
        used = steps - max(0, state.budget), work - max(0, METER.left)
        self.for_writers = self.for_writers[0] - used[0], self.for_writers[1] - used[1]
        state.budget, state.taint, state.suppress_events, frames = outside
        del state.frames[frames:]
        METER.left = left

    def has_written(self, name: str) -> bool:
        """Whether the code has written a file with this name."""
        return any(may_be_same(name, name_with_stars(path)) for path in self.state.files)

    def open_module(self, importer: Module, path: Path, name: str = "") -> Module | None:
        """A module of the project after its top level was executed, under a name; None if it cannot be read."""
        if path not in self.modules:
            if len(self.modules) >= MAX_PROJECT_FILES:
                return None
            source = self.analysis.source(path, importer.source)
            self.opened[str(path)] = self.analysis.digests.get(str(path), UNKNOWN)
            if source is None:
                return None
            state, module = self.state, Module(source)
            self.modules[path] = module
            state.suppress_events += 1
            with state.outside_loops():
                self.execute_module(module, name or path.stem)
            state.suppress_events -= 1
        return self.modules[path]


def recorded_journeys(
    state: AnalysisState, recorder: FateRecorder, events: list[Event], is_complete: bool
) -> tuple[Journey, ...]:
    """Where the values ended that a recorder saw."""
    from cvlint.analysis.fates.journeys import journeys

    return tuple(journeys(recorder, state.summaries, events, is_complete))


def may_hold_models(text: str) -> bool:
    """Whether code may fit a model, or ask one that it reads from a file."""
    return "fit" in text or "train(" in text or ".backward(" in text or ("load" in text and "predict" in text)
