"""The state of one file's analysis: environment, call stack, loops under way, taint, function summaries, events."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis, sorted_axes
from cvlint.analysis.domain.environment import Environment, Function, Module
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.rows import RowsOf
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.trace import CALLED, COMPUTED, Step, Trace
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, Measure, MeasureValue, axes_of
from cvlint.analysis.events import Event, is_excusable
from cvlint.analysis.function_summary import FunctionSummary
from cvlint.analysis.row_store import RowStore
from cvlint.analysis.syntax import argument_at, tests_program
from cvlint.knowledge.loader import Knowledge
from cvlint.records import dataclass, field
from cvlint.source.module import Source

Arguments: TypeAlias = tuple[list[AnyValue], dict[str, AnyValue]]
ENTRIES = "[]"  # the attribute that holds what the program writes to a container of a library: ``os.environ["F1"] = …``


@dataclass(frozen=True, slots=True)
class Selection:
    """A test that may choose the best of several values: ``if f1 > best``.

    ``kept`` are the locations that it compares, and whether it is the better value that each keeps if the code under
    the test binds it. ``labels`` are on everything that is read under the test; they count
    once a location has kept what they are on.
    """

    test: ast.expr
    kept: tuple[tuple[ast.expr, bool], ...]
    labels: Taint


@dataclass(eq=False, slots=True)
class Frame:
    """A call under evaluation: the code of a function or module, its caller and what it has returned so far.

    Parameters
    ----------
    node
        The function or module whose code is executed.
    call
        The call site; None for the top level of a module.
    owner
        The function or class that a trace names for this code.
    call_loops
        The loops that are under way at the call site.
    selections
        The tests that the rest of the block depends on, and that may choose the best of several values.
    guards
        The tests (and ``with`` or ``try`` statements) that guard the present statement.
    left_early
        For each loop under way, what names hold where a pass ends early: ``if ok: best = f1; break``.
    returned, yielded
        The values of the ``return`` and ``yield`` statements that were executed.
    taint
        The taint of the returned values.
    changed
        The parameters whose data the function changes in place, and the taint that this adds to them.
    per_sample, per_group
        Whether the function is called on one sample after another (``frame.apply(f, axis=1)``), or on one group of rows
        after another (``frame.groupby("id").transform(f)``).
    returned_rows, yielded_rows
        The rows of the returned values, and of those that a generator yields.
    given
        The expressions of the arguments that were asked for (`argument`).
    inner_arguments, recursion
        The arguments with which the function calls itself, and the loop that these calls are (see `recursion`).
    """

    node: ast.AST
    module: Module
    call: ast.AST | None
    owner: ast.AST | None
    environment: Environment
    call_loops: Axes = NO_AXES
    guards: list[ast.AST] = field(default_factory=list)
    left_early: list[list[dict[str, AnyValue]]] = field(default_factory=list)
    selections: list[Selection] = field(default_factory=list)
    returned: list[AnyValue] = field(default_factory=list)
    yielded: list[AnyValue] = field(default_factory=list)
    inner_arguments: Arguments | None = None
    recursion: Axes = NO_AXES
    taint: Taint = NO_TAINT
    changed: list[tuple[str, Taint]] = field(default_factory=list)
    per_sample: bool = False
    per_group: bool = False
    returned_rows: list[RowsOf] = field(default_factory=list)
    yielded_rows: list[RowsOf] = field(default_factory=list)
    given: dict[str, ast.expr | None] = field(default_factory=dict)

    def argument(self, name: str) -> ast.expr | None:
        """The expression that a parameter was given at the call site, or else its default."""
        if name not in self.given:
            self.given[name] = argument_at(self.node, self.call, name)
        return self.given[name]

    @property
    def gets_unknown_data(self) -> bool:
        """Whether nothing calls the function, which takes data: its caller may do more with them."""
        match self.call:
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
                return any(a.arg not in ("self", "cls") for a in (*args.posonlyargs, *args.args, *args.kwonlyargs))
            case _:
                return False

    @property
    def guard_tests(self) -> list[ast.expr]:
        """The tests among the guards of the present statement."""
        if not self.guards:
            return []
        tests = (guard.test if isinstance(guard, ast.If) else guard for guard in self.guards)
        return [test for test in tests if isinstance(test, ast.expr)]


@dataclass(eq=False, slots=True)
class Arm:
    """An arm of a branch under way: what the objects that it changes held before, by identity (`heap.branches`).

    Objects that were made in the arm have a higher ``birth``; nobody else has changed them.
    """

    birth: int
    before: dict[int, tuple[HeapObject | Instance, HeapObject | Instance]] = field(default_factory=dict)


class Witness(Protocol):
    """Who wants to see what an analysis computes: the recorder of `cvlint.analysis.fates`."""

    def saw(self, state: AnalysisState, node: ast.expr, value: AnyValue) -> None:
        """An expression was evaluated."""

    def saw_split(self, taint: Taint) -> None:
        """Data with this taint were split."""


class Place:
    """A context: code runs in other loops. It is entered so often that a generator would be too slow."""

    __slots__ = ("_inside", "_outside", "_state")

    def __init__(self, state: AnalysisState, loops: tuple[Axis, ...], axes: Axes, first_pass_loops: Axes) -> None:
        self._state, self._inside = state, (loops, axes, first_pass_loops)

    def __enter__(self) -> None:
        state = self._state
        self._outside = state.active_loops, state.active_axes, state.first_pass_loops
        state.active_loops, state.active_axes, state.first_pass_loops = self._inside

    def __exit__(self, *_: object) -> None:
        state = self._state
        state.active_loops, state.active_axes, state.first_pass_loops = self._outside


@dataclass(eq=False)
class AnalysisState:
    """The state of one file's analysis.

    ``locate``, ``open_module`` and ``run_writer`` find and read scripts of the project. ``evaluate``, ``execute`` and
    ``call`` are the interpreter's own: models and checkers reach them through the state.
    """

    knowledge: Knowledge
    locate: Callable[[Module, str, int], Path | None]
    open_module: Callable[[Module, Path], Module | None]
    run_writer: Callable[[str], bool]
    evaluate: Callable[[AnalysisState, ast.expr], AnyValue]
    execute: Callable[[AnalysisState, list[ast.stmt]], bool]
    call: Callable[[AnalysisState, AnyValue, Arguments, ast.AST], AnyValue]
    environment: Environment
    # Where the interpreter is.
    frames: list[Frame] = field(default_factory=list)
    active_loops: tuple[Axis, ...] = ()  # the loops under way, outermost first
    active_axes: Axes = NO_AXES  # the same loops as a set
    first_pass_loops: Axes = NO_AXES  # a test says that only the first pass of these loops comes here
    passes: int = 1  # how often this code runs, by the loops under way that run once for each of their entries
    arms: list[Arm] = field(default_factory=list)  # the arms of branches under way, outermost first
    bodies: list[Arm] = field(default_factory=list)  # the bodies of loops under way, outermost first
    assigned_targets: list[ast.expr] = field(default_factory=list)  # the targets of the present assignment
    budget: int = 200_000  # the steps that the analysis may still make
    # What the interpreter remembers.
    constants: dict[ast.Constant, Const] = field(default_factory=dict)
    usual_names: dict[str, LibraryName | None] = field(default_factory=dict)  # what names mean that nothing binds
    names_of_data: dict[ast.AST, list[str]] = field(default_factory=dict)  # in expressions, but for functions and seeds
    drawing: dict[tuple[ast.AST, Module], bool] = field(default_factory=dict)  # whether an expression draws at random
    optimised: dict[ast.AST, dict[str, str]] = field(default_factory=dict)  # objectives, by module
    inlined: dict[tuple[str, ast.AST], ast.stmt | ast.expr] = field(default_factory=dict)  # library code, by its call
    summaries: dict[ast.AST, FunctionSummary] = field(default_factory=dict)
    rebound_functions: list[Function] = field(default_factory=list)  # their names were bound to other functions later
    taint: Taint = NO_TAINT  # of the expression under evaluation, so far
    selecting: Taint = NO_TAINT  # the labels of the tests around that may choose the best of several values
    unconfirmed: set[ast.AST] = field(default_factory=set)  # such tests, as long as they have chosen nothing
    confirmed: set[ast.AST] = field(default_factory=set)  # such tests that have chosen something
    going_on: dict[ast.AST, ast.AST] = field(default_factory=dict)  # such tests, by the one that they go on with
    taint_at: dict[ast.AST, Taint] = field(default_factory=dict)  # of expressions that were evaluated
    defaults: dict[tuple[ast.expr, int], AnyValue] = field(default_factory=dict)  # of parameters: lists and dicts
    starred_counts: dict[ast.Starred, int] = field(default_factory=dict)  # how many arguments each of them gave
    raised: list[AnyValue] = field(default_factory=list)  # exceptions that no handler has caught yet
    attributes: dict[tuple[object, str], AnyValue] = field(default_factory=dict)  # of functions and library modules
    files: dict[str, tuple[HeapObject, Axes]] = field(default_factory=dict)  # by path, with the loops of the path
    witness: Witness | None = None
    # What came out.
    events: list[Event] = field(default_factory=list)
    suppress_events: int = 0
    writers_running: int = 0  # scripts of the project, whose data the file reads
    computed_measures: list[MeasureValue] = field(default_factory=list)
    kinds_computed: dict[ast.AST, str] = field(default_factory=dict)  # by the expressions that compute the measures
    loops_computed: dict[ast.AST, Axes] = field(default_factory=dict)  # the loops around these expressions
    measuring: set[ast.AST] = field(default_factory=set)  # the functions and classes in which measures were computed
    # What single checkers remember.
    unresolved_one_class_tests: list[tuple[Source, ast.AST, Axes]] = field(default_factory=list)
    averaged: set[tuple[object, Axis]] = field(default_factory=set)  # what was measured, and along which loop
    excused_nodes: set[ast.AST] = field(default_factory=set)  # the program makes good elsewhere what happens there
    judged_choices: set[tuple[ast.AST, ast.AST | None]] = field(default_factory=set)  # by other data; the calls to them
    misformed: dict[ast.AST, str] = field(default_factory=dict)  # formulas that nothing calls F yet, and their mistakes
    called_wrong: set[ast.AST] = field(default_factory=set)  # formulas that have a finding
    trained_on_rest: dict[Axis, Taint] = field(default_factory=dict)
    cut_axes: dict[Axis, Axes] = field(default_factory=dict)  # along parts of one call, with the loops around it
    indexed_names: dict[Axis, set[str]] = field(default_factory=dict)  # the data that the folds' indices select from
    measured_names: dict[Axis, set[str]] = field(default_factory=dict)  # the data that a loop measures on
    leaks: dict[object, Event] = field(default_factory=dict)
    label_predictions: dict[object, list[tuple[Step, ast.AST]]] = field(default_factory=dict)  # of labels
    ranking_events: dict[object, list[tuple[Event, ast.AST]]] = field(default_factory=dict)  # of scores
    training_data: set[object] = field(default_factory=set)  # fits, and data by name, that transformed other data
    strata: set[ast.AST] = field(default_factory=set)  # what made columns that only say how rows are split
    scalings: dict[object, set[object]] = field(default_factory=dict)  # calls of ``scale``, by environment and function
    leaks_elsewhere: dict[ast.AST, list[Event]] = field(default_factory=dict)  # by the splits in such scripts
    search_leaks: dict[ast.AST, list[TaintLabel]] = field(default_factory=dict)  # of folds of a search in a fold
    waiting_leaks: list[tuple[TaintLabel, Step, str]] = field(default_factory=list)  # leaks that the end decides
    best_so_far: dict[ast.AST, tuple[TaintLabel, Event]] = field(default_factory=dict)  # shown in the loop that chooses
    final_tests: set[str] = field(default_factory=set)  # measured data that are no part of a split
    shown_folds: set[ast.AST] = field(default_factory=set)  # splits whose folds give a result that the code shows
    halves: dict[str, list[Any]] = field(default_factory=dict)  # parts that are cut out of data, by the data's name
    rowless_functions: set[str] = field(default_factory=set)  # of libraries: their results have no rows of data
    rows: RowStore = field(default_factory=RowStore)  # which rows the names hold, and what was fitted to them

    @property
    def target(self) -> str:
        """The first name that the present assignment binds; empty if there is none."""
        first = self.assigned_targets[0] if self.assigned_targets else None
        return first.id if isinstance(first, ast.Name) else ""

    @property
    def frame(self) -> Frame:
        """The function or module under evaluation."""
        return self.frames[-1]

    @property
    def allocation_loops(self) -> Axes:
        """The loops around a container that is allocated here; on the first pass it counts as older than the loop."""
        return self.active_axes - self.first_pass_loops

    def first_pass(self, axes: Axes) -> Place:
        """Run code that only the first pass of loops reaches."""
        return Place(self, self.active_loops, self.active_axes, self.first_pass_loops | axes)

    def inside_loops(self, axes: Axes) -> Place:
        """Run the body of a loop along ``axes``."""
        inner = sorted_axes(axis for axis in axes if axis not in self.active_loops)
        return Place(self, (*self.active_loops, *inner), self.active_axes | axes, self.first_pass_loops)

    def outside_loops(self) -> Place:
        """Run code that is outside of all loops, such as the top level of an imported module."""
        return Place(self, (), NO_AXES, NO_AXES)

    def swept_axes(self, value: AnyValue, allocation_loops: Axes) -> Axes:
        """The axes along which ``value`` fills a container that was allocated inside ``allocation_loops``."""
        crossed = self.active_axes - allocation_loops
        own = axes_of(value) - allocation_loops
        own = own if isinstance(value, MeasureValue) else self.ongoing_axes(own)
        return crossed | own if crossed else NO_AXES

    def ongoing_axes(self, axes: Axes) -> Axes:
        """The axes of what is computed now: after a loop over batches or epochs, results belong to all of them."""
        return frozenset(a for a in axes if a.kind not in ("batch", "epoch") or a in self.active_loops)

    def evaluate_optional(self, node: ast.expr | None) -> AnyValue | None:
        """Evaluate an expression that may be missing."""
        return None if node is None else self.evaluate(self, node)

    def step(self, node: ast.AST, note: str, heuristic: bool = False) -> Step:
        """A step of a trace at ``node`` of the present file."""
        owners = frozenset(frame.owner for frame in self.frames if frame.owner is not None)
        return Step(self.environment.module.source, node, note, heuristic, owners)

    def pool_data(self, value: Data, swept: Axes, node: ast.AST) -> Data:
        """Pool the parts of ``value`` along ``swept`` at ``node``; the trace gets a step if these may be folds."""
        kinds = {axis.kind for axis in swept}
        happens = (
            "the parts of different folds are pooled" if "fold" in kinds else "the results of a loop are put together"
        )
        trace = (*value.trace, self.step(node, f"{happens} here")) if kinds & {"fold", "loop"} else value.trace
        return replace(
            value,
            axes=value.axes - swept,
            along=(),
            trace=trace,
            pooled=value.pooled | swept,
            opaque=False,
            size=None,
            pattern="",
        )

    def emit(
        self,
        name: str,
        node: ast.AST,
        measure: Measure,
        axes: Axes = NO_AXES,
        trace: Trace = (),
        note: str = "",
        **facts: Any,
    ) -> None:
        """Record an event at ``node``, or at the call that brought the measure here (see `report_site`)."""
        source, extra = self.environment.module.source, self.call_trace() if axes or name == "measure" else ()
        if name == "reduce":
            source, node, extra = self.report_site(node, trace, COMPUTED)
        elif name == "formula" and any(axis.kind == "fold" for axis in axes):
            source, node, extra = self.report_site(node, trace, "averaged here")
        self.record(Event(name, source, node, measure, axes, (*trace, *extra), note, facts))

    def record(self, event: Event) -> None:
        """Keep an event, but in unit tests, or while events are suppressed (for the top level of another file)."""
        if not self.suppress_events and not any(tests_program(frame.node) for frame in self.frames):
            self.events.append(event)

    def note_measure(self, value: MeasureValue) -> None:
        """A measure was computed. Each later call asks for some of this, so no question may read all measures."""
        self.computed_measures.append(value)
        if value.trace:
            node = value.trace[-1].node
            self.kinds_computed.setdefault(node, value.measure.kind)
            self.loops_computed[node] = self.loops_computed.get(node, NO_AXES) | value.axes
        self.measuring.update(*(step.owners for step in value.trace))

    def call_trace(self) -> Trace:
        """The call sites that led to the present function, outermost first."""
        outer = zip(self.frames, self.frames[1:], strict=False)
        return tuple(Step(o.module.source, i.call, CALLED) for o, i in outer if isinstance(i.call, ast.Call))

    def call_trace_to(self, call: ast.AST) -> Trace:
        """The call sites that lead to the function that ``call`` calls, in the function under way."""
        return (*self.call_trace(), Step(self.environment.module.source, call, CALLED))

    def report_site(self, node: ast.AST, trace: Trace, origin: str) -> tuple[Source, ast.AST, Trace]:
        """Where an event is reported, and the steps that this adds to its trace.

        A helper that knows no measure (``mean_ci(values)``) is not at fault: the event moves out of it to the call
        that passed the measure, and the helper's line becomes a step of the trace. A helper is at fault if a step
        whose note ends with ``origin`` happened in it.
        """
        made = [step for step in trace if step.note.endswith((origin, "by its name here"))]
        level = len(self.frames) - 1
        extra: Trace = ()
        while made and level > 0:
            frame = self.frames[level]
            if not isinstance(frame.call, ast.Call) or any(frame.owner in step.owners for step in made):
                break
            extra = (Step(frame.module.source, node, "and reduced in this helper"), *extra)
            node, level = frame.call, level - 1
        return self.frames[level].module.source, node, extra

    def excuse_undefined(self, value: AnyValue) -> None:
        """The program handles undefined values of a formula: the formula itself needs no guard."""
        for found in measures_in(value):
            self.excused_nodes.update(step.node for step in found.trace)

    def final_events(self) -> list[Event]:
        """The events that count: no excused formulas, and no choices whose result is measured on other data."""
        judged = self.judged_choices
        return [e for e in self.events if not (e.node in self.excused_nodes and is_excusable(e, judged))]
