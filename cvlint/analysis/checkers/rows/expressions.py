"""The rows of expressions and names: ``X[train]``, ``frame[columns].values``, ``[round(p) for p in predictions]``."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Sequence

from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.rows import (
    Holder,
    Learned,
    RowSet,
    RowsOf,
    covers,
    first_split,
    is_root,
    is_view_of,
    split_parts,
    title_of,
    unify,
)
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, MeasureValue, axes_of
from cvlint.analysis.domain.work import COPIES_PER_UNIT, work
from cvlint.analysis.inference.data_names import NAMED, name_given
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, code_of, names_in, nodes_in
from cvlint.analysis.taint import instances_named
from cvlint.source.parsing import walk

WRITTEN_OUT = "written out"  # the key of a list whose entries are all known
MOST_ENTRIES = 50  # of a literal: longer ones are data, and hold no models and no parts of data


def rows_of(state: AnalysisState, node: ast.expr) -> RowsOf:
    """What is known of the rows of an expression, which was evaluated just now."""
    match node:
        case ast.Name() | ast.Attribute():
            holder = holder_of(state, node)
            if isinstance(node, ast.Attribute) and (holder is None or state.rows.held.get(holder) is None):
                set_to = state.rows.held.get((rows_of(state, node.value).rows.found, node.attr))
                if set_to is not None:
                    return set_to
            if holder is not None:
                return held_by(state, holder)
            return rows_of_attribute(state, node) if isinstance(node, ast.Attribute) else RowsOf(RowSet())
        case ast.ListComp() | ast.GeneratorExp() if (found := state.rows.of_calls.get(node)) is not None:
            return found
        case ast.Call():
            found = state.rows.of_calls.get(node)
            if found is None:  # nothing is known of the result but that it is one
                found = state.rows.of_calls[node] = RowsOf(RowSet())
            return found
        case ast.Subscript():
            return rows_of_subscript(state, node)
        case ast.Tuple() | ast.List() if len(node.elts) <= MOST_ENTRIES:
            entries = tuple(rows_of(state, entry) for entry in node.elts)
            return RowsOf(RowSet(key=WRITTEN_OUT), entries=entries)
        case ast.Dict(keys=[_, *_]) if len(node.keys) <= MOST_ENTRIES:
            return rows_of_dict(state, node)
        case ast.BinOp(left=left, right=right):
            own = state.rows.by_hand.get(node)
            of_left = rows_of(state, left) if own is not None else None
            if own is not None and of_left is not None and covers(own.rows, of_left.rows):
                return RowsOf(of_left.rows, of_left.learned | {own}, of_left.fit)
            if isinstance(node.op, ast.Add) and makes_list(state, left) and makes_list(state, right):
                return rows_put_together([rows_of(state, left), rows_of(state, right)])
            return combined(state, (left, right))
        case ast.UnaryOp(operand=operand):
            return replace(rows_of(state, operand))  # another value: ``~mask`` selects other rows than ``mask``
        case ast.Compare(left=left, comparators=others):
            return combined(state, (left, *others))
        case ast.ListComp(generators=[only]) | ast.GeneratorExp(generators=[only]) if not only.ifs:
            return replace(rows_of(state, only.iter)) if depends_on(state, node, only) else RowsOf(RowSet())
        case ast.NamedExpr(value=value) | ast.Starred(value=value):
            return rows_of(state, value)
        case _:
            return RowsOf(RowSet())


def makes_list(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a list of data: ``list(texts)``, ``frame["text"].tolist()``, or the name of a list."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return makes_list(state, node.left) and makes_list(state, node.right)
    held = options(value_of(state, node)) if isinstance(node, ast.Name) else ()
    is_list = bool(held) and all(isinstance(value, HeapObject) and value.kind == "list" for value in held)
    return is_list or (isinstance(node, ast.Call) and called_name(node.func) in ("list", "tolist", "to_list"))


def rows_put_together(parts: Sequence[RowsOf]) -> RowsOf:
    """The rows of all parts, one after another."""
    return RowsOf(RowSet(contains=tuple(one.rows.found for one in parts), is_union=True))


def rows_beside(columns: Sequence[RowsOf]) -> RowsOf | None:
    """The rows of columns that are put side by side; None where these are of several parts, or nothing is known.

    Of some columns the code may not tell the rows: ``np.hstack((scaled, np.load("lengths.npy")))``.
    """
    is_one = all(one.rows.found is columns[0].rows.found for one in columns)
    known = columns if is_one else [one for one in columns if is_part(one) or one.learned]
    for one in known[1:]:
        first, other = known[0].rows.found, one.rows.found
        is_alike = first.role in ("train", "test") and (first.role, first.key) == (other.role, other.key)
        if is_alike or is_root(first) != is_root(other):  # others may be labels that stand below each other
            unify(first, other)
    if not known or any(one.rows.found is not known[0].rows.found for one in known):
        return None
    return RowsOf(known[0].rows, frozenset[Learned]().union(*(one.learned for one in columns)))


def is_part(one: RowsOf) -> bool:
    """Whether rows are known to be of a part of a split."""
    return bool(split_parts(one.rows))


def rows_of_dict(state: AnalysisState, node: ast.Dict) -> RowsOf:
    """The rows of a dict: its entries in their order, and by their keys."""
    if not all(isinstance(key, ast.Constant) for key in node.keys):
        return RowsOf(RowSet())
    whole = RowsOf(RowSet(), entries=tuple(rows_of(state, value) for value in node.values))
    for key, entry in zip(node.keys, whole.entries, strict=True):
        if key is not None:
            state.rows.held[whole.rows.found, key_of(state, key)] = entry
    return whole


def depends_on(state: AnalysisState, node: ast.ListComp | ast.GeneratorExp, loop: ast.comprehension) -> bool:
    """Whether the elements of a comprehension come from what it loops over alone: ``[round(p) for p in scores]``."""
    bound = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    others = [n for n in walk(node.elt) if isinstance(n, ast.Name) and n.id not in bound]
    return all(
        isinstance(state.environment.lookup(n.id), (Const, LibraryName, Function, ClassValue, type(None)))
        or state.knowledge.conforms("threshold", n.id)
        for n in others
    )


def held_by(state: AnalysisState, holder: Holder) -> RowsOf:
    """What a variable holds; a new set if nothing is known of it."""
    found = state.rows.held.get(holder)
    if found is None:
        found = state.rows.held[holder] = RowsOf(RowSet(is_assumed=True))
        name_rows(state, found.rows, str(holder[1]))
    return found


def holder_of(state: AnalysisState, node: ast.expr) -> Holder | None:
    """The variable, or the attribute of an object of the project, that an expression names."""
    match node:
        case ast.Name(id=name):
            environment = state.environment.defining_environment(name) or state.environment
            return environment, name
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            held = options(state.environment.lookup(name))
            instances = [value for value in held if isinstance(value, Instance)]
            return (instances[0], attr) if len(instances) == len(held) == 1 else None
        case _:
            return None


def bind_rows(state: AnalysisState, target: ast.expr, found: RowsOf) -> None:
    """A target is bound to a value with these rows."""
    match target:
        case ast.Name(id=name):
            state.rows.held[state.environment.assigned_environment(name), name] = found
            name_rows(state, found.rows, name)
            found.rows.found.is_called_test |= state.knowledge.conforms("test-only", name)
        case ast.Attribute():
            holder = holder_of(state, target) or (rows_of(state, target.value).rows.found, target.attr)
            state.rows.held[holder] = found
            state.rows.asked |= found.learned  # an object keeps them for its models
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            known = found.entries if len(found.entries) == len(elts) else ()
            split = object()  # if they are the row numbers of the parts of a fold
            for index, entry in enumerate(elts):
                bind_rows(state, entry, known[index] if known else RowsOf(RowSet(split=split)))
        case ast.Starred(value=value):
            bind_rows(state, value, RowsOf(RowSet()))
        case ast.Subscript():
            write_rows(state, target, found)
        case _:
            return


def rebind_rows(state: AnalysisState, target: ast.expr, found: RowsOf) -> None:
    """Data were changed in place, under all their names: ``for X in (X_train, X_test): X.fillna(0, inplace=True)``."""
    before = rows_of(state, target)
    bind_rows(state, target, found)
    work(1 + len(state.rows.held) // COPIES_PER_UNIT)
    for other in [one for one, held in state.rows.held.items() if held is before]:
        state.rows.held[other] = found


def write_rows(state: AnalysisState, target: ast.Subscript, found: RowsOf) -> None:
    """``X_test[columns] = scaled``: the data keep their rows, and now hold what was learned for the columns."""
    kept = state.rows.fits.get(found.rows.found)
    if kept is not None:
        kept.is_used_elsewhere = True  # ``models[name] = model``: a loop over them may measure each
    holder = holder_of(state, base_of(state, target))
    if holder is None:
        return
    before = held_by(state, holder)
    is_row = base_of(state, target) is not target.value and not isinstance(target.slice, ast.Tuple)
    if isinstance(target.slice, (ast.Constant, ast.Name)) and not is_row:
        state.rows.held[before.rows.found, key_of(state, target.slice)] = found
    if is_row:  # ``frame.loc[len(frame)] = row``
        state.rows.held[holder] = RowsOf(RowSet())
    elif is_collection(value_of(state, base_of(state, target))):  # ``models["svm"] = SVC()``
        return
    elif found.learned:
        rows = before.rows.found  # what was learned from some columns, ``X[columns]``, was learned from all rows
        of_columns = [one for one in found.learned if is_view_of(one.rows.found, rows)]
        learned = frozenset(one if one.rows.found is rows else replace(one, rows=rows) for one in of_columns)
        learned |= {one for one in found.learned if covers(one.rows, rows)}
        work(1 + len(state.rows.held) // COPIES_PER_UNIT)
        after = RowsOf(before.rows, before.learned | learned, before.fit)
        for other in [one for one, held in state.rows.held.items() if held is before]:
            state.rows.held[other] = after  # the same data under another name


def is_collection(value: AnyValue | None) -> bool:
    """Whether a value is a dict or a list, whose entries are objects of their own."""
    return isinstance(value, HeapObject) and value.kind in ("dict", "list")


def base_of(state: AnalysisState, node: ast.Subscript) -> ast.expr:
    """``X`` of ``X[a]`` and ``X.loc[a]``."""
    base = node.value
    while isinstance(base, ast.Attribute) and holds_same_rows(state, base):
        base = base.value
    return base


def holds_same_rows(state: AnalysisState, node: ast.Attribute) -> bool:
    """Whether an attribute is of the data that it is read from: ``X.values``, and not ``self.data``."""
    if node.attr not in state.knowledge.groups["same-rows"]:
        return False
    return not any(node.attr in holder.attributes for holder in instances_named(state, node.value))


def name_rows(state: AnalysisState, rows: RowSet, name: str) -> None:
    """A name says that data are a training part, a test part or a validation part."""
    known = rows.found
    if not known.named:
        followed = state.knowledge.those_followed(("training", "test-only", "test-part"), name)
        words = name.lower().split("_")  # ``ts`` may be a time series
        is_clear = any("test" in w or "val" in w or w.lstrip("xy") == "te" for w in words)
        if followed and (followed[0] == "training" or is_clear):
            known.named = {"training": "train", "test-only": "test"}.get(followed[0], "valid")


def combined(state: AnalysisState, nodes: Iterable[ast.expr]) -> RowsOf:
    """The rows of an operation: of its operands with data, if these have the same rows."""
    operands = [n for n in nodes if not isinstance(n, ast.Constant)]
    found = [rows_of(state, n) for n in operands if holds_data(value_of(state, n))]
    if any(one.fit for one in found):
        found = [one for one in found if one.fit]
    found = [one for one in found if not is_unknown(one)] or found  # ``X / len(titles)``
    known = [one for one in found if not one.rows.found.is_assumed] or found
    if not known or any(one.rows.found is not known[0].rows.found for one in known):
        return RowsOf(RowSet())
    fits = {one.fit for one in known}
    learned = frozenset[Learned]().union(*(one.learned for one in known))
    return RowsOf(known[0].rows, learned, fits.pop() if len(fits) == 1 else None)


def is_unknown(one: RowsOf) -> bool:
    """Whether nothing is known of rows, not even the name of the data: they may be a number."""
    rows = one.rows.found
    return is_root(rows) and not (rows.is_assumed or rows.is_paired or rows.named or rows.parts or one.learned)


def value_of(state: AnalysisState, node: ast.expr) -> AnyValue | None:
    """The value of a name; None for other expressions, which are not evaluated again."""
    return state.environment.lookup(node.id) if isinstance(node, ast.Name) else None


def holds_data(value: AnyValue | None) -> bool:
    """Whether a value may be data with rows."""
    return not isinstance(value, (Const, MeasureValue, LibraryName))


def rows_of_attribute(state: AnalysisState, node: ast.Attribute) -> RowsOf:
    """``frame.age``, ``frame.values``, ``search.best_estimator_``; of other objects a part by the attribute's name."""
    base = rows_of(state, node.value)
    if holds_same_rows(state, node) or node.attr in state.knowledge.groups["fitted-models"]:
        return base
    return state.rows.same_part(base.rows.part(f".{node.attr}", "view"), base)


