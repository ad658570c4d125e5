"""What calls do with rows: splits, fits, predictions, transforms, and functions of the project."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePath

from cvlint.analysis.checkers.rows.arguments import arguments_given, held_by_name
from cvlint.analysis.checkers.rows.carried_models import note_asked, note_step
from cvlint.analysis.checkers.rows.expressions import (
    MOST_ENTRIES,
    WRITTEN_OUT,
    holder_of,
    is_part,
    key_of,
    name_rows,
    rebind_rows,
    rows_at,
    rows_beside,
    rows_of,
    rows_put_together,
    value_of,
)
from cvlint.analysis.checkers.rows.fits import after_fit, labelled, learn_words, trained
from cvlint.analysis.checkers.rows.functions import rows_of_either
from cvlint.analysis.checkers.rows.learning import learning
from cvlint.analysis.checkers.rows.measuring import measure_model, measure_predictions, note_predicted, note_unknown_use
from cvlint.analysis.checkers.rows.samples import SPLIT, keeps_samples, parts_drawn, rows_of_samples
from cvlint.analysis.checkers.rows.statements import entries_visited
from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.rows import HoldOutPart, Learned, RowSet, RowsOf, covers, unify
from cvlint.analysis.domain.texts import UNKNOWN_PART
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import arguments_of, called_name, keyword, names_in


def note_call(state: AnalysisState, node: ast.Call, callee: AnyValue | None) -> None:
    """A call was evaluated: note the rows of its result, and what it fits, predicts or measures.

    ``callee`` is the object whose method was called, or the function.
    """
    if not state.rows.is_followed:
        return
    held = options(callee)
    if type(node.func) is not ast.Attribute and any([type(v) is LibraryObject and v.role == "scorer" for v in held]):
        measure_by_scorer(state, node)
        return
    if any([type(v) is Function or type(v) is ClassValue for v in held]) or is_own_method(node, held):
        if any([type(v) is ClassValue and v.node is not None and keeps_samples(v.node) for v in held]):
            state.rows.of_calls[node] = rows_of_samples(state, [*node.args, *(k.value for k in node.keywords)])
        return
    library = next((v.name for v in held if type(v) is LibraryName), "")
    if library and isinstance(node.func, ast.Attribute):
        library = f"{library}.{node.func.attr}"
    is_method = isinstance(node.func, ast.Attribute) and not library
    found = after_method(state, node, node.func, held) if is_method else after_function(state, node, library)
    if found is not None:  # the result is another value, with the same rows
        state.rows.of_calls[node] = replace(found)
    else:
        state.rows.of_calls.pop(node, None)


def measure_by_scorer(state: AnalysisState, node: ast.Call) -> None:
    """``make_scorer(f1_score)(model, X_test, y_test)``."""
    given = arguments_given(state, node, "estimator", "X", "y", "y_true")
    fit = state.rows.fits.get(rows_of(state, given[0]).rows.found) if len(given) > 1 else None
    if fit is not None:
        note_asked(state, fit, given[1])
    measure_model(state, node, fit, given[1:])


def is_own_method(node: ast.Call, held: Sequence[AnyValue]) -> bool:
    """Whether a method of the project was called, ``scale(X)`` being the ``__call__`` of an object."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else "__call__"
    return any([isinstance(v, Instance) and v.cls.node is not None and name in v.cls.attributes for v in held])


# --- functions


