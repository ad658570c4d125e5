"""What fits do with rows: models, transformers, resamplers and tokenizers that get data."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from cvlint.analysis.checkers.rows.arguments import arguments_given
from cvlint.analysis.checkers.rows.carried_models import note_carried_model
from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.checkers.rows.learning import CATEGORIES, learned_from, learning, note_applied
from cvlint.analysis.checkers.rows.measuring import note_measured
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.rows import HoldOutPart, ModelFit, RowSet, RowsOf, is_root, unify
from cvlint.analysis.domain.value import AnyValue, LibraryObject
from cvlint.analysis.inference.true_labels import are_labels
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, root_name
from cvlint.analysis.taint import taint_at
from cvlint.source.parsing import walk


def after_fit(
    state: AnalysisState, node: ast.Call, base: ast.expr, name: str, roles: set[str], held: Sequence[AnyValue]
) -> RowsOf | None:
    """``model.fit(X, y)``, ``scaler.fit_transform(X)``, ``scaler.transform(X)``, ``smote.fit_resample(X, y)``."""
    given = arguments_given(state, node, "X", "x", "y")
    if not given:
        return None
    data, one = rows_of(state, given[0]), rows_of(state, base)
    if name in state.knowledge.groups["resamples"]:
        return resampled(state, data, given, held)
    if data.fit is not None and "transform" in name:
        return data  # predictions in another scale
    if "transformer" in roles:
        return transformed(state, node, one.rows.found, data, name, held)
    if name == "fit" and len(given) > 1 and not roles & {"resampler", "loader", "splitter"}:
        fit = fit_model(state, node, one.rows.found, data, given, roles)
        if fit is not None:
            note_carried_model(state, node, fit, held, given[0])
        return one
    if name == "fit" and "estimator" in roles and data.fit is None:
        fit = note_fit(state, node, base, one.rows.found, data)
        fit.has_no_labels = True
        note_carried_model(state, node, fit, held, given[0])
        return one
    if name == "fit":
        state.rows.fits.pop(one.rows.found, None)
        return one
    return RowsOf(data.rows, data.learned) if "transform" in name else None


def labelled(state: AnalysisState, given: list[ast.expr]) -> RowsOf | None:
    """``xgb.DMatrix(X, label=y)`` holds the rows of both."""
    if not given:
        return None
    data = rows_of(state, given[0])
    if len(given) > 1:
        unify(data.rows, rows_of(state, given[1]).rows)
    return RowsOf(data.rows, data.learned)


def trained(state: AnalysisState, node: ast.Call, parameters: Sequence[str]) -> RowsOf:
    """``lgb.train(settings, data)`` returns a model that was fitted to data with labels.

    ``parameters`` are those of the function, up to the one that the data are given by.
    """
    model, at = RowSet(), len(parameters) - 1
    given = [k.value for k in node.keywords if k.arg == parameters[-1]] or node.args[at : at + 1]
    data = rows_of(state, given[0]) if given else None
    if data is not None and data.fit is None:
        note_fit(state, node, node, model, data)
    return RowsOf(model)


def fit_model(
    state: AnalysisState, node: ast.Call, model: RowSet, data: RowsOf, given: list[ast.expr], roles: set[str]
) -> ModelFit | None:
    """A model is fitted to rows with labels: both hold the same rows."""
    assert isinstance(node.func, ast.Attribute)
    truth, base = rows_of(state, given[1]), node.func.value
    state.rows.fits.pop(model, None)
    made_by = state.environment.definitions.get(base.id) if isinstance(base, ast.Name) else None
    named = names_in(base) | (names_in(made_by) if made_by is not None else frozenset())
    if data.fit is not None or truth.fit is not None or follows(state, "learns-of-unlabelled", named):
        return None  # predictions against labels, a plot
    unify(data.rows, truth.rows)
    if is_root(data.rows.found) and was_split(truth.rows.found):
        data = RowsOf(truth.rows, data.learned)  # whatever the features are, these are labels of the test part, too
    fit = note_fit(state, node, base, model, data)
    for held_out in held_out_data(state, node):
        note_measured(state, node, fit, *(rows_of(state, part) for part in held_out.elts[:2]))
    is_given = isinstance(base, ast.Name) and base.id in parameters_of(state.frame.node)
    fit.is_used_elsewhere |= (
        follows(state, "describes", named)
        or (is_given and not isinstance(state.frame.call, ast.Call))  # whoever calls the function has the model, too
    )
    return fit


def was_split(rows: RowSet) -> bool:
    """Whether a hold-out has parts of all rows."""
    return any(isinstance(key, HoldOutPart) for key in rows.parts)


def held_out_data(state: AnalysisState, node: ast.Call) -> list[ast.Tuple]:
    """The data that a fit is measured on after each epoch: ``net.fit(X, y, validation_data=(V, v))``."""
    watched = state.knowledge.groups["held-out-arguments"]
    given = [k.value for k in node.keywords if k.arg in watched]
    return [data for data in given if isinstance(data, ast.Tuple) and len(data.elts) > 1]


def note_fit(state: AnalysisState, node: ast.Call, base: ast.expr, model: RowSet, data: RowsOf) -> ModelFit:
    """A model was fitted to data; ``base`` is what it is called by."""
    step = state.step(node, "the model is fitted to these rows here")
    fit = ModelFit(step, name_of_model(state, base), model, data.rows.found, data.learned)
    fit.functions, fit.is_called = frozenset(f.node for f in state.frames), isinstance(state.frame.call, ast.Call)
    held_out = state.knowledge.groups["held-out-arguments"]
    fit.is_used_elsewhere = any(k.arg in held_out and not isinstance(k.value, ast.Tuple) for k in node.keywords)
    state.rows.fits[model] = fit
    state.rows.all_fits.append(fit)
    note_columns(state, node)
    return fit


def note_columns(state: AnalysisState, node: ast.Call) -> None:
    """A model gets some columns of a part of a split: note what was learned to make them, before the split."""
    found = taint_at(state, *node.args, *(k.value for k in node.keywords))
    learned = {label.step.node for label in found if label.kind == "learned"}
    for label in found:
        if label.kind == "rows":
            state.rows.columns_of_models.setdefault(label.step.node, set()).update(learned)


def parameters_of(code: ast.AST) -> set[str]:
    """The names of the parameters of a function."""
    return {a.arg for a in walk(code.args) if isinstance(a, ast.arg)} if hasattr(code, "args") else set()


def follows(state: AnalysisState, convention: str, names: Iterable[str]) -> bool:
    """Whether one of the names follows a convention."""
    return any(state.knowledge.conforms(convention, name) for name in names)


def name_of_model(state: AnalysisState, base: ast.expr) -> str:
    """What a message calls a model: its name, or that of its class."""
    match base:
        case ast.Call():
            return state.target or called_name(base.func) or "the model"
        case _:
            return ast.unparse(base)


def transformed(
    state: AnalysisState, node: ast.Call, transformer: RowSet, data: RowsOf, name: str, held: Sequence[AnyValue]
) -> RowsOf:
    """A transformer learns from rows, or is applied to them."""
    by = next(v for v in held if isinstance(v, LibraryObject))
    learned = before = state.rows.learned.get(transformer)
    if name != "transform":
        title = by.name.rpartition(".")[2]
        learned = None
        source = learned_from(by)
        if source in CATEGORIES and node.args and encodes_labels(state, node.args[0]):
            source = "nothing"
        if source in ("values", "chance", *CATEGORIES):
            learned = learning(state, node, title, data.rows, of_categories=source in CATEGORIES)
            learned = replace(learned, of_chance=source == "chance", before=before)
            state.rows.learned[transformer] = learned
        else:
            state.rows.learned.pop(transformer, None)
    if name == "fit":
        return RowsOf(transformer)
    if learned is not None:
        note_applied(state, learned, data.rows)
    return RowsOf(data.rows, data.learned | ({learned} if learned is not None else set()))


def encodes_labels(state: AnalysisState, data: ast.expr) -> bool:
    """Whether data are true labels, ``y_true.reshape(-1, 1)``, of which each part is taken to have all classes."""
    has_columns = any(isinstance(child, ast.Subscript) for child in walk(data))
    return not has_columns and are_labels(state, root_name(data))


def learn_words(state: AnalysisState, node: ast.Call, tokenizer: RowSet, texts: RowSet) -> None:
    """``tokenizer.fit_on_texts(texts)``: words get numbers; those that it knows already may get others."""
    state.rows.learned[tokenizer] = learning(state, node, "Tokenizer", texts, of_categories=True)


def resampled(state: AnalysisState, data: RowsOf, given: list[ast.expr], held: Sequence[AnyValue]) -> RowsOf:
    """``SMOTE().fit_resample(X, y)`` holds all rows and new ones; undersampling leaves some out."""
    if len(given) > 1:
        unify(data.rows, rows_of(state, given[1]).rows)
    fewer = any(isinstance(v, LibraryObject) and v.facts.get("rows") == "fewer" for v in held)
    known = any(isinstance(v, LibraryObject) and v.role == "resampler" for v in held)
    contains = (data.rows.found,) if known and not fewer else ()
    rows = RowSet(contains=contains) if not fewer else data.rows.part(object(), "part")
    return RowsOf(rows, entries=(RowsOf(rows, data.learned), RowsOf(rows)))
