"""Statistics of all the data: data that are scaled, filled or clipped with their own statistics have learned from them.

``data.fillna(data.median())``; for what is scaled see `scalings`, and for columns that are chosen `chosen_columns`.
A statistic gets a label with the name of the data. Where it meets these data again, they get the label "learned",
which spoils a split (see `cvlint.analysis.checkers.leakage.learned`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.checkers.leakage.learned import label_learned, record_leak
from cvlint.analysis.checkers.leakage.made_columns import keys_of_groups, label_filling
from cvlint.analysis.checkers.leakage.true_labels import is_of_target
from cvlint.analysis.checkers.rows.expressions import rebind_rows, rows_of
from cvlint.analysis.checkers.rows.learning import learn_by_hand, learn_of_joined
from cvlint.analysis.domain.codomain import COUNT
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.rows import RowSet, frame_of, is_train_part, is_view_of, learns_nothing_of, split_parts
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel, sorted_labels
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName
from cvlint.analysis.label_columns import labels_for_columns
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in, root_name
from cvlint.analysis.taint import add_taint, bind_taint, constant_columns, taint_at
from cvlint.source.parsing import walk

FILLING, SCALING = "is imputed with", "is scaled with"  # of the data, in messages
ENCODING, CLIPPING = "is encoded with", "is clipped by"
CUT_TO_COLUMNS = "is cut to columns that are chosen with"
WHAT_IS_DONE = {
    FILLING: "filled",
    SCALING: "scaled",
    ENCODING: "encoded",
    CLIPPING: "clipped",
    CUT_TO_COLUMNS: "columns",
}
"""What is done to the data, as a rule asks for it."""
OF_VALUES = (FILLING, SCALING, ENCODING, CLIPPING)
METHODS = {
    **dict.fromkeys(("sub", "subtract", "div", "divide"), SCALING),
    **dict.fromkeys(("map", "merge", "join"), ENCODING),
    "clip": CLIPPING,
}
"""What a method does to values with a statistic, if it does not fill gaps with it."""
BY_METHOD = {FILLING: "filled", SCALING: "scaled"}
"""What becomes of rows that such a method gives a statistic of theirs."""
OF_FIT = "fit"  # what a fitted object says of its data
SOME_ROWS = "some"  # the statistic is of a part of the rows
LARGEST = "largest"  # data that are divided by it alone keep a unit, as pixels do
OF_COLUMN = "largest of a column"  # each column that is divided by its own gets a scale
SMALLEST = "smallest"  # data that it alone is taken from only begin at another zero, as years and numbers of teams do
SHIFTED = "shifted"  # the kind of the label that such data get
OF_PARTS = "parts"  # of parts that are put together, by an unknown axis; what fits one of them is over the rows
OF_GROUPS = "groups"  # a value beside the mean of its group is one more feature
JOINING_EFFECTS = ("pool", "stack")


def label_statistic(state: AnalysisState, node: ast.AST, data: ast.expr, axis_at: int, of: str = "") -> None:
    """A mean, a median or a deviation of all the data: what it scales or fills has learned from them.

    ``axis_at`` is the position of the axis among the arguments: 0 in ``X.mean(0)``, 1 in ``np.mean(X, 0)``.
    """
    given, data = data, first_data(state, data)
    name = root_name(data)
    silent = state.knowledge.groups["looks-back"] | state.knowledge.groups["tests-missing"]
    if names_in(data) & silent:
        return
    if state.knowledge.conforms("truth", name) and (keys := keys_of_groups(state, data)) is not None:
        data, name = keys, root_name(keys)  # ``y.groupby(X["city"]).mean()`` encodes these
    if state.knowledge.those_followed(("truth", "weights-of-samples"), name):
        return
    held = state.environment.lookup(name)
    if isinstance(held, LibraryName) or (isinstance(held, Data) and held.codomain == COUNT):  # a confusion matrix
        return
    rows = rows_behind(state, given, data) if state.rows.is_followed else None
    if not is_over_rows(state, node, axis_at):
        if rows is None or not rows.found.is_union or is_axis_known(state, node, axis_at):
            return
        of = OF_PARTS
    if name and not is_written_out(state, name):
        step = state.step(node, "a statistic of the data is computed here")
        subject = name_outside(state, data) or name
        part = SOME_ROWS if any(m.kind == "part" for m in taint_at(state, data)) else ""
        way = state.call_trace()
        if of != OF_GROUPS:  # a statistic of rows that were drawn is no such row
            state.taint = frozenset(m for m in state.taint if m.kind != "resampled")
        state.taint |= {TaintLabel("statistic", step, name, subject=subject, choice=of, part=part, way=way, rows=rows)}


def rows_behind(state: AnalysisState, given: ast.expr, data: ast.expr) -> RowSet:
    """The rows of a statistic's ``data``; of what is ``given``, ``np.take(X, train)``, if that is a part of a split.

    So are they of parts that are put together: ``np.vstack([X, Z]).mean()``.
    """
    rows = rows_of(state, given).rows
    return rows if rows.found.is_union or split_parts(rows) else rows_of(state, data).rows


def first_data(state: AnalysisState, node: ast.expr) -> ast.expr:
    """The data that a function of a library gets first: ``X`` of ``pd.concat([X, y], axis=1)``."""
    while isinstance(state.environment.lookup(root_name(node)), LibraryName):
        call = next((call for call in nodes_in(node, ast.Call) if call.args), None)
        if call is None or call.args[0] is node:
            break
        node = call.args[0]
        while isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            node = node.elts[0]
    return node


def is_over_rows(state: AnalysisState, node: ast.AST, axis_at: int) -> bool:
    """Whether a statistic is over all rows: not over the columns of each row, and not in a call for each sample."""
    if state.frame.per_sample or not isinstance(node, ast.Call):
        return not state.frame.per_sample
    first = first_axes(state, node, axis_at)
    return all(isinstance(v, Const) and v.value in (0, None, "index", "rows") for v in first)


def is_axis_known(state: AnalysisState, node: ast.AST, axis_at: int) -> bool:
    """Whether the code says along which axis a statistic is; in a call for each sample it is one of each row."""
    if state.frame.per_sample or not isinstance(node, ast.Call):
        return True
    return any(isinstance(v, Const) for v in first_axes(state, node, axis_at))


def first_axes(state: AnalysisState, node: ast.Call, axis_at: int) -> list[AnyValue]:
    """The axis of a statistic, if one is given; the first of several, ``axis=(0, 1)``."""
    along = [*node.args[axis_at : axis_at + 1], *(k.value for k in node.keywords if k.arg in ("axis", "dim"))]
    axes = [state.evaluate(state, given) for given in along]
    return [v.entries()[0] if isinstance(v, HeapObject) and v.entries() else v for v in axes]


def is_written_out(state: AnalysisState, name: str) -> bool:
    """Whether a name holds numbers that the code writes out or counts up, and no data."""
    match state.environment.definitions.get(name):
        case ast.Call(func=ast.Attribute(attr="arange" | "linspace" | "range") | ast.Name(id="range")):
            return True
        case (ast.List() as numbers) | ast.Call(func=ast.Attribute(attr="array"), args=[ast.List() as numbers, *_]):
            return not any(map(names_in, numbers.elts[:1]))  # the first entry tells: a literal may be long
        case _:
            return False


def check_own_statistic(
    state: AnalysisState,
    node: ast.AST,
    data: ast.expr,
    statistic: ast.expr,
    action: str,
    is_guess: bool = False,
    decided_by: Taint = NO_TAINT,
) -> Taint:
    """Data are filled, scaled or cut with a statistic: they have learned from all rows where it is their own."""
    of_left = [m for m in taint_at(state, data) if m.kind == "statistic"]
    if of_left and is_statistic(state, data, of_left):
        return NO_TAINT
    compared = {m.subject for m in of_left}  # two statistics, and no data
    found = (m for m in decided_by | taint_at(state, statistic) if m.kind == "statistic" and m.subject not in compared)
    shifted = any(m.kind == SHIFTED for m in taint_at(state, data, statistic))
    divided = isinstance(getattr(node, "op", None), ast.Div)
    no_scale = (OF_GROUPS,) if shifted else (OF_GROUPS, LARGEST) if divided else (OF_GROUPS, LARGEST, OF_COLUMN)
    statistics = sorted_labels(m for m in found if action != SCALING or m.choice not in no_scale)
    if action in BY_METHOD and learn_of_joined(state, node, data, statistics, action, BY_METHOD[action]):
        return NO_TAINT
    statistics = [m for m in statistics if m.choice != OF_PARTS]
    names = names_in(data)
    names |= roots_of(state, data.left if isinstance(data, ast.BinOp) and isinstance(data.op, ast.Sub) else data)
    of_data = rows_of(state, data).rows.found if state.rows.is_followed and statistics else None
    own_statistics = [
        m
        for m in statistics
        if (not is_of_other_call(state, m) and (m.subject in names or roots_of(state, ast.Name(m.subject)) & names))
        or (m.rows is not None and of_data is not None and are_the_same(m.rows.found, of_data))
    ]
    if not own_statistics:
        check_parts(state, node, data, statistics, action)
        if action in OF_VALUES:  # these were a training part, and ``data`` are other data
            state.training_data.update((state.environment, m.subject) for m in statistics)
        return NO_TAINT
    own_statistics = [m for m in own_statistics if not is_of_other_rows(state, m, data)]
    if not own_statistics:
        return NO_TAINT
    first = own_statistics[0]
    line = getattr(node, "lineno", 0)
    apart = [m for m in own_statistics if getattr(m.step.node, "lineno", 0) != line]
    way = tuple({step: None for m in apart for step in (m.step, *m.way)})
    by = f"{first.subject} {action} statistics of"
    done = WHAT_IS_DONE.get(action, "")
    learned = label_learned(state, node, by, of=first.subject, is_guess=is_guess, way=way, choice=done)
    state.taint = frozenset(m for m in state.taint if m.kind != "statistic")
    return learned


def is_of_other_call(state: AnalysisState, statistic: TaintLabel) -> bool:
    """Whether a statistic was computed in another call of a function under way, where the same name held other data."""
    calls = {step.node for step in statistic.way}
    return any(
        isinstance(frame.call, ast.Call) and frame.node in statistic.step.owners and frame.call not in calls
        for frame in state.frames[1:]
    )


def is_of_other_rows(state: AnalysisState, statistic: TaintLabel, data: ast.expr) -> bool:
    """Whether a statistic is of the other part of a split: ``frame.iloc[test].fillna(frame.iloc[train].mean())``.

    All rows may get the statistics of the training part, too: ``(X - X[train_mask].mean(0)) / X[train_mask].std(0)``.
    """
    rows, own = statistic.rows, rows_of(state, data).rows
    return rows is not None and (learns_nothing_of(rows, own) or is_train_part(rows, own))


def is_statistic(state: AnalysisState, node: ast.expr, found: Sequence[TaintLabel]) -> bool:
    """Whether an expression, or what its name was bound to, is a statistic: ``sick.mean(0) - well.mean(0)``."""
    made_by = state.environment.definitions.get(node.id, node) if isinstance(node, ast.Name) else node
    inner = set(walk(made_by))
    return any(m.step.node in inner for m in found if m.choice != OF_GROUPS)


def are_the_same(rows: RowSet, others: RowSet) -> bool:
    """Whether two sets are the same rows, with other columns perhaps: ``frame`` and ``frame.drop(columns=titles)``."""
    one, other = frame_of(rows), frame_of(others)
    return is_view_of(one, other) or is_view_of(other, one)


def check_parts(
    state: AnalysisState, node: ast.AST, data: ast.expr, statistics: Sequence[TaintLabel], action: str
) -> None:
    """``X_train.fillna(X.mean())``, ``X_train[X.corr()["y"].nlargest(9).index]``: ``X`` holds the test part, too."""
    found = taint_at(state, data)
    if any(m.kind == "rows" and m.part == "test" for m in found):
        return  # it has the scale of the training part, whatever that is
    parts = {m.subject: m for m in sorted_labels(m for m in found if m.kind == "part")}
    for statistic in statistics:
        part = parts.get(statistic.subject)
        if part is not None and statistic.part != SOME_ROWS and action in (*OF_VALUES, CUT_TO_COLUMNS):
            by = f"{root_name(data)} {action} statistics of"
            way = (statistic.step,)
            done = WHAT_IS_DONE.get(action, "")
            for label in label_learned(state, node, by, of=statistic.subject, way=way, choice=done):
                record_leak(state, label, part.step, "hold-out")
            return


def name_outside(state: AnalysisState, node: ast.expr) -> str:
    """The name of data as the outermost caller knows them, whose functions only pass them on as parameters."""
    level = len(state.frames) - 1
    while level and (name := root_name(node)) not in state.frames[level].environment.definitions:
        given = data_given(state, level, name)
        if given is None or not root_name(given):
            break
        node, level = given, level - 1
    return root_name(node)


def data_given(state: AnalysisState, level: int, name: str) -> ast.expr | None:
    """The data that a parameter gets: ``X`` of ``scale(np.log(X))``, and ``df`` of ``df.apply(scale)``."""
    frame = state.frames[level]
    given = frame.argument(name)
    if given is None or not is_function(state, given):
        return None if given is None else first_data(state, given)
    match frame.call:
        case ast.Call(func=ast.Attribute(value=data)):
            return first_data(state, data)
        case _:
            return None


def is_function(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a function of the project, which a method calls: ``df.apply(scale)``."""
    named = isinstance(node, ast.Name) and isinstance(state.environment.lookup(node.id), Function)
    return named or isinstance(node, ast.Lambda)


