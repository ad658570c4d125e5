"""Results that nothing shows: a mean that is bound to a name and goes no further, or is only compared.

``mean_f1 = np.mean(scores)`` in a function, or in the part of a script that no import runs. A name of a module may be
read by another module, and one of a notebook is shown to whoever asks for it. Where the code reads the name, and all
that it does is to compare it, the mean only chooses.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import kept_in_node, names_bound_by, names_in, nodes_in
from cvlint.records import dataclass
from cvlint.source.parsing import walk

CONVERSIONS = frozenset(("round", "float", "int", "str"))
READS_ALL_NAMES = frozenset(("locals", "vars", "globals", "eval", "exec"))


@dataclass(frozen=True, slots=True)
class Reads:
    """What code binds values to, and how it reads the names."""

    bound: dict[int, list[tuple[str, ast.Assign]]]  # by the identity of the value
    copies: dict[str, set[str]]  # the names to which a name is bound: ``before = with_it``
    read: frozenset[str]
    others: frozenset[str]  # the names that are read for more than a comparison or a copy


def ends_unread(state: AnalysisState, node: ast.AST) -> bool:
    """Whether the present code binds what ``node`` computes to a name that nothing reads, but for comparisons.

    Nor does anybody read what an optimiser hears on the way: ``trial.report(np.mean(scores), fold)``.
    """
    if methods_given(state.frame.node).get(id(node), "") in state.knowledge.groups["hears-progress"]:
        return True
    reads = reads_in(state.frame.node)
    bound = reads.bound.get(id(node), [])
    names = {name for name, _ in bound}
    if not names or not state.environment.declared_outer.isdisjoint(names):
        return False
    if not reads.read.isdisjoint(READS_ALL_NAMES):
        return False
    if reads.read.isdisjoint(names):
        return all(is_of_its_own(state, assignment) for _, assignment in bound)
    waiting = list(names)
    while waiting:
        copies = reads.copies.get(waiting.pop(), set()) - names
        names |= copies
        waiting += copies
    return names.isdisjoint(reads.others)


@kept_in_node
def reads_in(code: ast.AST) -> Reads:
    """What a function or module binds values to, and how it reads its names; each average in it asks for it."""
    bound, copies = defaultdict[int, list[tuple[str, ast.Assign]]](list), defaultdict[str, set[str]](set)
    read = [name for name in nodes_in(code, ast.Name) if not isinstance(name.ctx, ast.Store)]
    harmless = {name for test in nodes_in(code, ast.Compare) for name in nodes_in(test, ast.Name)}
    for assignment in nodes_in(code, ast.Assign):
        for target, value in names_bound_by(assignment):
            bound[id(value_in(value))].append((target.id, assignment))
        match assignment:
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=name) as value):
                copies[name].add(other)
                harmless.add(value)
    others = frozenset(name.id for name in read if name not in harmless)
    return Reads(bound, copies, frozenset(name.id for name in read), others)


@kept_in_node
def methods_given(code: ast.AST) -> dict[int, str]:
    """The methods of trials that get values as their first argument, by the identity of the value: ``trial.report``."""
    calls = [call for call in nodes_in(code, ast.Call) if isinstance(call.func, ast.Attribute) and call.args]
    return {
        id(value_in(call.args[0])): call.func.attr
        for call in calls
        if isinstance(call.func, ast.Attribute) and "trial" in names_in(call.func.value)
    }


def value_in(node: ast.expr) -> ast.expr:
    """The value that an expression converts: ``mean`` of ``round(mean, 3)``."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[value, *_]) if name in CONVERSIONS:
            return value_in(value)
        case _:
            return node


def is_of_its_own(state: AnalysisState, assignment: ast.Assign) -> bool:
    """Whether nobody else sees what an assignment binds, because it is in a function or under ``__main__``."""
    if not isinstance(state.frame.node, ast.Module):
        return True
    return not state.environment.module.source.cells and assignment in parts_of_script(state.frame.node)


@kept_in_node
def parts_of_script(tree: ast.AST) -> frozenset[ast.AST]:
    """What stands in the part of a module that no import runs: under ``if __name__ == "__main__"``."""
    assert isinstance(tree, ast.Module)
    scripts = (s for s in tree.body if isinstance(s, ast.If) and "__name__" in names_in(s.test))
    return frozenset(part for script in scripts for part in walk(script))
