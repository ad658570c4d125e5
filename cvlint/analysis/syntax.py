"""Questions about the syntax tree: the names in an expression, the nodes of a kind.

The analysis asks them often, so the answers are cached.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import takewhile
from typing import TypeVar, cast

from cvlint.analysis.kept import kept_for_file
from cvlint.source.parsing import children_of, walk

Node = TypeVar("Node", bound=ast.AST)

Answer = TypeVar("Answer")
_KEPT: list[str] = []
"""Under which names answers are kept in nodes."""

BLOCKS = (ast.Continue, ast.If, ast.Try, ast.ExceptHandler, ast.With, ast.AsyncWith, ast.Match, ast.match_case)
"""What a ``continue`` may stand in, or be, in the body of its loop."""

NO_NAMES: frozenset[str] = frozenset()


def kept_in_node(answer: Callable[[ast.AST], Answer]) -> Callable[[ast.AST], Answer]:
    """Keep the answers to a question about nodes in the nodes themselves: they live as long as the tree, and no longer.

    A node that has been asked about must not be changed; `copy_of` gives one that may be.
    """
    name = f"kept_{answer.__name__}"
    _KEPT.append(name)

    @wraps(answer)
    def known(node: ast.AST) -> Answer:
        kept = node.__dict__
        if name not in kept:
            kept[name] = answer(node)
        found: Answer = kept[name]
        return found

    return known


def names_in(node: ast.AST) -> frozenset[str]:
    """All names and attributes that occur in an expression."""
    kind = type(node)
    if kind is ast.Name:
        return frozenset((node.id,))  # type: ignore[attr-defined]
    return NO_NAMES if kind is ast.Constant else names_within(node)


@kept_in_node
def names_within(node: ast.AST) -> frozenset[str]:
    """All names and attributes in an expression of several nodes, each of which keeps its own, or in a statement."""
    if isinstance(node, (ast.stmt, ast.mod)):  # nobody asks for each of its expressions
        found = walk(node)
        names = [name.id for name in found if type(name) is ast.Name]
        return frozenset(names + [attribute.attr for attribute in found if type(attribute) is ast.Attribute])
    inner = NO_NAMES.union(*map(names_in, children_of(node)))
    return inner | {node.attr} if isinstance(node, ast.Attribute) else inner


@kept_in_node
def code_of(node: ast.AST) -> str:
    """The code of an expression of the program."""
    return ast.unparse(node)


def copy_of(node: Node) -> Node:
    """A copy of an expression that may be changed: nothing is known of it yet."""
    copied = copy.deepcopy(node)
    for child in walk(copied):
        for kept in _KEPT:
            child.__dict__.pop(kept, None)
    return copied


def called_name(node: ast.expr) -> str:
    """The name of the function or method that a call names."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def is_same_code(one: ast.AST, other: ast.AST) -> bool:
    """Whether two expressions have the same code."""
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)


