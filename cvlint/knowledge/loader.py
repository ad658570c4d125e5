"""What is known of libraries: which name computes a measure, splits, averages, pools (``rules/knowledge/*.toml``).

A file holds ``[[entry]]`` tables for dotted names, ``[[method]]`` tables for methods of arrays, frames and
lists whatever their class, ``[aliases]`` from module to module, ``[scorers]`` for ``scoring=`` strings and
``[conventions]``, regular expressions for names that say what an unknown value is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cvlint.shipped_files import rules_folder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OF_LOOPS = ("train-part", "test-part", "fold-number", "splits", "epoch", "batch", "seed", "prior")
SCORER_AVERAGES = ("macro", "micro", "weighted", "samples", "ovr", "ovo", "ovr_weighted", "ovo_weighted")


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


class KnowledgeError(ValueError):
    """A project's knowledge file that cannot be used; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a library: what calling it does (``effect``), and the facts the effect needs."""

    name: str
    effect: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scorer:
    """What a ``scoring=`` string computes in each fold."""

    measure: str
    average: str | None
    label: str


@dataclass(slots=True)
class Knowledge:
    """All that the knowledge files say, ready for look-ups by dotted name."""

    entries: dict[str, Entry] = field(default_factory=dict)
    methods: dict[str, Entry] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    scorers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    conventions: dict[str, re.Pattern[str]] = field(default_factory=dict)
    by_tail: dict[str, str] = field(default_factory=dict)
    named: dict[str, str | None] = field(default_factory=dict)
    conforming: dict[tuple[str, str], bool] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)  # names that were looked up in vain
    looping: dict[str, frozenset[str]] = field(default_factory=dict)  # by name, the conventions about loops it follows
    implied: dict[str, str] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    own: frozenset[str] = frozenset()  # names that a project's own knowledge speaks of

    def add(self, text: str) -> None:
        """Take in one knowledge file."""
        data = tomllib.loads(text)
        for table in data.get("entry", ()):
            facts = {k: v for k, v in table.items() if k not in ("module", "names", "effect")}
            if table["effect"] == "measure":
                facts.setdefault("params", ["y_true", "y_pred"])
            for tail in table["names"]:
                name = f"{table['module']}.{tail}" if table["module"] else tail
                self.entries[name] = Entry(name, table["effect"], facts)
                if not table.get("needs_import"):
                    self.by_tail.setdefault(tail, name)
        for table in data.get("method", ()):
            facts = {k: v for k, v in table.items() if k not in ("names", "effect")}
            for name in table["names"]:
                self.methods[name] = Entry(name, table["effect"], facts)
        self.aliases.update(data.get("aliases", {}))
        self.scorers.update(data.get("scorers", {}))
        self.implied.update(data.get("implied", {}))
        self.words.update(data.get("words", {}))
        for kind, pattern in data.get("conventions", {}).items():
            self.conventions[kind] = re.compile(pattern, re.VERBOSE)

    def canonical(self, name: str) -> str:
        """The name under which a dotted name is known: aliases of its modules resolved."""
        head, rest = name, ""
        while head:
            if head in self.aliases:
                return self.canonical(self.aliases[head] + rest)
            head, dot, tail = head.rpartition(".")
            rest = f"{dot}{tail}{rest}"
        return name

    def entry(self, name: str) -> Entry | None:
        """What is known of a dotted name, private modules of its library looked through."""
        found = self.entries.get(name)
        if found is None and name not in self.absent:
            found = self.entries.get(self.canonical(name))
            if found is None and "._" in name:
                public = ".".join(part for part in name.split(".") if not part.startswith("_"))
                found = self.entries.get(self.canonical(public))
            if found is None:
                self.absent.add(name)
        return found

    def scorer(self, name: str) -> Scorer | None:
        """What a scoring string computes, ``f1_macro`` and the like included."""
        base, average = name, None
        for suffix in SCORER_AVERAGES:
            if name.endswith("_" + suffix) and name not in self.scorers:
                base, average = name[: -len(suffix) - 1], suffix
        known = self.scorers.get(base)
        if known is None:
            return None
        return Scorer(known["measure"], average or known.get("average"), known.get("label", known["measure"]))

    def conforms(self, convention: str, name: str) -> bool:
        """Whether a name follows a convention, ``fold`` or ``f-measure`` for example."""
        known = self.conforming.get((convention, name))
        if known is None:
            pattern = self.conventions.get(convention)
            known = pattern is not None and pattern.search(snake(name)) is not None
            self.conforming[convention, name] = known
        return known

    def followed(self, names: Iterable[str]) -> frozenset[str]:
        """The conventions about loops that one of several names follows."""
        for name in names:
            if name not in self.looping:
                self.looping[name] = frozenset(c for c in OF_LOOPS if self.conforms(c, name))
        return frozenset[str]().union(*(self.looping[name] for name in names))

    def measure_named(self, name: str) -> str | None:
        """The measure that a variable, key or function of this name holds, if its name says so."""
        if name not in self.named:
            self.named[name] = self.measure_spelled(snake(name))
        return self.named[name]

    def measure_spelled(self, text: str) -> str | None:
        """The measure that a name in snake case speaks of."""
        if self.conventions["not-a-measure"].search(text):
            return None
        for kind in ("f-measure", "average-precision", "roc-auc", "precision", "recall", "accuracy"):
            if self.conventions[kind].search(text):
                return kind
        return None


