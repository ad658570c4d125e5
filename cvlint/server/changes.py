"""The text of a document after an action: with a fix that a new check confirms, or with a comment that ignores."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Literal

from cvlint.findings.finding import Finding
from cvlint.findings.suppression.comments import ignores_of
from cvlint.fixes.editing.document import rewritten
from cvlint.fixes.editing.edits import Edit
from cvlint.fixes.rewrites.ignore_comments import is_same_program, with_ignores
from cvlint.rules.comment_rules import meta_rules
from cvlint.server.texts.documents import Document, source_of
from cvlint.source.dialects.magics import cell_magic
from cvlint.source.module import Source, read_bytes
from cvlint.workspace.settings.check_options import CheckOptions

Change = Literal["fix", "fix-unsafe", "ignore", "ignore-file"]

MAGIC = "%%"
"""A cell magic begins with it; cell magics must be the first lines of a cell."""

_HEAD = re.compile(r"#!|[ \t\f]*#.*?coding[:=]")
"""Lines that must stay the first of a script: the shebang and the encoding."""


@lru_cache(maxsize=128)  # an editor wants all actions, and soon after the edits of one
def apply_change(
    change: Change,
    document: Document,
    options: CheckOptions,
    findings: tuple[Finding, ...],
    importers: tuple[Path, ...] = (),
) -> bytes | None:
    """The bytes of a document after a change.

    Parameters
    ----------
    change : "fix", "fix-unsafe", "ignore" or "ignore-file"
        The change; "fix-unsafe" also makes fixes that change reported numbers.
    document : Document
        The document that was checked.
    options : Options
        The options of the check.
    findings : tuple of Finding
        The findings that the change is for.
    importers : tuple of Path
        Scripts that may import the document: no fix may lead to a new finding in them.

    Returns
    -------
    bytes or None
        None if no new check confirms a fix, or if there is no place for a comment.
    """
    if change in ("fix", "fix-unsafe"):
        from cvlint.fixes.fixer import Fixer  # it imports libcst, which loads slowly

        fixer = Fixer(options, change == "fix-unsafe", importers)
        fixed = fixer.fix(document.data, document.path, document.name, findings)
        return fixed.data if fixed.count else None
    source = source_of(document)
    if source is None or {one.rule for one in findings} & {rule.name for rule in meta_rules()}:
        return None  # a comment must not hide findings about comments
    if change == "ignore":
        return with_ignores(document.data, source, findings)
    return with_file_ignore(document.data, source, sorted({one.rule for one in findings}))


def with_file_ignore(data: bytes, source: Source, rules: list[str]) -> bytes | None:
    """The bytes of a file with a comment that ignores rules in the whole file, at the first possible line.

    Returns
    -------
    bytes or None
        None if the comment would change the program, or would not be read as a comment.
    """
    above = _lines_above(source)
    if above is None:
        return None
    at = sum(len(line) + 1 for line in source.original[:above])
    new = rewritten(data, source, [Edit(at, at, f"# cvlint: ignore-file[{', '.join(rules)}]\n")])
    again = None if new is None else read_bytes(new, source.path, source.display).source
    if again is None or not is_same_program(source.tree, again.tree):
        return None
    words = {word for ignore in ignores_of(again) if ignore.kind == "file" for word in ignore.words}
    return new if words.issuperset(rules) else None


def _lines_above(source: Source) -> int | None:
    """How many lines must stay above a comment: the shebang and encoding of a script, or the magics of a cell.

    None for a notebook in which every cell is empty or begins with the magic of another language.
    """
    if source.cells is None:
        head = [bool(_HEAD.match(line)) for line in source.original[:2]]
        return len(head) - head[::-1].index(True) if any(head) else 0
    behind_magics: list[int] = []
    for cell in source.cells:
        first = cell.start - 1
        lines = source.original_lines(cell)
        magics = sum(1 for _ in takewhile(lambda line: line.startswith(MAGIC), lines))
        if not magics and any(line.strip() for line in lines[:1]):
            return first
        code, is_python = cell_magic("\n".join(lines))
        if magics and is_python and code.strip():
            behind_magics.append(first + magics)
    return behind_magics[0] if behind_magics else None
