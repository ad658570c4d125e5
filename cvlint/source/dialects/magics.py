"""Remove IPython syntax from source text (magics, shell commands and help) without moving a line."""

from __future__ import annotations

import re

from cvlint.source.dialects.lexing import end_of_logical_line

_LINE = re.compile(
    r"""
    (?P<indent>[ \t]*)(?:
        %%?[ \t]*(?:time|timeit|prun|memit)[ \t]+(?:-\w+(?:[ \t]+\d+)?[ \t]+)*(?P<code>[^\s%!-].*)  # runs code
      | %{1,2}[ \t]*[^\W\d]\w*.*                             # %magic; old IPython allowed a space
      | !.*                                                  # !command
      | \?{1,2}[ \t]*[%\w*].*                                # ?name
      | %{0,2}[\w.*\[\]]+\?{1,2}[ \t]*(?:;|\#.*)?            # name?
      | [^\W\d][\w.,\[\]'" \t]*=[ \t]*(?:!|%[^\W\d]).*       # x = !command, x = %magic
      | (?:pip3?|conda|cd|ls|cat|mkdir|rmdir|cp|mv|rm|load_ext|matplotlib)[ \t]+[-\w./~'"].*   # without their %
    )$
    """,
    re.VERBOSE | re.MULTILINE,
)
_CELL = re.compile(r"(?P<before>(?:[ \t]*(?:\#.*)?\n)*)[ \t]*%%[ \t]*(?P<name>!|[^\W\d][\w.]*)?.*")
RUNNING = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "debug", "snakeviz", "cvlint"})
"""The magics that run the code of their cell or line."""

_FOREIGN = """
    ! bash sh script system sx cmd html svg latex markdown js javascript writefile file cython fortran sql bigquery
    R ruby perl julia pypy python python2 python3 spark scala
"""
_SKIPPED = frozenset(_FOREIGN.lower().split())


def cell_magic(text: str) -> tuple[str, bool]:
    """Remove the ``%%magic`` at the top of a cell.

    Returns
    -------
    tuple[str, bool]
        The text with the same number of lines, and whether it is certainly Python: after an unknown magic any
        language can follow.
    """
    certain = True
    kept, position = [], 0  # a text that is made anew for each of very many magics would take hours
    while match := _CELL.match(text, position):
        name = match["name"] or ""
        if name.lower() in _SKIPPED:
            return "\n" * text.count("\n"), True
        certain = certain and name in RUNNING
        kept.append(match["before"])
        position = match.end()
    return "".join(kept) + text[position:], certain


def blank_magics(text: str) -> str:
    """Replace the lines that only IPython understands by ``pass``.

    Only lines at which a statement begins are replaced, not lines inside brackets or strings.
    """
    pieces: list[str] = []
    position = 0
    while position < len(text):
        match = _LINE.match(text, position)
        if match is None:
            end = end_of_logical_line(text, position)
            pieces.append(text[position:end])
        elif match["code"] is not None:
            end = match.end()
            pieces.append(match["indent"] + match["code"])
        else:
            end = _end_of_command(text, match.end())
            pieces.append(f"{match['indent']}pass" + "\n" * text.count("\n", position, end))
        # The end of a rewritten line is copied in the next iteration.
        position = end
    return "".join(pieces)


def _end_of_command(text: str, end: int) -> int:
    """Follow the backslashes by which a command continues in the next line."""
    while text.endswith("\\", 0, end) and end < len(text):
        newline = text.find("\n", end + 1)
        end = len(text) if newline < 0 else newline
    return end
