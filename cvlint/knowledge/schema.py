"""The schema of knowledge files: what an ``[[entry]]`` holds, and the check of a project's own file."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file
from cvlint.filesystem.toml_tables import parse_toml
from cvlint.knowledge.entry_keys import NAMES_OF_TYPES, NEEDED_KEYS, VALID_VALUES, valid_keys
from cvlint.records import dataclass

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


def read_project_file(path: Path, effects: frozenset[str], given: dict[str, str]) -> str:
    """The text of a project's own knowledge file, which holds valid ``[[entry]]`` tables only.

    An entry has one of the ``effects``. ``given`` holds the places of the project's entries by their dotted names, and
    gets those of this file.

    Raises
    ------
    KnowledgeError
        With the name of the file and of the wrong key.
    """
    try:
        text = read_regular_file(path, MOST_SETTINGS).decode("utf-8")
        data = parse_toml(text)
    except (OSError, ValueError) as error:
        raise KnowledgeError(f"{path} cannot be read as TOML: {error}") from None
    for table in data:
        if table != "entry":
            raise KnowledgeError(f"{path} has a table '{table}'; valid is [[entry]]")
    for number, entry in enumerate(data.get("entry", ()), 1):
        where = f"[[entry]] {number} of {path}"
        _check_entry(entry, where, effects)
        for name in (f"{entry['module']}.{tail}" for tail in entry["names"]):
            if given.setdefault(name, where) != where:
                raise KnowledgeError(f"{where} says what {name} is, as {given[name]} does: name it in one of them only")
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
    _check_keys(entry, where)
    _check_parameters(entry, where)


def _check_keys(entry: Mapping[str, Any], where: str) -> None:
    """Refuse keys that the effect does not have, values of a wrong type or name, and an entry that lacks a key."""
    effect = entry["effect"]
    valid = valid_keys(effect)
    for key, value in entry.items():
        if key not in valid:
            raise KnowledgeError(
                f"{where} has an unknown key '{key}'; the effect '{effect}' has {', '.join(sorted(valid))}"
            )
        kinds = valid[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(NAMES_OF_TYPES[kind] for kind in kinds)
            raise KnowledgeError(f"{where} needs {names} under '{key}', and has {value!r}")
        if key in VALID_VALUES and value not in VALID_VALUES[key]:
            raise KnowledgeError(
                f"{where} has an unknown value '{value}' under '{key}'; valid are {', '.join(VALID_VALUES[key])}"
            )
    for key in NEEDED_KEYS.get(effect, ()):
        if key not in entry:
            raise KnowledgeError(f"{where} needs the key '{key}', because its effect is '{effect}'")


def _check_parameters(entry: Mapping[str, Any], where: str) -> None:
    """Refuse parameters of a measure that contradict each other, and code that Python cannot read."""
    params = entry.get("params", ["y_true", "y_pred"])
    if entry["effect"] == "measure" and params[:2] != ["tp", "fp"]:
        predictions = [name for name in params if name in ("y_pred", "y_score")]
        if "y_true" not in params or len(predictions) != 1:
            raise KnowledgeError(f"{where} needs 'y_true' and either 'y_pred' or 'y_score' under 'params'")
    for theirs, ours in entry.get("keywords", {}).items() if entry["effect"] == "measure" else ():
        if ours not in params:
            raise KnowledgeError(f"{where} says under 'keywords' that '{theirs}' is '{ours}', which 'params' lacks")
    if entry.get("curve") and entry["effect"] == "measure" and "parts" not in entry:
        raise KnowledgeError(f"{where} needs the key 'parts', because a curve has several")
    for code in [entry["code"]] if entry["effect"] == "python" else entry.get("methods", {}).values():
        try:
            ast.parse(code)
        except (SyntaxError, TypeError) as error:
            raise KnowledgeError(f"{where} has code that Python cannot read: {error}") from None
