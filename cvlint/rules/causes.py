"""Causes: which findings of a rule are one fault, because one and the same thing in the code is behind them.

Each finding gets keys, and two findings of one rule that share a key are one fault. A key names the values that both
findings judge, the step that makes both wrong, or the block of code that was copied. Where nothing is certain there is
no key: it is better to report a fault twice than to hide another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cvlint.analysis.domain.trace import CALLED
from cvlint.findings.code_block import CodeBlocks, place_of, scope_name
from cvlint.findings.faults import CALL, COPY, PLACE
from cvlint.findings.fingerprint import digest, parents_of, statement_of
from cvlint.records import dataclass, field
from cvlint.rules.bindings import Bindings, bound_path, path_of, paths_in

if TYPE_CHECKING:
    from cvlint.analysis.domain.trace import Step
    from cvlint.analysis.events import Event
    from cvlint.findings.finding import Finding
    from cvlint.source.module import Source

IN_HELPER = "and reduced in this helper"
POOLED = "pooled here"
"""Notes of steps, or their ends: a helper averages, a line pools the scores of folds, a call leads to a helper."""
SCORES = ("y_score", "y_pred", "y_prob", "probas_pred", "preds", "input")
"""Keywords that take the scores of a ranking measure; by position they come second."""
RESHAPING = frozenset({"ravel", "flatten", "reshape", "squeeze", "astype", "to_numpy", "tolist", "numpy", "copy"})
"""Methods whose result holds the same values."""


@dataclass(frozen=True, slots=True)
class Causes:
    """Makes the keys of the findings of one file."""

    blocks: CodeBlocks = field(default_factory=CodeBlocks)
    bindings: Bindings = field(default_factory=Bindings)

    def keys(self, matches: Sequence[tuple[Finding, Event]]) -> list[tuple[str, ...]]:
        """The keys of each finding, in the order of the findings."""
        chained = self.chained_fits(matches)
        found = []
        for number, (finding, event) in enumerate(matches):
            keys = [*self.own_keys(finding, event), *chained.get(number, ())]
            found.append(tuple(dict.fromkeys(f"{kind}:{digest(text)}" for kind, text in keys if text)))
        return found

    def own_keys(self, finding: Finding, event: Event) -> Iterator[tuple[str, str]]:
        """The kind and the text of each key of a finding, apart from those that depend on other findings."""
        match event.name:
            case "measure":
                yield PLACE, self.judged_scores(event)
                pooled = [step for step in event.trace if step.note.endswith(POOLED)]
                yield PLACE, "\n".join(["pooled", *sorted(map(position, pooled))]) if pooled else ""
            case "reduce":
                yield from average_keys(finding, event)
            case "report":
                yield PLACE, shared_steps(finding, [axis.step for axis in event.axes])
            case "refit":
                yield PLACE, shared_steps(finding, event.trace[:1])
            case "formula" if event.facts.get("shape") == "ratio":  # a file divides by the same counts again and again
                yield PLACE, f"ratio\n{event.source.display}\n{finding.severity}"
            case "choose":
                yield from ((PLACE, text) for text in self.choice_keys(event))
            case _:
                pass
        steps = [(s.source, s.node) for s in (*axis_steps(event), *event.trace) if s.note != CALLED]
        block = self.blocks.hash(event.source, event.node, steps)
        yield COPY, f"{finding.message}\n{block}" if block else ""

    def judged_scores(self, event: Event) -> str:
        """The scores that a measure judges: its curve and its area are of the same scores."""
        scores = scores_argument(event.node)
        if scores is None:
            return ""
        paths = sorted(set(paths_in(scores)))
        if not paths:
            return ""
        versions = [self.bindings.versioned(event.source, event.node, path) for path in paths]
        spelled = "" if is_plain(scores) else ast.unparse(scores)
        return "\n".join(["scores", scope_name(event.source, event.node), spelled, *versions])

    def choice_keys(self, event: Event) -> Iterator[str]:
        """The values that a choice is made among, and the name under which its result goes on."""
        node, source = event.node, event.source
        scope, imported = scope_name(source, node), imported_names(source)
        data = f"{event.facts.get('what')}\n{event.facts.get('data')}"
        paths = sorted({path for path in paths_in(node) if path.partition(".")[0] not in imported})
        if paths:
            versions = [self.bindings.versioned(source, node, path) for path in paths]
            yield "\n".join(["choice", scope, data, *versions])
        statement = statement_of(node, parents_of(source.tree))
        for path in products(statement, node):
            yield "\n".join(["choice", scope, data, self.bindings.versioned(source, statement, path, after=True)])

    def chained_fits(self, matches: Sequence[tuple[Finding, Event]]) -> dict[int, list[tuple[str, str]]]:
        """Keys that link two fits in neighbouring lines where the second one learns from what the first one returns."""
        fits = [(number, event) for number, (_, event) in enumerate(matches) if is_fit(event)]
        fits.sort(key=lambda item: (item[1].source.display, getattr(item[1].node, "lineno", 0)))
        keys: dict[int, list[tuple[str, str]]] = {}
        for (first, one), (second, other) in pairwise(fits):
            if self.is_chain(one, other):
                text = "\n".join(["fits", *map(position, (split_of(one), split_of(other))), place_text(one)])
                keys.setdefault(first, []).append((PLACE, text))
                keys.setdefault(second, []).append((PLACE, text))
        return keys

    def is_chain(self, one: Event, other: Event) -> bool:
        """Whether a fit takes what the fit just before it returns, and the same split follows."""
        if one.source is not other.source or split_of(one).node is not split_of(other).node:
            return False
        parents = parents_of(one.source.tree)
        first, second = statement_of(one.node, parents), statement_of(other.node, parents)
        if first is second or first not in parents or second not in parents:
            return False
        places = place_of(first, parents), place_of(second, parents)
        if places[0] is None or places[1] is None or places[0][0] is not places[1][0]:
            return False
        body, start, end = places[0][0], places[0][1], places[1][1]
        made = {path for path in map(bound_path, ast.walk(first)) if path}
        between = body[start + 1 : end]
        return all(map(is_construction, between)) and bool(made & set(paths_in(other.node)))


def average_keys(finding: Finding, event: Event) -> Iterator[tuple[str, str]]:
    """The list that names several metrics; the helper that averages; the measure that is computed in the same loop."""
    listed = list_around(event)
    if listed is not None:
        yield PLACE, f"list\n{event.source.display}\n{place_of_node(listed)}"
    yield from ((CALL, shared_steps(finding, [s])) for s in event.trace if s.note == IN_HELPER)
    axes = axis_steps(event)
    if axes:
        yield PLACE, shared_steps(finding, [*axes, *event.trace[:1]])


def shared_steps(finding: Finding, steps: Sequence[Step]) -> str:
    """A key of findings with the same message and these steps in common; empty without steps."""
    return "\n".join([finding.message, *sorted(map(position, steps))]) if steps else ""


def axis_steps(event: Event) -> list[Step]:
    """The loops over folds or batches that a measure varies over."""
    return [axis.step for axis in event.axes if axis.kind in ("fold", "batch")]


def list_around(event: Event) -> ast.AST | None:
    """The list in a call that an event's node is an item of: ``metrics=[precision, recall]``."""
    parents = parents_of(event.source.tree)
    listed = parents.get(event.node)
    if isinstance(listed, (ast.List, ast.Tuple)) and isinstance(parents.get(listed), ast.keyword):
        return listed
    return None


