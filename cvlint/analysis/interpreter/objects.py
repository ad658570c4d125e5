"""Classes and objects of the project: define a class, make an object, find and set attributes.

A class body is executed once; what it binds are the attributes of the class. An attribute is looked for in the object,
in its class and in the bases of the class, and a function, a property or a static method that is found there is bound
as Python binds it.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.scalings import learn_for_samples
from cvlint.analysis.checkers.rows.arguments import note_record
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import UNKNOWN, join, options
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Partial, axes_of
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.entries import grown, write_known_key
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.inference.switches import is_enumeration
from cvlint.analysis.interpreter.imports import bind_member
from cvlint.analysis.interpreter.parameters import matched
from cvlint.analysis.models.containers.frames import set_titles
from cvlint.analysis.models.dispatch.python_code import code_value
from cvlint.analysis.models.enumerations import member_with_value, members
from cvlint.analysis.models.objects import attributes_of, declared_attributes, passed_on
from cvlint.analysis.models.settings import as_default
from cvlint.analysis.state import AnalysisState, Arguments, Frame

MAX_BASES = 8

ITERATING = ("accumulate", "array", "container", "fold", "map", "pool", "reduce", "same", "select", "spread")

SPECIAL_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "__add__",
    ast.BitOr: "__or__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.MatMult: "__matmul__",
    ast.Mod: "__mod__",
    ast.Mult: "__mul__",
    ast.Sub: "__sub__",
    ast.Div: "__truediv__",
}
"""The methods by which objects of the project say what an operator does with them."""


def define_function(state: AnalysisState, node: ast.FunctionDef | ast.AsyncFunctionDef) -> AnyValue:
    """The value that a ``def`` binds: the function, or what its decorators make of it."""
    environment = state.environment.closure or state.environment
    function = Function(node=node, environment=environment, owner=state.frame.owner or node)
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Tuple)):  # made once, for all calls
            state.defaults[default, id(environment)] = state.evaluate(state, default)
    made = decorated(state, function, node.decorator_list)
    if made is not function and state.environment.parent is None:
        state.rebound_functions.append(function)
    return made


def decorated(state: AnalysisState, value: AnyValue, decorators: list[ast.expr]) -> AnyValue:
    """A function or class after its decorators; an unknown decorator is taken to leave it as it is."""
    for node in reversed(decorators):
        decorator = state.evaluate(state, node)
        made = state.call(state, decorator, ([value], {}), node)
        match made:
            case Function() if isinstance(value, Function):
                value = replace(made, wraps=value.wraps or value)
            case Function() | ClassValue() | Instance() | Partial():
                value = made
            case LibraryObject(role="property" | "static" | "class-method"):
                value = made
    state.taint = NO_TAINT
    return value


def define_class(state: AnalysisState, node: ast.ClassDef) -> AnyValue:
    """The class that a ``class`` statement binds: its body is executed in an environment of its own."""
    outer = state.environment
    around = outer.closure or outer
    closure = Environment(outer.module, around, around.owner)
    body = Environment(outer.module, around, node, closure=closure)
    cls = ClassValue(node=node, environment=around, attributes=body.bindings, taint=body.taint)
    closure.bindings["__class__"] = cls
    state.environment = body
    state.frames.append(Frame(node, outer.module, None, node, body, state.active_axes))
    try:
        state.execute(state, node.body)
    finally:
        state.frames.pop()
        state.environment = outer
    told = {k.arg: state.evaluate(state, k.value) for k in node.keywords if k.arg not in (None, "metaclass")}
    after_bases = class_attribute(state, ancestors(state, cls)[1:], "__init_subclass__")
    if isinstance(after_bases, Function):
        state.call(state, bound_to(after_bases, cls), ([], told), node)
    return decorated(state, cls, node.decorator_list)


def bases_of(state: AnalysisState, cls: ClassValue) -> list[AnyValue]:
    """The values of the bases of a class; a base in another file is read only where the class is used."""
    if not cls.bases and cls.node is not None and cls.environment is not None:
        outer, state.environment = state.environment, cls.environment
        taint = state.taint
        found = [option for base in cls.node.bases for option in options(state.evaluate(state, base))]
        cls.bases.extend(known_class(state, base, cls.node) or base for base in found)
        state.environment, state.taint = outer, taint
    return cls.bases


def known_class(state: AnalysisState, base: AnyValue, node: ast.AST) -> ClassValue | None:
    """The class of a library whose code the knowledge gives."""
    entry = state.knowledge.entry(base.name) if isinstance(base, LibraryName) else None
    made = code_value(state, entry, node) if entry is not None and entry.effect == "python" else None
    return made if isinstance(made, ClassValue) else None


def ancestors(state: AnalysisState, cls: ClassValue) -> list[ClassValue]:
    """A class and its bases in the project, in the order in which an attribute is looked for."""
    if not bases_of(state, cls):
        work(1)
        return [cls]
    found: dict[int, ClassValue] = {}
    waiting = [(cls, 0)]
    while waiting:
        one, depth = waiting.pop()
        if id(one) in found:
            continue
        found[id(one)] = one
        bases = bases_of(state, one) if depth < MAX_BASES else []
        own = [base for base in bases if isinstance(base, ClassValue) and base.node is not one.node]
        waiting += [(base, depth + 1) for base in reversed(own)]
    work(len(found))
    return list(found.values())


def instantiate(state: AnalysisState, cls: ClassValue, arguments: Arguments, node: ast.AST) -> AnyValue:
    """An object of a class of the project."""
    line = ancestors(state, cls)
    if is_enumeration(state, cls):
        return member_with_value(cls, next(iter(arguments[0]), None))
    maker = class_attribute(state, line, "__new__")
    made = state.call(state, maker, ([cls, *arguments[0]], arguments[1]), node) if isinstance(maker, Function) else None
    instance = made if isinstance(made, Instance) else new_instance(state, cls)
    found = member_of(state, instance, "__init__", node)
    if isinstance(found, Function):
        state.call(state, found, arguments, node)
        learn_for_samples(instance, cls)
    elif instance is not made:
        initialise(state, instance, line, arguments, node)
    state.taint = NO_TAINT  # the taint of an object is that of its attributes
    return instance


def new_instance(state: AnalysisState, cls: ClassValue) -> Instance:
    """An empty object of a class."""
    return Instance(container_kind(state, ancestors(state, cls)), cls=cls, allocation_loops=state.allocation_loops)


def inherited_transformer(
    state: AnalysisState, base: Instance | ClassValue, name: str, node: ast.AST
) -> LibraryObject | None:
    """What an object of ``class Stemmed(TfidfVectorizer)`` is, where the class says not itself how it learns."""
    names = state.knowledge.groups["fits-or-transforms"]
    if name not in names or isinstance(base, ClassValue) or any(member_of(state, base, n, node) for n in names):
        return None
    taint = state.taint
    bases = (library for cls in ancestors(state, base.cls) for library in bases_of(state, cls))
    made = [state.call(state, library, ([], {}), node) for library in bases if isinstance(library, LibraryName)]
    state.taint = taint
    return next((v for v in made if isinstance(v, LibraryObject) and v.role in ("transformer", "resampler")), None)


def container_kind(state: AnalysisState, line: list[ClassValue]) -> str:
    """What the objects of a class are: a container if it derives from one, a plain object otherwise."""
    for cls in line:
        if cls.kind != "object":
            return cls.kind
        for base in bases_of(state, cls):
            entry = state.knowledge.entry(base.name) if isinstance(base, LibraryName) else None
            if entry is not None and entry.effect in ("container", "record"):
                kind = str(entry.facts["kind"])
                return "dict" if kind == "defaultdict" else kind
    return "object"


def initialise(
    state: AnalysisState, instance: Instance, line: list[ClassValue], arguments: Arguments, node: ast.AST
) -> None:
    """Do what the ``__init__`` of a dataclass, a namedtuple or another record does: set what the class declares."""
    names = record_attributes(state, line[0])
    if instance.kind != "object" and not names:
        fill_container(state, instance, line, arguments, node)
        return
    note_record(state, instance, names, node)
    given = matched(names, arguments) | arguments[1]
    passed = {name: given.pop(name) for name in passed_on(line) if name in given}
    instance.attributes.update(given)
    for name in names:
        default = None if name in given else class_attribute(state, line, name)
        if isinstance(default, LibraryObject) and "factory" in default.facts:
            instance.attributes[name] = state.call(state, default.facts["factory"], ([], {}), node)
        elif default is not None and instance.kind == "tuple":
            instance.attributes[name] = default
    after = member_of(state, instance, "__post_init__", node)
    if isinstance(after, Function):
        state.call(state, after, (list(passed.values()), {}), node)


def record_attributes(state: AnalysisState, cls: ClassValue) -> list[str]:
    """The attributes that a class and its bases declare, in the order of the parameters of their ``__init__``."""
    names: dict[str, None] = {}
    for one in reversed(ancestors(state, cls)):
        names |= dict.fromkeys((*one.parameters, *declared_attributes(one)))
    return list(names)


def fill_container(
    state: AnalysisState, instance: Instance, line: list[ClassValue], arguments: Arguments, node: ast.AST
) -> None:
    """Fill an object of a subclass of ``list`` or ``dict`` as its base in the library does."""
    base = next((base for cls in line for base in bases_of(state, cls) if isinstance(base, LibraryName)), None)
    if base is None:  # several classes of the library, of which one cannot be told
        return
    made = state.call(state, base, arguments, node)
    if isinstance(made, HeapObject):
        instance.fields.update(made.fields)
        instance.elements, instance.extent, instance.default = made.elements, made.extent, made.default


def class_attribute(state: AnalysisState, line: list[ClassValue], name: str) -> AnyValue | None:
    """What a class or its bases hold under a name, as it stands there."""
    return next((cls.attributes[name] for cls in line if name in cls.attributes), None)


def member_of(
    state: AnalysisState, base: Instance | ClassValue, name: str, node: ast.AST, after: ClassValue | None = None
) -> AnyValue | None:
    """An attribute of an object or a class, those of its bases included; None if there is none.

    ``after``: look only in the classes that come after this one, as ``super()`` does.
    """
    holder = base.cls if isinstance(base, Instance) else base
    if isinstance(base, Instance) and after is None and name in base.attributes:
        return base.attributes[name]
    line = ancestors(state, holder)
    if after is not None:
        places = [place for place, cls in enumerate(line) if cls is after]
        line = line[places[0] + 1 :] if places else ancestors(state, after)[1:]
    found = class_attribute(state, line, name)
    match found:
        case Function() if isinstance(base, Instance):
            return replace(found, bound=base)
        case LibraryObject(role="property", facts={"function": getter}) if isinstance(base, Instance):
            return state.call(state, bound_to(getter, base), ([], {}), node)
        case LibraryObject(role="static", facts={"function": function}):
            return function  # type: ignore[no-any-return]
        case LibraryObject(role="class-method", facts={"function": function}):
            return bound_to(function, holder)
        case LibraryObject(role="field", facts=facts):
            return facts.get("default", UNKNOWN)  # type: ignore[no-any-return]
        case _:
            return found


def call_special_method(
    state: AnalysisState, base: Instance, name: str, values: list[AnyValue], node: ast.AST
) -> AnyValue | None:
    """Call a special method of an object of the project, if its class defines it."""
    found = member_of(state, base, name, node)
    return state.call(state, found, (values, {}), node) if isinstance(found, Function) else None


def call_operator(
    state: AnalysisState, left: Instance, operator: ast.operator, right: AnyValue, node: ast.AST
) -> AnyValue | None:
    """What an object of the project makes of an operator, if its class defines it: ``log << f1``."""
    name = SPECIAL_METHODS.get(type(operator))
    return None if name is None else call_special_method(state, left, name, [right], node)


def entries_given(state: AnalysisState, value: AnyValue, node: ast.AST) -> AnyValue:
    """What a loop over ``value`` goes through: what the ``__iter__`` of a class of the project gives, or the value.

    An object that is its own iterator gives what its ``__next__`` does; one without ``__iter__`` its entries.
    """
    if isinstance(value, ClassValue) and bases_of(state, value) and is_enumeration(state, value):
        return members(value)
    if not isinstance(value, Instance):
        return value
    given = call_special_method(state, value, "__iter__", [], node)
    if given is not None and not any(isinstance(option, Instance) for option in options(given)):
        return given
    given_key: list[AnyValue] = [Data(index="key")] if given is None else []
    name = "__getitem__" if given is None else "__next__"
    entry = call_special_method(state, value, name, given_key, node) if value.kind == "object" else None
    return value if entry is None else HeapObject("list", {}, entry, axes_of(entry) - state.active_axes)


def entries_of_arguments(state: AnalysisState, target: LibraryName, arguments: Arguments, node: ast.AST) -> Arguments:
    """The arguments, of which objects of the project give what their special methods say: ``sum(scores)``."""
    if not any([type(value) in (Instance, ClassValue) for value in arguments[0]]):
        return arguments
    entry = state.knowledge.entry(target.name)
    if entry is None:
        return arguments
    if "special" in entry.facts:
        name = entry.facts["special"]
        special = [
            call_special_method(state, v, name, [], node) if isinstance(v, Instance) else v for v in arguments[0]
        ]
        arguments = [o if new is None else new for o, new in zip(arguments[0], special, strict=True)], arguments[1]
    if entry.effect not in ITERATING:
        return arguments
    return [entries_given(state, v, node) for v in arguments[0]], arguments[1]


def bound_to(function: AnyValue, holder: AnyValue) -> AnyValue:
    """A method, bound to its object or class."""
    return replace(function, bound=holder) if isinstance(function, Function) else function


def find_member(state: AnalysisState, base: Instance | ClassValue, name: str, node: ast.AST) -> AnyValue:
    """An attribute or method of an object or a class; what is not found is typed by its name."""
    if name == "__dict__":
        return attributes_of(base)
    if name == "__class__" and isinstance(base, Instance):
        return base.cls
    found = member_of(state, base, name, node)
    if found is None and isinstance(base, Instance) and base.kind != "object" and is_itself(state, base, name):
        return base
    if found is None and isinstance(base, Instance) and base.kind == "dict" and name in base.fields:
        return base.fields[name]  # ``__getattr__ = dict.get``, ``self.__dict__ = self``
    if found is None and isinstance(base, Instance):
        getter = member_of(state, base, "__getattr__", node)
        if isinstance(getter, Function):
            return state.call(state, getter, ([Const(value=name)], {}), node)
    return found if found is not None else type_by_name(state, Data(state.active_axes, opaque=True), name, node)


def is_itself(state: AnalysisState, base: Instance, name: str) -> bool:
    """Whether an attribute of an object is the container that the object is: ``self.data`` of a ``UserList``."""
    bases = [one for cls in ancestors(state, base.cls) for one in bases_of(state, cls) if isinstance(one, LibraryName)]
    entries = [state.knowledge.entry(one.name) for one in bases]
    return any(entry is not None and entry.facts.get("itself") == name for entry in entries)


def holder_key(holder: Function | LibraryName) -> object:
    """What a function, or a module of a library, is known by where the program sets its attributes."""
    return holder.node if isinstance(holder, Function) else holder.name


def set_attribute(state: AnalysisState, target: ast.Attribute, value: AnyValue) -> None:
    """Set an attribute of an object or a class, or a column of a frame."""
    for option in options(state.evaluate(state, target.value)):
        match option:
            case Instance() | ClassValue():
                line = ancestors(state, option.cls) if isinstance(option, Instance) else []
                found = class_attribute(state, line, target.attr)
                if isinstance(found, LibraryObject) and found.role == "property":
                    setter = bound_to(found.facts.get("setter", UNKNOWN), option)
                    state.call(state, setter, ([value], {}), target)
                    continue
                old = option.attributes.get(target.attr)
                sets = class_attribute(state, line, "__setattr__") is not None
                if isinstance(option, Instance) and option.kind == "dict" and sets:
                    write_known_key(state, option, target.attr, value, target)
                elif isinstance(option, Instance):
                    touch(state, option)
                    option.attributes[target.attr] = grown(state, value, old)
                else:
                    option.attributes[target.attr] = join([old, value]) if state.arms and old is not None else value
            case HeapObject(kind="frame" | "table") if target.attr == "columns":
                touch(state, option)
                set_titles(option, value)
            case HeapObject(kind="frame" | "dict" as kind):  # of settings: ``cfg.scoring = "f1"``
                write_known_key(state, option, target.attr, as_default(value) if kind == "dict" else value, target)
            case LibraryObject(role="module"):
                bind_member(state, option, target.attr, value)
            case Function() | LibraryName():
                key = holder_key(option), target.attr
                old = state.attributes.get(key)
                state.attributes[key] = join([old, value]) if state.arms and old is not None else value
            case _:
                pass


def named_attribute(state: AnalysisState, target: LibraryName, node: ast.Call) -> ast.Attribute | None:
    """The attribute that ``getattr(box, "a")`` or ``setattr(box, "a", value)`` speaks of, if its name is known."""
    entry = state.knowledge.entry(target.name)
    if entry is None or entry.effect != "attribute" or len(node.args) < 2:
        return None
    names = {o.value if isinstance(o, Const) else None for o in options(state.evaluate(state, node.args[1]))}
    name = names.pop() if len(names) == 1 else None
    return ast.copy_location(ast.Attribute(node.args[0], name, ast.Load()), node) if isinstance(name, str) else None
