"""Where data come from: what was learned from all of them, or drawn anew, before they are split.

Each expression bears the *marks* of whatever goes into it (``Run.marks``), and a name those of what was bound to it;
a mark says what happened to the data, and where. When marked data are split, what was learned from all of them is
known to the parts that test it.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.flow.algebra import options
from cvlint.flow.conventions import names_in
from cvlint.flow.events import Event
from cvlint.flow.run import Run
from cvlint.flow.values import (
    NO_MARKS,
    Axes,
    Axis,
    Const,
    Function,
    Instance,
    Library,
    Mark,
    Marks,
    Measure,
    Scope,
    Step,
)

METADATA = frozenset(("columns", "index", "shape", "size", "ndim", "dtype", "dtypes", "nrow", "name"))
WHOLE = frozenset(("values", "iloc", "loc", "at", "iat", "T", "data", "array", "str", "dt"))  # all columns, still
RUNNING = frozenset(("rolling", "expanding", "ewm"))  # what looks backwards only
LEARNT = ("learned", "resampled")  # the kinds of marks that must not go into a split
SETTLING = frozenset(("fillna", "replace", "fill", "sub", "subtract", "div", "divide", "map", "clip", "where", "mask"))


def marks_at(run: Run, *nodes: ast.AST | None) -> Marks:
    """The marks of expressions that were evaluated just now."""
    return NO_MARKS.union(*(run.marks_at.get(node, NO_MARKS) for node in nodes if node is not None))


def marks_of_name(run: Run, name: str) -> Marks:
    """The marks of what a name holds."""
    home = run.scope.home(name)
    return home.marks.get(name, NO_MARKS) if home is not None and home.marks else NO_MARKS


def marks_of_attribute(run: Run, node: ast.Attribute, found: Marks) -> Marks:
    """The marks of ``base.attr``, given those of ``base``; what describes the data has none of theirs."""
    if node.attr in METADATA:
        return NO_MARKS
    if node.attr in WHOLE:
        return found
    for holder in objects(run, node.value):
        found |= holder.marks.get(node.attr, NO_MARKS)
    return in_columns(found, [node.attr]) if found else found


def objects(run: Run, node: ast.expr) -> list[Instance]:
    """The objects of the project that a name holds."""
    held = options(run.scope.lookup(node.id)) if isinstance(node, ast.Name) else ()
    return [value for value in held if isinstance(value, Instance)]


def in_columns(marks: Marks, keys: list[str]) -> Marks:
    """The marks of some columns: without those that only other columns bear."""
    return frozenset(m for m in marks if not m.columns or not m.columns.isdisjoint(keys))


def without(marks: Marks, keys: list[str]) -> Marks:
    """The marks that are left when some columns are dropped."""
    left = (replace(m, columns=m.columns.difference(keys)) if m.columns else m for m in marks)
    return frozenset(new for new, old in zip(left, marks, strict=True) if new.columns or not old.columns)


def columns_in(node: ast.expr) -> list[str]:
    """The columns that a key spells out: ``"a"``, ``["a", "b"]``, ``(rows, "a")``; none when it does not."""
    match node:
        case ast.Constant(value=str() as key):
            return [key]
        case ast.List(elts=elts) if elts and all(isinstance(e, ast.Constant) for e in elts):
            return [key for e in elts for key in columns_in(e)]
        case ast.Tuple(elts=[_, key]):
            return columns_in(key)
        case _:
            return []


def bind_marks(run: Run, target: ast.expr, found: Marks) -> None:
    """A target is bound: a name takes the marks over, an entry or a column adds its own to those of the whole."""
    found = merged(found)
    if not isinstance(target, ast.Name):  # a column of statistics is one feature more
        found = frozenset(m for m in found if m.kind != "statistic")
    match target:
        case ast.Name(id=name):
            marks = run.scope.holder(name).marks
            if found:
                marks[name] = found
            elif name in marks:
                del marks[name]
        case ast.Attribute(value=base, attr=attr) if held := objects(run, base):
            for holder in held:
                holder.marks[attr] = found
        case ast.Attribute(value=base, attr=attr):
            add_marks(run, base, columned(found, [attr]))
        case ast.Subscript(value=base, slice=key):
            add_marks(run, base, columned(found, columns_in(key)))


def merged(marks: Marks) -> Marks:
    """Marks with one for each thing that happened, whatever the columns are that it happened to."""
    if len(marks) < 2:
        return marks
    found: dict[tuple[str, ast.AST], Mark] = {}
    for mark in marks:
        key = (mark.kind, mark.step.node)
        other = found.get(key)
        if other is None:
            found[key] = mark
        elif other.columns != mark.columns:
            every = other.columns | mark.columns if other.columns and mark.columns else frozenset()
            found[key] = replace(mark, columns=every)
    return frozenset(found.values())


def columned(marks: Marks, keys: list[str]) -> Marks:
    """Marks of what is put into some columns."""
    return frozenset(replace(m, columns=frozenset(keys)) for m in marks) if keys else marks


def add_marks(run: Run, node: ast.expr, found: Marks) -> None:
    """Data are changed in place: what holds them is marked, too."""
    if not found:
        return
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and (held := objects(run, node.value)):
            for holder in held:
                holder.marks[node.attr] = merged(holder.marks.get(node.attr, NO_MARKS) | found)
            return
        node = node.value
    if isinstance(node, ast.Name):
        marks = run.scope.holder(node.id).marks
        marks[node.id] = merged(marks.get(node.id, NO_MARKS) | found)


def bind_parameters(run: Run, function: Function, scope: Scope, node: ast.AST) -> None:
    """The parameters of a function of the project bear the marks of what they are given."""
    if not isinstance(node, ast.Call) or function.node is None or not run.marks_at:
        return
    names = [arg.arg for arg in (*function.node.args.posonlyargs, *function.node.args.args)]
    names = names[1:] if function.bound is not None else names
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        names = []
    given = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords if k.arg is not None)]
    for name, argument in given:
        found = marks_at(run, argument)
        if found:
            scope.marks[name] = found


def given_marks(run: Run, node: ast.AST) -> tuple[Marks, ...]:
    """The marks of the arguments of a call, which tell two calls apart."""
    if not isinstance(node, ast.Call) or not run.marks_at:
        return ()
    return tuple(marks_at(run, argument) for argument in (*node.args, *(k.value for k in node.keywords)))


def merge_marks(one: dict[str, Marks], into: dict[str, Marks]) -> None:
    """Join the marks that one arm of a branch leaves behind into those of the other."""
    for name, found in one.items():
        into[name] = merged(into.get(name, NO_MARKS) | found)


def learn(run: Run, node: ast.AST, by: str, kind: str = "learned", of: str = "") -> Marks:
    """Something learns from data, or draws them anew: the mark of what comes out."""
    note = f"{by} learns from the data here" if kind == "learned" else f"{by} draws the data anew here"
    made = Mark(kind, run.step(node, note), by, around(run, node), of=of)
    run.marks |= {made}
    return frozenset((made,))


def around(run: Run, node: ast.AST) -> Axes:
    """The loops around, each pass of which has data of its own; a loop over the columns of a frame is none."""
    taken = [n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript)]
    taken = [key.elts[-1] if isinstance(key, ast.Tuple) and key.elts else key for key in taken]
    keys = {name for key in taken if isinstance(key, ast.Name | ast.List) for name in names_in(key)}
    return frozenset(a for a in run.active if a.kind != "loop" or not a.targets & keys or is_counted(a))


def is_counted(axis: Axis) -> bool:
    """Whether a loop counts rows: ``for i in range(len(X))``."""
    match axis.step.node:
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Call(func=ast.Name(id="len"))]):
            return True
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Subscript(slice=ast.Constant(value=0))]):
            return True
        case _:
            return False


def fitted(run: Run, node: ast.Call, by: str) -> None:
    """``scaler.fit(X)``, ``scaler.fit_transform(X)``: the transformer knows of the data from now on."""
    if any(isinstance(n, ast.Slice) and (n.lower or n.upper) for a in node.args for n in rows_taken(a)):
        return  # a part that was cut off
    made = learn(run, node, by, of=root(node.args[0]) if node.args else "")
    if isinstance(node.func, ast.Attribute):
        bind_marks(run, node.func.value, made | marks_at(run, *node.args))


def rows_taken(node: ast.expr) -> list[ast.expr]:
    """The keys by which an expression takes rows of data: ``X[:n]``, ``X[:n, columns]``."""
    keys = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript):
            keys.append(node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice)
        node = node.value
    return keys


def applied(run: Run, node: ast.Call) -> None:
    """``scaler.transform(X_test)``: what it was fitted on before is a training part, if these are other data."""
    if isinstance(node.func, ast.Attribute) and node.args:
        fits = (m for m in marks_at(run, node.func.value) if m.kind == "learned")
        run.trained.update(m.step.node for m in fits if m.of and m.of != root(node.args[0]))


def summed_up(run: Run, node: ast.AST, of: ast.expr) -> None:
    """A mean, a median or a deviation of all the data: what is scaled or filled with it has learned from them."""
    name = root(of)
    if run.knowledge.conforms("truth", name) or names_in(of) & RUNNING:
        return
    if name and over_rows(run, node) and not is_made_up(run, name):
        step = run.step(node, "a statistic of the data is computed here")
        run.marks |= {Mark("statistic", step, name, of=name)}


def over_rows(run: Run, node: ast.AST) -> bool:
    """Whether a statistic is of all rows: not of each row, and not of one sample after another."""
    if run.frame.apart or not isinstance(node, ast.Call):
        return not run.frame.apart
    method = isinstance(node.func, ast.Attribute) and not isinstance(run.value(node.func.value), Library)
    along = [*node.args[0 if method else 1 :][:1], *(k.value for k in node.keywords if k.arg in ("axis", "dim"))]
    return all(isinstance(v, Const) and v.value in (0, None, "index", "rows") for v in map(run.value, along))


def is_made_up(run: Run, name: str) -> bool:
    """Whether a name holds numbers that are written out or counted up, and no data."""
    match run.scope.definitions.get(name):
        case ast.Call(func=ast.Attribute(attr="arange" | "linspace" | "range") | ast.Name(id="range")):
            return True
        case ast.List() | ast.Call(func=ast.Attribute(attr="array"), args=[ast.List(), *_]):
            return True
        case _:
            return False


def root(node: ast.expr) -> str:
    """The name of the data that an expression takes a part of."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def put_to_use(run: Run, node: ast.expr, data: ast.expr, statistic: ast.expr) -> Marks:
    """Data are filled or scaled with a statistic of their own, if ``statistic`` is one: they have learned from it."""
    found = [m for m in marks_at(run, statistic) if m.kind == "statistic"]
    own = [m for m in found if m.of in names_in(data)]
    if not own:
        run.trained.update((run.scope, m.of) for m in found)  # these are other data: those were a training part
        return NO_MARKS
    how = "filling" if isinstance(node, ast.Call) else "scaling"
    made = learn(run, node, f"{how} {own[0].of} with statistics of its own", of=own[0].of)
    run.marks = frozenset(m for m in run.marks if m.kind != "statistic")
    return made


