"""Write comments that suppress findings into files; no other byte changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import accumulate

from cvlint.findings.finding import Finding
from cvlint.findings.suppression.comments import ignores_of
from cvlint.findings.suppression.places import by_file, comments_at
from cvlint.fixes.editing.document import rewritten
from cvlint.fixes.editing.edits import Edit
from cvlint.source.dialects.lexing import tokens
from cvlint.source.module import Source, read_bytes


def with_ignores(data: bytes, source: Source, findings: Sequence[Finding], reason: str = "") -> bytes | None:
    """Give the bytes of a file with a comment at each finding.

    Parameters
    ----------
    data : bytes
        The file before the change.
    source : Source
        The parsed file.
    findings : sequence of Finding
        The findings in this file, which nothing suppresses yet.
    reason : str
        The reason to write into each comment.

    Returns
    -------
    bytes or None
        The new file is parsed again: None if the program would change, or if the comments would not suppress the
        findings for this reason.
    """
    new = rewritten(data, source, edits(source, findings, reason))
    if new is None:
        return None
    again = read_bytes(new, source.path, source.display).source
    if again is None or not is_same_program(source.tree, again.tree):
        return None
    ignores = by_file(ignores_of(again))
    for finding in findings:
        effective = [one for one in comments_at(finding, ignores) if finding.rule in one.words]
        if not any(one.reason == reason for one in effective):
            return None
    return new


def edits(source: Source, findings: Iterable[Finding], reason: str) -> list[Edit]:
    """Write one comment at the end of a line for all findings whose comment belongs there."""
    rules: dict[int, dict[str, None]] = {}
    free = free_lines(source.text)
    for finding in findings:
        line = source.line_in_text(finding.location)
        rules.setdefault(free.get(line, line), {})[finding.rule] = None
    ends = list(accumulate(len(text) + 1 for text in source.original))
    made = []
    for line, names in sorted(rules.items()):
        end = ends[line - 1] - 1
        gap = "" if source.original[line - 1].endswith((" ", "\t")) else "  "
        made.append(Edit(end, end, f"{gap}# cvlint: ignore[{', '.join(sorted(names))}] {reason}".rstrip()))
    return made


def free_lines(text: str) -> dict[int, int]:
    """Find for each line the line that takes its comment: itself, or the first or last line of its statement.

    A line that ends inside a string or with a backslash takes no comment; the last line of a statement always does.
    """
    line = first = 1
    free: set[int] = set()
    chosen: dict[int, int] = {}
    for token in tokens(text + "\n"):
        free |= {line} if token.kind == "newline" else set()
        if token.kind == "newline" and token.depth == 0:
            spare = first if first in free else line
            chosen.update((inside, inside if inside in free else spare) for inside in range(first, line + 1))
            first = line + 1
        line += token.text.count("\n")
    return chosen


def is_same_program(one: ast.Module, other: ast.Module) -> bool:
    """Tell whether two syntax trees are equal except for positions."""
    try:
        return ast.dump(one) == ast.dump(other)
    except RecursionError:
        return False
