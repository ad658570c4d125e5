"""Options as rows of a table, which click and a reader of plain command lines share.

To load click takes longer than to check a small file. So a command line without anything unusual is read here, and
click reads all others: it writes the help pages and the errors, and knows all ways to spell an option.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple


class Option(NamedTuple):
    """One option of a command."""

    names: tuple[str, ...]
    field: str
    """The parameter of the command that gets the value."""
    help: str = ""
    metavar: str = ""
    kind: Literal["word", "words", "number", "flag"] = "word"
    """What the value is: the last word, all words, the last whole number, or whether the option is there."""
    choices: tuple[str, ...] = ()
    """The words that are valid, if there are only a few."""
    default: str | None = None
    hidden: bool = False

    def value(self, words: Sequence[str]) -> Any:
        """The value of the option that is given with these words.

        Raises
        ------
        ValueError
            If a word is not valid.
        """
        if self.choices and not set(words) <= set(self.choices):
            raise ValueError
        if self.kind == "number" and not all(map(is_whole_number, words)):
            raise ValueError
        match self.kind:
            case "flag":
                return bool(words)
            case "words":
                return tuple(words)
            case "number":
                return int(words[-1] if words else self.default or 0)
            case _:
                return words[-1] if words else self.default


def flag(name: str, help: str, short: str = "") -> Option:
    """An option without a value; its field is called as it is: ``--show-files`` sets ``show_files``."""
    return Option((short, name) if short else (name,), name.removeprefix("--").replace("-", "_"), help, kind="flag")


def is_whole_number(word: str) -> bool:
    """Tell whether a word is a whole number of a size that makes sense."""
    return word.isascii() and word.isdigit() and len(word) < 10


def plain_values(words: Sequence[str], options: Sequence[Option]) -> dict[str, Any] | None:
    """The values of options and paths on a command line, as click would give them.

    Parameters
    ----------
    words : sequence of str
        The words behind the name of the command.
    options : sequence of Option
        Its options.

    Returns
    -------
    dict or None
        The values by parameter, with the other words as ``paths``; None if only click can tell what the words mean.
    """
    by_name = {name: option for option in options for name in option.names}
    given: dict[str, list[str]] = {option.field: [] for option in options}
    paths: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            paths.extend(rest)
        elif word == "-" or not word.startswith("-"):
            paths.append(word)
        else:
            name, equals, value = word.partition("=")
            option = by_name.get(name)
            if option is None or (equals and (option.kind == "flag" or not name.startswith("--"))):
                return None
            if option.kind != "flag" and not equals:
                value = next(rest, "-")
                if value.startswith("-"):  # click says what is missing
                    return None
            given[option.field].append(value)
    try:
        return {"paths": tuple(paths), **{option.field: option.value(given[option.field]) for option in options}}
    except ValueError:
        return None
