"""Names that something may read which does not show in the code of a file, so that a fix must leave them bound."""

from __future__ import annotations

import re

import libcst as cst
from libcst.metadata import ClassScope

from cvlint.fixes.editing.syntax import Code, inside

NAMESPACES = ("globals", "locals", "vars")
INTERPRETERS = ("eval", "exec")


def is_exposed(code: Code, place: cst.CSTNode, name: str) -> bool:
    """Whether a variable may be read by its name in a way that the code does not show.

    Parameters
    ----------
    code : Code
        The file.
    place : node
        Where the name stands.
    name : str
        The name.

    Returns
    -------
    bool
        True for an attribute of a class; where the file looks names up as texts; and at the top level for what
        ``__all__``, a magic, a shell command or a file that imports this one mentions, and for all of a package's
        ``__init__.py``.
    """
    scopes = [one.scope for one in code.scope(place)[name]]
    if any(isinstance(scope, ClassScope) for scope in scopes) or _looks_up(code):
        return True
    if code.globals not in scopes:
        return False
    lines = zip(code.source.lines, code.source.original, strict=True)
    commands = [original for line, original in lines if line != original]
    word = re.compile(rf"\b{re.escape(name)}\b")
    mentioned = any(word.search(text) for text in (*commands, *code.importing))
    return mentioned or code.source.path.name == "__init__.py" or name in _all(code)


def _looks_up(code: Code) -> bool:
    """Whether the file reads names as texts: ``globals()["scores"]``."""
    calls = [code.parent(name) for one in (*NAMESPACES, *INTERPRETERS) for name in code.named(one)]
    return any(isinstance(call, cst.Call) and (not call.args or _interprets(call)) for call in calls)


def _interprets(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value in INTERPRETERS


def _all(code: Code) -> set[str]:
    """The texts that are put into ``__all__``."""
    return {
        text
        for name in code.named("__all__")
        for node in inside(code.statement(name))
        if isinstance(node, cst.SimpleString) and isinstance(text := node.evaluated_value, str)
    }
