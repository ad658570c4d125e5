"""What an arm of a branch changes in the names of a program.

A branch may change any name, and mostly changes few of many. So what the names held before is not copied: a table notes
what an entry held before its first change in the arm, and so an arm can be undone, done again and joined at the cost of
what it changed.
"""

from __future__ import annotations

from typing import Any, TypeVar

Key = TypeVar("Key")
Held = TypeVar("Held")
NOTHING: Any = object()
"""What a missing entry holds."""


class Branched(dict[Key, Held]):
    """A dict that notes, in an arm of a branch, what each changed entry held before."""

    log: dict[Key, Held] | None = None

    def note(self, key: Key) -> None:
        """Keep what an entry holds before it changes."""
        if self.log is not None and key not in self.log:
            self.log[key] = self.get(key, NOTHING)

    def __setitem__(self, key: Key, held: Held) -> None:
        if self.log is not None:
            self.note(key)
        dict.__setitem__(self, key, held)

    def __delitem__(self, key: Key) -> None:
        self.note(key)
        dict.__delitem__(self, key)

    def pop(self, key: Key, *default: Any) -> Any:
        """As `dict.pop`."""
        self.note(key)
        return dict.pop(self, key, *default)

    def setdefault(self, key: Key, default: Any = None) -> Any:
        """As `dict.setdefault`."""
        self.note(key)
        return dict.setdefault(self, key, default)

    def update(self, *others: Any, **named: Any) -> None:
        """As `dict.update`."""
        changes = dict(*others, **named)
        for key in changes if self.log is not None else ():
            self.note(key)
        dict.update(self, changes)

    def __ior__(self, other: Any) -> Branched[Key, Held]:  # type: ignore[override,misc]
        self.update(other)
        return self

    def popitem(self) -> tuple[Key, Held]:
        """As `dict.popitem`."""
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """As `dict.clear`."""
        for key in self if self.log is not None else ():
            self.note(key)
        dict.clear(self)


class Changes:
    """What a piece of code changes in tables, from when this is made until `end`.

    For each table, ``before`` has what the changed entries held, and ``after`` what the piece left in them.
    """

    __slots__ = ("_outer", "after", "before", "tables")

    def __init__(self, *tables: Branched[Any, Any]) -> None:
        self.tables = tables
        self.before: list[dict[Any, Any]] = [{} for _ in tables]
        self.after: list[dict[Any, Any]] = []
        self._outer = [table.log for table in tables]
        for table, log in zip(tables, self.before, strict=True):
            table.log = log

    def end(self) -> None:
        """The piece of code ends: later changes are not its own."""
        for table, log, outer in zip(self.tables, self.before, self._outer, strict=True):
            table.log = outer
            if outer is not None:
                for key, held in log.items():
                    outer.setdefault(key, held)
            self.after.append({key: table.get(key, NOTHING) for key in log} if log else {})

    def undo(self) -> None:
        """Put back what was there before."""
        for table, entries in zip(self.tables, self.before, strict=True):
            put(table, entries)

    def redo(self) -> None:
        """Put back what the piece of code left."""
        for table, entries in zip(self.tables, self.after, strict=True):
            put(table, entries)


def put(table: Branched[Any, Any], entries: dict[Any, Any]) -> None:
    """Set entries of a table; those that hold `NOTHING` go."""
    for key, held in entries.items():
        if held is NOTHING:
            table.pop(key, None)
        else:
            table[key] = held
