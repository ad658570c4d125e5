"""Names, and the imports that bind them: of libraries, and of other modules, which are read when a name is used."""

from __future__ import annotations

import ast
from pathlib import Path

from cvlint.analysis.domain.environment import Environment, Module
from cvlint.analysis.domain.lattice import join
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Data, LibraryName, LibraryObject, Union, library
from cvlint.analysis.domain.work import work
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import nodes_in
from cvlint.knowledge.loader import Knowledge

BUILTINS = "builtins"


def bind_imports(state: AnalysisState, node: ast.Import | ast.ImportFrom) -> None:
    """Bind the names of an import statement."""
    match node:
        case ast.Import():
            for alias in node.names:
                bind_module(state, alias.name, alias.asname)
        case ast.ImportFrom():
            path = state.locate(state.environment.module, node.module or "", node.level)
            for alias in node.names:
                bind_from(state, node, alias, path)


def bind_module(state: AnalysisState, name: str, alias: str | None) -> None:
    """``import a.b as c``."""
    path = None if is_project_knowledge(state, f"{name}.") else state.locate(state.environment.module, name, 0)
    top = name.partition(".")[0]
    if path is not None and not is_read(state, alias or top):
        state.open_module(state.environment.module, path)  # it is imported for what it does: it registers itself
    if path is not None and (alias or "." not in name):
        state.environment.bind(alias or name, lazy_module(state, path, name))
    elif path is not None and (package := state.locate(state.environment.module, top, 0)) is not None:
        state.environment.bind(top, lazy_module(state, package, top))
    elif alias is not None:
        state.environment.bind(alias, LibraryName(name=state.knowledge.canonical(name)))
    else:
        state.environment.bind(top, LibraryName(name=top))


def is_read(state: AnalysisState, name: str) -> bool:
    """Whether the present module reads a name anywhere, or another one may: a package passes its names on."""
    source = state.environment.module.source
    reads = (node.id for node in nodes_in(source.tree, ast.Name) if isinstance(node.ctx, ast.Load))
    return source.path.stem == "__init__" or name in reads


def is_project_knowledge(state: AnalysisState, name: str, level: int = 0) -> bool:
    """Whether the project's own knowledge describes a name or names in a module: their code is not followed."""
    return any(own.startswith(name) or (level and own.endswith(f".{name}")) for own in state.knowledge.project_names)


def lazy_module(state: AnalysisState, path: Path, name: str = "") -> LibraryObject:
    """A module of the project that has not been read yet; ``name``: under which it is imported, if that is absolute."""
    return LibraryObject(role="module", facts={"path": path, "importer": state.environment.module, "name": name})


def bind_from(state: AnalysisState, node: ast.ImportFrom, alias: ast.alias, path: Path | None) -> None:
    """One name of ``from module import name``."""
    module = state.environment.module
    if alias.name == "*":
        if path is None:
            module.stars.append(state.knowledge.canonical(node.module or ""))
        else:
            module.star_files.append(path)
        return
    spelled = f"{node.module}.{alias.name}" if node.module else alias.name
    if is_project_knowledge(state, spelled, node.level):
        full = next(
            own for own in state.knowledge.project_names if own.startswith(spelled) or own.endswith(f".{spelled}")
        )
        state.environment.bind(alias.asname or alias.name, LibraryName(name=full))
        return
    value: AnyValue
    inner = state.locate(module, f"{node.module}.{alias.name}" if node.module else alias.name, node.level)
    own = module.environment.bindings.get(alias.name)
    if own is not None and path is None and (node.module or "").rpartition(".")[2] == module.source.path.stem:
        value = own  # a module imports from itself
    elif path is not None:
        facts = {"path": path, "importer": module, "name": alias.name, "inner": inner}
        value = LibraryObject(role="later", facts=facts)
    elif inner is not None:
        value = lazy_module(state, inner)
    else:
        prefix = "." * node.level + (node.module or "")
        value = LibraryName(name=f"{state.knowledge.canonical(prefix)}.{alias.name}")
    state.environment.bind(alias.asname or alias.name, value)


def is_later(value: AnyValue) -> bool:
    """Whether a value is an imported name whose module was not read yet."""
    return isinstance(value, LibraryObject) and value.role == "later"