def roots_of(state: AnalysisState, node: ast.expr) -> frozenset[str]:
    """The names of the data that an expression is, or holds a part of: ``ages = frame.loc[mask, "age"]``.

    A parameter stands for its argument.
    """
    found, level = set[tuple[int, str]](), len(state.frames) - 1
    while (name := root_name(node)) and (level, name) not in found:
        found.add((level, name))
        environment = state.frames[level].environment
        definition = environment.definitions.get(name)
        if definition is None and level and (given := data_given(state, level, name)) is not None:
            node, level = given, level - 1
        elif isinstance(definition, (ast.Subscript, ast.Name)):
            node = definition
        elif (kept := data_of_method(state, definition)) is not None:
            node = kept
        elif definition is not None and (joined := first_of_joined(state, definition)) is not None:
            node = joined
        else:
            break
    return frozenset(name for _, name in found)


def data_of_method(state: AnalysisState, node: ast.expr | None) -> ast.expr | None:
    """The data of which a method gives the same rows: ``frame`` of ``frame.drop(columns="label")``."""
    match node:
        case ast.Call(func=ast.Attribute(value=data, attr=name)) | ast.Attribute(value=data, attr="values" as name):
            keeps = name in ("drop", "values") or state.knowledge.conforms("keeps-rows", name)
            return data if keeps and not isinstance(state.environment.lookup(root_name(data)), LibraryName) else None
        case _:
            return None