def rows_of_subscript(state: AnalysisState, node: ast.Subscript) -> RowsOf:
    """``X[train]``, ``frame["age"]``, ``frame.loc[mask, columns]``, ``parts[0]``."""
    key = known_key(state, node.slice)
    if isinstance(key, ast.Tuple) and called_name(node.value) in state.knowledge.groups["stacks-columns"]:
        return rows_beside([rows_of(state, column) for column in key.elts]) or RowsOf(RowSet())  # ``np.c_[X, extra]``
    if isinstance(key, ast.Tuple) and called_name(node.value) in state.knowledge.groups["stacks-rows"]:
        return rows_put_together([rows_of(state, part) for part in key.elts])  # ``np.r_[X, Z]``
    base = rows_of(state, base_of(state, node))
    if isinstance(key, (ast.Constant, ast.Name)) and base_of(state, node) is node.value:
        set_to = state.rows.held.get((base.rows.found, key_of(state, key)))
        if set_to is not None:
            return set_to
    if base.entries and isinstance(key, ast.Constant) and isinstance(key.value, int):
        return base.entries[key.value] if -len(base.entries) <= key.value < len(base.entries) else RowsOf(RowSet())
    by_rows = isinstance(node.value, ast.Attribute) and node.value.attr in state.knowledge.groups["selects-rows"]
    if isinstance(key, ast.Tuple) and key.elts:
        key, by_rows = key.elts[0], True
    if selects_columns(state, key, by_rows) or (base.rows.found.role in ("train", "test") and is_title(state, key)):
        return base
    return rows_at(state, node, base, key, by_rows)


