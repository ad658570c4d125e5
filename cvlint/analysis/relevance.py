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

from cvlint.source.definitions import Definition, definitions_of, imports_of
from cvlint.source.module import Source
from cvlint.source.prefilter import Prefilter


@dataclass(frozen=True, slots=True)
class Outline:
    """The definitions of a file, and the files of the project that it imports."""

    source: Source
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
        The functions and methods of the file that do not, each with the words in it.
    """

    is_relevant: bool = True
    irrelevant: dict[ast.AST, frozenset[str]] = field(default_factory=dict)

    def leaves_out(self, nodes: Iterable[ast.AST], telling: Set[str]) -> bool:
        """Whether none of the functions leads to a finding, and none of the names stands in them."""
        return all(node in self.irrelevant and self.irrelevant[node].isdisjoint(telling) for node in nodes)


@dataclass(slots=True)
class Outlines:
    """The outlines of the files of a project; that of a file is made again when its source was read again.

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
        irrelevant = {d.node: d.words for d in own if not d.is_root and names.isdisjoint(d.words)}
        return Relevance(len(irrelevant) < len({d.node for d in own}), irrelevant)

    def reachable(self, source: Source, most: int) -> list[Outline] | None:
        """The outlines of a file and of those that it imports, directly or not; None if they are more than ``most``."""
        outlines = {source.path: self.outlined(source)}
        waiting = list(outlines.values())
        while waiting:
            importer = waiting.pop()
            for path in importer.imports:
                if path in outlines or (imported := self.read(path, importer.source)) is None:
                    continue
                if len(outlines) >= most:
                    return None
                outlines[path] = self.imported_outline(imported)
                waiting.append(outlines[path])
        return list(outlines.values())

    def imported_outline(self, source: Source) -> Outline:
        """The outline of a file that others import; it is kept."""
        known = self._known.get(source.path)
        if known is None or known.source is not source:
            known = self._known[source.path] = self.outlined(source)
        return known

    def outlined(self, source: Source) -> Outline:
        """The outline of a file."""
        imported = dict.fromkeys(self.find(source.path, *name) for name in imports_of(source.tree.body))
        paths = tuple(path for path in imported if path is not None)
        return Outline(source, definitions_of(source, self.prefilter), paths)


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