def first_of_joined(state: AnalysisState, node: ast.AST) -> ast.expr | None:
    """The first of data that a function of a library joins: ``X`` of ``pd.concat([X, y], axis=1)``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=library)) as func) if isinstance(
            state.environment.lookup(library), LibraryName
        ):
            target = state.evaluate(state, func)
            entry = state.knowledge.entry(target.name) if isinstance(target, LibraryName) else None
            return first_data(state, node) if entry is not None and entry.effect in JOINING_EFFECTS else None
        case _:
            return None


def check_filling(state: AnalysisState, node: ast.Call) -> None:
    """``data.fillna(data.mean())``, also in place; ``data.merge(data.groupby("city")["y"].mean())``."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return
    joins = func.attr in state.knowledge.groups["joins"]
    if not joins and func.attr not in state.knowledge.groups["fills"]:
        return
    in_place = any(k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value for k in node.keywords)
    if func.attr == "where" and len(node.args) == 3:  # ``np.where(ages.isna(), ages.mean(), ages)``
        action = masking(node.args[0])
        for filled, filling in (node.args[1:], node.args[:0:-1]):
            label_filling(state, node, filled, filling)
            if check_own_statistic(state, node, filled, filling, action) and action in BY_METHOD:
                learn_by_hand(state, node, filled, BY_METHOD[action], filling)
        return
    data, given = func.value, (*node.args, *(k.value for k in node.keywords))
    if joins and isinstance(state.environment.lookup(root_name(data)), LibraryName):
        data, given = (given[0], given[1:]) if given else (data, given)  # ``pd.merge(data, means)``
    if func.attr == "replace" and len(given) > 1:  # how often a value is found may say which ones get a constant
        given = tuple(k.value for k in node.keywords if k.arg == "value") or given[1:]
    is_masked = func.attr in ("where", "mask") and given
    action = masking(given[0]) if is_masked else METHODS.get(func.attr, FILLING)
    for argument in given:
        if joins and not is_of_target(state, argument):
            continue
        learned = check_own_statistic(state, node, data, argument, action)
        if action == FILLING and state.rows.all_fits:
            learned |= label_filling(state, node, data, argument)
        if learned and action in BY_METHOD:
            learn_by_hand(state, node, data, BY_METHOD[action], argument)
        if learned and in_place:
            rebind_rows(state, data, rows_of(state, node))
            if isinstance(func.value, ast.Name):
                add_taint(state, func.value, learned)
            else:
                bind_taint(state, func.value, learned | taint_at(state, func.value))