def after_function(state: AnalysisState, node: ast.Call, library: str) -> RowsOf | None:
    """The rows of what a function of a library returns."""
    if library in state.rowless_functions:
        note_unknown_use(state, node, library.rpartition(".")[2], library)
        return None
    entry = state.knowledge.entry(library) if library else None
    effect = entry.effect if entry is not None else ""
    name = library.rpartition(".")[2] or called_name(node.func)
    if effect == "hold-out":
        return parts_of_hold_out(state, node)
    if effect == "load" and (stored := state.rows.of_calls.get(node)) is not None:
        return stored
    if effect == "load" and entry is not None and entry.facts.get("samples"):
        return rows_of_file(state, node, arguments_of(node, *entry.facts["place"][1:])[:1])
    if effect == "cross-val" or name.startswith("cross_val"):
        state.rows.is_cross_validated = True
        return None
    if effect in ("measure", "counts") or (library.startswith("sklearn.metrics.") and len(node.args) > 1):
        labels = arguments_given(state, node, "y_true", "y_pred", "y_score", "y_prob", "labels_pred")
        measure_predictions(state, node, labels[:2])
        return None
    first = arguments_given(state, node, "X", "data")[:1]
    if name in state.knowledge.groups["shares"] and first and isinstance(first[0], ast.Compare):
        measure_predictions(state, node, [first[0].left, *first[0].comparators][:2])
        return None
    if effect == "parts":
        return parts_drawn(state, node)
    if name in state.knowledge.groups["takes-samples"] and len(node.args) > 1:
        return rows_at(state, node, rows_of(state, node.args[0]), node.args[1])
    if name in state.knowledge.groups["holds-columns"] and first and isinstance(first[0], ast.Dict):
        return rows_of_samples(state, first[0].values)
    if entry is not None and "trained_on" in entry.facts:
        return trained(state, node, entry.facts["trained_on"])
    if entry is not None and name in state.knowledge.groups["wraps-rows"]:
        return labelled(state, arguments_given(state, node, "data", "label"))
    if name in state.knowledge.groups["stacks-rows"] or name in state.knowledge.groups["stacks-columns"]:
        return joined(state, node, name)
    if name in state.knowledge.groups["holds-by-name"] and node.keywords and not node.args:
        return held_by_name(state, node)
    if name == "shuffle" and first:
        entries = tuple(rows_of(state, a) for a in arguments_given(state, node))
        return entries[0] if len(entries) == 1 else RowsOf(RowSet(), entries=entries)
    if name in state.knowledge.groups["takes-rows"] and len(node.args) > 1:
        return rows_at(state, node, rows_of(state, node.args[0]), node.args[1])
    if name == "map":
        first = node.args[1:2]
    if library.startswith("copy.") or name == "filter":
        return None  # a copy of a model is another model
    keeps_rows = state.knowledge.conforms("keeps-rows", name) or gives_one_a_row(state, node, name, 1)
    keeps_rows = keeps_rows and (len(node.args) > 1 or name not in state.knowledge.groups["finds-rows"])
    depends_on_arguments = name in state.knowledge.groups["shares"] or name in ("shuffle", "map")
    if library and not (keeps_rows or depends_on_arguments or library.startswith("sklearn.metrics.")):
        state.rowless_functions.add(library)
    if first and keeps_rows and not isinstance(first[0], (ast.Dict, ast.List)):
        found = rows_of(state, first[0])
        if name in state.knowledge.groups["scales"] and keyword(node, "axis") != 1:
            learned = learning(state, node, f"{name}()", found.rows)
            found = RowsOf(found.rows, found.learned | {learned}, found.fit, found.entries)
            if name in state.knowledge.groups["scales-and-tells"]:
                found = RowsOf(found.rows, entries=(found, RowsOf(RowSet())))
        return found
    note_unknown_use(state, node, name, library)
    return None


def rows_of_file(state: AnalysisState, node: ast.Call, given: list[ast.expr]) -> RowsOf:
    """``pd.read_csv("test.csv")``: rows of which nothing is known but the name of their file.

    Who reads the file again in the same way gets the same rows. A mere name is that of another file in another folder.
    """
    match state.evaluate(state, given[0]) if given else None:
        case Const(value=str() as path) | Data(pattern=path) if path and not UNKNOWN_PART.search(path):
            pass
        case _:
            return RowsOf(RowSet())
    settings = [argument for argument in (*node.args, *(k.value for k in node.keywords)) if argument not in given]
    file = PurePath(path)
    folder = state.frame.module.source.path.parent if len(file.parts) < 2 else None
    way = (folder, file, *(key_of(state, setting) for setting in settings))
    found = state.rows.of_files.setdefault(way, RowSet())
    name_rows(state, found, file.stem)
    return RowsOf(found)


def gives_one_a_row(state: AnalysisState, node: ast.Call, name: str, at: int) -> bool:
    """Whether a reduction gives a value for each row: ``np.mean(errors ** 2, axis=1)``, ``errors.sum(1)``."""
    if name not in state.knowledge.groups["reduces"]:
        return False
    axis = next((k.value for k in node.keywords if k.arg in ("axis", "dim")), None) or next(iter(node.args[at:]), None)
    return axis is not None and ast.unparse(axis) in ("1", "-1", "(1, 2)")


def parts_of_hold_out(state: AnalysisState, node: ast.Call) -> RowsOf:
    """``train_test_split(X, y)``: a training and a test part of each argument, which have the same rows."""
    given = [rows_of(state, a) for a in arguments_given(state, node)]
    for one in given[1:]:
        unify(given[0].rows, one.rows, is_sure=True)
    step = state.step(node, SPLIT)
    serial, split = object(), split_drawn(state, node)
    entries: list[RowsOf] = []
    for one in given:
        parts = [one.rows.part(HoldOutPart(serial, role), role, step) for role in ("train", "test")]
        for part in parts:
            part.split = split
        entries += [RowsOf(part, one.learned) for part in parts]
    return RowsOf(RowSet(), entries=tuple(entries))


