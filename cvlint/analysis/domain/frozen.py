"""Frozen dataclasses that are cheap to make: the type checker alone keeps them frozen.

An analysis makes a value for almost every expression, and the check that a value is frozen is most of what it costs to
make one. Import `dataclass` and `replace` from here for values that are made that often.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cvlint import records

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def dataclass(*, frozen: bool, slots: bool, eq: bool = True) -> Callable[[type], type]:
        """As `dataclasses.dataclass`; the values are hashed like frozen ones."""
        return records.dataclass(slots=slots, eq=eq, unsafe_hash=frozen and eq)

    def replace(value: Any, /, **changes: Any) -> Any:
        """As `dataclasses.replace`."""
        kind = type(value)
        names, contents = _reader(kind)
        return kind(**{**dict(zip(names, contents(value), strict=False)), **changes})

    @cache
    def _reader(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
        """The names of the fields of a class, and what reads them all."""
        names = records.init_names(kind)
        return names, attrgetter(*names, "__class__")  # of a single name it would read no tuple
