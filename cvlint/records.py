"""Dataclasses that are cheap to define, for modules that every start of cvlint loads.

`dataclasses` writes and compiles six functions for each class, and loads `inspect`, `ast` and `dis` to do so; that cost
a check of one small file a third of its time. Here the functions are compiled when they are first called, and most
never are. For the type checker, and for whoever uses the classes, nothing else differs: `dataclasses.replace`, `fields`
and `asdict` know them, and other dataclasses can inherit from them. The rooms that no check loads (`cvlint.runtime`,
`recording`, `report`, `submissions`, `server`, `notebook`, `assistant`) use `dataclasses` itself.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace


class _Missing:
    """Stands for a default that is not there."""


MISSING = _Missing()


class Field:
    """One field of a class."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr")

    def __init__(
        self,
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.name = ""
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only

    @property
    def options(self) -> dict[str, Any]:
        """The field as arguments of `dataclasses.field`."""
        given = {name: getattr(self, name) for name in self.__slots__ if name != "name"}
        return {name: value for name, value in given.items() if value is not MISSING}


class _Layout:
    """What a class was made of."""

    __slots__ = ("fields", "options")

    def __init__(self, fields: dict[str, Field], options: dict[str, Any]) -> None:
        self.fields, self.options = fields, options


class _Shadow:
    """Makes what `dataclasses` looks for in a class, when it looks: the same class, made by `dataclasses`."""

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        layout: _Layout = owner.__record_layout__  # type: ignore[attr-defined]
        kinds: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            kinds |= vars(base).get("__annotations__", {})
        fields = [(one.name, kinds[one.name], dataclasses.field(**one.options)) for one in layout.fields.values()]
        made: Any = dataclasses.make_dataclass(owner.__name__, fields, **layout.options)
        found = getattr(made, self._attribute)
        setattr(owner, self._attribute, found)
        return found


def _fields(cls: type) -> dict[str, Field]:
    """The fields of a class, those of its bases first."""
    fields: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        if "__record_layout__" in vars(base):
            fields.update(vars(base)["__record_layout__"].fields)
        elif "__dataclass_fields__" in vars(base):
            raise TypeError(f"{cls.__name__} inherits from {base.__name__}, which `dataclasses` made")
    for name, kind in cls.__annotations__.items():
        if not str(kind).startswith("ClassVar"):
            given = vars(cls).get(name, MISSING)
            one = given if isinstance(given, Field) else Field(default=given)
            one.name = name
            fields[name] = one
    return fields


def _with_slots(cls: type, own: list[str]) -> type:
    """The same class with slots: they need a class of their own."""
    inherited = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    content = {name: value for name, value in vars(cls).items() if name not in own}
    content.pop("__dict__", None)
    content.pop("__weakref__", None)
    content["__slots__"] = tuple(name for name in own if name not in inherited)
    made: type = type(cls)(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _init(cls: type, layout: _Layout) -> tuple[str, dict[str, Any]]:
    """The source of ``__init__``, and the names that it uses."""
    known: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
    positional, keywords, body = ["self"], list[str](), list[str]()
    for name, one in layout.fields.items():
        parameter = value = name
        if one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            parameter = f"{name}=_default_{name}"
        elif one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            parameter = f"{name}=_missing"
            value = f"_make_{name}() if {name} is _missing else {name}" if one.init else f"_make_{name}()"
        if one.init:
            (keywords if one.kw_only else positional).append(parameter)
            body.append(_assignment(cls, layout, name, value, known))
        elif one.default_factory is not MISSING:
            body.append(_assignment(cls, layout, name, value, known))
        elif one.default is not MISSING:
            body.append(_assignment(cls, layout, name, f"_default_{name}", known))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*positional, *(["*", *keywords] if keywords else ())]
    return f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"]), known


def _assignment(cls: type, layout: _Layout, name: str, value: str, known: dict[str, Any]) -> str:
    if not layout.options["frozen"]:
        return f"self.{name} = {value}"
    slot: Any = getattr(cls, name, None)
    if not hasattr(slot, "__set__"):
        return f"_set(self, {name!r}, {value})"
    known[f"_set_{name}"] = slot.__set__  # a slot sets itself sooner than its object does
    return f"_set_{name}(self, {value})"


def _eq(cls: type, layout: _Layout) -> tuple[str, dict[str, Any]]:
    """The source of ``__eq__``."""
    own, others = _values("self", layout), _values("other", layout)
    same = f"{own} == {others} if other.__class__ is self.__class__ else NotImplemented"
    return f"def __eq__(self, other):\n return {same}", {}


def _hash(cls: type, layout: _Layout) -> tuple[str, dict[str, Any]]:
    """The source of ``__hash__``."""
    return f"def __hash__(self):\n return hash({_values('self', layout)})", {}


def _values(of: str, layout: _Layout) -> str:
    return "(" + "".join(f"{of}.{name}, " for name, one in layout.fields.items() if one.compare) + ")"


def _lazy(cls: type, name: str, source: Callable[[type, _Layout], tuple[str, dict[str, Any]]]) -> Any:
    """A method that is compiled when it is first called, and then takes the place of this one."""

    def method(self: Any, /, *args: Any, **named: Any) -> Any:
        text, known = source(cls, cls.__record_layout__)  # type: ignore[attr-defined]
        exec(text, known)
        compiled = known[name]
        compiled.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, compiled)
        return compiled(self, *args, **named)

    return method