def transformed_by_hand(run: Run, node: ast.BinOp) -> None:
    """``(x - x.mean()) / x.std()``."""
    again = any(m.step.node is node.left for m in run.marks)  # (x - mean) / std learns once
    if isinstance(node.op, ast.Sub | ast.Div) and not again:
        put_to_use(run, node, node.left, node.right)


def method_called(run: Run, node: ast.Call) -> None:
    """``data.fillna(data.mean())``, also in place."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return
    in_place = any(k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value for k in node.keywords)
    if func.attr in SETTLING:
        for argument in (*node.args, *(k.value for k in node.keywords)):
            made = put_to_use(run, node, func.value, argument)
            if made and in_place:
                add_marks(run, func.value, columned(made, keys_of(func.value)))
    if func.attr == "drop":
        keys = [
            key for k in (*node.args, *(k.value for k in node.keywords if k.arg == "columns")) for key in columns_in(k)
        ]
        run.marks = without(run.marks, keys)
    if func.attr in ("append", "extend", "insert", "update"):
        add_marks(run, func.value, frozenset(m for m in marks_at(run, *node.args) if m.kind in LEARNT))


def keys_of(node: ast.expr) -> list[str]:
    """The columns that an expression takes of a frame."""
    match node:
        case ast.Subscript(slice=key):
            return columns_in(key)
        case ast.Attribute(attr=attr):
            return [attr]
        case _:
            return []


def into_split(run: Run, found: Marks, step: Step, how: str) -> None:
    """Data are split: what was learned from all of them before is known to the parts that test it.

    Parts of a training part only choose a model, and spoil no result. ``how`` is "folds" or "hold-out".
    """
    if any(m.kind == "part" for m in found):
        return
    for mark in sorted((m for m in found if m.kind in LEARNT), key=lambda m: getattr(m.step.node, "lineno", 0)):
        if mark.step.node in run.trained or (run.scope, mark.of) in run.trained:
            continue
        left = mark.axes - run.active_axes  # of loops over samples, or over classes that are brought to one size
        if any(axis.kind == "fold" and axis.step.node is not step.node for axis in mark.axes):
            continue
        if left and mark.kind == "learned":
            continue
        key = (mark.kind, mark.by, step.node)
        first = run.leaks.get(key)
        if first is None:
            facts = {"how": mark.kind, "by": mark.by, "split": how}
            at = mark.step
            event = Event("fit", at.module, at.node, Measure("unknown"), trace=(step,), note=at.note, facts=facts)
            run.leaks[key] = event
            run.record(event)
        elif mark.step.node is not first.node and all(mark.step.node is not s.node for s in first.trace):
            later = replace(first, trace=(mark.step, *first.trace))
            run.leaks[key] = later
            if first in run.events:
                run.events[run.events.index(first)] = later


def resampled(run: Run, node: ast.Call, by: str) -> None:
    """``SMOTE().fit_resample(X, y)``; of a training part nothing else gets to know."""
    learn(run, node, by, "resampled")
    if node.args and run.knowledge.conforms("training", root(node.args[0])):
        held_out_parts(run, node)


def balanced(run: Run, node: ast.AST) -> None:
    """Rows of one class are drawn, ``frame[frame.y == 0].sample(n)``: one class is brought to another's size."""
    if not isinstance(node, ast.Call) or is_shuffle(node):
        return
    sources = node.args[:1] + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    named = any(run.knowledge.conforms("balancing", name) for name in names_in(node) | {run.target})
    if named or any(is_of_a_class(run, each, 2) for each in sources):
        learn(run, node, "sampling of rows", "resampled")


