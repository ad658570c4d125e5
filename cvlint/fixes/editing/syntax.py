"""The syntax tree of a file in libcst: positions and texts of nodes, and the bindings, reads and meanings of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, takewhile

import libcst as cst
from libcst.metadata import (
    Assignment,
    BuiltinAssignment,
    ExpressionContext,
    ExpressionContextProvider,
    ImportAssignment,
    MetadataWrapper,
    PositionProvider,
    QualifiedNameSource,
    Scope,
    ScopeProvider,
)

from cvlint.fixes.editing.edits import Edit
from cvlint.records import dataclass
from cvlint.source.location import Location
from cvlint.source.module import Source

Span = tuple[int, int]
"""The offsets of the begin and the end of a node."""

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Block = cst.Module | cst.IndentedBlock
_REPEATED = (cst.For, cst.While, cst.FunctionDef, cst.Lambda, cst.BaseComp)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of one scope: the nodes that bind it, and the names that read it."""

    bound: tuple[cst.CSTNode, ...]
    reads: tuple[cst.CSTNode, ...]


class Code:
    """The syntax tree of one file.

    Parameters
    ----------
    source : Source
        The file.
    importing : sequence of str
        The texts of files that import it.

    Raises
    ------
    libcst.ParserSyntaxError
        If libcst cannot parse the text.
    """

    def __init__(self, source: Source, importing: Sequence[str] = ()) -> None:
        self.source = source
        self.importing = importing
        wrapper = MetadataWrapper(cst.parse_module(source.text), unsafe_skip_copy=True)
        self.module = wrapper.module
        wrapper.resolve_many((PositionProvider, ScopeProvider, ExpressionContextProvider))  # one by one takes longer
        self._children = _children_of(self.module)  # a ParentNodeProvider takes twice as long, and keeps only parents
        self._parents = {child: node for node, children in self._children.items() for child in children}
        self._ranges = wrapper.resolve(PositionProvider)
        self._scopes = wrapper.resolve(ScopeProvider)
        self._contexts = wrapper.resolve(ExpressionContextProvider)
        self._values = self.names(self.module)
        self._starts = list(accumulate((len(line) + 1 for line in source.lines), initial=0))

    def span(self, node: cst.CSTNode) -> Span:
        """The span of a node, without the brackets around it."""
        place = self._ranges[node]
        return self._offset(place.start.line, place.start.column), self._offset(place.end.line, place.end.column)

    def _offset(self, line: int, column: int) -> int:
        return min(self._starts[line - 1] + column, len(self.source.text))

    def text(self, node: cst.CSTNode) -> str:
        """The text of a node, without the brackets around it."""
        start, end = self.span(node)
        return self.source.text[start:end]

    def argument(self, node: cst.BaseExpression) -> str:
        """The text of an expression for use between commas, with its brackets."""
        return f"({self.text(node)})" if node.lpar else self.text(node)

    def expression(self, location: Location) -> cst.BaseExpression | None:
        """The expression at a location; None if the text was rewritten before it was parsed."""
        line = self.source.line_in_text(location)
        begin = (line, location.column - 1)
        end = (line + location.end_line - location.line, location.end_column - 1)
        for node, place in self._ranges.items():
            here = (place.start.line, place.start.column) == begin and (place.end.line, place.end.column) == end
            if here and isinstance(node, cst.BaseExpression):
                return node
        return None

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, the innermost first."""
        parent = self._parents.get(node)
        while parent is not None:
            yield parent
            parent = self._parents.get(parent)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node directly around a node."""
        return self._parents[node]

    def statement(self, node: cst.CSTNode) -> Statement:
        """The statement around a node."""
        return next(n for n in self.above(node) if isinstance(n, cst.SimpleStatementLine | cst.BaseCompoundStatement))

    def block(self, statement: cst.CSTNode) -> Block | None:
        """The block around a statement; None for ``if x: y`` in one line."""
        parent = self._parents.get(statement)
        return parent if isinstance(parent, cst.Module | cst.IndentedBlock) else None

    def follows(self, earlier: cst.CSTNode, later: cst.CSTNode) -> bool:
        """Whether a node comes after a statement, in its block or in a block inside it."""
        block = self.block(earlier)
        return block is not None and block in self.above(later) and self.span(earlier)[1] <= self.span(later)[0]

    def once(self, earlier: cst.CSTNode, later: cst.CSTNode) -> bool:
        """Whether a node comes after a statement and runs as often: no loop or function lies between them."""
        between = takewhile(lambda node: node is not self.block(earlier), self.above(later))
        return self.follows(earlier, later) and not any(isinstance(node, _REPEATED) for node in between)

    def names(self, node: cst.CSTNode) -> list[cst.Name]:
        """The names in a node that stand for a value, without attribute names and keywords of arguments."""
        found: list[cst.Name] = []
        waiting: list[cst.CSTNode] = [node]
        while waiting:
            match waiting.pop():
                case cst.Name() as name:
                    found.append(name)
                case cst.Attribute(value=value):
                    waiting.append(value)
                case cst.Arg(value=value):
                    waiting.append(value)
                case other:
                    waiting.extend(self._children[other])
        return found

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope around a node."""
        for one in (node, *self.above(node)):
            scope = self._scopes.get(one)
            if scope is not None:
                return scope
        raise LookupError("every module has a scope")

    @property
    def globals(self) -> Scope:
        """The scope of the module."""
        return self.scope(self.module).globals

    def meaning(self, node: cst.CSTNode) -> str:
        """The dotted name that an imported name stands for; empty for other names, and if it is uncertain."""
        if not isinstance(node, cst.Name | cst.Attribute):
            return ""
        found = self.scope(node).get_qualified_names_for(node)
        imported = [name.name for name in found if name.source is QualifiedNameSource.IMPORT]
        return imported[0] if len(found) == 1 and imported else ""

    def means_there(self, node: cst.CSTNode, places: Iterable[cst.CSTNode]) -> bool:
        """Whether the names in a node stand for the same variables at other places."""
        names = [(name.value, self.scope(node)[name.value]) for name in self.names(node)]
        return all(self.scope(place)[name] == found for place in places for name, found in names)

    def is_builtin(self, node: cst.CSTNode) -> bool:
        """Whether a name is a built-in, ``len`` for example."""
        found = self.scope(node).get_qualified_names_for(node) if isinstance(node, cst.Name) else ()
        return bool(found) and all(name.source is QualifiedNameSource.BUILTIN for name in found)

    def is_free_builtin(self, place: cst.CSTNode, name: str) -> bool:
        """Whether nothing hides a built-in at a node."""
        return all(isinstance(one, BuiltinAssignment) for one in self.scope(place)[name])

    def variable(self, name: cst.CSTNode) -> Variable | None:
        """The bindings and reads of a variable; None for imports, built-ins and anything but a plain name."""
        if not isinstance(name, cst.Name):
            return None
        found = self.scope(name)[name.value]
        bound = [one.node for one in found if isinstance(one, Assignment) and not isinstance(one, ImportAssignment)]
        if not found or len(bound) != len(found):
            return None
        reads = {access.node for one in found for access in one.references}
        key = lambda node: self.span(node)  # noqa: E731
        return Variable(tuple(sorted(bound, key=key)), tuple(sorted(reads, key=key)))

    def assigned(self, name: cst.CSTNode) -> cst.Assign | None:
        """The only binding of a name, if it is a plain ``name = value``."""
        variable = self.variable(name)
        if variable is None or len(variable.bound) != 1:
            return None
        target = self._parents.get(variable.bound[0])
        statement = self._parents.get(target) if isinstance(target, cst.AssignTarget) else None
        return statement if isinstance(statement, cst.Assign) and len(statement.targets) == 1 else None

    def named(self, name: str) -> list[cst.Name]:
        """The nodes where a name stands for a value."""
        return [node for node in self._values if node.value == name]

    def context(self, node: cst.CSTNode) -> ExpressionContext | None:
        """Whether an expression is read, bound or deleted."""
        found = self._contexts.get(node)
        return found if isinstance(found, ExpressionContext) else None

    def is_free(self, name: str) -> bool:
        """Whether a name does not occur in the file."""
        return not any(isinstance(node, cst.Name) and node.value == name for node in self._ranges)

    def fresh(self, name: str) -> str:
        """A name that does not occur in the file: this one, or this one with a number."""
        return next(n for n in (name, *(f"{name}_{i}" for i in range(2, 99))) if self.is_free(n))

    def lines(self, statement: cst.CSTNode) -> Span:
        """The span of the lines of a statement, without the last line end."""
        start, end = self.span(statement)
        after = self.source.text.find("\n", end)
        return self.source.text.rfind("\n", 0, start) + 1, len(self.source.text) if after < 0 else after

    def indent(self, statement: cst.CSTNode) -> str:
        """The text before a statement in its line."""
        return self.source.text[self.lines(statement)[0] : self.span(statement)[0]]

    def removable(self, statement: cst.CSTNode) -> Span | None:
        """The lines of a statement with a line end; None if they hold anything else, even a comment."""
        line = statement if isinstance(statement, cst.SimpleStatementLine) else self.statement(statement)
        start, end = self.lines(line)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1 or "#" in self.source.text[start:end]:
            return None
        last = {self._starts[cell.stop - 1] - 1 for cell in self.source.cells or ()}
        return (start, end + 1) if end not in last and end < len(self.source.text) else (max(start - 1, 0), end)

    def strings(self, edit: Edit) -> Iterator[str]:
        """The quotes of the f-strings around an edit."""
        for node in self._ranges:
            if isinstance(node, cst.FormattedString):
                start, end = self.span(node)
                if start < edit.start and edit.end < end:
                    yield node.quote


def _children_of(module: cst.Module) -> dict[cst.CSTNode, Sequence[cst.CSTNode]]:
    """The children of each node; libcst finds them anew whenever they are asked for."""
    found: dict[cst.CSTNode, Sequence[cst.CSTNode]] = {}
    waiting: list[cst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        found[node] = node.children
        waiting.extend(found[node])
    return found


def arguments(call: cst.Call, *params: str) -> dict[str, cst.Arg] | None:
    """The arguments of a call by parameter; None for starred arguments and for too many positional ones."""
    found: dict[str, cst.Arg] = {}
    for number, arg in enumerate(call.args):
        if arg.star or (arg.keyword is None and number >= len(params)):
            return None
        found[arg.keyword.value if arg.keyword else params[number]] = arg
    return found


def inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes inside it."""
    yield node
    for child in node.children:
        yield from inside(child)


def bound_value(code: Code, name: cst.CSTNode) -> cst.BaseExpression | None:
    """The value that an assignment binds a name to; also for several names, ``a, b = [], []``."""
    target = code.parent(name)
    match target:
        case cst.AssignTarget():
            assign: cst.CSTNode | None = code.parent(target)
            return assign.value if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        case cst.Element():
            names = code.parent(target)
            whole = code.parent(names)
            assign = code.parent(whole) if isinstance(whole, cst.AssignTarget) else None
            if isinstance(assign, cst.Assign) and len(assign.targets) == 1 and isinstance(names, cst.Tuple):
                match assign.value:
                    case cst.Tuple(elements=values) if len(values) == len(names.elements):
                        return values[names.elements.index(target)].value
    return None
