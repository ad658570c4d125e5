"""What a program prints, logs or formats. Effects: ``show``, ``log``, ``format``.

A value that is printed or saved is a result: the checkers look here for reported scores of a search, and for results
that stand side by side.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.best_shown import check_best_shown
from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.leakage.final_tests import note_shown_folds
from cvlint.analysis.checkers.search_scores import report_scores, text_value
from cvlint.analysis.domain.codomain import TEXT
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.texts import formatted
from cvlint.analysis.domain.value import AnyValue, Const, Data
from cvlint.analysis.heap.files import write_record
from cvlint.analysis.heap.paths import formatted_text
from cvlint.analysis.models.experiment.training_loops import log_metrics
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def show_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``print(x)``."""
    show_values(state, arguments, node)
    if isinstance(file := arguments[1].get("file"), HeapObject):
        text = arguments[0][0] if len(arguments[0]) == 1 else text_value(arguments[0])
        write_record(state, file, joined_entries(text), node)
    return Const()


def show_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``logger.info(x)``, ``writer.add_scalar("f1", x)``: a person sees the values."""
    show_values(state, arguments, node)
    return Const()


def show_values(state: AnalysisState, arguments: Arguments, node: ast.AST) -> None:
    """A person sees the values that a call gets; of an object, its attributes."""
    given = [*arguments[0], *arguments[1].values()]
    shown = given + [held for value in given if isinstance(value, Instance) for held in value.attributes.values()]
    for value in shown:
        report_scores(state, value, node)
    check_side_by_side(state, arguments[0], node)
    check_best_shown(state, node, shown)


def log_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``self.log("val_f1", f1)`` of Lightning averages over batches; ``wandb.log`` and ``logger.log`` only show."""
    log_metrics(state, arguments, node)
    return show_method(state, base, entry, arguments, node)


def format_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``"{}_macro".format(name)``: a known text where all arguments are known."""
    values = [*arguments[0], *arguments[1].values()]
    known = [v.value for v in values if isinstance(v, Const)]
    if entry.name == "format" and isinstance(base, Const) and isinstance(base.value, str) and len(known) == len(values):
        if base.value.count("{}") == len(known) == base.value.count("{"):
            text = formatted(base.value, known)
            return Data(codomain=TEXT) if text is None else Const(value=text)
        return Data(codomain=TEXT)
    check_side_by_side(state, values, node)
    note_shown_folds(state, values)
    if entry.name == "format" and isinstance(node.func, ast.Attribute) and not node.keywords:
        return formatted_text(state, node.func.value, base, ast.Tuple(node.args, ast.Load()), values)
    return joined_entries(values[0]) if len(values) == 1 else text_value(values)


def joined_entries(value: AnyValue) -> AnyValue:
    """``",".join(texts)``: a text that holds the entries."""
    return value if isinstance(value, HeapObject) and measures_in(value) else text_value([value])