def split_drawn(state: AnalysisState, node: ast.Call) -> object:
    """Which split of its data a hold-out draws: an own one at each call, but the same one of a seed."""
    for given in node.keywords:
        value = state.evaluate(state, given.value)
        if given.arg == "shuffle" and not (isinstance(value, Const) and value.value is True):
            return None  # the first rows, as in another such split
        if given.arg in (None, "generator") or state.knowledge.conforms("seed", given.arg or ""):
            if not isinstance(value, Const):
                return None
            if value.value is not None:
                return value.value
    seeds = names_in(state.frame.module.source.tree) & state.knowledge.groups["sets-seeds"]
    return None if seeds else object()


def joined(state: AnalysisState, node: ast.Call, name: str) -> RowsOf | None:
    """``pd.concat([train, test])`` holds the rows of all parts; of the same rows it puts columns together."""
    given = node.args[:1]
    if not given:
        return None
    listed = node.args if name == "append" else []
    listed = given[0].elts if isinstance(given[0], (ast.List, ast.Tuple)) else listed
    found = [rows_of(state, one) for one in listed] or list(entries_visited(state, given[0]))
    if not found:
        return None
    axis = keyword(node, "axis") or keyword(node, "dim")
    axis = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else axis
    if axis in (1, "columns", -1, "-1") or name in state.knowledge.groups["stacks-columns"]:
        return None if grows(state, listed, found) else rows_beside(found)
    if all(one.rows.found is found[0].rows.found for one in found):
        return rows_beside(found)
    return rows_put_together(found)


def grows(state: AnalysisState, listed: Sequence[ast.expr], found: Sequence[RowsOf]) -> bool:
    """Whether an array of unknown rows is made longer: ``every = np.hstack((every, predictions))``."""
    targets = {target.id for target in state.assigned_targets if isinstance(target, ast.Name)}
    pairs = zip(listed, found, strict=False)
    return any(isinstance(n, ast.Name) and n.id in targets and not (is_part(one) or one.learned) for n, one in pairs)


# --- methods


def after_method(state: AnalysisState, node: ast.Call, func: ast.expr, held: Sequence[AnyValue]) -> RowsOf | None:
    """The rows of what a method returns."""
    assert isinstance(func, ast.Attribute)
    roles = {v.role for v in held if isinstance(v, LibraryObject)}
    name, base = func.attr, func.value
    if name in state.knowledge.groups["fits-or-transforms"]:
        return after_fit(state, node, base, name, roles, held)
    if name in state.knowledge.groups["learns-words"] and node.args:
        learn_words(state, node, rows_of(state, base).rows.found, rows_of(state, node.args[0]).rows)
        return None
    if name in state.knowledge.groups["writes-words"] and node.args:
        found, words = rows_of(state, node.args[0]), state.rows.learned.get(rows_of(state, base).rows.found)
        return RowsOf(found.rows, found.learned | ({words} if words is not None else set()))
    if name in state.knowledge.groups["predicts"]:
        given = arguments_given(state, node, "X", "x", "data", "test")
        if not given:
            return None
        found, model = rows_of(state, given[0]), rows_of(state, base).rows.found
        fit = state.rows.fits.get(model)
        state.rows.asked |= found.learned
        if fit is not None and isinstance(base, ast.Attribute) and not covers(fit.rows, found.rows):
            fit.is_used_elsewhere = True  # the object keeps the model, and others may ask it for more
        if fit is not None:
            note_asked(state, fit, given[0])
            note_predicted(state, node, fit, found)
        return RowsOf(found.rows, found.learned, fit)
    if name in state.knowledge.groups["measures-itself"]:
        given = arguments_given(state, node, "X", "x", "y")
        fit = state.rows.fits.get(rows_of(state, base).rows.found)
        if fit is not None and given:
            note_asked(state, fit, given[0])
        measure_model(state, node, fit, given)
        return None
    if name in state.knowledge.groups["shares"] and isinstance(base, ast.Compare):
        measure_predictions(state, node, [base.left, *base.comparators][:2])
        return None
    if name in state.knowledge.groups["rows-of-argument"] and node.args:
        found = rows_of(state, node.args[0])
        return RowsOf(found.rows, found.learned)
    if state.knowledge.conforms("trains-further", name):
        state.rows.asked.update(*(rows_of(state, given).learned for given in node.args))
        state.rows.fits.pop(rows_of(state, base).rows.found, None)
        if name in state.knowledge.groups["learns-further"]:
            note_step(state, node, base, held)
        return None
    if name in state.knowledge.groups["changes-length"]:
        return after_growth(state, node, base, name)
    return after_data_method(state, node, base, name)