def _comparisons(layout: _Layout) -> dict[str, Any]:
    """The methods that order objects by their fields."""
    names = [one.name for one in layout.fields.values() if one.compare]

    def method(compare: Callable[[Any, Any], bool]) -> Any:
        def ordered(self: Any, other: object) -> Any:
            if other.__class__ is not self.__class__:
                return NotImplemented
            return compare([getattr(self, name) for name in names], [getattr(other, name) for name in names])

        return ordered

    return {"__lt__": method(lt), "__le__": method(le), "__gt__": method(gt), "__ge__": method(ge)}


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{one.name}={getattr(self, one.name)!r}" for one in self.__record_layout__.fields.values() if one.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_change(self: Any, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__record_layout__.fields]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__record_layout__.fields, state, strict=True):
        object.__setattr__(self, name, value)


def _make(cls: type, slots: bool, options: dict[str, Any]) -> type:
    frozen, eq = options["frozen"], options["eq"]
    layout = _Layout(_fields(cls), options)
    defined = set(vars(cls))
    own = [name for name in cls.__annotations__ if name in layout.fields]
    if slots:
        cls = _with_slots(cls, own)
    for name in own:
        if isinstance(vars(cls).get(name), Field):
            delattr(cls, name)
            if (default := layout.fields[name].default) is not MISSING:
                setattr(cls, name, default)
    content: dict[str, Any] = {"__init__": _lazy(cls, "__init__", _init), "__repr__": _repr}
    content["__match_args__"] = tuple(one.name for one in layout.fields.values() if one.init and not one.kw_only)
    if eq:
        content["__eq__"] = _lazy(cls, "__eq__", _eq)
        if "__hash__" not in defined or ("__eq__" in defined and vars(cls)["__hash__"] is None):
            cls.__hash__ = _lazy(cls, "__hash__", _hash) if frozen or options["unsafe_hash"] else None  # type: ignore[assignment]
    if options["order"]:
        content |= _comparisons(layout)
    if frozen:
        content |= {"__setattr__": _refuse_change, "__delattr__": _refuse_removal}
    if frozen and slots:
        content |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, value in content.items():
        if name not in defined:
            setattr(cls, name, value)
    cls.__record_layout__ = layout  # type: ignore[attr-defined]
    cls.__dataclass_fields__ = _Shadow("__dataclass_fields__")  # type: ignore[attr-defined]
    cls.__dataclass_params__ = _Shadow("__dataclass_params__")  # type: ignore[attr-defined]
    return cls


if not TYPE_CHECKING:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False, unsafe_hash: bool = False
    ) -> Any:
        """As `dataclasses.dataclass`."""
        options = {"frozen": frozen, "eq": eq, "order": order, "unsafe_hash": unsafe_hash}
        return lambda cls: _make(cls, slots, options)

    def field(**options: Any) -> Field:
        """As `dataclasses.field`."""
        return Field(**options)

    def replace(value: Any, /, **changes: Any) -> Any:
        """As `dataclasses.replace`."""
        cls = value.__class__
        if "__record_layout__" not in vars(cls):
            import dataclasses

            return dataclasses.replace(value, **changes)
        for name, one in cls.__record_layout__.fields.items():
            if one.init:
                changes.setdefault(name, getattr(value, name))
        return cls(**changes)


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a class, in their order."""
    return tuple(cls.__record_layout__.fields)  # type: ignore[attr-defined]


def init_names(cls: type) -> tuple[str, ...]:
    """The names of the fields that an object is made with."""
    return tuple(name for name, one in cls.__record_layout__.fields.items() if one.init)  # type: ignore[attr-defined]
