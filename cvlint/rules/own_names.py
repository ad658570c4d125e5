"""The code that the author should write, in the author's own names.

An advice of a rule file can have blanks such as ``{with_scores}``. A blank is a piece of code that is made of the
author's: ``roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])``. It stays empty unless all of it is certain, and
then the rule gives its general advice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cvlint.findings.code_block import function_of, place_of, way_to
from cvlint.findings.fingerprint import parents_of, statement_of
from cvlint.records import dataclass, field
from cvlint.rules.bindings import (
    Bindings,
    assignments_at,
    end_of,
    is_split_without_labels,
    method_calls,
    path_of,
    paths_given,
    paths_in,
    paths_split_without_labels,
    start_of,
)
from cvlint.rules.own_calls import (
    CROSS_VALIDATIONS,
    MARGINS,
    RANKINGS,
    STRATIFIED,
    called,
    counts,
    cross_validated,
    f_call,
    fold_loop,
    gives_probabilities,
    held_out,
    is_short,
    keras_names,
    loop_names,
    scores_behind,
    settings_of,
    transformer_names,
)

if TYPE_CHECKING:
    from cvlint.analysis.domain.trace import Step
    from cvlint.analysis.events import Event
    from cvlint.source.module import Source

LONGEST = 100
"""The characters of the longest code that an advice shows."""


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Fills the blanks of the advices for one file."""

    bindings: Bindings = field(default_factory=Bindings)

    def advice(self, event: Event, templates: tuple[str, ...]) -> str | None:
        """The first template all of whose blanks can be filled; None if there is none."""
        if not templates:
            return None
        known = {key: text for key, text in self.code(event) if text and len(text) <= LONGEST and "\n" not in text}
        for template in templates:
            try:
                return template.format_map(known)
            except KeyError:
                continue
        return None

    def code(self, event: Event) -> Iterator[tuple[str, str]]:
        """The blanks of an event and the code for them; empty where something is not certain."""
        match event.name:
            case "measure":
                yield from self.scores(event)
                yield from cross_validated(event, "fold_scores")
                yield "fold_loop", fold_loop(event)
            case "reduce":
                yield from cross_validated(event, "pooled")
                yield from loop_names(event)
                yield from keras_names(event)
                yield "fold_loop", fold_loop(event)
            case "report":
                yield from self.searched(event)
            case "split":
                yield from self.stratified(event)
            case "fit":
                yield from self.fitted_on_part(event)
                yield from transformer_names(event)
            case "refit":
                yield from self.transformed(event)
            case "formula":
                yield "with_guard", self.with_guard(event)
            case "choose":
                is_test = event.facts.get("part") == "test"
                yield "test_data", event.facts.get("data", "") if is_test else ""
            case "trained":
                yield "held_out", held_out(event)
            case _:
                pass

    def scores(self, event: Event) -> Iterator[tuple[str, str]]:
        """What a ranking measure should get in the place of labels.

        ``roc_auc_score(y, model.predict_proba(X)[:, 1])`` for one with ``model.predict(X)``; or ``p`` for ``p > 0.5``.
        """
        node = event.node
        if not isinstance(node, ast.Call) or len(node.args) < 2 or called(node) not in RANKINGS:
            return
        labels = node.args[1]
        made = self.assigned(event.source, node, labels) if isinstance(labels, ast.Name) else labels
        if made is None:
            return
        if isinstance(labels, ast.Name) and scores_behind(made) == labels.id:
            yield "overwritten", labels.id
        if not self.is_unchanged(event.source, statement_of(made, parents_of(event.source.tree)), node, made):
            return
        yield "score_array", scores_behind(made)
        match made:
            case ast.Call(func=ast.Attribute(value=model, attr="predict"), args=[data], keywords=[]) if path_of(model):
                if any(one.arg != "pos_label" for one in node.keywords):
                    return  # several classes
                is_margin = self.has_margins(event.source, node, model)
                method, rows = ("decision_function", "") if is_margin else ("predict_proba", "[:, 1]")
                scores = f"{path_of(model)}.{method}({ast.unparse(data)}){rows}"
                yield "with_scores", f"{ast.unparse(node.func)}({ast.unparse(node.args[0])}, {scores})"
            case _:
                pass

    def has_margins(self, source: Source, place: ast.AST, model: ast.expr, depth: int = 4) -> bool:
        """Whether a model, or one in its pipeline or search, is a classifier that has only a ``decision_function``."""
        made = model if isinstance(model, ast.Call) else self.assigned(source, place, model)
        if made is None or not depth:
            return False
        calls = [one for one in ast.walk(made) if isinstance(one, ast.Call)]
        if any(called(one) in MARGINS and not gives_probabilities(one) for one in calls):
            return True
        names = [one for one in ast.walk(made) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
        return any(self.has_margins(source, made, name, depth - 1) for name in names)

    def searched(self, event: Event) -> Iterator[tuple[str, str]]:
        """The search whose own score is reported, and its evaluation on data that it has not seen."""
        owners = {
            path_of(one.value)
            for one in ast.walk(event.node)
            if isinstance(one, ast.Attribute) and one.attr in ("best_score_", "cv_results_")
        } - {""}
        if len(owners) != 1:
            return
        (search,) = owners
        scope = function_of(event.node, parents_of(event.source.tree)) or event.source.tree
        fits = method_calls(scope).get((search, "fit"), [])
        call = f_call(event)
        if len(fits) == 1 and len(fits[0].args) == 2 and call and is_short(*fits[0].args):
            data, truth = map(ast.unparse, fits[0].args)
            yield "search", search
            yield "searched", f"{call[0]}({truth}, cross_val_predict({search}, {data}, {truth}, cv=5){call[1]})"

    def stratified(self, event: Event) -> Iterator[tuple[str, str]]:
        """The splitter that stratifies, with the same arguments, and the call that splits without labels."""
        node = event.node
        if not isinstance(node, ast.Call) or called(node) not in STRATIFIED:
            return
        stratified = f"{STRATIFIED[called(node)]}({', '.join(map(ast.unparse, [*node.args, *settings_of(node)]))})"
        parents = parents_of(event.source.tree)
        match statement_of(node, parents):
            case ast.Assign(targets=[target], value=value) if value is node and path_of(target):
                name = path_of(target)
            case _:
                name = ""
        scope = function_of(node, parents) or event.source.tree
        splits = method_calls(scope).get((name, "split"), []) if name else split_of(node, parents)
        is_plain = name in paths_split_without_labels(scope) if name else all(map(is_split_without_labels, splits))
        if splits and is_plain:
            yield "stratified", stratified
            yield "split_call", ast.unparse(splits[0])
        given_to = parents.get(node)
        is_given = (isinstance(given_to, ast.keyword) and given_to.arg == "cv") or name in paths_given(scope, "cv")
        if not splits and is_given:
            yield "stratified_cv", stratified

    def fitted_on_part(self, event: Event) -> Iterator[tuple[str, str]]:
        """The fit on the training part, after the split; or the transform in a pipeline with the model."""
        node, split = event.node, event.trace[-1] if event.trace else None
        match statement_of(node, parents_of(event.source.tree)):
            case ast.Assign(targets=[target], value=value) if value is node and path_of(target):
                made = path_of(target)
            case _:
                return
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="fit_transform"), args=[data], keywords=[]) if (
                split is not None and split.source is event.source and isinstance(split.node, ast.Call)
            ):
                yield from self.after_split(event.source, split.node, made, owner, data)
                yield from self.in_pipeline(event.source, node, split.node, made, owner, data)
            case _:
                pass

    def after_split(
        self, source: Source, split: ast.Call, made: str, owner: ast.expr, data: ast.expr
    ) -> Iterator[tuple[str, str]]:
        """``X_train = scaler.fit_transform(X_train); X_test = scaler.transform(X_test)``."""
        if called(split) != "train_test_split" or not split.args or path_of(split.args[0]) != made:
            return
        match statement_of(split, parents_of(source.tree)):
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=train), ast.Name(id=test), *_])], value=value) if (
                value is split and path_of(owner) and is_short(data)
            ):
                name = path_of(owner)
                yield "whole", ast.unparse(data)
                yield "on_parts", f"{train} = {name}.fit_transform({train}); {test} = {name}.transform({test})"
            case _:
                pass

    def in_pipeline(
        self, source: Source, fit: ast.AST, split: ast.Call, made: str, owner: ast.expr, data: ast.expr
    ) -> Iterator[tuple[str, str]]:
        """``cross_val_score(make_pipeline(StandardScaler(), model), X, y)``."""
        if called(split) not in CROSS_VALIDATIONS or len(split.args) < 2 or path_of(split.args[1]) != made:
            return
        transformer = owner if isinstance(owner, ast.Call) else self.assigned(source, fit, owner)
        if not isinstance(transformer, ast.Call) or not is_short(transformer, split.args[0], data):
            return
        model = f"make_pipeline({ast.unparse(transformer)}, {ast.unparse(split.args[0])})"
        rest = [*map(ast.unparse, split.args[2:]), *map(ast.unparse, split.keywords)]
        yield "transformer", called(transformer)
        yield "in_pipeline", f"{ast.unparse(split.func)}({', '.join([model, ast.unparse(data), *rest])})"

    def transformed(self, event: Event) -> Iterator[tuple[str, str]]:
        """``scaler.transform(X_test)`` for ``scaler.fit_transform(X_test)``, if it is still the same scaler."""
        first: Step = event.trace[0]
        match event.node, first.node:
            case (
                ast.Call(func=ast.Attribute(value=owner, attr="fit_transform"), args=[data], keywords=[]) as again,
                ast.Call(func=ast.Attribute(value=other, attr="fit_transform" | "fit")),
            ) if path_of(owner) and path_of(owner) == path_of(other) and first.source is event.source:
                if self.is_unchanged(event.source, first.node, again, owner):
                    yield "transformer", path_of(owner)
                    yield "transformed", f"{path_of(owner)}.transform({ast.unparse(data)})"
            case _:
                pass

    def with_guard(self, event: Event) -> str:
        """``tp / (tp + fp) if tp + fp else 0.0``; empty for values that may be arrays."""
        node = event.node
        divisions = [one for one in ast.walk(node) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div)]
        if not isinstance(node, ast.BinOp) or len(divisions) != 1:
            return ""
        paths = sorted(set(paths_in(node)))
        names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
        if not paths or not all(self.is_number(event.source, node, name) for name in names):
            return ""
        return f"{ast.unparse(node)} if {ast.unparse(divisions[0].right)} else 0.0"

    def is_number(self, source: Source, place: ast.AST, node: ast.expr, depth: int = 4) -> bool:
        """Whether an expression is one number: a count, an entry of a confusion matrix, or computed of such."""
        match node:
            case ast.Constant(value=int() | float()):
                return True
            case ast.BinOp(left=left, right=right):
                return all(self.is_number(source, place, one, depth) for one in (left, right))
            case ast.Name() if depth:
                value = self.assigned(source, place, node)
                if value is not None:
                    return self.is_number(source, value, value, depth - 1)
                return self.is_counter(source, place, node)
            case _:
                return counts(node)

    def is_counter(self, source: Source, place: ast.AST, name: ast.Name) -> bool:
        """Whether a name is one of the four counts of a confusion matrix, or is counted up: ``tp += 1``."""
        scope = function_of(place, parents_of(source.tree)) or source.tree
        bound = self.bindings.last_before(scope, name.id, place)
        match assignments_at(scope).get(bound) if bound else None:
            case ast.Assign(targets=[ast.Tuple(elts=[_, _, _, _])], value=value) if called(value) == "ravel":
                return "confusion_matrix" in ast.unparse(value)
            case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=int())):
                return True
            case _:
                return False

    def assigned(self, source: Source, node: ast.AST, name: ast.expr) -> ast.expr | None:
        """The expression that was assigned to a name, if nothing else can have bound it before ``node``."""
        path, parents = path_of(name), parents_of(source.tree)
        scope = function_of(node, parents) or source.tree
        bound = self.bindings.last_before(scope, path, node)
        if bound is None:
            return None
        bodies = {id(body) for body, _ in way_to(statement_of(node, parents), parents)}
        match assignments_at(scope).get(bound):
            case ast.Assign(targets=[target], value=value) as one:
                place = place_of(one, parents)
                is_certain = path_of(target) == path and place is not None and id(place[0]) in bodies
                return value if is_certain and end_of(one) <= start_of(node) else None
            case _:
                return None

    def is_unchanged(self, source: Source, one: ast.AST, other: ast.AST, names: ast.AST) -> bool:
        """Whether the names in an expression hold the same values at two places of one function."""
        parents = parents_of(source.tree)
        if function_of(one, parents) is not function_of(other, parents):
            return False
        found = set(paths_in(names))
        return all(
            self.bindings.versioned(source, one, path) == self.bindings.versioned(source, other, path) for path in found
        )


def split_of(node: ast.Call, parents: Mapping[ast.AST, ast.AST]) -> list[ast.Call]:
    """The call of ``split`` on the very object that a call makes: ``KFold(5).split(X)``."""
    method = parents.get(node)
    call = parents.get(method) if isinstance(method, ast.Attribute) and method.attr == "split" else None
    return [call] if isinstance(call, ast.Call) and call.func is method else []
