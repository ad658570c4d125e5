"""Functions of Python that make classes, objects and slices, or tell what an object has.

``Box = namedtuple("Box", "a b")``, ``a: list = field(default_factory=list)``, ``@property``, ``super()``, ``vars(it)``.
Effects: ``record``, ``class``, ``field``, ``descriptor``, ``slice``, ``super``, ``attribute``, ``attributes``,
``callable``, ``instance-of``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.branched import Branched
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import join, options
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Partial,
    axes_of,
)
from cvlint.analysis.heap.entries import add_element
from cvlint.analysis.heap.positions import entry_at
from cvlint.analysis.models.arguments import argument_named, first_argument, unknown_result
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import stored
from cvlint.knowledge.schema import Entry


def record_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``namedtuple("Box", "a b")``, ``NamedTuple("Box", [("a", float)])``, ``make_dataclass("Box", ["a"])``."""
    declared = argument_named(arguments, 1, entry.facts["parameter"])
    names: list[str] = []
    match declared:
        case Const(value=str() as text):
            names = text.replace(",", " ").split()
        case HeapObject():
            for item in declared.entries():
                name = entry_at(item, 0) if isinstance(item, HeapObject) else item
                names += [name.value] if isinstance(name, Const) and isinstance(name.value, str) else []
    return ClassValue(kind=entry.facts["kind"], parameters=tuple(names))


def class_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``type(box)`` is the class of an object; ``type("Box", (Base,), {"a": 1})`` makes a class."""
    match arguments[0]:
        case [Instance() as it]:
            return it.cls
        case [_, HeapObject() as bases, HeapObject() as attributes]:
            known = {name: value for name, value in attributes.fields.items() if isinstance(name, str)}
            return ClassValue(bases=bases.entries(), attributes=known)
        case _:
            return Data(NO_AXES.union(*map(axes_of, arguments[0])))


def instance_of_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``isinstance(box, Box)``: true for an object of the class itself; of other classes it may be one or not."""
    match arguments[0]:
        case [Instance(cls=ClassValue(node=ast.ClassDef() as own)), ClassValue(node=asked)] if own is asked:
            return Const(value=True, allocation_loops=state.active_axes)
        case [HeapObject(kind="list" | "dict" as kind), LibraryName(name=asked)] if asked == f"builtins.{kind}":
            return Const(value=True, allocation_loops=state.active_axes)
        case _:
            return Data(NO_AXES.union(*map(axes_of, arguments[0])))


def field_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``field(default_factory=list)``: a declared attribute with its default."""
    parameters: dict[str, str] = entry.facts["parameters"]
    given = dict(zip(parameters, arguments[0], strict=False)) | arguments[1]
    return LibraryObject(role="field", facts={to: given[name] for name, to in parameters.items() if name in given})


def descriptor_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``@property``, ``@staticmethod``, ``@classmethod``: how an attribute of a class is bound to its objects."""
    return LibraryObject(role=entry.facts["form"], facts={"function": first_argument(arguments)})


def callable_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``callable(column)``: functions and classes are, data and containers are not."""
    given = options(first_argument(arguments))
    if all(isinstance(v, (Function, ClassValue, LibraryName, Partial)) for v in given):
        return Const(value=True)
    is_data = all(
        isinstance(v, (Const, HeapObject, MeasureValue)) or (isinstance(v, Data) and not v.opaque) for v in given
    )
    return Const(value=False) if is_data and not any(isinstance(v, Instance) for v in given) else Data()


def slice_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``slice(start, start + 20)`` is the key ``start:start + 20``."""
    bounds: list[ast.expr | None] = [*node.args] if isinstance(node, ast.Call) else []
    if not 1 <= len(bounds) <= 3 or any(isinstance(b, ast.Starred) for b in bounds):
        return unknown_result(state, arguments)
    if len(bounds) == 1:
        bounds = [None, *bounds]
    given = [None if isinstance(b, ast.Constant) and b.value is None else b for b in bounds]
    return state.evaluate(state, ast.copy_location(ast.Slice(*given), node))


def super_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``super()``: the object of the present method, seen as one of the bases of the method's class."""
    after = argument_named(arguments, 0, "type") or state.environment.lookup("__class__")
    code = state.frame.node
    if len(arguments[0]) > 1:
        holder: AnyValue | None = arguments[0][1]
    elif isinstance(code, (ast.FunctionDef, ast.AsyncFunctionDef)) and code.args.args:
        holder = state.environment.lookup(code.args.args[0].arg)
    else:
        holder = None
    if not isinstance(holder, (Instance, ClassValue)) or not isinstance(after, ClassValue):
        return unknown_result(state, arguments)
    return LibraryObject(role="super", facts={"holder": holder, "after": after})


def attribute_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``getattr(box, name)`` under an unknown name; the interpreter reads and writes attributes of known names.

    What ``setattr(box, f"f1_{fold}", f1)`` sets is an entry of the object under an unknown key.
    """
    holders = [option for option in options(first_argument(arguments)) if isinstance(option, Instance)]
    if entry.facts.get("sets") and len(arguments[0]) > 2:
        for holder in holders:
            add_element(state, holder, arguments[0][2])
        return Const()
    found = [holder.elements for holder in holders if holder.kind == "object" and holder.elements is not None]
    return join(found) if found else unknown_result(state, arguments)


def attributes_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``vars(box)``, and ``globals()`` and ``locals()`` without an argument: the dict of the names itself.

    ``sys.modules[__name__]`` is an object that has these names as its attributes.
    """
    names, taint = state.environment.bindings, state.environment.taint
    if entry.facts.get("of") == "module":
        names, taint = state.environment.module.environment.bindings, Branched[str, Taint]()
    if entry.facts.get("form") == "object":
        return Instance("object", attributes=names)
    if not (arguments[0] or arguments[1]):
        held = {k: stored(v, taint.get(k, NO_TAINT)) for k, v in names.items()} if taint else names
        return HeapObject("dict", held)
    found = [attributes_of(option) for option in options(first_argument(arguments))]
    return join(found)


def attributes_of(value: AnyValue) -> AnyValue:
    """The dict that holds the attributes of an object or a class: who changes one changes the other."""
    match value:
        case Instance():
            elements, extent = (value.elements, value.extent) if value.kind == "object" else (None, NO_AXES)
            return HeapObject("dict", value.attributes, elements, extent, value.allocation_loops)
        case ClassValue():
            return HeapObject("dict", value.attributes)
        case _:
            return Data(opaque=True)


def declared_attributes(cls: ClassValue) -> list[str]:
    """The attributes that a class body declares: ``f1: float``, ``f1 = attr.ib()``."""
    found = [name for name, v in cls.attributes.items() if isinstance(v, LibraryObject) and v.role == "field"]
    annotated = [name for name, annotation in declared(cls) if "ClassVar" not in annotation]
    return annotated + [name for name in found if name not in annotated]


def declared(cls: ClassValue) -> list[tuple[str, str]]:
    """The names that a class body annotates, with the code of their annotations."""
    return [
        (s.target.id, ast.unparse(s.annotation))
        for s in (cls.node.body if cls.node else ())
        if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
    ]


def passed_on(line: list[ClassValue]) -> list[str]:
    """What a dataclass passes on to its ``__post_init__`` instead of keeping it: ``scores: InitVar[list]``."""
    return [name for cls in reversed(line) for name, annotation in declared(cls) if "InitVar" in annotation]
