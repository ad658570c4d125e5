"""What a program prints, logs, formats or saves. Effects: ``show``, ``log``, ``format``, ``save``.

A value that is printed or saved is a result: the checkers look here for reported scores of a search, and for results
that stand side by side.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.search_scores import report_scores, text_value
from cvlint.analysis.checkers.selection_bias import check_best_shown
from cvlint.analysis.domain.value import AnyValue, Const, Data
from cvlint.analysis.models.experiment.training_loops import log_metrics
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def show_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``print(x)``."""
    for value in arguments[0]:
        report_scores(state, value)
    check_side_by_side(state, arguments[0], node)
    check_best_shown(state, node, (*arguments[0], *arguments[1].values()))
    return Const()


def show_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``logger.info(x)``, ``writer.add_scalar("f1", x)``: a person sees the values."""
    for value in (*arguments[0], *arguments[1].values()):
        report_scores(state, value)
    check_side_by_side(state, arguments[0], node)
    check_best_shown(state, node, (*arguments[0], *arguments[1].values()))
    return Const()


def log_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``self.log("val_f1", f1)`` of Lightning averages over batches; ``wandb.log`` and ``logger.log`` only show."""
    log_metrics(state, arguments, node)
    return show_method(state, base, entry, arguments, node)


def save_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.to_csv(path)`` reports what is in the frame; the path reports nothing."""
    report_scores(state, base)
    check_best_shown(state, node, [base])
    return Const()


def format_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``"{}_macro".format(name)``: a known text where all arguments are known."""
    values = [*arguments[0], *arguments[1].values()]
    known = [v.value for v in values if isinstance(v, Const)]
    if entry.name == "format" and isinstance(base, Const) and isinstance(base.value, str) and len(known) == len(values):
        if base.value.count("{}") == len(known) == base.value.count("{"):
            return Const(value=base.value.format(*known))
        return Data(codomain="text")
    check_side_by_side(state, values, node)
    return text_value(values)
