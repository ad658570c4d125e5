"""Taint: labels of what happened to data, which follow the data through assignments, calls and containers.

The taint of an expression is that of its parts (``AnalysisState.taint``). The taint of a name is that of the value that
was bound to it (``Environment.taint``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeAlias, TypeGuard, TypeVar

from cvlint.analysis.domain.environment import ClassValue, Environment
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import measures_in, options
from cvlint.analysis.domain.taint_label import CACHED_LABELS, NO_TAINT, Taint, content_of, merge_labels
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue, Union
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.label_columns import (
    first_of_path,
    labels_for_columns,
    labels_within,
    taint_of_columns,
    taint_of_entries,
    taint_of_entry,
    without_columns,
    without_entry_keys,
)
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import argument_at
from cvlint.source.parsing import walk

# Kinds of labels that do not tell two calls of a function apart.
UNKEYED_KINDS = ("measured", "joined", "swept", "ordered")
KINDS_OF_DATA = ("learned", "resampled")  # labels of data that are changed in place, under whatever name
KINDS_OF_ROWS = ("statistic", "resampled", "ordered")  # labels that the index of a frame keeps
TITLES = frozenset(("index", "columns", "keys"))  # attributes that hold the titles of columns
METADATA_ATTRIBUTES = ("columns", "index", "shape", "size", "ndim", "dtype", "dtypes", "nrow", "name", "empty")
# Attributes that hold the same data with all columns.
DATA_ATTRIBUTES = frozenset(
    ("values", "T", "loc", "iloc", "ix", "at", "iat", "data", "array", "str", "dt", "flat", "real")
)

LABELLED = (Data, LibraryObject, Union)  # values that taint lies on in a container

Held = TypeVar("Held")
ArgumentTaint: TypeAlias = tuple[list[Taint], dict[str, Taint]]


def taint_at(state: AnalysisState, *nodes: ast.AST | None) -> Taint:
    """The taint of expressions that were evaluated just now."""
    if not state.taint_at:
        return NO_TAINT
    if len(nodes) == 1:
        return state.taint_at.get(nodes[0], NO_TAINT) if nodes[0] is not None else NO_TAINT
    return NO_TAINT.union(*(state.taint_at[node] for node in nodes if node in state.taint_at))


def stored(value: AnyValue, taint: Taint) -> AnyValue:
    """``value`` with its taint, as it goes into a container, an argument or a list of results."""
    if not taint or type(value) not in LABELLED:
        return value
    kept = stored_labels(taint)
    match value:
        case Data() | LibraryObject() if not kept <= value.labels:
            return replace(value, labels=merge_labels(value.labels | kept))
        case Union() if kept:
            return Union(tuple(stored(option, kept) for option in value.options))
        case _:
            return value


@kept_for_file(CACHED_LABELS)
def stored_labels(taint: Taint) -> Taint:
    """The labels that go with a value into a container; a column of statistics is one more feature."""
    return without_entry_keys(frozenset(m for m in taint if m.kind != "statistic"))


def taken(value: AnyValue) -> tuple[AnyValue, Taint]:
    """A value that comes out of a container, without the taint that it lay there with, and that taint."""
    if not may_carry_labels(value):
        return value, NO_TAINT
    if isinstance(value, Union):
        parts = [taken(option) for option in value.options]
        return Union(tuple([part for part, _ in parts])), NO_TAINT.union(*[labels for _, labels in parts])
    return replace(value, labels=NO_TAINT), value.labels


def may_carry_labels(value: AnyValue) -> TypeGuard[Data | LibraryObject | Union]:
    """Whether `taken` finds labels on a value."""
    kind = type(value)
    if kind is Data or kind is LibraryObject:
        return bool(value.labels)  # type: ignore[union-attr]
    return kind is Union and any(map(may_carry_labels, value.options))  # type: ignore[union-attr]


def carries_no_labels(value: AnyValue) -> bool:
    """Whether taint cannot lie on a value itself: a container is tainted by its entries, or under its name."""
    return not all(isinstance(option, (Data, LibraryObject)) for option in options(value))


def stored_arguments(state: AnalysisState, arguments: Arguments, node: ast.AST) -> Arguments:
    """The arguments of a call with their taint, as a container or a function of the project gets them.

    They were evaluated just now, and their taint is in that of the call.
    """
    if not state.taint:
        return arguments
    positional, keywords = arguments
    taint, by_name = taint_of_arguments(state, node)
    if not any(taint) and not any(by_name.values()):
        return arguments
    first = [stored(value, found) if found else value for value, found in zip(positional, taint, strict=False)]
    return [*first, *positional[len(first) :]], {k: stored(v, by_name.get(k, NO_TAINT)) for k, v in keywords.items()}


def taken_arguments(arguments: Arguments) -> Arguments:
    """The arguments of a call without their taint, as a function of a library gets them."""
    positional, keywords = arguments
    if not any(map(may_carry_labels, positional)) and not any(map(may_carry_labels, keywords.values())):
        return positional, keywords
    return [taken(value)[0] for value in positional], {key: taken(v)[0] for key, v in keywords.items()}


def taint_of_names(state: AnalysisState, names: Iterable[str]) -> Taint:
    """The taint of variables."""
    holders = ((state.environment.defining_environment(name), name) for name in names)
    return NO_TAINT.union(*(holder.taint.get(name, NO_TAINT) for holder, name in holders if holder is not None))


def taint_of_attribute(base: AnyValue, node: ast.Attribute, found: Taint) -> Taint:
    """The taint of ``base.attr``, where ``found`` is the taint of ``base``.

    Of metadata, titles may be in the order of a statistic (not in ``X.describe().columns``), and rows may be drawn.
    """
    own = [one for one in options(base) if isinstance(one, (Instance, ClassValue)) and node.attr in one.attributes]
    if own:  # ``self.data`` of an object of the project, whatever arrays mean by that name
        return found.union(*(one.taint.get(node.attr, NO_TAINT) for one in own))
    if node.attr in METADATA_ATTRIBUTES:
        told = {m for m in found if m.kind in KINDS_OF_ROWS and (m.kind, m.step.node) != ("statistic", node.value)}
        told |= {m for m in found if (m.kind, m.choice) == ("learned", "columns")}
        return frozenset(told if node.attr in TITLES else ())
    if node.attr == "dt":  # the first date of a series only shifts its zero
        return frozenset(m for m in found if m.step.node is not node.value)
    if node.attr in DATA_ATTRIBUTES:
        return found
    found = taint_of_columns(found, [node.attr]) if found else found
    held = (holder.taint for holder in options(base) if isinstance(holder, (Instance, ClassValue)))
    return found.union(*(taint.get(node.attr, NO_TAINT) for taint in held))


def instances_named(state: AnalysisState, node: ast.expr) -> list[Instance | ClassValue]:
    """The objects and classes of the project that a name, or an attribute of a name, may hold."""
    match node:
        case ast.Name(id=name):
            held = options(state.environment.lookup(name))
        case ast.Attribute(value=base, attr=attr):
            holders = instances_named(state, base)
            held = tuple(o for h in holders for o in options(h.attributes.get(attr)))
        case _:
            held = ()
    return [value for value in held if isinstance(value, (Instance, ClassValue))]


def taint_of_objects(state: AnalysisState, nodes: Iterable[ast.expr]) -> Taint:
    """The taint of objects that are split: ``split(dataset)``, ``split(np.arange(len(dataset)), dataset.y)``."""
    nodes = list(nodes)
    counted = [call for node in nodes for call in walk(node) if isinstance(call, ast.Call) and call.args]
    held = [holder for node in nodes for holder in instances_named(state, node)]
    held += [
        h
        for c in counted
        if isinstance(c.func, ast.Name) and c.func.id == "len"
        for h in instances_named(state, c.args[0])
    ]
    return NO_TAINT.union(*(taint for holder in held for taint in holder.taint.values()))


def taint_of_tuple(state: AnalysisState, node: ast.Tuple) -> Taint:
    """The taint of a tuple; each label names its entry."""
    return taint_of_entries([taint_at(state, entry) for entry in node.elts])


def remove_columns(state: AnalysisState, node: ast.expr, keys: list[str]) -> None:
    """Forget what was known of columns that a statement removes from a variable: ``del frame["age"]``."""
    for name in aliases(state.environment, node.id) if isinstance(node, ast.Name) and keys else ():
        taint = state.environment.assigned_environment(name).taint
        if name in taint:
            taint[name] = without_columns(taint[name], keys)


def constant_columns(state: AnalysisState, node: ast.expr) -> list[str]:
    """The columns that a key spells out: ``"a"``, ``["a", "b"]``, ``(rows, "a")``; empty for other keys."""
    if isinstance(node, ast.Name) and isinstance(named := state.environment.definitions.get(node.id), ast.List):
        node = named
    match node:
        case ast.Constant(value=str() as key):
            return [key]
        case ast.List(elts=elts) if elts and all(isinstance(e, ast.Constant) for e in elts):
            return [key for e in elts for key in constant_columns(state, e)]
        case ast.Tuple(elts=[_, key]):
            return constant_columns(state, key)
        case _:
            return []


def entry_titles(state: AnalysisState, held: AnyValue, key: ast.expr) -> list[str]:
    """The columns that a key spells out, or the entries of a dict under keys that are known else (``Part.TEST``)."""
    if columns := constant_columns(state, key):
        return columns
    if not all(isinstance(v, HeapObject) and v.kind == "dict" for v in options(held)):
        return []
    keys = options(state.evaluate(state, key))
    return [f"[{k.value}]" for k in keys if isinstance(k, Const)] if all(isinstance(k, Const) for k in keys) else []


def bind_taint(state: AnalysisState, target: ast.expr, found: Taint) -> None:
    """Bind taint to an assignment target.

    A name gets the taint of the new value. An entry or a column adds its taint to that of the whole.
    """
    if not found and isinstance(target, ast.Name):
        state.environment.assigned_environment(target.id).taint.pop(target.id, None)
        return
    found = merge_labels(found)
    held = instances_named(state, target.value) if isinstance(target, ast.Attribute) else []
    if not isinstance(target, ast.Name) and not held and not is_entry_of_collection(state, target):
        # a column of statistics is one more feature
        found = frozenset(m for m in found if m.kind != "statistic")
    match target:
        case ast.Name(id=name):
            state.environment.assigned_environment(name).taint[name] = found
        case ast.Attribute(attr=attr) if held:
            for holder in held:
                holder.taint[attr] = found
        case ast.Attribute(value=base, attr=attr):
            add_taint(state, base, labels_for_columns(found, [attr]))
        case ast.Subscript(value=base, slice=key) if found:
            container = state.evaluate(state, base)
            if not (isinstance(container, HeapObject) and container.kind in ("dict", "list", "tuple")):
                found = frozenset(m for m in found if m.kind != "part")  # a column has the rows of its frame
            add_taint(state, base, labels_for_columns(found, entry_titles(state, container, key)))


def is_entry_of_collection(state: AnalysisState, target: ast.expr) -> bool:
    """Whether a target is an entry of a dict or of an array of numbers, or a column of a table that the code fills.

    ``medians[title] = …``, ``means = np.zeros(n)``, ``means[j] = …``.
    """
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return False
    held = state.environment.lookup(target.value.id)
    if not isinstance(held, HeapObject):
        return False
    if held.kind in ("array", "list"):
        return isinstance(target.slice, (ast.Name, ast.Constant)) and not isinstance(held, Instance)
    return held.kind == "dict" or (held.kind == "frame" and held.elements is None)


def add_taint(state: AnalysisState, node: ast.expr, found: Taint) -> None:
    """Add taint to the variable or attribute whose data a statement changes in place.

    A label of ``data["train"]`` names its columns by their paths in ``data``.
    """
    if not found:
        return
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and (held := instances_named(state, node.value)):
            for holder in held:
                holder.taint[node.attr] = merge_labels(holder.taint.get(node.attr, NO_TAINT) | found)
            return
        found, node = labels_within(found, selected_columns(state, node)), node.value
    if isinstance(node, ast.Name):
        changed = frozenset(m for m in found if m.kind in KINDS_OF_DATA)
        for name in aliases(state.environment, node.id) if changed else [node.id]:
            home = state.environment.defining_environment(name) or state.environment  # ``X`` may be a global frame
            home.taint[name] = merge_labels(home.taint.get(name, NO_TAINT) | (found if name == node.id else changed))
            is_given = home is state.environment and name not in home.definitions
            if is_given and state.frame.environment is state.environment:
                state.frame.changed.append((name, changed))
            for attribute in attributes_meant(state.environment, name):
                for holder in instances_named(state, attribute.value):
                    holder.taint[attribute.attr] = merge_labels(holder.taint.get(attribute.attr, NO_TAINT) | changed)


def aliases(environment: Environment, name: str) -> list[str]:
    """A name and all names that mean the same data: ``d = df``, ``for d in (train, test)``."""
    found = [name]
    for one in found:
        value, source = environment.bindings.get(one), environment.definitions.get(one)
        linked = [
            other for other, node in environment.definitions.items() if isinstance(node, ast.Name) and node.id == one
        ]
        linked += [source.id] if isinstance(source, ast.Name) else []
        others = [other for other in linked if value is not None and environment.bindings.get(other) is value]
        if not others and not isinstance(value, HeapObject):  # a variable of a loop over a list of names
            others = [entry.id for entry in entries_meant(environment, one) if isinstance(entry, ast.Name)]
        found += [other for other in dict.fromkeys(others) if other not in found]
    return found


def attributes_meant(environment: Environment, name: str) -> list[ast.Attribute]:
    """The attributes that a name stands for: ``for part in (self.train, self.test)``, ``frame = self.train``."""
    source = environment.definitions.get(name)
    found = [source] if isinstance(source, ast.Attribute) else entries_meant(environment, name)
    return [entry for entry in found if isinstance(entry, ast.Attribute)]


def entries_meant(environment: Environment, name: str) -> list[ast.expr]:
    """The entries of the list that a variable of a loop runs over: ``for part in (train, test)``."""
    source = environment.definitions.get(name)
    listed = environment.definitions.get(source.id) if isinstance(source, ast.Name) else source
    return listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else []


def change_arguments(state: AnalysisState, code: ast.AST, call: ast.AST, changed: list[tuple[str, Taint]]) -> None:
    """Add the taint of data that a function changes in place to the arguments of its call."""
    for name, taint in changed:
        argument = argument_at(code, call, name)
        if isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript)):
            add_taint(state, argument, taint)


def taint_of_arguments(state: AnalysisState, node: ast.AST) -> ArgumentTaint:
    """The taint of the arguments of a call, in the form of the arguments themselves."""
    if not isinstance(node, ast.Call) or not state.taint_at:
        return [], {}
    positional: list[Taint] = []
    for argument in node.args:
        found = taint_at(state, argument)
        if isinstance(argument, ast.Starred):
            count = state.starred_counts.get(argument, 1)
            positional += [without_entry_keys(taint_of_entry(found, index)) for index in range(count)]
        else:
            positional.append(without_entry_keys(found))
    keywords = {k.arg: without_entry_keys(taint_at(state, k.value)) for k in node.keywords if k.arg is not None}
    for keyword in node.keywords:
        if keyword.arg is None:
            found = taint_at(state, keyword.value)
            names = sorted({first_of_path(column) for label in found for column in label.columns})
            keywords |= {name: taint_of_columns(found, [name]) for name in names}
    return positional, keywords


def taint_key(arguments: Arguments, taint: ArgumentTaint) -> tuple[object, ...]:
    """The taint of a call's arguments, as part of the key by which two calls are told apart.

    ``taint`` is that of `taint_of_arguments`, because containers carry no labels themselves.
    """
    positional, keywords = taint
    given = (*arguments[0], *arguments[1].values())
    carried = [taken(value)[1] for value in given] if any(map(may_carry_labels, given)) else []
    if not (carried or any(positional) or any(keywords.values())):
        return ()
    telling = [
        frozenset((*content_of(m), m.columns) for m in taint if m.kind not in UNKEYED_KINDS)
        for taint in (*positional, *keywords.values(), *carried)
    ]
    return (tuple(telling), tuple(arguments[1])) if any(telling) else ()


def selected_columns(state: AnalysisState, node: ast.expr) -> list[str]:
    """The columns of a frame that an expression selects, or what it takes out of an object; empty for all of them."""
    match node:
        case ast.Subscript(slice=key):
            return constant_columns(state, key)
        case ast.Attribute(attr=attr) if attr not in DATA_ATTRIBUTES:
            return [attr]
        case _:
            return []


def labels_in(value: AnyValue, *kinds: str) -> Taint:
    """The labels of the measures in a value."""
    kind = type(value)
    if kind is Data or kind is Const:
        return NO_TAINT
    if kind is MeasureValue:
        labels: Taint = value.labels  # type: ignore[union-attr]
        return frozenset(label for label in labels if label.kind in kinds) if labels else NO_TAINT
    return frozenset(label for found in measures_in(value) for label in found.labels if label.kind in kinds)