def rows_at(state: AnalysisState, node: ast.expr, base: RowsOf, key: ast.expr, by_rows: bool = True) -> RowsOf:
    """The part of data that a key selects: ``X[train]``, ``X.take(train)``."""
    step, token = state.step(node, "a part of the data is taken here"), key_of(state, key)
    part = base.rows.part(token, role_of(state, key, by_rows), step)
    if isinstance(key, NAMED) and part.role not in ("train", "test"):
        name_rows(state, part, name_given(state, key))
        if isinstance(token, RowsOf):  # ``for mask in (data.train_mask, data.test_mask)``
            name_rows(state, part, title_of(token.rows))
    if part.role in ("train", "test") and isinstance(token, RowsOf) and not follows_time(state, key):
        part.split = first_split(token.rows)
    return state.rows.same_part(part, base)


def follows_time(state: AnalysisState, key: ast.expr) -> bool:
    """Whether row numbers are of folds whose training parts only grow."""
    value = value_of(state, key)
    splitters = [axis.splitter for axis in axes_of(value)] if value is not None else []
    return any(splitter is not None and splitter.facts.get("style") == "time" for splitter in splitters)


def selects_columns(state: AnalysisState, key: ast.expr, by_rows: bool) -> bool:
    """Whether a key keeps all rows: ``:``, a list of titles, ``frame.columns[:-1]``."""
    match key:
        case ast.Slice(lower=None, upper=None, step=None):
            return True
        case _ if by_rows:
            return False
        case ast.List(elts=elts) if elts:
            return all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in elts)
        case ast.Name():
            held = options(state.environment.lookup(key.id))
            return all(isinstance(v, HeapObject) and is_list_of_titles(v) for v in held) if held else False
        case ast.Slice() | ast.Compare():
            return False
        case _:
            return "columns" in names_in(key) and not nodes_in(key, ast.Compare)


