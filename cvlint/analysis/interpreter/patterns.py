"""Match statements: the cases that a value can reach, and the names that their patterns bind.

A name in a pattern stands for a part of the subject, so each is bound like ``name = subject.attribute``,
``name = subject[0]`` or ``name = subject["key"]``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Const
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.interpreter.objects import ancestors, class_attribute, record_attributes
from cvlint.analysis.state import AnalysisState


def can_match(state: AnalysisState, pattern: ast.pattern, subject: AnyValue) -> bool:
    """Whether a value may match a pattern; it cannot if it is another constant or an object of another class."""
    match pattern:
        case ast.MatchOr(patterns=several):
            return any(can_match(state, one, subject) for one in several)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return can_match(state, inner, subject)
        case ast.MatchValue(value=node):
            expected = state.evaluate(state, node)
            known = isinstance(expected, Const) and all(isinstance(o, Const) for o in options(subject))
            return not known or expected.value in [o.value for o in options(subject) if isinstance(o, Const)]  # type: ignore[union-attr]
        case ast.MatchClass(cls=node):
            classes = [o.node for o in options(state.evaluate(state, node)) if isinstance(o, ClassValue)]
            lines = [ancestors(state, o.cls) if isinstance(o, Instance) else None for o in options(subject)]
            return not classes or any(line is None or any(c.node in classes for c in line) for line in lines)
        case _:
            return True


def bind_pattern(state: AnalysisState, pattern: ast.pattern, subject: ast.expr) -> None:
    """Bind the names in a pattern to the parts of the subject that they stand for."""
    for name, part in named_parts(state, pattern, subject):
        target = ast.copy_location(ast.Name(name, ast.Store()), pattern)
        assign(state, target, state.evaluate(state, part), part)


def positional_attributes(state: AnalysisState, cls: ClassValue) -> list[str]:
    """The attributes that the positions of a class pattern stand for: ``__match_args__``, or those of a record."""
    told = class_attribute(state, ancestors(state, cls), "__match_args__")
    if not isinstance(told, HeapObject):
        return record_attributes(state, cls)
    return [v.value for v in told.fields.values() if isinstance(v, Const) and isinstance(v.value, str)]


def named_parts(state: AnalysisState, pattern: ast.pattern, subject: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names in a pattern, with the expressions that they stand for."""

    def part(key: ast.expr) -> ast.expr:
        node = ast.copy_location(ast.Subscript(subject, key, ast.Load()), pattern)
        ast.copy_location(key, pattern)
        return node

    def attribute(name: str) -> ast.expr:
        return ast.copy_location(ast.Attribute(subject, name, ast.Load()), pattern)

    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if name is not None:
                yield name, subject
            if inner is not None:
                yield from named_parts(state, inner, subject)
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from named_parts(state, one, subject)
        case ast.MatchSequence(patterns=several):
            star = next((i for i, one in enumerate(several) if isinstance(one, ast.MatchStar)), len(several))
            for index, one in enumerate(several):
                if isinstance(one, ast.MatchStar):
                    first, end = (
                        ast.copy_location(ast.Constant(i), pattern) for i in (index, index + 1 - len(several))
                    )
                    if one.name is not None:
                        yield one.name, part(ast.Slice(first, end if end.value else None))
                else:
                    yield from named_parts(state, one, part(ast.Constant(index - len(several) * (index > star))))
        case ast.MatchMapping(keys=keys, patterns=several, rest=rest):
            for key, one in zip(keys, several, strict=True):
                yield from named_parts(state, one, part(key))
            if rest is not None:
                yield rest, subject
        case ast.MatchClass(cls=node, patterns=several, kwd_attrs=attributes, kwd_patterns=keyed):
            classes = [o for o in options(state.evaluate(state, node)) if isinstance(o, ClassValue)]
            names = positional_attributes(state, classes[0]) if classes else []
            for place, one in enumerate(several):  # ``float(x)`` and other builtins match the whole
                known = place < len(names)
                yield from named_parts(state, one, attribute(names[place]) if known else subject)
            for name, one in zip(attributes, keyed, strict=True):
                yield from named_parts(state, one, attribute(name))
        case _:
            return
