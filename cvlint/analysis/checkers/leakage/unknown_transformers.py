"""Transformers that the knowledge does not name: classes of other libraries, and classes of the project.

An object with ``fit_transform`` learns from the data that it gets, because that is what the method is for. The name of
the object may say otherwise (encoders, tokenisers), and so may the body of a class of the project: a ``fit`` that keeps
nothing of its data has learned nothing.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import check_fit
from cvlint.analysis.checkers.leakage.own_statistics import OF_FIT, check_projection, label_fit, name_outside
from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in, root_name
from cvlint.analysis.taint import METADATA_ATTRIBUTES, add_taint, taint_at
from cvlint.source.parsing import walk

FITTING = ("fit", "fit_transform")
TRANSFORMING = ("transform", "fit_transform")


def check_unknown_transformer(state: AnalysisState, node: ast.Call) -> None:
    """``conn.fit_transform(X)``, or ``emb.fit(X)`` and ``emb.transform(X)``: nothing is known of the class."""
    func = node.func
    if not isinstance(func, ast.Attribute) or not node.args or not may_learn(state, func.value, node):
        return
    by = name_of_transformer(state, func.value)
    if func.attr == "fit_transform":
        check_fit(state, node, by, is_guess=True)
    else:
        check_fitted_part(state, node, by, is_guess=True)


def check_fitted_part(state: AnalysisState, node: ast.Call, by: str, is_guess: bool = False) -> None:
    """``SelectFromModel(forest, prefit=True).transform(X)``: the model in it was fitted to these data before."""
    fitted = taint_at(state, node.func.value) if isinstance(node.func, ast.Attribute) else NO_TAINT
    told = {m.step.node for m in fitted if m.kind == "learned"}  # of what may also be a transformer, at its ``fit``
    if any(m.kind == "statistic" and m.choice == OF_FIT and m.step.node not in told for m in fitted):
        check_projection(state, node, by, is_guess)


def check_own_transformer(state: AnalysisState, base: Instance | ClassValue, node: ast.Call, method: object) -> None:
    """``scaler.fit_transform(X)`` of a class of the project, after its body was evaluated."""
    func = node.func
    cls = base.cls if isinstance(base, Instance) else base
    code = method.node if isinstance(method, Function) else None
    if not isinstance(func, ast.Attribute) or not node.args or not isinstance(code, ast.FunctionDef):
        return
    if not (cls is not None and isinstance(cls.node, ast.ClassDef) and transforms(cls.node)):
        return
    if any(m.kind == "learned" and not m.step.owners.isdisjoint((code, cls.node)) for m in state.taint):
        return  # the body says what it learns
    if func.attr == "transform":
        check_unknown_transformer(state, node)
    elif func.attr in FITTING and keeps_data(code) and may_learn(state, func.value, node):
        if func.attr == "fit":
            learned = label_fit(state, node)
            state.taint |= learned
            add_taint(state, func.value, learned)
        else:
            check_fit(state, node, name_of_transformer(state, func.value), is_guess=True)


def may_learn(state: AnalysisState, transformer: ast.expr, node: ast.Call) -> bool:
    """Whether no name says that only labels or texts are encoded, or that only the training rows of data are taken."""
    names = (name_of_transformer(state, transformer), root_name(transformer), *names_in(transformer))
    if any(state.knowledge.conforms("encoder", name) for name in names):
        return False
    if any(takes_training_rows(state, given) for given in (*node.args[1:], *(k.value for k in node.keywords))):
        return False
    return bool(name := name_outside(state, node.args[0])) and not state.knowledge.conforms("truth", name)


def takes_training_rows(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an argument tells which rows to learn from: ``fit(data, rows["train"])``."""
    words = names_in(node) | {c.value for c in nodes_in(node, ast.Constant) if isinstance(c.value, str)}
    known = any(label.kind == "rows" for label in taint_at(state, node))
    return known or any(state.knowledge.conforms("training", word) for word in words)


def name_of_transformer(state: AnalysisState, node: ast.expr, kind: str = "transformer") -> str:
    """The name of the class of a transformer, if the code shows where it is made, else the name of the object."""
    made = node
    if isinstance(node, ast.Name):
        made = state.environment.definitions.get(node.id, node)
    return (isinstance(made, ast.Call) and called_name(made.func)) or f"the {kind} {ast.unparse(node)}"


def transforms(cls: ast.ClassDef) -> bool:
    """Whether a class brings data into another form, and predicts nothing."""
    methods = {s.name for s in cls.body if isinstance(s, ast.FunctionDef)}
    return not methods.isdisjoint(TRANSFORMING) and "predict" not in methods


def learns_by_its_body(cls: ast.ClassDef) -> bool:
    """Whether a class keeps something of the data that it is fitted to; one that inherits its ``fit`` may do so."""
    fits = [s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name in FITTING]
    return not fits or any(keeps_data(fit) for fit in fits)


def keeps_data(code: ast.FunctionDef) -> bool:
    """Whether a method keeps something in its object that it has computed from its data: ``self.mean = X.mean()``."""
    arguments = [a.arg for a in (*code.args.posonlyargs, *code.args.args)]
    known = set(arguments[1:2])
    kept = False
    for node in walk(code):  # in the order of the statements of a body
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.For)):
            continue
        value = node.iter if isinstance(node, ast.For) else node.value
        if not reads_values(value, known):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            kept = kept or any(root_of(part) in arguments[:1] for part in parts)
            known |= names_in(target) - {arguments[0]}
    return kept


def reads_values(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression reads the values of data, and not only the names of their columns or their size."""
    if isinstance(node, ast.Attribute) and node.attr in METADATA_ATTRIBUTES:
        return False
    if isinstance(node, ast.Name):
        return node.id in names
    return any(reads_values(child, names) for child in ast.iter_child_nodes(node))


def root_of(node: ast.expr) -> str:
    """The name of the object that an expression is a part of."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