def scores_argument(node: ast.AST) -> ast.expr | None:
    """The scores among the arguments of a measure's call."""
    if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    return node.args[1] if len(node.args) > 1 else next((given[name] for name in SCORES if name in given), None)


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a name, a part of what the name holds, or the same values in another shape."""
    match node:
        case ast.Subscript(value=value):
            return is_plain(value)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in RESHAPING:
            return is_plain(value)
        case ast.Attribute(value=value, attr="values" | "T"):
            return is_plain(value)
        case _:
            return bool(path_of(node))


def products(statement: ast.AST, node: ast.AST) -> Iterator[str]:
    """The names under which the result of a choice goes on: it is assigned to them, or appended to what they hold."""
    match statement:
        case ast.Assign(targets=targets, value=value) if value is node:
            yield from filter(None, map(path_of, targets))
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr="append"), args=[argument])) if (
            argument is node
        ):
            yield from filter(None, [path_of(value)])


def imported_names(source: Source) -> frozenset[str]:
    """The names that a file imports."""
    aliases = (one for one in parents_of(source.tree) if isinstance(one, ast.alias))
    return frozenset((one.asname or one.name).partition(".")[0] for one in aliases)


def is_fit(event: Event) -> bool:
    """Whether something learns from all the data before a split."""
    return event.name == "fit" and event.facts.get("how") == "learned" and bool(event.trace)


def split_of(event: Event) -> Step:
    """The split that comes after a fit: the last step of its trace."""
    return event.trace[-1]


def is_construction(statement: ast.AST) -> bool:
    """Whether a statement only makes an object: ``scaler = StandardScaler()``."""
    match statement:
        case ast.Assign(value=ast.Call(func=ast.Name(), args=args)):
            return all(isinstance(one, ast.Constant) for one in args)
        case _:
            return False


def place_text(event: Event) -> str:
    """The place of an event as a text."""
    return f"{event.source.display}\n{place_of_node(event.node)}"


def position(step: Step) -> str:
    """The place of a step as a text."""
    return f"{step.source.display}\n{place_of_node(step.node)}"


def place_of_node(node: ast.AST) -> str:
    """The lines and columns of a node as a text."""
    return f"{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}-{getattr(node, 'end_col_offset', 0)}"
