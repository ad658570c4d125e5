"""Knowledge about libraries: which names compute measures, split, average or pool (``rules/knowledge/*.toml``).

A file holds ``[[entry]]`` tables for dotted names, ``[[method]]`` tables for methods by name (whatever the class of the
object), ``[aliases]`` from module to module, ``[scorers]`` for ``scoring=`` strings, ``[groups]`` of names that are
treated alike, and ``[conventions]`` for names of variables, keys and functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cvlint.filesystem.toml_tables import Tables, parse_toml, toml_tables
from cvlint.knowledge.identifiers import Conventions
from cvlint.knowledge.schema import Entry, Scorer, read_project_file
from cvlint.records import dataclass, field
from cvlint.shipped_files import rules_folder

SCORER_AVERAGES = ("macro", "micro", "weighted", "samples", "ovr", "ovo", "ovr_weighted", "ovo_weighted")
"""The suffixes of ``scoring=`` strings that name an average: "macro" in ``f1_macro``."""


@dataclass(slots=True)
class Knowledge:
    """The content of all knowledge files, with look-ups by dotted name."""

    entries: dict[str, Entry] = field(default_factory=dict)
    methods: dict[str, Entry] = field(default_factory=dict)
    """The entries by dotted name, and the methods by name."""
    by_tail: dict[str, str] = field(default_factory=dict)
    """The dotted name that the last part of it stands for where nothing was imported: ``f1_score`` alone is that of
    scikit-learn.
    """
    aliases: dict[str, str] = field(default_factory=dict)
    """Modules that hold the same names as another: ``sklearn.cross_validation``, for ``sklearn.model_selection``."""
    usual_imports: dict[str, str] = field(default_factory=dict)
    """What short names such as ``np`` stand for where no import binds them."""
    scorers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """What a ``scoring=`` string computes, without its average."""
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    """Names of functions, methods, attributes and arguments that a checker treats alike, whatever their library."""
    conventions: Conventions = field(default_factory=Conventions)
    """The naming conventions."""
    prefilter_words: dict[str, list[str]] = field(default_factory=dict)
    """Words of which a file with a finding holds at least one; see `cvlint.source.prefilter.Prefilter`."""
    project_names: frozenset[str] = frozenset()
    """The dotted names that the project's own knowledge files define."""
    _measures_of_labels: frozenset[str] | None = None
    """Kept for `measures_of_labels`."""
    _unknown: set[str] = field(default_factory=set)
    """Dotted names that were looked up in vain."""

    def add(self, text: str) -> None:
        """Add the content of one knowledge file."""
        self.add_tables(parse_toml(text))

    def add_tables(self, data: Mapping[str, Any]) -> None:
        """Add the tables of one knowledge file."""
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
        self.usual_imports.update(data.get("usual-imports", {}))
        add_words(self.prefilter_words, data)
        self.groups.update({group: frozenset(names) for group, names in data.get("groups", {}).items()})
        self.conventions.expressions.update(data.get("conventions", {}))

    def canonical(self, name: str) -> str:
        """The dotted name with the aliases of its modules resolved."""
        head, rest = name, ""
        while head:
            if head in self.aliases:
                return self.canonical(self.aliases[head] + rest)
            head, dot, tail = head.rpartition(".")
            rest = f"{dot}{tail}{rest}"
        return name

    @property
    def measures_of_labels(self) -> frozenset[str]:
        """The last parts of the names of measures that get the true labels first: ``f1_score``."""
        if self._measures_of_labels is None:
            measures = [e for e in self.entries.values() if e.effect == "measure"]
            first = {e.name: e.facts.get("params", ["y_true"])[0] for e in measures}
            self._measures_of_labels = frozenset(n.rpartition(".")[2] for n, kind in first.items() if kind == "y_true")
        return self._measures_of_labels

    def entry(self, name: str) -> Entry | None:
        """The entry of a dotted name; private modules in the name are skipped (``sklearn.ensemble._forest.X``)."""
        found = self.entries.get(name)
        if found is None and name not in self._unknown:
            found = self.entries.get(self.canonical(name))
            if found is None and "._" in name:
                public = ".".join(part for part in name.split(".") if not part.startswith("_"))
                found = self.entries.get(self.canonical(public))
            if found is None:
                self._unknown.add(name)
        return found

    def scorer(self, name: str) -> Scorer | None:
        """The scorer of a ``scoring=`` string, with the average in strings such as ``f1_macro``."""
        base, average = name, None
        for suffix in SCORER_AVERAGES:
            if name.endswith("_" + suffix) and name not in self.scorers:
                base, average = name[: -len(suffix) - 1], suffix
        known = self.scorers.get(base)
        if known is None:
            return None
        return Scorer(known["measure"], average or known.get("average"), known.get("label", known["measure"]))

    def conforms(self, convention: str, name: str) -> bool:
        """See `Conventions.conforms`."""
        names = self.conventions.followed.get(convention)
        return names[name] if names is not None and name in names else self.conventions.conforms(convention, name)

    def those_followed(self, conventions: tuple[str, ...], name: str) -> tuple[str, ...]:
        """See `Conventions.those_followed`."""
        found = self.conventions.among.get((conventions, name))
        return self.conventions.those_followed(conventions, name) if found is None else found

    def loop_conventions(self, names: Iterable[str]) -> frozenset[str]:
        """See `Conventions.loop_conventions`."""
        return self.conventions.loop_conventions(names)

    def measure_named(self, name: str) -> str | None:
        """See `Conventions.measure_named`."""
        conventions = self.conventions
        return conventions.measures[name] if name in conventions.measures else conventions.measure_named(name)


@cache
def _shipped_tables() -> Tables:
    return toml_tables(rules_folder() / "knowledge")


def add_words(words: dict[str, list[str]], tables: Mapping[str, Any]) -> None:
    """Add the words of one knowledge file to those of others; several files may give words with the same part."""
    for part, more in tables.get("prefilter", {}).items():
        words[part] = [*words.get(part, ()), *more]


def load_prefilter_words(*project_files: Path) -> Mapping[str, list[str]]:
    """Load the words of the prefilter; only for a project with own files is the other knowledge read, too."""
    if project_files:
        return load_knowledge(*project_files).prefilter_words
    words: dict[str, list[str]] = {}
    for tables in _shipped_tables().values():
        add_words(words, tables)
    return words


@cache
def load_knowledge(*project_files: Path) -> Knowledge:
    """Load the knowledge files that ship with cvlint, and then a project's own, whose entries replace others.

    Parameters
    ----------
    *project_files : Path
        Knowledge files of the project.

    Raises
    ------
    KnowledgeError
        When a file of the project lacks a key or holds a wrong one.
    """
    knowledge = Knowledge()
    for tables in _shipped_tables().values():
        knowledge.add_tables(tables)
    shipped = set(knowledge.entries)
    effects = frozenset(entry.effect for entry in knowledge.entries.values())
    given: dict[str, str] = {}
    for path in project_files:
        knowledge.add(read_project_file(path, effects, given))
    knowledge.project_names = frozenset(set(knowledge.entries) - shipped)
    words = sorted({name.rpartition(".")[2] for name in knowledge.project_names})
    knowledge.prefilter_words.update({word: [word] for word in words})
    return knowledge