def is_title(state: AnalysisState, key: ast.expr) -> bool:
    """Whether a key is a text: of a part of a split it selects a column, and of a dict perhaps the part itself."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str)
    held = options(value_of(state, key)) if isinstance(key, ast.Name) else ()
    return bool(held) and all(isinstance(v, Const) and isinstance(v.value, str) for v in held)


def is_list_of_titles(value: HeapObject) -> bool:
    """Whether a list holds texts alone."""
    entries = value.entries()
    return bool(entries) and all(isinstance(e, Const) and isinstance(e.value, str) for e in entries)


def role_of(state: AnalysisState, key: ast.expr, by_rows: bool) -> str:
    """What a key selects: rows of the ``train`` or ``test`` part, a ``part`` of the rows, or an unknown ``view``."""
    value = value_of(state, key)
    if isinstance(value, Data) and value.index in ("train-indices", "test-indices"):
        return value.index.removesuffix("-indices")
    definition = state.environment.definitions.get(key.id) if isinstance(key, ast.Name) else key
    if isinstance(key, ast.Constant):
        return "view" if isinstance(key.value, str) and not by_rows else "part"
    if by_rows or isinstance(definition, (ast.Compare, ast.Slice, ast.UnaryOp, ast.BoolOp)):
        return "part"
    return "view"


def known_key(state: AnalysisState, key: ast.expr) -> ast.expr:
    """A key as it is written out, if a name holds it: ``"train"`` in a pass of ``for part in ("train", "test")``."""
    held = state.environment.lookup(key.id) if isinstance(key, ast.Name) else None
    is_known = isinstance(held, Const) and isinstance(held.value, (str, int))
    return ast.copy_location(ast.Constant(held.value), key) if isinstance(held, Const) and is_known else key


def key_of(state: AnalysisState, key: ast.expr) -> Hashable:
    """What tells a key from others: its code, and what its names hold at present."""
    key = known_key(state, key)
    names = [key] if isinstance(key, ast.Name) else [n for n in walk(key) if isinstance(n, ast.Name)]
    tokens = tuple(id_of(state, n) for n in names if not isinstance(state.environment.lookup(n.id), LibraryName))
    return tokens[0] if isinstance(key, ast.Name) and tokens else (code_of(key), tokens)


def id_of(state: AnalysisState, node: ast.Name) -> RowsOf | None:
    """What stands for the value that a name holds at present."""
    holder = holder_of(state, node)
    return held_by(state, holder) if holder is not None else None
