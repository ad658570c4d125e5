"""Names: what is bound to them, here or in another file, and what they mean where nothing binds them."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Data, LibraryName, LibraryObject, library
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.interpreter.imports import resolve_import, star_imported
from cvlint.analysis.state import AnalysisState
from cvlint.knowledge.loader import Knowledge


def evaluate_name(state: AnalysisState, node: ast.Name) -> AnyValue:
    """The value of a name: bound, star-imported, a builtin, or well known even without an import."""
    name = node.id
    environment: Environment | None = state.environment
    while environment is not None:
        found = environment.bindings.get(name)
        if found is not None:
            state.taint = environment.taint.get(name, NO_TAINT)
            return resolve_import(state, found) if type(found) is LibraryObject else found
        environment = environment.parent
    found = star_imported(state, state.environment.module, name)
    if found is not None:
        return resolve_import(state, found) if type(found) is LibraryObject else found
    if name not in state.usual_names:
        state.usual_names[name] = usually_named(state.knowledge, name)
    known = state.usual_names[name]
    return known or type_by_name(state, Data(opaque=True, axes=state.active_axes), name, node)


def usually_named(knowledge: Knowledge, name: str) -> LibraryName | None:
    """What a name means that nothing binds: a builtin, or what is usually imported under it."""
    if knowledge.entry(f"builtins.{name}") is not None:
        return library(f"builtins.{name}")
    if name in knowledge.usual_imports:
        return library(knowledge.usual_imports[name])
    return library(knowledge.by_tail[name], heuristic=True) if name in knowledge.by_tail else None