def after_data_method(state: AnalysisState, node: ast.Call, base: ast.expr, name: str) -> RowsOf | None:
    """``frame.dropna()`` takes a part of the rows, ``frame.fillna(0)`` keeps them."""
    followed = state.knowledge.those_followed(("thins-rows", "keeps-rows"), name)
    if gives_one_a_row(state, node, name, 0):
        return rows_of(state, base)
    thins = "thins-rows" in followed or name == "drop"
    if thins:
        of_columns = keyword(node, "axis") in (1, "columns") or keyword(node, "columns") is not None
        if name == "drop" and len(node.args) > 1:
            of_columns = of_columns or ast.unparse(node.args[1]) in ("1", "'columns'")
        thins = not of_columns
    if not thins and "keeps-rows" not in followed and name != "drop":
        note_unknown_use(state, node, name, "")
        fit = state.rows.fits.get(rows_of(state, base).rows.found) if state.rows.fits else None
        if fit is not None and name not in state.knowledge.groups["tells-nothing"]:  # ``model.save("model.h5")``
            fit.is_used_elsewhere = True
        return None
    before = rows_of(state, base)
    if thins:
        if name in state.knowledge.groups["takes-rows"] and node.args:
            return rows_at(state, node, before, node.args[0])
        step = state.step(node, "a part of the data is taken here")
        key = ("drop", key_of(state, node.args[0])) if name == "drop" and node.args else object()
        before = RowsOf(before.rows.part(key, "part", step), before.learned, before.fit)
    if name == "apply" and (learned := learned_by_applied(state, node, before)) is not None:
        before = RowsOf(before.rows, before.learned | {learned}, before.fit)
    if keyword(node, "inplace"):
        rebind_rows(state, base, before)
        return None
    return before


def learned_by_applied(state: AnalysisState, node: ast.Call, data: RowsOf) -> Learned | None:
    """``frame.apply(zscore)``, ``frame.apply(lambda x: (x - x.mean()) / x.std())``: what each column has learned."""
    own = state.rows.by_hand.get(node)
    if own is not None:
        return learning(state, node, own.by, data.rows, own.by_hand)
    named = called_name(node.args[0]) if node.args else ""
    scales = named in state.knowledge.groups["scales"] and keyword(node, "axis") not in (1, "columns")
    return learning(state, node, f"{named}()", data.rows) if scales else None


def after_growth(state: AnalysisState, node: ast.Call, base: ast.expr, name: str) -> RowsOf | None:
    """``rows.append(row)`` changes a list; ``frame.append(other)`` returns a new frame with the rows of both.

    ``frame.pop("age")`` takes a column out, and leaves the rows as they are.
    """
    if name == "pop" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        return rows_of(state, ast.copy_location(ast.Subscript(base, node.args[0], ast.Load()), node))
    holder = holder_of(state, base)
    for given in node.args[-1:]:  # what is collected may be measured later: ``guesses.append(model.predict(X[test]))``
        one = rows_of(state, given)
        if one.fit is not None and not covers(one.fit.rows, one.rows):
            one.fit.is_used_elsewhere = True
        if (kept := state.rows.fits.get(one.rows.found)) is not None:
            kept.is_used_elsewhere = True  # ``models.append(model)``
    if name == "append" and node.args and state.assigned_targets:
        parts = (rows_of(state, base).rows.found, rows_of(state, node.args[0]).rows.found)
        return RowsOf(RowSet(contains=parts, is_union=True))
    if holder is None:
        return None
    before, added = state.rows.held.get(holder), node.args[0] if name == "append" and node.args else None
    if added is not None and before is not None and is_added_once(state, base, before):
        state.rows.held[holder] = RowsOf(RowSet(key=WRITTEN_OUT), entries=(*before.entries, rows_of(state, added)))
        return None
    if isinstance(added, (ast.Tuple, ast.List, ast.Dict)) and not (before is not None and before.entries):
        one = rows_of(state, added)  # ``folds.append((X[train], X[test]))``
        known = before.each if before is not None else None
        state.rows.held[holder] = RowsOf(RowSet(), each=one if known is None else rows_of_either(known, one))
    else:
        state.rows.held.pop(holder, None)
    return None


def is_added_once(state: AnalysisState, base: ast.expr, before: RowsOf) -> bool:
    """Whether a list whose entries are all known gets one more here, and not one in each pass of a loop."""
    if before.rows.found.key != WRITTEN_OUT or len(before.entries) >= MOST_ENTRIES:
        return False
    held = options(value_of(state, base))
    loops = [state.active_axes - v.allocation_loops for v in held if isinstance(v, HeapObject)]
    return len(loops) == 1 and loops[0] <= state.rows.one_by_one
