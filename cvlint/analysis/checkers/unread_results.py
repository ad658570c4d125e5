"""Results that nothing shows: a mean that is bound to a name and goes no further, or is only compared.

``mean_f1 = np.mean(scores)`` in a function, or in the part of a script that no import runs. A name of a module may be
read by another module, and one of a notebook is shown to whoever asks for it. Where the code reads the name, and all
that it does is to compare it, the mean only chooses.
"""

from __future__ import annotations

import ast

from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_bound_by, names_in, nodes_in
from cvlint.source.parsing import walk

CONVERSIONS = frozenset(("round", "float", "int", "str"))
READS_ALL_NAMES = ("locals", "vars", "globals", "eval", "exec")


def ends_unread(state: AnalysisState, node: ast.AST) -> bool:
    """Whether the present code binds what ``node`` computes to a name that nothing reads, but for comparisons."""
    code = state.frame.node
    bound = [
        (target.id, assignment)
        for assignment in nodes_in(code, ast.Assign)
        for target, value in names_bound_by(assignment)
        if value_in(value) is node
    ]
    names = {name for name, _ in bound}
    if not names or not state.environment.declared_outer.isdisjoint(names):
        return False
    reads = [name for name in nodes_in(code, ast.Name) if not isinstance(name.ctx, ast.Store)]
    if any(name.id in READS_ALL_NAMES for name in reads):
        return False
    if not any(name.id in names for name in reads):
        return all(is_of_its_own(state, assignment) for _, assignment in bound)
    harmless = {name for test in nodes_in(code, ast.Compare) for name in nodes_in(test, ast.Name)}
    for assignment in nodes_in(code, ast.Assign):  # ``before = with_it``, and only ``before`` is compared
        match assignment:
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=name) as value) if name in names:
                names.add(other)
                harmless.add(value)
    return all(name in harmless for name in reads if name.id in names)


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
    if state.environment.module.source.cells:
        return False
    scripts = (s for s in state.frame.node.body if isinstance(s, ast.If) and "__name__" in names_in(s.test))
    return any(part is assignment for script in scripts for part in walk(script))
