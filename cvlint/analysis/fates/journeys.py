"""Where the values of each birth ended: one end for each construct that took a value and did not pass it on."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import Const, Data, Partial
from cvlint.analysis.events import Event
from cvlint.analysis.fates import reasons
from cvlint.analysis.fates.births import Birth
from cvlint.analysis.fates.calls import HARMLESS, NO_USE
from cvlint.analysis.fates.recorder import Callee, FateRecorder
from cvlint.analysis.fates.syntax_map import Key, SyntaxMap, Taker, describe_target, keys_of, targets_of
from cvlint.analysis.taint import METADATA_ATTRIBUTES
from cvlint.records import dataclass, field, replace
from cvlint.source.module import Source
from cvlint.source.parsing import walk


@dataclass(frozen=True, slots=True)
class End:
    """The end of one way of a value: harmless for a reason, or lost at a construct.

    ``what`` is the reason or the kind of the construct, and ``name`` the function or attribute that took the value.
    """

    source: Source
    node: ast.AST
    is_lost: bool
    what: str
    name: str = ""


@dataclass(eq=False, slots=True)
class Journey:
    """A birth, its ends, the births that stand for it after a join, its events, and whether data with it were split."""

    birth: Birth
    ends: list[End] = field(default_factory=list)
    joined: list[Birth] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    is_split: bool = False


def journeys(
    recorder: FateRecorder, functions: Iterable[ast.AST], events: Iterable[Event], whole: bool
) -> list[Journey]:
    """The journeys of all births of an analysis.

    ``functions`` are those that were evaluated; ``whole`` says whether the steps of the analysis lasted to its end.
    """
    by_birth: dict[Birth, list[Event]] = defaultdict(list)
    for event in events:
        for birth in births_of(recorder, event):
            by_birth[birth].append(event)
            birth.is_part &= event.name != "fit"
    tracker = Tracker(recorder, list(functions), whole)
    found = [tracker.journey(birth) for birth in recorder.births.all()]
    for journey in found:
        journey.events += by_birth.get(journey.birth, [])
    return found


def births_of(recorder: FateRecorder, event: Event) -> list[Birth]:
    """The births that an event is about: those in its trace, and those of its measure that its place carried."""
    nodes = [event.node, *(step.node for step in event.trace)] if event.name == "fit" else [s.node for s in event.trace]
    found = [recorder.births.found.get(key) for node in nodes for key in ((True, node), (False, node))]
    carried = [b for node in walk(event.node) for b in recorder.carried.get(node, ()) if isinstance(node, ast.expr)]
    any_measure = event.name == "choose"  # of a choice, the event does not say by which kind of measure
    found += [b for b in carried if any_measure or event.measure.kind in b.measures or b.node is event.node]
    return [birth for birth in dict.fromkeys(found) if birth is not None]


class Tracker:
    """Follows births through the expressions that carried them."""

    def __init__(self, recorder: FateRecorder, functions: list[ast.AST], whole: bool) -> None:
        self.recorder, self.whole, self.syntax = recorder, whole, SyntaxMap()
        births = recorder.births.all()
        for tree in {s.tree for s in (*recorder.sources.values(), *(b.source for b in births))}:
            self.syntax.add(tree)
        self.nodes: dict[Birth, list[ast.AST]] = defaultdict(list)
        for birth in births:
            if birth.node not in recorder.values:  # only the name that it is bound to says that it is a measure
                recorder.carried.setdefault(birth.node, set()).add(birth)
                recorder.sources.setdefault(birth.node, birth.source)
        for node, carried in recorder.carried.items():
            for birth in carried:
                self.nodes[birth].append(node)
        self.functions = defaultdict(list)
        for function in functions:
            self.functions[self.name_of(function)].append(function)

    def name_of(self, function: ast.AST) -> str:
        """The name by which a function is called; of an ``__init__``, the name of its class."""
        name, cls = getattr(function, "name", ""), self.syntax.parents.get(function)
        return cls.name if name in ("__init__", "__call__") and isinstance(cls, ast.ClassDef) else name

    def journey(self, birth: Birth) -> Journey:
        """Follow one birth."""
        journey = Journey(birth, is_split=birth.node in self.recorder.split)
        seen: set[tuple[ast.AST, str]] = set()
        for node in self.nodes[birth]:
            taker = self.syntax.taker(node)
            while isinstance(taker, Taker) and isinstance(taker.node, ast.expr) and self.is_skipped(taker.node):
                taker = self.syntax.taker(taker.node)
            if taker is None:
                continue
            if isinstance(taker.node, ast.Call) and taker.node.func is node:
                continue
            for end in self.ends(birth, node, taker):
                if isinstance(end, Birth):
                    journey.joined.append(end)
                    continue
                if end.is_lost and node not in self.recorder.whole and node in self.recorder.values:
                    end = replace(end, is_lost=False, what=reasons.DERIVED, name="")
                if end.what == reasons.PRINTED and node in self.recorder.varying:
                    end = replace(end, what=reasons.EACH_PASS)
                if (end.node, end.what) not in seen:
                    seen.add((end.node, end.what))
                    journey.ends.append(end)
        return journey

    def is_skipped(self, node: ast.expr) -> bool:
        """Whether an expression was not evaluated as a whole: the analysis looked into it."""
        return node not in self.recorder.values and not isinstance(node, ast.Lambda)

    def carries(self, node: ast.AST, birth: Birth) -> bool:
        """Whether an expression carried a birth, or a call stored it in one of its arguments."""
        kept = self.recorder.carried.get(node, set()) | self.recorder.stored.get(node, set())
        return birth in kept

    def is_weaker(self, node: ast.AST, parent: ast.AST) -> bool:
        """Whether an expression carries only what is computed from a value that its part carried itself."""
        whole = self.recorder.whole
        return isinstance(parent, ast.expr) and node in whole and parent not in whole and not self.stores(parent)

    def stores(self, node: ast.AST) -> bool:
        """Whether a call stored something in its arguments."""
        return bool(self.recorder.stored.get(node))

    def standing_for(self, birth: Birth, nodes: Iterable[ast.AST]) -> list[Birth]:
        """Births of the same measure that expressions carried: equal values are joined into one."""
        carried = (b for node in nodes for b in self.recorder.carried.get(node, ()))
        return [other for other in dict.fromkeys(carried) if other is not birth and other.is_like(birth)]

    def end(self, node: ast.AST, what: str, is_lost: bool = False, name: str = "") -> Iterator[End]:
        """The end of a way at a node."""
        source = self.recorder.sources.get(node) or self.source_of(node)
        if source is not None:
            yield End(source, node, is_lost, what, name)

    def source_of(self, node: ast.AST) -> Source | None:
        """The file of a node."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.Module):
            current = self.syntax.parents.get(current)
        return next((s for s in self.recorder.sources.values() if s.tree is current), None)

    def ends(self, birth: Birth, node: ast.AST, taker: Taker) -> Iterator[End | Birth]:
        """The ends of a birth at what takes the value of an expression; none where it is passed on."""
        parent = taker.node
        if birth.kind == "measure" and any(
            b.node is parent for b in self.recorder.carried.get(parent, ()) if b is not birth
        ):
            yield from self.end(parent, reasons.PART)
            return
        if self.carries(parent, birth) and taker.role != "tested" and not self.is_weaker(node, parent):
            if birth in self.recorder.stored.get(parent, ()):  # a file that it is written to holds it, too
                callee = self.recorder.callees.get(parent)
                yield from self.end(parent, HARMLESS[callee.effect]) if callee and callee.effect in HARMLESS else ()
            return
        match parent:
            case _ if taker.role == "tested":
                yield from self.end(parent, reasons.TESTED)
            case _ if taker.role == "iterated":
                yield from self.bound(birth, parent)
            case ast.Return() | ast.Yield() | ast.YieldFrom() | ast.Lambda():
                yield from self.returned(birth, parent)
            case ast.Expr():
                yield from self.dropped(node, parent)
            case ast.If() | ast.While() | ast.Assert() | ast.Match():
                yield from self.end(parent, reasons.TESTED)
            case ast.stmt():
                yield from self.bound(birth, parent) if targets_of(parent)[0] else self.end(parent, reasons.UNUSED)
            case ast.expr():
                yield from self.taken(birth, node, parent, taker.role)

    def dropped(self, node: ast.AST, statement: ast.AST) -> Iterator[End]:
        """The value of an expression statement: a notebook shows it."""
        source = self.source_of(statement)
        shown = source is not None and source.cells and isinstance(self.syntax.parents.get(statement), ast.Module)
        yield from self.end(statement, reasons.SHOWN if shown else reasons.UNUSED)

    def bound(self, birth: Birth, statement: ast.AST) -> Iterator[End | Birth]:
        """A statement or comprehension binds the value to targets; it ends there if nothing reads it from them."""
        targets, bound = targets_of(statement)
        keys = dict.fromkeys(key for target in targets for key in keys_of(target))
        reads = [n for key in keys for n in self.syntax.reads(key, statement) if not self.syntax.is_inside(n, bound)]
        if any(birth in self.recorder.carried.get(node, ()) for node in reads):
            return
        if others := self.standing_for(birth, reads):
            yield from others
        else:
            yield from self.unread(statement, list(keys), reads)

    def unread(self, statement: ast.AST, keys: list[Key], reads: list[ast.expr]) -> Iterator[End]:
        """A statement binds a value, and no place that reads it from there carries it."""
        names = [name for kind, name in keys if kind == "name"]
        if len(names) == len(keys) == 1 and not isinstance(statement, (ast.For, ast.AsyncFor)):
            later = self.syntax.next_reads(statement, names[0], reads)
            if reads and not later and any(isinstance(self.syntax.parents.get(n), ast.Compare) for n in reads):
                yield from self.end(statement, reasons.COMPARED)  # in the next pass of the loop
                return
            reads = later
        if self.recorder.losses.intersection(names):
            yield from self.end(statement, reasons.LOSS)
        elif not reads:
            yield from self.end(statement, reasons.UNUSED)
        elif read := next((node for node in reads if node in self.recorder.values), None):
            if self.is_position(read):
                return
            is_part = isinstance(next(iter(targets_of(statement)[0])), (ast.Tuple, ast.List))
            yield from (
                self.end(statement, reasons.OTHER_PART)
                if is_part
                else self.end(statement, describe_target(statement), True, ast.unparse(read))
            )
        else:
            yield from self.end(
                statement,
                "code that the analysis did not reach" if self.whole else "the steps of the analysis were used up",
                True,
            )

    def is_position(self, node: ast.AST) -> bool:
        """Whether an expression is a position (``for i in range(len(X))``) or a key (``for k in d``), and no data."""
        held = options(self.recorder.values.get(node))
        return any(isinstance(o, Const) or (isinstance(o, Data) and o.index in ("loop-index", "key")) for o in held)

    def returned(self, birth: Birth, node: ast.AST) -> Iterator[End | Birth]:
        """A function returns the value: the calls that evaluated it carry it, or nobody calls it."""
        function = node if isinstance(node, ast.Lambda) else self.syntax.scope(node)
        calls = self.recorder.callers.get(function, set())
        inside = [call for call in calls if isinstance(call, ast.expr)]
        if len(inside) < len(calls) or not calls:
            yield from self.end(node, reasons.RETURNED)
        if any(self.carries(call, birth) for call in inside):
            return
        if others := self.standing_for(birth, inside):
            yield from others
            return
        for call in inside:
            if call in self.recorder.values and call in self.syntax.parents:
                callee = self.recorder.callees.get(call) or Callee("")
                if callee.effect in HARMLESS:
                    yield from self.end(call, HARMLESS[callee.effect])
                else:
                    yield from self.end(call, "result of a function", True, self.name_of(function))

    def taken(self, birth: Birth, node: ast.AST, parent: ast.expr, role: str) -> Iterator[End | Birth]:
        """An expression takes the value and does not carry it."""
        match parent:
            case ast.Subscript() | ast.Attribute():
                yield from self.selected(birth, parent)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                yield from self.end(parent, reasons.COMPARED)
            case ast.JoinedStr() | ast.FormattedValue():
                yield from self.end(parent, reasons.PRINTED)
            case ast.Call():
                yield from self.called(birth, node, parent, role)
            case ast.BinOp() if self.is_text(parent):
                yield from self.end(parent, reasons.PRINTED)
            case _ if others := self.standing_for(birth, [parent]):
                yield from others
            case ast.BinOp(op=op):
                yield from self.calculated(parent, type(op).__name__)
            case _:
                yield from self.end(parent, type(parent).__name__, True)

    def calculated(self, parent: ast.BinOp, operator: str) -> Iterator[End]:
        """Arithmetic that gives no measure: of several measures, a square, or a part of a formula around it."""
        outer: ast.AST | None = parent
        while isinstance(outer, (ast.BinOp, ast.Call, ast.UnaryOp)) and outer not in self.recorder.whole:
            outer = self.syntax.parents.get(outer)
        sides = [self.recorder.carried.get(side) for side in (parent.left, parent.right)]
        if isinstance(outer, ast.BinOp) or all(sides) or (operator == "Div" and sides[1]):
            yield from self.end(parent, reasons.PART)
        elif operator == "Pow":
            yield from self.end(parent, reasons.SPREAD)
        else:
            yield from self.end(parent, "arithmetic", True, operator)

    def is_text(self, node: ast.expr) -> bool:
        """Whether the value of an expression is a text."""
        return any(
            (isinstance(v, Data) and v.codomain.kind is Kind.TEXT)
            or (isinstance(v, Const) and isinstance(v.value, str))
            for v in options(self.recorder.values.get(node))
        )

    def selected(self, birth: Birth, parent: ast.Subscript | ast.Attribute) -> Iterator[End]:
        """An entry or an attribute of what carries a birth: another entry, or one that is not known."""
        if parent in self.recorder.whole or birth.kind != "measure":
            yield from self.end(parent, reasons.OTHER_PART)
            return
        match parent:
            case ast.Attribute(attr=attr) if attr not in METADATA_ATTRIBUTES and not self.is_part(parent):
                yield from self.end(parent, "attribute", True, f".{attr}")
            case ast.Subscript(slice=key) if not self.is_known(key):
                yield from self.end(parent, "entry", True, type(key).__name__)
            case _:
                yield from self.end(parent, reasons.OTHER_PART)

    def is_part(self, node: ast.Attribute) -> bool:
        """Whether an attribute is a method that is passed on (``key=scores.get``), or another column of a frame."""
        is_method = isinstance(self.recorder.values.get(node), Partial)
        return is_method or all(isinstance(o, HeapObject) for o in options(self.recorder.values.get(node.value)))

    def called(self, birth: Birth, node: ast.AST, call: ast.Call, role: str) -> Iterator[End | Birth]:
        """A call takes the value, and neither its result nor its arguments carry it."""
        callee = self.recorder.callees.get(call) or Callee("")
        if callee.is_own and callee.name in self.functions:
            yield from self.entered(birth, call, callee)
        elif callee.effect in NO_USE or callee.end == "":
            return
        elif callee.effect == "get" and node in call.args[:1]:
            yield from self.end(call, reasons.TESTED)
        elif role == "object" and self.is_projection(call, callee):
            yield from self.end(call, reasons.OTHER_PART)
        elif end := HARMLESS.get(callee.effect) or self.end_by_name(birth, callee):
            yield from self.end(call, end)
        elif others := self.standing_for(birth, [call]):
            yield from others
        else:
            what = f"call with the effect {callee.effect}" if callee.effect else "unknown function"
            yield from self.end(call, what, True, callee.name or ast.unparse(call.func)[:40])

    def end_by_name(self, birth: Birth, callee: Callee) -> str | None:
        """What becomes of a value by the name of an unknown function; ``evaluate`` measures data, and no measure."""
        return None if callee.end == reasons.MEASURED and birth.kind == "measure" else callee.end

    def is_projection(self, call: ast.Call, callee: Callee) -> bool:
        """Whether a method gives another part of its object: ``scores.get("auc")``."""
        named = callee.effect == "get" and call.args and self.is_known(call.args[0])
        return bool(named or call in self.recorder.whole)

    def is_known(self, key: ast.expr) -> bool:
        """Whether a key is a constant."""
        return isinstance(key, ast.Constant) or isinstance(self.recorder.values.get(key), Const)

    def entered(self, birth: Birth, call: ast.Call, callee: Callee) -> Iterator[End | Birth]:
        """A function of the project takes the value: it is followed there, or the result of an equal call is reused."""
        functions = self.functions.get(callee.name, [])
        inner = [node for node in self.nodes[birth] if self.syntax.is_inside(node, functions)]
        if inner:
            return
        parameters = {("name", a.arg) for f in functions for a in walk(f) if isinstance(a, ast.arg)}
        reads = [n for key in parameters for n in self.syntax.loads.get(key, ()) if self.syntax.is_inside(n, functions)]
        if others := self.standing_for(birth, [*reads, call]):
            yield from others
        elif functions and not reads:
            yield from self.end(call, reasons.UNUSED)
        else:
            yield from self.end(call, "function of the project", True, callee.name)
