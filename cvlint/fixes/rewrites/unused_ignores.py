"""Remove suppression comments that suppress nothing, or the unused rules in them."""

from __future__ import annotations

from itertools import accumulate

from cvlint.findings.finding import Finding
from cvlint.findings.suppression.apply import Shortening
from cvlint.findings.suppression.comments import Ignore, comments, ignores_of, split_directives
from cvlint.fixes.editing.document import rewritten
from cvlint.fixes.editing.edits import Edit, edited
from cvlint.fixes.rewrites.ignore_comments import is_same_program
from cvlint.source.module import Source, read_bytes


def without_unused_ignore(data: bytes, source: Source, finding: Finding) -> tuple[bytes, Source, Edit] | None:
    """Remove from a file what a finding of ``unused-ignore`` reports.

    Parameters
    ----------
    data : bytes
        The file before the fix.
    source : Source
        The parsed file.
    finding : Finding
        A finding in this file.

    Returns
    -------
    tuple or None
        The new bytes, the new source, and the edit in offsets of the original text. None if there is nothing to remove,
        or if more than this comment would change: the new text is parsed again, and it must be the same program with
        the same other suppression comments.
    """
    edit = _edit(source, finding)
    new = rewritten(data, source, [edit]) if edit is not None else None
    again = read_bytes(new, source.path, source.display).source if new is not None else None
    if edit is None or new is None or again is None:
        return None
    as_meant = "\n".join(again.original) == edited("\n".join(source.original), [edit])
    same = as_meant and is_same_program(source.tree, again.tree)
    return (new, again, edit) if same and _only_shorter(ignores_of(source), ignores_of(again), finding) else None


def _edit(source: Source, finding: Finding) -> Edit | None:
    """The edit of the line with the comment; the whole line is removed if nothing else is in it."""
    place = finding.location
    here = (comment for comment in comments(source.text) if source.locate(comment.line) == (place.cell, place.line))
    comment = next(here, None)
    if comment is None or not isinstance(finding.fix, Shortening):
        return None
    written = source.original[comment.line - 1]
    begin = len(written) - len(comment.text)
    bounds = list(accumulate(map(len, split_directives(comment.text)), initial=begin))
    if not written.endswith(comment.text) or place.column - 1 not in bounds[:-1]:
        return None
    start, end = place.column - 1, bounds[bounds.index(place.column - 1) + 1]
    if finding.fix.instead:
        end = place.end_column - 1  # the reason stays
    elif end == len(written):
        start = len(written[:start].rstrip(" \t"))
    at = sum(len(text) + 1 for text in source.original[: comment.line - 1])
    if finding.fix.instead or start or end < len(written):
        return Edit(at + start, at + end, finding.fix.instead)
    return _without_line(source, comment.line, at)


def _without_line(source: Source, line: int, at: int) -> Edit:
    """The edit that removes a line and one line end; the line end of a notebook's previous cell stays."""
    end = at + len(source.original[line - 1])
    first, last = 1, len(source.original)
    for cell in source.cells or ():
        if line in cell:
            first, last = cell[0], cell[-1]
    return Edit(at, end + 1, "") if line < last else Edit(at - (line > first), end, "")


def _only_shorter(before: tuple[Ignore, ...], after: tuple[Ignore, ...], finding: Finding) -> bool:
    """Whether one comment is gone or names fewer rules, and all other comments are unchanged."""
    number = next((i for i, one in enumerate(before) if one.location == finding.location), None)
    if number is None:
        return False
    old, new = ([(one.kind, one.words, one.reason) for one in ignores] for ignores in (before, after))
    kind, words, reason = old[number]
    if len(new) == len(old):
        left = new[number]
        fewer = left[0] == kind and left[2] == reason and set(left[1]) < set(words)
        return fewer and new[:number] + new[number + 1 :] == old[:number] + old[number + 1 :]
    return new == old[:number] + old[number + 1 :]