def words_of(node: ast.expr) -> frozenset[str]:
    """The names in an expression, and its texts: ``dtype=np.bool_``, ``dtype="bool"``."""
    texts = {c.value for c in walk(node) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
    return frozenset(word.rstrip("_") for word in names_in(node) | texts)


def nodes_in(tree: ast.AST, kind: type[Node]) -> Sequence[Node]:
    """All nodes of a kind in a function or module."""
    return cast(Sequence[Node], nodes_by_kind(tree).get(kind, ()))


@kept_for_file(256)  # not kept in the node, which is one of the nodes itself
def nodes_by_kind(tree: ast.AST) -> dict[type[ast.AST], list[ast.AST]]:
    """The nodes of a function or module by their kinds."""
    found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for node in walk(tree):
        found[type(node)].append(node)
    return found


@kept_in_node
def changes_in(code: ast.AST) -> dict[str, list[ast.AugAssign | ast.Assign]]:
    """The statements of a function, module or loop that assign to one name, by this name; ``+=`` before ``=``."""
    found = defaultdict[str, list[ast.AugAssign | ast.Assign]](list)
    statements: list[ast.AugAssign | ast.Assign] = [*nodes_in(code, ast.AugAssign), *nodes_in(code, ast.Assign)]
    for statement in statements:
        target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
        names = names_in(target)
        if len(names) == 1:
            found[next(iter(names))].append(statement)
    return found


def names_stepped(loop: ast.For | ast.AsyncFor) -> frozenset[str]:
    """The names that each pass of a loop raises or lowers by a step that no pass changes: ``threshold += width``."""
    steps = [s for s in loop.body if isinstance(s, ast.AugAssign) and isinstance(s.op, (ast.Add, ast.Sub))]
    if not steps:
        return frozenset()
    bound = {n.id for n in walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(s.target.id for s in steps if isinstance(s.target, ast.Name) and not names_in(s.value) & bound)


@kept_in_node
def tests_program(code: ast.AST) -> bool:
    """Whether a function is a unit test of a few numbers: ``def test_f1(): assert own_f1([0, 1], [0, 1]) == 1``.

    One that fits models to data asserts something of an experiment.
    """
    if not (isinstance(code, ast.FunctionDef) and code.name.startswith("test_")):
        return False
    if any(name.startswith(("fit", "cross_val", "train")) for name in names_in(code)):
        return False
    called = [call.func for call in nodes_in(code, ast.Call) if isinstance(call.func, ast.Attribute)]
    return bool(nodes_in(code, ast.Assert)) or any(func.attr.startswith("assert") for func in called)


@kept_in_node
def may_skip(node: ast.AST) -> bool:
    """Whether a ``continue`` in a loop, a branch or a block ends a pass of the loop that it is, or stands in."""
    children = [child for child in children_of(node) if isinstance(child, BLOCKS)]
    return any(isinstance(child, ast.Continue) or may_skip(child) for child in children)


@kept_in_node
def names_bound_anew(tree: ast.AST) -> frozenset[str]:
    """The names that a function or module binds at more than one place."""
    times = Counter(name.id for name in nodes_in(tree, ast.Name) if isinstance(name.ctx, ast.Store))
    return frozenset(name for name, count in times.items() if count > 1)


def names_bound_by(assignment: ast.Assign) -> list[tuple[ast.Name, ast.expr]]:
    """The names that an assignment binds, each with its value: ``best, chosen = score, alpha``."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for target in assignment.targets:
        if isinstance(target, ast.Tuple) and isinstance(assignment.value, ast.Tuple):
            pairs += zip(target.elts, assignment.value.elts, strict=False)
        else:
            pairs.append((target, assignment.value))
    return [(target, value) for target, value in pairs if isinstance(target, ast.Name)]


def argument_at(code: ast.AST, call: ast.AST | None, name: str) -> ast.expr | None:
    """The expression that a parameter of a function gets at a call site, or else its default.

    What stands before ``*given`` has a known position.
    """
    if not isinstance(code, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or not isinstance(call, ast.Call):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in (*code.args.posonlyargs, *code.args.args)]
    defaults = dict(zip(reversed(names), reversed(code.args.defaults), strict=False))
    if names[:1] == ["self"]:
        names = names[1:]
    plain = list(takewhile(lambda argument: not isinstance(argument, ast.Starred), call.args))
    is_known = len(plain) == len(call.args) and all(k.arg is not None for k in call.keywords)
    if isinstance(code, ast.Lambda) and len(names) != len(call.args) and is_known:
        return None  # ``map(f, rows)`` calls it with other arguments
    if name in names and names.index(name) < len(plain):
        return plain[names.index(name)]
    return defaults.get(name) if is_known else None


def with_names(node: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """A copy of an expression in which some names stand for others."""
    copied = copy_of(node)
    for child in walk(copied):
        if isinstance(child, ast.Name):
            child.id = names.get(child.id, child.id)
    return copied


def row_keys(node: ast.expr) -> list[ast.expr]:
    """The keys by which an expression selects rows of data: ``X[:n]``, ``X[:n, columns]``."""
    keys = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript):
            keys.append(node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice)
        node = node.value
    return keys


def root_name(node: ast.expr) -> str:
    """The name of the data that an expression selects a part of."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def arguments_of(node: ast.Call, *names: str) -> list[ast.expr]:
    """The positional arguments, and then those with these keywords."""
    by_name = {k.arg: k.value for k in node.keywords}
    return [*(a for a in node.args if not isinstance(a, ast.Starred)), *(by_name[n] for n in names if n in by_name)]


def keyword(node: ast.Call, name: str) -> object:
    """The constant of a keyword argument; None if there is none."""
    given = next((k.value for k in node.keywords if k.arg == name), None)
    return given.value if isinstance(given, ast.Constant) else ast.unparse(given) if given is not None else None
