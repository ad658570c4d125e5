"""The results of single files: those that the cache still holds, and those that this run adds to it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cvlint.records import dataclass, field
from cvlint.source.file_bytes import content_digest, load
from cvlint.source.links.data_files import DataWriters
from cvlint.source.project import UNREADABLE, AnalysisInputs, ImportResolver, repository_of
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.cache.codec import decoded, encoded, from_line, to_line
from cvlint.workspace.cache.environment import pack_name, stamp
from cvlint.workspace.cache.file_stamp import file_stamp, is_settled
from cvlint.workspace.cache.folder import CacheFolder
from cvlint.workspace.cache.pack import DamagedPack, pack_state, read_pack, write_pack
from cvlint.workspace.cache.scan import FileScan
from cvlint.workspace.cache.tree import Tree

if TYPE_CHECKING:
    from cvlint.findings.finding import Finding
    from cvlint.workspace.settings.check_options import CheckOptions

TREES = b"#trees"
"""The name of the line with the states of the folders in which imports were looked up."""
MOST_TREES = 4
SHARED = "#"
"""The beginning of the names of lines that several results share; those of files begin with a quotation mark."""
MOST_LOOKED_UP = 50
"""The number of imports that are looked up again before the state of their folders is worth to be written."""
_REFERENCE = rb'(?<=")#[0-9a-f]{32}(?=")'

Found = tuple[tuple["Finding", ...], UnreadFile | None]
"""The findings of one file, and what about it could not be read."""


@dataclass(slots=True)
class _Entry:
    """What the cache knows of one file as long as its content stays the same; each part may be missing."""

    digest: str
    parts: dict[str, Any] = field(default_factory=dict)


class ResultCache:
    """The results of the files of one group in one run.

    The same path is read once per run; `forget_contents` begins a new look at the files.

    Parameters
    ----------
    folder : CacheFolder or None
        Where results are kept between runs; None keeps nothing.
    options : CheckOptions
        The options of the check.
    scan : callable
        Scans the bytes of a file of which the cache knows nothing.
    """

    def __init__(self, folder: CacheFolder | None, options: CheckOptions, scan: Callable[[bytes], FileScan]) -> None:
        # An inventory and fates are extras of other commands; the cache holds findings only.
        self._folder = None if options.inventory or options.fates else folder
        self._scan, self._folders = scan, options.folders
        self._path = self._stamp = ""
        self._lines: dict[bytes, bytes] = {}
        self._state: tuple[int, int, int] | None = None
        self._entries: dict[str, _Entry] = {}
        self._changed: set[str] = set()
        if self._folder is not None:
            self._open(self._folder, options)
        self.forget_contents()

    @property
    def is_kept(self) -> bool:
        """Whether results are kept between runs."""
        return self._folder is not None

    def forget_contents(self) -> None:
        """Read all files again when they are asked for next, because they may have changed."""
        self._scans: dict[str, FileScan | UnreadFile] = {}
        self._digests: dict[str, str] = {}
        self._imports, self._writers = ImportResolver(), DataWriters()
        self._same: dict[str, bool] = {}
        self._trees: list[Tree] | None = None
        self._unchanged: frozenset[str] = frozenset()
        self._roots: dict[str, str | None] = {}

    def scan(self, display: str) -> FileScan | UnreadFile:
        """What the bytes of a file tell at first sight, or why it cannot be read."""
        if display not in self._scans:
            self._scans[display] = self._new_scan(display)
        return self._scans[display]

    def result(self, display: str, whole: bool) -> Found | None:
        """The findings of a file, if everything that its analysis read is still the same.

        The analysis of the ``whole`` file is another one than that which leaves out what leads to no finding.
        """
        found = self._part(display, _result_name(whole))
        if found is None:
            return None
        findings, problem, opened, lookups, writers, roots = found
        if not (self._are_same(opened) and all(map(self._resolve_same, lookups)) and self._lie_same(roots)):
            return None
        if any(self._writers.find(reader, name, self._folders) != place for reader, name, place in writers):
            return None
        return decoded(findings), decoded(problem)

    def keep_result(self, display: str, whole: bool, digest: str, found: Found, inputs: AnalysisInputs) -> None:
        """Keep the findings of a file with this digest."""
        by_importer: dict[str, list[list[Any]]] = {}
        for (importer, name, level), place in inputs.lookups.items():
            by_importer.setdefault(importer, []).append([name, level, place])
        lookups = [self._shared(one) for one in by_importer.items()] if self.is_kept else []
        folders = {os.path.dirname(os.path.abspath(path)) for path in (display, *inputs.opened)}
        roots = {folder: repository_of(folder) for folder in sorted(folders)}
        writers = [[*asked, place] for asked, place in inputs.writers.items()]
        kept = [*map(encoded, found), dict(inputs.opened), lookups, writers, roots]
        self._keep(display, digest, _result_name(whole), kept)

    def remembered(self, display: str, name: str) -> tuple[Any] | None:
        """What `remember` was told of a file with this content, as a tuple of one; None if it was told nothing."""
        found: tuple[Any] | None = decoded(self._part(display, name))
        return found

    def remember(self, display: str, name: str, value: object) -> None:
        """Keep something that follows from the content of a file alone, under a name."""
        scan = self.scan(display)
        if not isinstance(scan, UnreadFile):
            self._keep(display, scan.digest, name, ["(", encoded(value)])

    def save(self) -> None:
        """Write what this run has added; another run may write at the same time, and then the results of both stay."""
        if self._folder is None or not (self._changed or len(self._looked_up()) >= MOST_LOOKED_UP):
            return
        added = {_key(name): to_line([self._entries[name].digest, self._entries[name].parts]) for name in self._changed}
        used = {_key(name) for name in self._entries}
        try:
            self._folder.make()
            if pack_state(self._path) != self._state:
                self._lines = {**_undamaged(self._path, self._stamp), **self._lines}
            own = {key: line for key, line in self._lines.items() if not key.startswith(SHARED.encode())}
            lines = {**added, **{key: line for key, line in own.items() if key in used and key not in added}}
            lines.update((key, line) for key, line in own.items() if key not in used and _exists(key))
            self._look_up(added.values())
            lines.update(self._new_trees())
            shared = {name for line in lines.values() for name in re.findall(_REFERENCE, line)} & self._lines.keys()
            lines = {**{name: self._lines[name] for name in sorted(shared)}, **lines}
            write_pack(self._path, self._stamp, lines)
            self._folder.trim()
        except OSError as error:
            self._give_up(f"The cache folder '{self._folder.path}' cannot be written ({error.strerror or error})")
            return
        self._lines, self._state = lines, pack_state(self._path)
        self._changed.clear()

    def _open(self, folder: CacheFolder, options: CheckOptions) -> None:
        try:
            self._path = os.path.join(folder.path, pack_name(options))
            self._stamp = stamp(options)
            self._state = pack_state(self._path)
            self._lines = read_pack(self._path, self._stamp)
        except DamagedPack:
            folder.report(f"The file '{self._path}' in the cache is damaged, or is not one of cvlint; it is replaced")
        except OSError as error:
            self._give_up(f"The cache folder '{folder.path}' cannot be read ({error.strerror or error})")

    def _give_up(self, problem: str) -> None:
        if self._folder is not None:
            self._folder.report(problem)
        self._folder = None

    def _new_scan(self, display: str) -> FileScan | UnreadFile:
        stamp = None if self._folder is None else file_stamp(display)
        entry = None if self._folder is None else self._entry(display)
        if stamp is not None and entry is not None and entry.parts.get("stamp") == stamp and "scan" in entry.parts:
            self._digests[os.path.abspath(display)] = entry.digest
            return FileScan.of(entry.digest, entry.parts["scan"])
        data = load(display, display)
        if isinstance(data, UnreadFile):
            return data
        if self._folder is None:
            return self._scan(data)
        digest = self._digests[os.path.abspath(display)] = content_digest(data)
        if entry is None or entry.digest != digest:
            entry = self._entries[display] = _Entry(digest)
        if stamp is not None and is_settled(stamp):
            entry.parts["stamp"] = stamp
            self._changed.add(display)
        if "scan" not in entry.parts:
            self._changed.add(display)
            entry.parts["scan"] = self._scan(data).fields()
        return FileScan.of(digest, entry.parts["scan"])

    def _entry(self, display: str) -> _Entry | None:
        if display not in self._entries:
            line = self._lines.get(_key(display))
            if line is None:
                return None
            self._entries[display] = _Entry(*from_line(line))
        return self._entries[display]

    def _part(self, display: str, name: str) -> Any:
        """A part of what is known of a file with its present content; None if it is not known."""
        scan = self.scan(display)
        entry = self._entries.get(display)
        if entry is None or isinstance(scan, UnreadFile) or entry.digest != scan.digest:
            return None
        return entry.parts.get(name)

    def _keep(self, display: str, digest: str, name: str, value: Any) -> None:
        entry = self._entries.get(display)
        if entry is not None and digest and entry.digest == digest:
            entry.parts[name] = value
            self._changed.add(display)

    def _are_same(self, opened: dict[str, str]) -> bool:
        return all(self._digest(path) == digest for path, digest in opened.items())

    def _digest(self, path: str) -> str:
        if path not in self._digests:
            data = load(path, path)
            self._digests[path] = UNREADABLE if isinstance(data, UnreadFile) else content_digest(data)
        return self._digests[path]

    def _lie_same(self, roots: dict[str, str | None]) -> bool:
        """Whether folders still lie in the same repositories, on which the fingerprints of findings depend."""
        for folder, root in roots.items():
            if folder not in self._roots:
                self._roots[folder] = repository_of(folder)
            if self._roots[folder] != root:
                return False
        return True

    def _is_unchanged(self, name: str) -> bool:
        """Whether the imports in a line mean the same, because no folder in which they were looked up has changed."""
        if self._trees is None:
            line = self._lines.get(TREES)
            known = [] if line is None else [Tree(*fields) for fields in from_line(line)]
            self._trees = [tree for tree in known if tree.is_unchanged()]
            self._unchanged = frozenset(one for tree in self._trees for one in tree.lines)
        return name in self._unchanged

    def _looked_up(self) -> list[str]:
        """The lines whose imports this run has looked up again, and found to mean the same."""
        return [name for name, is_same in self._same.items() if is_same]

    def _look_up(self, lines: Iterable[bytes]) -> None:
        """Look up the imports of new results, if there are many, so that the next run need not do it."""
        names = {name.decode() for line in lines for name in re.findall(_REFERENCE, line)}
        new = [name for name in names if name not in self._same and not self._is_unchanged(name)]
        if len(new) >= MOST_LOOKED_UP:
            for name in new:
                self._resolve_same(name)

    def _new_trees(self) -> dict[bytes, bytes]:
        """The line with the trees for the next run."""
        trees = self._trees or []
        if lines := self._looked_up():
            trees = [Tree.of(lines, self._imports), *trees][:MOST_TREES]
        return {TREES: to_line([tree.fields() for tree in trees])} if trees else {}

    def _shared(self, value: object) -> str:
        """Keep a value in a line of its own, because many results hold the same, and return the name of the line."""
        line = to_line(value)
        name = SHARED + content_digest(line)
        self._lines[name.encode()] = line
        return name

    def _resolve_same(self, name: str) -> bool:
        """Whether the imports of a file, in a shared line, still mean the same files."""
        if name not in self._same:
            if self._is_unchanged(name):
                return True
            line = self._lines.get(name.encode())
            importer, found = ("", [["", 0, UNREADABLE]]) if line is None else from_line(line)
            self._same[name] = all(self._imports.locate(importer, *asked) == place for *asked, place in found)
        return self._same[name]


def _key(display: str) -> bytes:
    return to_line(display)


def _exists(key: bytes) -> bool:
    return os.path.lexists(from_line(key))


def _undamaged(path: str, stamp: str) -> dict[bytes, bytes]:
    try:
        return read_pack(path, stamp)
    except DamagedPack:
        return {}


def _result_name(whole: bool) -> str:
    return "whole result" if whole else "result"
