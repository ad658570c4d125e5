"""Imports: names of libraries, and of other modules of the same project, which are read when a name is used."""

from __future__ import annotations

import ast
from pathlib import Path

from cvlint.analysis.domain.value import AnyValue, Data, Library, Module, Thing
from cvlint.analysis.state import Run


def bind_imports(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    """Bind the names of an import statement."""
    match node:
        case ast.Import():
            for alias in node.names:
                bind_module(run, alias.name, alias.asname)
        case ast.ImportFrom():
            path = run.locate(run.scope.module, node.module or "", node.level)
            for alias in node.names:
                bind_from(run, node, alias, path)


def bind_module(run: Run, name: str, alias: str | None) -> None:
    """``import a.b as c``."""
    path = None if is_own(run, f"{name}.") else run.locate(run.scope.module, name, 0)
    if path is not None and (alias or "." not in name):
        run.scope.bind(alias or name, module_at(run, path))
    elif alias is not None:
        run.scope.bind(alias, Library(name=run.knowledge.canonical(name)))
    else:
        top = name.partition(".")[0]
        run.scope.bind(top, Library(name=top))


def is_own(run: Run, name: str, level: int = 0) -> bool:
    """Whether the project's own knowledge speaks of a name, or of names in a module: its code need not be followed."""
    return any(own.startswith(name) or (level and own.endswith(f".{name}")) for own in run.knowledge.own)


def module_at(run: Run, path: Path) -> Thing:
    """A module of the project that has not been read yet."""
    return Thing(role="module", facts={"path": path, "importer": run.scope.module})


def bind_from(run: Run, node: ast.ImportFrom, alias: ast.alias, path: Path | None) -> None:
    """One name of ``from module import name``."""
    module = run.scope.module
    if alias.name == "*":
        if path is None:
            module.stars.append(run.knowledge.canonical(node.module or ""))
        else:
            module.star_files.append(path)
        return
    spelled = f"{node.module}.{alias.name}" if node.module else alias.name
    if is_own(run, spelled, node.level):
        full = next(own for own in run.knowledge.own if own.startswith(spelled) or own.endswith(f".{spelled}"))
        run.scope.bind(alias.asname or alias.name, Library(name=full))
        return
    inner = run.locate(module, f"{node.module}.{alias.name}" if node.module else alias.name, node.level)
    if path is not None:
        facts = {"path": path, "importer": module, "name": alias.name, "inner": inner}
        value: AnyValue = Thing(role="later", facts=facts)
    elif inner is not None:
        value = module_at(run, inner)
    else:
        prefix = "." * node.level + (node.module or "")
        value = Library(name=f"{run.knowledge.canonical(prefix)}.{alias.name}")
    run.scope.bind(alias.asname or alias.name, value)


def imported(run: Run, value: AnyValue) -> AnyValue:
    """What an imported name stands for: now its module is read."""
    if not (isinstance(value, Thing) and value.role == "later"):
        return value
    facts = value.facts
    if "value" not in facts:
        facts["value"] = Data(opaque=True)  # should the module import itself
        module = run.open_module(facts["importer"], facts["path"])
        found = None if module is None else name_of(run, module, facts["name"])
        if found is None and facts["inner"] is not None:
            found = Thing(role="module", facts={"path": facts["inner"], "importer": facts["importer"]})
        facts["value"] = found or Data(opaque=True)
    result: AnyValue = facts["value"]
    return result


def name_of(run: Run, module: Module, name: str, seen: tuple[Module, ...] = ()) -> AnyValue | None:
    """A name of another module, those that it star-imports included."""
    found = module.scope.names.get(name)
    if found is not None:
        return imported(run, found)
    return star_imported(run, module, name, seen)


def star_imported(run: Run, module: Module, name: str, seen: tuple[Module, ...] = ()) -> AnyValue | None:
    """A name that a module star-imports from the project or from a library; modules may import each other."""
    seen = (*seen, module)
    for path in module.star_files:
        other = run.open_module(module, path)
        found = None if other is None or other in seen else name_of(run, other, name, seen)
        if found is not None:
            return found
    for library in module.stars:
        if run.knowledge.entry(f"{library}.{name}") is not None:
            return Library(name=f"{library}.{name}")
    return None


def module_member(run: Run, base: Thing, name: str) -> AnyValue:
    """A name of another module of the project."""
    module = run.open_module(base.facts["importer"], base.facts["path"])
    found = None if module is None else name_of(run, module, name)
    return found if found is not None else Data(run.active_axes, opaque=True)