def is_shuffle(node: ast.Call) -> bool:
    """Whether all rows are drawn, in another order: ``frame.sample(frac=1)``."""
    return any(k.arg == "frac" and isinstance(k.value, ast.Constant) and k.value.value == 1 for k in node.keywords)


def is_of_a_class(run: Run, node: ast.expr, depth: int) -> bool:
    """Whether an expression picks the rows of one class, or a name was bound to such an expression."""
    while True:
        match node:
            case ast.Subscript(slice=ast.Compare(ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant()])):
                return True
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case ast.Name(id=name):
                definition = run.scope.definitions.get(name) if depth else None
                return definition is not None and is_of_a_class(run, definition, depth - 1)
            case _:
                return False


def split_now(run: Run, axis: Axis, given: list[ast.expr], keywords: list[ast.keyword]) -> None:
    """The arguments of a call are split into folds."""
    nodes = [*given, *(k.value for k in keywords)]
    into_split(run, marks_at(run, *nodes), axis.step, "folds")


def held_out_parts(run: Run, node: ast.AST) -> None:
    """What comes out of a hold-out are parts of what was split."""
    run.marks |= {Mark("part", run.step(node, "the data are split here"), "", run.active_axes)}


def joined(run: Run, node: ast.AST) -> None:
    """``pd.concat([train, test])``: what is cut apart later was apart before."""
    parts = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if isinstance(parts, ast.List | ast.Tuple) and len(parts.elts) > 1:
        run.marks |= {Mark("joined", run.step(node, "data are put together here"), "", run.active_axes)}


def cut(run: Run, node: ast.Subscript) -> None:
    """``train = X[:n]`` and ``test = X[n:]``: marked data are cut into a training and a test part by hand."""
    found, key = marks_at(run, node.value), rows_taken(node)[0]
    if not isinstance(key, ast.Slice) or run.active or not any(m.kind in LEARNT for m in found):
        return
    if any(m.kind in ("part", "joined") for m in found) or key.step is not None:
        return
    name = root(node.value)
    from_start = key.lower is None or (isinstance(key.lower, ast.Constant) and key.lower.value == 0)
    if from_start and key.upper is not None:
        if any(run.knowledge.conforms("training", target) for target in run.targets):
            run.cuts[name, bound(key.upper)] = node
    elif key.lower is not None and (first := run.cuts.get((name, bound(key.lower)))) is not None:
        into_split(run, found, run.step(first, "the data are cut into parts here"), "hold-out")


def bound(node: ast.expr) -> str:
    """What tells the bound of a slice: the name in it, or how it is written."""
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return names[0] if names else ast.unparse(node)