def resolve_import(state: AnalysisState, value: AnyValue) -> AnyValue:
    """The value of an imported name; this reads its module."""
    if not (isinstance(value, LibraryObject) and is_later(value)):
        return value
    facts = value.facts
    if "value" not in facts:
        facts["value"] = Data(opaque=True)  # in case the module imports itself
        module = state.open_module(facts["importer"], facts["path"])
        found = None if module is None else module_binding(state, module, facts["name"])
        if found is None and facts["inner"] is not None:
            found = LibraryObject(role="module", facts={"path": facts["inner"], "importer": facts["importer"]})
        facts["value"] = found or Data(opaque=True)
    result: AnyValue = facts["value"]
    return result


def module_binding(
    state: AnalysisState, module: Module, name: str, seen: list[Module] | None = None
) -> AnyValue | None:
    """The value of a name in another module, its star imports included."""
    found = module.environment.bindings.get(name)
    if found is not None:
        return resolve_import(state, found)
    return star_imported(state, module, name, seen)


def star_imported(state: AnalysisState, module: Module, name: str, seen: list[Module] | None = None) -> AnyValue | None:
    """The value of a name that a module star-imports; modules may import each other, and each is asked once."""
    if not (module.star_files or module.stars):
        return None
    seen = [] if seen is None else seen
    seen.append(module)
    work(len(seen))
    for path in reversed(module.star_files):  # the last import binds the name
        other = state.open_module(module, path)
        found = None if other is None or other in seen else module_binding(state, other, name, seen)
        if found is not None:
            return found
    for starred in reversed(module.stars):
        if state.knowledge.entry(f"{starred}.{name}") is not None:
            return LibraryName(name=f"{starred}.{name}")
    return None


def module_member(state: AnalysisState, base: LibraryObject, name: str) -> AnyValue:
    """The value of ``module.name`` for a module of the project."""
    importer = base.facts["importer"]
    module = state.open_module(importer, base.facts["path"])
    found = None if module is None else module_binding(state, module, name)
    if found is None and (package := base.facts.get("name")):  # ``import package.module`` binds the package
        path = state.locate(importer, f"{package}.{name}", 0)
        found = None if path is None else lazy_module(state, path, f"{package}.{name}")
    return found if found is not None else Data(state.active_axes, opaque=True)


def bind_member(state: AnalysisState, base: LibraryObject, name: str, value: AnyValue) -> None:
    """``config.scores = scores`` for a module of the project: its functions find the new value."""
    module = state.open_module(base.facts["importer"], base.facts["path"])
    if module is not None:
        old = module.environment.bindings.get(name)
        module.environment.bind(name, join([old, value]) if state.arms and old is not None else value)


def evaluate_name(state: AnalysisState, node: ast.Name) -> AnyValue:
    """The value of a name: bound, star-imported, a builtin, or well known even without an import."""
    name = node.id
    environment: Environment | None = state.environment
    while environment is not None:
        found = environment.bindings.get(name)
        if found is not None:
            state.taint = environment.taint.get(name, NO_TAINT)
            if type(found) is Union and any(is_later(option) for option in found.options):
                return join(resolve_import(state, option) for option in found.options)
            return resolve_import(state, found) if type(found) is LibraryObject else found
        environment = environment.parent
    found = star_imported(state, state.environment.module, name)
    if found is not None:
        return resolve_import(state, found) if type(found) is LibraryObject else found
    if (found := state.attributes.get((BUILTINS, name))) is not None:  # ``builtins.scores = scores``
        return found
    if name not in state.usual_names:
        state.usual_names[name] = usually_named(state.knowledge, name)
    known = state.usual_names[name]
    return known or type_by_name(state, Data(opaque=True, axes=state.active_axes), name, node)


def usually_named(knowledge: Knowledge, name: str) -> LibraryName | None:
    """What a name means that nothing binds: a builtin, or what is usually imported under it."""
    if knowledge.entry(f"{BUILTINS}.{name}") is not None:
        return library(f"{BUILTINS}.{name}")
    if name in knowledge.usual_imports:
        return library(knowledge.usual_imports[name])
    return library(knowledge.by_tail[name], heuristic=True) if name in knowledge.by_tail else None
