"""The recorder: which births each expression carried during an analysis, and which calls took them."""

from __future__ import annotations

import ast
from collections import defaultdict

from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.value import AnyValue, LibraryName, LibraryObject
from cvlint.analysis.fates.births import LEARNED, Birth, Births
from cvlint.analysis.fates.calls import BY_NAME
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name
from cvlint.records import dataclass, field, replace
from cvlint.source.module import Source


@dataclass(frozen=True, slots=True)
class Callee:
    """What a call calls: its name, the effect that the knowledge gives it, and whether it is code of the project.

    ``end`` is what becomes of a value that it takes, as its name says; None where that says nothing.
    """

    name: str
    effect: str = ""
    is_own: bool = False
    end: str | None = None


@dataclass(eq=False, slots=True)
class FateRecorder:
    """What an analysis shows of the values that it computes.

    Parameters
    ----------
    births
        All births so far.
    carried
        The births that the values of an expression carried, in any of its evaluations.
    values
        The last value of each expression.
    sources
        The files of the expressions.
    stored
        The births that the arguments of a call carried after it: it stored them there.
    callees
        What the calls called that took a birth.
    callers
        The calls that evaluated a function.
    whole
        Expressions that carried the value of a birth itself, and not only something computed from it.
    varying
        Expressions whose measure varied over a loop under way.
    losses
        Names of losses, which a program minimises and does not report.
    split
        What was learned at these places reached a split.
    """

    births: Births = field(default_factory=Births)
    carried: dict[ast.AST, set[Birth]] = field(default_factory=dict)
    values: dict[ast.AST, AnyValue] = field(default_factory=dict)
    sources: dict[ast.AST, Source] = field(default_factory=dict)
    stored: dict[ast.AST, set[Birth]] = field(default_factory=dict)
    callees: dict[ast.AST, Callee] = field(default_factory=dict)
    callers: dict[ast.AST, set[ast.AST]] = field(default_factory=lambda: defaultdict(set))
    whole: set[ast.AST] = field(default_factory=set)
    varying: set[ast.AST] = field(default_factory=set)
    losses: set[str] = field(default_factory=set)
    split: set[ast.AST] = field(default_factory=set)
    training: dict[str, bool] = field(default_factory=dict)

    def saw(self, state: AnalysisState, node: ast.expr, value: AnyValue) -> None:
        """An expression was evaluated."""
        if state.suppress_events:
            return
        source = state.environment.module.source
        self.values[node] = value
        if isinstance(node, ast.Name) and state.knowledge.conforms("loss", node.id):
            self.losses.add(node.id)
        carried = self.births_in(state, value, state.taint)
        if not carried and state.taint and not isinstance(node, ast.Call):
            carried = self.births.compared(state.taint)
        elif carried:
            self.whole.add(node)
        if isinstance(node, ast.Call):
            self.saw_call(state, node, source)
        frame = state.frame
        if frame.call is not None:
            self.callers[frame.node].add(frame.call)
        if carried:
            self.sources[node] = source
            self.carried.setdefault(node, set()).update(carried)
            if any(axis in state.active_axes for axis in getattr(value, "axes", ())):
                self.varying.add(node)

    def births_in(self, state: AnalysisState, value: AnyValue, taint: Taint) -> set[Birth]:
        """The births that a value carries, or its taint."""
        for label in taint:
            if label.kind in LEARNED and label.subject not in self.training:
                self.training[label.subject] = state.knowledge.conforms("training", label.subject)
        return self.births.measured(value) | self.births.tainted(value, taint, self.training)

    def saw_call(self, state: AnalysisState, node: ast.Call, source: Source) -> None:
        """A call was evaluated: what it called, and what it stored in its arguments."""
        inputs = [*node.args, *(keyword.value for keyword in node.keywords)]
        inputs += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        self.callees[node] = self.callee(state, node)
        if not any(part in self.carried for part in inputs):
            return
        for part in inputs:
            kept = self.values.get(part)
            if any(isinstance(option, HeapObject) for option in options(kept)) and kept is not None:
                found = self.births_in(state, kept, state.taint_at.get(part, frozenset()))
                before = self.carried.get(part, set())
                self.stored.setdefault(node, set()).update(found - before)
                if found - before:
                    self.carried.setdefault(part, set()).update(found)
                    self.sources[part] = source

    def callee(self, state: AnalysisState, node: ast.Call) -> Callee:
        """What a call calls, with what its name says of the values that end there."""
        found = self.called(state, node)
        ends = (end for name, end in BY_NAME.items() if state.knowledge.conforms(name, found.name))
        return replace(found, end=next(ends, None))

    def called(self, state: AnalysisState, node: ast.Call) -> Callee:
        """What a call calls, as far as its function was evaluated."""
        known, name = state.knowledge, called_name(node.func)
        base, is_own = node.func.value if isinstance(node.func, ast.Attribute) else None, False
        for option in options(self.values.get(node.func if base is None else base)):
            match option:
                case LibraryName(name=full):
                    whole = full if base is None else f"{full}.{name}"
                    entry = known.entry(whole) or known.methods.get(whole.rpartition(".")[2])
                    return Callee(whole, entry.effect if entry is not None else "")
                case Function() | ClassValue() | Instance() | LibraryObject(role="module"):
                    is_own = True
        method = known.methods.get(name)
        return Callee(
            name if is_own or base is None else f".{name}", method.effect if method is not None else "", is_own
        )

    def saw_split(self, taint: Taint) -> None:
        """Data with these labels were split."""
        self.split |= {label.step.node for label in taint}
