"""Imports: names of libraries, and of other modules of the same project, which are read when they are called."""

from __future__ import annotations

import ast

from cvlint.flow.run import Run
from cvlint.flow.values import Library, Module, Thing


def bind_imports(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    """Bind the names of an import statement."""
    match node:
        case ast.Import():
            for alias in node.names:
                bind_module(run, alias.name, alias.asname)
        case ast.ImportFrom():
            source = run.find_module(run.scope.module, node.module or "", node.level)
            for alias in node.names:
                bind_from(run, node, alias, source)


def bind_module(run: Run, name: str, alias: str | None) -> None:
    """``import a.b as c``."""
    module = run.find_module(run.scope.module, name, 0)
    if module is not None and (alias or "." not in name):
        run.scope.bind(alias or name, Thing(role="module", facts={"module": module}))
    elif alias is not None:
        run.scope.bind(alias, Library(name=run.knowledge.canonical(name)))
    else:
        top = name.partition(".")[0]
        run.scope.bind(top, Library(name=top))


def bind_from(run: Run, node: ast.ImportFrom, alias: ast.alias, source: Module | None) -> None:
    """One name of ``from module import name``."""
    if alias.name == "*":
        bind_all(run, node, source)
        return
    value = None if source is None else source.scope.lookup(alias.name)
    if value is None:
        inner = run.find_module(
            run.scope.module, f"{node.module}.{alias.name}" if node.module else alias.name, node.level
        )
        if inner is not None:
            value = Thing(role="module", facts={"module": inner})
    if value is None:
        prefix = "." * node.level + (node.module or "")
        value = Library(name=f"{run.knowledge.canonical(prefix)}.{alias.name}")
    run.scope.bind(alias.asname or alias.name, value)


def bind_all(run: Run, node: ast.ImportFrom, source: Module | None) -> None:
    """``from module import *``."""
    if source is None:
        run.scope.module.stars.append(run.knowledge.canonical(node.module or ""))
        return
    for name, value in source.scope.names.items():
        if not name.startswith("_"):
            run.scope.bind(name, value)
    run.scope.module.stars += source.stars