@cache
def snake(name: str) -> str:
    """A name in lower case with underscores between its words: ``F1Score`` and ``f1-score`` are ``f1_score``."""
    text = re.sub(r"[^0-9A-Za-z]+", "_", name)
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", text)
    return text.lower().strip("_")


@cache
def load_knowledge(*own: Path) -> Knowledge:
    """Read every knowledge file that ships with cvlint, and then a project's own, whose entries come first.

    Raises
    ------
    KnowledgeError
        When a file of the project lacks a key or holds a wrong one.
    """
    knowledge = Knowledge()
    for path in sorted((rules_folder() / "knowledge").glob("*.toml")):
        knowledge.add(path.read_text(encoding="utf-8"))
    shipped = set(knowledge.entries)
    effects = frozenset(entry.effect for entry in knowledge.entries.values())
    for path in own:
        knowledge.add(checked_text(path, effects))
    knowledge.own = frozenset(set(knowledge.entries) - shipped)
    words = sorted({name.rpartition(".")[2] for name in knowledge.own})
    knowledge.words.update({word: [word] for word in words})
    return knowledge


def checked_text(path: Path, effects: frozenset[str]) -> str:
    """The text of a project's knowledge file, if it is one.

    Raises
    ------
    KnowledgeError
        With the name of the file, and of the key that is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KnowledgeError(f"{path} cannot be read as TOML: {error}") from None
    for table in data:
        if table != "entry":
            raise KnowledgeError(f"{path} has a table '{table}'; valid is [[entry]]")
    for number, entry in enumerate(data.get("entry", ()), 1):
        where = f"[[entry]] {number} of {path}"
        if not isinstance(entry, dict):
            raise KnowledgeError(f"{where} is not a table")
        for key, kind in (("module", str), ("names", list), ("effect", str)):
            if not isinstance(entry.get(key), kind):
                raise KnowledgeError(
                    f"{where} needs the key '{key}', {'a list of names' if kind is list else 'a text'}"
                )
        if not all(isinstance(name, str) for name in entry["names"]):
            raise KnowledgeError(f"{where} has a name that is no text under 'names'")
        if entry["effect"] not in effects:
            raise KnowledgeError(
                f"{where} has an unknown effect '{entry['effect']}'; valid are {', '.join(sorted(effects))}"
            )
        if entry["effect"] == "measure" and entry.get("measure") not in MEASURES:
            raise KnowledgeError(f"{where} needs the key 'measure', one of {', '.join(MEASURES)}")
    return text