def masking(rows: ast.expr) -> str:
    """What becomes of rows that get a statistic: those beyond a limit are clipped, and gaps are filled."""
    beyond = any(
        isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for n in nodes_in(rows, ast.Compare) for op in n.ops
    )
    return CLIPPING if beyond else FILLING


def check_masked_filling(state: AnalysisState, target: ast.Subscript, source: ast.expr) -> None:
    """``frame.loc[frame.age.isna(), "age"] = frame.age.median()``: some rows get a statistic of the others."""
    rows = target.slice.elts[0] if isinstance(target.slice, ast.Tuple) and target.slice.elts else target.slice
    some_rows = isinstance(rows, (ast.Compare, ast.Call)) or (isinstance(rows, ast.Name) and rows is not target.slice)
    if isinstance(rows, ast.Name) and rows is target.slice:  # ``gaps = np.isnan(X)``, ``X[gaps] = …``
        tests = state.environment.definitions.get(rows.id)
        some_rows = tests is not None and bool(names_in(tests) & state.knowledge.groups["tests-missing"])
    if some_rows and any(m.kind == "statistic" for m in taint_at(state, source)):
        call = ast.copy_location(ast.Call(source, [target], []), source)
        learned = check_own_statistic(state, call, target, source, masking(rows))
        add_taint(state, target.value, labels_for_columns(learned, constant_columns(state, target.slice)))


def label_fit(state: AnalysisState, node: ast.Call) -> Taint:
    """``forest.fit(X, y)``: what the model says of the columns afterwards is a statistic of the data."""
    if not node.args or isinstance(node.args[0], ast.Subscript) or not name_outside(state, node.args[0]):
        return NO_TAINT  # a part of the rows
    name = name_outside(state, node.args[0])
    step, way = state.step(node, "a model is fitted to the data here"), state.call_trace()
    rows = rows_of(state, node.args[0]).rows if state.rows.is_followed else None
    return frozenset((TaintLabel("statistic", step, name, subject=name, choice=OF_FIT, way=way, rows=rows),))


def check_projection(state: AnalysisState, node: ast.Call, by: str, is_guess: bool = False) -> None:
    """``lda.fit(X, y).transform(X)``: a model that predicts brings its own data into another form."""
    if isinstance(node.func, ast.Attribute) and node.args:
        if node.func.attr == "fit_transform":
            label_learned(state, node, f"{by} is fitted to", of=root_name(node.args[0]))
        else:
            check_own_statistic(state, node, node.args[0], node.func.value, f"is transformed by {by} with", is_guess)
