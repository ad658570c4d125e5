"""Relevance: the code from which a measure, a split, a search or a resampling can be reached.

A finding needs the words of one entry of the prefilter. What holds for files holds for functions: one without such a
word, in which no name of a function with such a word stands, has nothing to report. Functions that nobody calls, and
files that only import others, are left out for this reason. So are files with words that no code that they reach
completes to an entry: ``std(`` needs a ``.fit(``. Names are compared as words, so that methods, aliases, decorators and
names in strings count.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path

from cvlint.records import dataclass, field
from cvlint.source.definitions import Definition, Place, definitions_of, imports_of, place_of
from cvlint.source.module import Source
from cvlint.source.prefilter import Prefilter
from cvlint.source.project import Lookup

MOST_OUTLINES = 128
"""Outlines that are kept: files that import each other are checked one after the other."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The definitions of a file, and the files of the project that it imports."""

    text: str
    definitions: tuple[Definition, ...]
    marks: frozenset[str]
    """The words of the prefilter in the whole file."""
    lookups: Mapping[Lookup, Path | None]
    """The file that each of its imports means; None for libraries."""

    @property
    def imports(self) -> tuple[Path, ...]:
        """The files of the project that it imports."""
        return tuple(dict.fromkeys(path for path in self.lookups.values() if path is not None))


@dataclass(frozen=True, slots=True)
class Relevance:
    """What can be left out of the analysis of a file.

    Parameters
    ----------
    is_relevant
        Whether anything in the file leads to a finding.
    irrelevant
        The functions and methods of the file that do not, by their places, each with the words in it.
    opened, lookups
        The other files that tell this, and the files that the imports in all of them mean.
    """

    is_relevant: bool = True
    irrelevant: dict[Place, frozenset[str]] = field(default_factory=dict)
    opened: tuple[Path, ...] = ()
    lookups: Mapping[Lookup, Path | None] = field(default_factory=dict)

    def leaves_out(self, nodes: Iterable[ast.AST], telling: Set[str]) -> bool:
        """Whether none of the functions leads to a finding, and none of the names stands in them."""
        places = [place_of(node) for node in nodes] if self.irrelevant else [(0, 0)]
        return all(place in self.irrelevant and self.irrelevant[place].isdisjoint(telling) for place in places)


@dataclass(slots=True)
class Outlines:
    """The outlines of the files of a project; that of a file is made again when its text has changed.

    ``read`` gives the source of an imported file, and ``find`` the file of a module that a file imports.
    """

    prefilter: Prefilter
    read: Callable[[Path, Source], Source | None]
    find: Callable[[Path, str, int], Path | None]
    _known: dict[Path, Outline] = field(default_factory=dict)

    def relevance(self, source: Source, most: int) -> Relevance:
        """The relevance of the code that a file can reach; all of it if the file reaches more than ``most`` files."""
        outlines: dict[Path, Outline | None] = {}
        is_whole = self._reach(source, most, outlines)
        opened = tuple(path for path in outlines if path != source.path)
        found = [outline for outline in outlines.values() if outline is not None]
        lookups = {lookup: path for outline in found for lookup, path in outline.lookups.items()}
        if not is_whole:
            return Relevance(opened=opened, lookups=lookups)
        own = found[0].definitions
        reached = reached_definitions(own, [d for outline in found[1:] for d in outline.definitions])
        modules = (word for outline in found for word in outline.marks if names_module(word))
        roots = self.prefilter.first_words(found[0].marks.union(modules, *(d.marks for d in reached)))
        names = leading_names(reached, roots)
        irrelevant = {d.place: d.words for d in own if roots.isdisjoint(d.marks) and names.isdisjoint(d.words)}
        return Relevance(len(irrelevant) < len({d.place for d in own}), irrelevant, opened, lookups)

    def _reach(self, source: Source, most: int, outlines: dict[Path, Outline | None]) -> bool:
        """Collect the outlines of a file and of those that it imports, directly or not; None for unreadable ones.

        Returns False if more than ``most`` files can be reached.
        """
        own = outlines[source.path] = self.outline(source)
        count, waiting = 1, [(source, own)]
        while waiting:
            importer, outline = waiting.pop()
            for path in outline.imports:
                if path in outlines:
                    continue
                imported = self.read(path, importer)
                outlines[path] = None
                if imported is None:
                    continue
                if count >= most:
                    return False
                found = outlines[path] = self.outline(imported)
                count += 1
                waiting.append((imported, found))
        return True

    def outline(self, source: Source) -> Outline:
        """The outline of a file; it is made once for its text."""
        known = self._known.get(source.path)
        if known is None or known.text != source.text:
            own = str(source.path)
            lookups = {(own, *name): self.find(source.path, *name) for name in imports_of(source)}
            marks = self.prefilter.words_in(source.text)
            definitions = definitions_of(source, self.prefilter, marks)
            known = Outline(source.text, definitions, marks, lookups)
        self._known.pop(source.path, None)
        self._known[source.path] = known  # the last ones are at the end
        if len(self._known) > MOST_OUTLINES:
            del self._known[next(iter(self._known))]
        return known


def names_module(mark: str) -> bool:
    """Whether a word of the prefilter names a module, which stands at the top of a file: ``sklearn.metrics``."""
    return "." in mark.strip("|.(")


def reached_definitions(own: Sequence[Definition], others: Iterable[Definition]) -> list[Definition]:
    """The definitions of a file, and those in other files that they lead to, through any number of others."""
    by_name: dict[str, list[Definition]] = {}
    for definition in others:
        for name in definition.names:
            by_name.setdefault(name, []).append(definition)
    found = list(own)
    for definition in found:
        for name in definition.words & by_name.keys():
            found += by_name.pop(name)
    return found


def leading_names(definitions: Sequence[Definition], roots: Set[str]) -> frozenset[str]:
    """The names that lead to a definition with one of the ``roots`` in its text, through any number of others."""
    bound = frozenset[str]().union(*(d.names for d in definitions))
    users: dict[str, list[Definition]] = {}
    for definition in definitions:
        for word in definition.words & bound:
            users.setdefault(word, []).append(definition)
    leading: set[str] = set()
    waiting = [definition for definition in definitions if not roots.isdisjoint(definition.marks)]
    seen = set(map(id, waiting))  # a block may bind a thousand names, and use as many
    for definition in waiting:
        for name in definition.names - leading:
            leading.add(name)
            found = [user for user in users.pop(name, ()) if id(user) not in seen]
            seen |= set(map(id, found))
            waiting += found
    return frozenset(leading)
