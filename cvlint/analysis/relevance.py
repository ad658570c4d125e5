"""Relevance: the code from which a measure, a split, a search or a resampling can be reached.

A finding needs one of the words that the prefilter searches a file for. What holds for files holds for functions:
one without such a word, in which no name of a function with such a word stands, has nothing to report. Functions that
nobody calls, and files that only import others, are left out for this reason. Names are compared as words, so that
methods, aliases, decorators and names in strings count.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from cvlint.source.definitions import Definition, Place, definitions_of, imports_of, place_of
from cvlint.source.module import Source
from cvlint.source.prefilter import Prefilter


@dataclass(frozen=True, slots=True)
class Outline:
    """The definitions of a file, and the files of the project that it imports."""

    text: str
    definitions: tuple[Definition, ...]
    imports: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Relevance:
    """What can be left out of the analysis of a file.

    Parameters
    ----------
    is_relevant
        Whether anything in the file leads to a finding.
    irrelevant
        The functions and methods of the file that do not, by their places, each with the words in it.
    """

    is_relevant: bool = True
    irrelevant: dict[Place, frozenset[str]] = field(default_factory=dict)

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
        outlines = self.reachable(source, most)
        if outlines is None:
            return Relevance()
        definitions = [definition for outline in outlines for definition in outline.definitions]
        names = leading_names(definitions)
        own = outlines[0].definitions
        irrelevant = {d.place: d.words for d in own if not d.is_root and names.isdisjoint(d.words)}
        return Relevance(len(irrelevant) < len({d.place for d in own}), irrelevant)

    def reachable(self, source: Source, most: int) -> list[Outline] | None:
        """The outlines of a file and of those that it imports, directly or not; None if they are more than ``most``."""
        outlines = {source.path: self.outline(source)}
        waiting = [source]
        while waiting:
            importer = waiting.pop()
            for path in outlines[importer.path].imports:
                if path in outlines or (imported := self.read(path, importer)) is None:
                    continue
                if len(outlines) >= most:
                    return None
                outlines[path] = self.outline(imported)
                waiting.append(imported)
        return list(outlines.values())

    def outline(self, source: Source) -> Outline:
        """The outline of a file; it is made once for its text."""
        known = self._known.get(source.path)
        if known is None or known.text != source.text:
            imported = dict.fromkeys(self.find(source.path, *name) for name in imports_of(source.tree.body))
            paths = tuple(path for path in imported if path is not None)
            known = self._known[source.path] = Outline(source.text, definitions_of(source, self.prefilter), paths)
        return known


def leading_names(definitions: Sequence[Definition]) -> frozenset[str]:
    """The names that lead to a definition with one of the prefilter's words, through any number of others."""
    bound = frozenset[str]().union(*(d.names for d in definitions))
    users: dict[str, list[Definition]] = {}
    for definition in definitions:
        for word in definition.words & bound:
            users.setdefault(word, []).append(definition)
    leading: set[str] = set()
    waiting = [name for d in definitions if d.is_root for name in d.names]
    while waiting:
        name = waiting.pop()
        if name not in leading:
            leading.add(name)
            waiting += [other for user in users.get(name, ()) for other in user.names]
    return frozenset(leading)
