"""The schema of knowledge files: what an ``[[entry]]`` holds, and the check of a project's own file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MEASURES = (
    "f-measure",
    "precision",
    "recall",
    "roc-auc",
    "average-precision",
    "precision-at-k",
    "ranking",
    "accuracy",
    "jaccard",
    "other",
)
"""What a project's own entry with the effect "measure" can compute."""

REQUIRED_KEYS = (("module", str), ("names", list), ("effect", str))


class KnowledgeError(ValueError):
    """A project's knowledge file that cannot be used; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One dotted name of a library, or one method name: the effect of calling it, and the facts that the effect needs.

    The effect selects the transfer function in `cvlint.analysis.models`: "measure", "splitter", "reduce" and so on.
    """

    name: str
    effect: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scorer:
    """What a ``scoring=`` string such as ``"f1_macro"`` computes in each fold."""

    measure: str
    average: str | None
    label: str


def read_project_file(path: Path, effects: frozenset[str]) -> str:
    """The text of a project's own knowledge file, which holds valid ``[[entry]]`` tables only.

    An entry has one of the ``effects``.

    Raises
    ------
    KnowledgeError
        With the name of the file and of the wrong key.
    """
    try:
        text = read_regular_file(path, MOST_SETTINGS).decode("utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KnowledgeError(f"{path} cannot be read as TOML: {error}") from None
    for table in data:
        if table != "entry":
            raise KnowledgeError(f"{path} has a table '{table}'; valid is [[entry]]")
    for number, entry in enumerate(data.get("entry", ()), 1):
        _check_entry(entry, f"[[entry]] {number} of {path}", effects)
    return text


def _check_entry(entry: object, where: str, effects: frozenset[str]) -> None:
    if not isinstance(entry, dict):
        raise KnowledgeError(f"{where} is not a table")
    for key, kind in REQUIRED_KEYS:
        if not isinstance(entry.get(key), kind):
            raise KnowledgeError(f"{where} needs the key '{key}', {'a list of names' if kind is list else 'a text'}")
    if not all(isinstance(name, str) for name in entry["names"]):
        raise KnowledgeError(f"{where} has a name under 'names' that is not a text")
    if entry["effect"] not in effects:
        raise KnowledgeError(
            f"{where} has an unknown effect '{entry['effect']}'; valid are {', '.join(sorted(effects))}"
        )
    if entry["effect"] == "measure" and entry.get("measure") not in MEASURES:
        raise KnowledgeError(f"{where} needs the key 'measure', one of {', '.join(MEASURES)}")
