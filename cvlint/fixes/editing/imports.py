"""Add the imports that a fix needs, and remove the imports that it leaves unused."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst
from libcst.metadata import ImportAssignment

from cvlint.fixes.editing.edits import Edit
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.syntax import Code


def imported(
    code: Code, before: cst.CSTNode, module: str, name: str, unused: Collection[cst.CSTNode] = ()
) -> tuple[str, tuple[Edit, ...]] | None:
    """Find how a file can write a name of a library.

    Parameters
    ----------
    code : Code
        The file.
    before : node
        The place that uses the name; later imports do not count.
    module, name : str
        ``sklearn.metrics`` and ``f1_score``, for example.
    unused : collection of nodes
        The names that the fix removes; an import that only they used is removed, too.

    Returns
    -------
    tuple or None
        The expression to write, and the edits of the imports; None if the name means something else in the file.
    """
    aliases = _only_served(code, unused)
    statements = [(node, path) for node, path in _from_imports(code) if code.span(node)[1] <= code.span(before)[0]]
    existing = _existing_name(code, before, module, name)
    if existing is not None:
        return existing, _dropped(code, aliases)
    if not code.is_free(name):
        return None
    own = [node for node, path in statements if path == module]
    swapped = next((alias for alias in aliases if code.parent(alias) in own), None)
    if swapped is not None:
        others = [alias for alias in aliases if alias is not swapped]
        return name, (Edit(*code.span(swapped), name), *_dropped(code, others))
    edits = _added(code, before, statements, module, name)
    return None if edits is None else (name, (*edits, *_dropped(code, aliases)))


def _existing_name(code: Code, before: cst.CSTNode, module: str, name: str) -> str | None:
    """How a place can write a name without a new import: by an import of the name or of its module."""
    scope = code.scope(before)
    for one in _visible(code, before):
        seen = scope[one.name]
        statement = code.parent(one.node)
        if (
            seen != {one}
            or not isinstance(one.node, cst.Import | cst.ImportFrom)
            or not code.follows(statement, before)
        ):
            continue
        for qualified in scope.get_qualified_names_for(one.name):
            match f"{module}.{name}".removeprefix(qualified.name):
                case "":
                    return one.name
                case rest if qualified.name == module:
                    return one.name + rest
    return None


def _visible(code: Code, place: cst.CSTNode) -> Iterator[ImportAssignment]:
    """The imports in the scopes around a place, the innermost scope first."""
    scope = code.scope(place)
    while True:
        imports = (one for one in scope.assignments if isinstance(one, ImportAssignment) and "." not in one.name)
        yield from sorted(imports, key=lambda one: (code.span(one.node), one.name))
        if scope is scope.globals:
            return
        scope = scope.parent


def _from_imports(code: Code) -> list[tuple[cst.ImportFrom, str]]:
    """The imports ``from … import …`` at the top level of the file, each with its module."""
    found = []
    for statement in code.module.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.ImportFrom) and not small.relative and small.module is not None:
                    found.append((small, code.text(small.module)))
    return found


def _only_served(code: Code, unused: Collection[cst.CSTNode]) -> list[cst.ImportAlias]:
    """The top-level imports whose every use a fix removes."""
    names = {node.value for node in unused if isinstance(node, cst.Name)}
    found: list[cst.ImportAlias] = []
    for statement, _ in _from_imports(code):
        for alias in statement.names if not isinstance(statement.names, cst.ImportStar) else ():
            local = alias.asname.name if alias.asname else alias.name
            if not isinstance(local, cst.Name) or local.value not in names or len(code.globals[local.value]) != 1:
                continue
            if is_exposed(code, statement, local.value):
                continue
            reads = {access.node for one in code.globals[local.value] for access in one.references}
            if reads and reads <= set(unused):
                found.append(alias)
    return found


def _dropped(code: Code, aliases: Collection[cst.ImportAlias]) -> tuple[Edit, ...]:
    """The edits that remove names from imports, or whole imports."""
    return tuple(edit for alias in aliases for edit in _without(code, alias))


def _without(code: Code, alias: cst.ImportAlias) -> tuple[Edit, ...]:
    statement = code.parent(alias)
    assert isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar)
    others = list(statement.names)
    number = others.index(alias)
    if len(others) == 1:
        line = code.removable(statement)
        return () if line is None else (Edit(*line, ""),)
    if number + 1 < len(others):
        span = code.span(alias)[0], code.span(others[number + 1])[0]
    else:
        span = code.span(others[number - 1])[1], code.span(alias)[1]
    return (Edit(*span, ""),) if "#" not in code.source.text[slice(*span)] else ()


def _added(
    code: Code, use: cst.CSTNode, statements: list[tuple[cst.ImportFrom, str]], module: str, name: str
) -> tuple[Edit, ...] | None:
    """The edit that imports a name: in an import of its module, or in a new line next to imports of its library."""
    for statement, path in statements:
        if path == module and not isinstance(statement.names, cst.ImportStar):
            later = [alias for alias in statement.names if _rank(code.text(alias.name)) > _rank(name)]
            if later:
                at = code.span(later[0])[0]
                return (Edit(at, at, f"{name}, "),)
            at = code.span(statement.names[-1])[1]
            return (Edit(at, at, f", {name}"),)
    line = f"from {module} import {name}"
    same_library = [(node, path) for node, path in statements if path.split(".")[0] == module.split(".")[0]]
    before = [node for node, path in same_library if path < module]
    if before or not same_library:
        above = [node for node in code.module.body if _imports(node) and code.span(node)[1] <= code.span(use)[0]]
        imports: list[cst.CSTNode] = [*before] or [*above]
        if not imports:
            return None
        at = code.lines(imports[-1])[1]
        return (Edit(at, at, f"\n{line}"),)
    at = code.lines(same_library[0][0])[0]
    return (Edit(at, at, f"{line}\n"),)


def _imports(node: cst.CSTNode) -> bool:
    """Whether a statement is an import."""
    return isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], cst.Import | cst.ImportFrom)


def _rank(name: str) -> tuple[bool, str]:
    """The sort key of a name in an import: classes first, as isort and ruff sort."""
    return not name[:1].isupper(), name
