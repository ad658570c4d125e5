"""Frozen dataclasses that are cheap to make: the type checker alone keeps them frozen.

An analysis makes a value for almost every expression, and the check that a value is frozen is most of what it costs to
make one. Import `dataclass` and `replace` from here for values that are made that often.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
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
        return _copier(type(value))(value, **changes)

    @cache
    def _copier(kind: type) -> Callable[..., Any]:
        """What copies the objects of a class; it is compiled, as their ``__init__`` is."""
        names = records.init_names(kind)
        changes = ", ".join(f"{name}=_same" for name in names)
        contents = ", ".join(f"{name}=_value.{name} if {name} is _same else {name}" for name in names)
        known: dict[str, Any] = {"_kind": kind, "_same": object()}
        exec(f"def copied(_value, /, *, {changes}):\n return _kind({contents})", known)
        copied: Callable[..., Any] = known["copied"]
        return copied
