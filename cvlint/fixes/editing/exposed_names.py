"""Find names that may be read by code outside of a file or by text, so that a fix must keep them."""

from __future__ import annotations

import re

import libcst as cst
from libcst.metadata import ClassScope

from cvlint.fixes.editing.syntax import Code, inside

NAMESPACES = ("globals", "locals", "vars")
INTERPRETERS = ("eval", "exec")


def is_exposed(code: Code, place: cst.CSTNode, name: str) -> bool:
    """Tell whether something may read a variable by its name without a visible reference.

    Parameters
    ----------
    code : Code
        The file.
    place : node
        The place of the name.
    name : str
        The name.

    Returns
    -------
    bool
        True for an attribute of a class, and in a file that looks up names as texts. At the top level also for names
        in ``__all__``, in a magic or shell command, or in a file that imports this one, and for each name of an
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
    """Whether the file looks up names as texts: ``globals()["scores"]``."""
    calls = [code.parent(name) for one in (*NAMESPACES, *INTERPRETERS) for name in code.named(one)]
    return any(isinstance(call, cst.Call) and (not call.args or _interprets(call)) for call in calls)


def _interprets(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value in INTERPRETERS


def _all(code: Code) -> set[str]:
    """The strings in ``__all__``."""
    return {
        text
        for name in code.named("__all__")
        for node in inside(code.statement(name))
        if isinstance(node, cst.SimpleString) and isinstance(text := node.evaluated_value, str)
    }
