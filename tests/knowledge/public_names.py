"""Lists of the public names of libraries that the tests do not install: `tests/knowledge/names/<library>.txt`.

A library such as torch is too large to be installed for the tests, so that a typo in the knowledge of it would stay
unseen. A list holds the names of the modules that the knowledge mentions, with their parameters, as the sources of one
version define them. One command writes the lists, from packages that were unpacked anywhere, with all or none of the
libraries that they import:

    pip install --no-deps --target /tmp/unpacked torcheval
    python -m tests.knowledge.public_names /tmp/unpacked

The sources are read and never imported.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = Path(__file__).parent / "names"
KNOWLEDGE = Path(__file__).resolve().parents[2] / "rules" / "knowledge"
MOST_NAMES = 3_000
"""Of a module with more names, such as ``transformers``, only those are listed that the knowledge has."""
MOST_STEPS = 20
"""So many imports lead from a public name to its definition, at most."""

# --- reading the lists


@cache
def listed(library: str) -> dict[str, str] | None:
    """The public names of a library, with their parameters, or an empty text; None where there is no list."""
    path = NAMES / f"{library}.txt"
    if not path.is_file():
        return None
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return {line.partition("(")[0]: "".join(line.partition("(")[1:]) for line in lines}


def signature_of(parameters: str) -> inspect.Signature | None:
    """The signature that a text such as ``(input, target, *, average='micro')`` says; None for an empty text."""
    if not parameters:
        return None
    function = ast.parse(f"def f{parameters}: pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    kind, empty = inspect.Parameter, inspect.Parameter.empty
    first = [*given.posonlyargs, *given.args]
    defaults = [empty] * (len(first) - len(given.defaults)) + [literal(d) for d in given.defaults]
    found = [kind(a.arg, kind.POSITIONAL_OR_KEYWORD, default=d) for a, d in zip(first, defaults, strict=True)]
    found += [kind(given.vararg.arg, kind.VAR_POSITIONAL)] if given.vararg else []
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(kind(argument.arg, kind.KEYWORD_ONLY, default=literal(default) if default else empty))
    found += [kind(given.kwarg.arg, kind.VAR_KEYWORD)] if given.kwarg else []
    return inspect.Signature(found)


def literal(node: ast.expr) -> object:
    """The value of a default; the text of one that is no literal."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


# --- writing them


@dataclass
class Module:
    """What the source of a module binds: definitions, and what it imports from where."""

    definitions: dict[str, ast.stmt | ast.expr] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The module and the name there, empty for a module that is imported itself."""
    stars: list[str] = field(default_factory=list)


@dataclass
class Sources:
    """The packages in some folders, read without importing them."""

    folders: list[Path]
    modules: dict[str, Module | None] = field(default_factory=dict)
    names: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)

    def path(self, name: str) -> Path | None:
        """The file of a module, its stub where there is one."""
        places = [folder.joinpath(*name.split(".")) for folder in self.folders]
        files = [p for place in places for p in (place / "__init__.pyi", place / "__init__.py", *beside(place))]
        return next((p for p in files if p.is_file()), None)

    def module(self, name: str) -> Module | None:
        """What a module binds; None where there is no such module. The module above may bring it from elsewhere."""
        if name not in self.modules:
            path = self.path(name)
            self.modules[name] = None if path is None else read(path, name)
            owner, _, tail = name.rpartition(".")
            if path is None and owner and (above := self.module(owner)) is not None and tail in above.imported:
                self.modules[name] = self.module(".".join(above.imported[tail]))
        return self.modules[name]

    def bound(self, name: str) -> dict[str, tuple[str, str]]:
        """The public names of a module, each with the module that binds it and its name there; stars are followed."""
        if name not in self.names:
            self.names[name] = {}
            module = self.module(name) or Module()
            found = {n: place for star in module.stars for n, place in self.bound(star).items()}
            found |= {n: (name, n) for n in (*module.definitions, *module.imported) if not n.startswith("_")}
            self.names[name] = found
        return self.names[name]

    def declared(self, name: str) -> set[str]:
        """The names that a module calls public by ``__all__``, wherever they come from, or imports from its library."""
        module = self.module(name) or Module()
        library = name.partition(".")[0]
        imported = {
            n for n, (source, original) in module.imported.items() if source.startswith(f"{library}.") and original
        }
        everything = module.definitions.get("__all__")
        entries = everything.elts if isinstance(everything, ast.List | ast.Tuple) else []
        texts = {e.value for e in entries if isinstance(e, ast.Constant) and isinstance(e.value, str)}
        return {n for n in imported | texts if not n.startswith("_")}

    def definition(self, module: str, name: str) -> tuple[str, ast.AST] | None:
        """The module and the code that defines a name; None where imports lead out of the packages, or in a circle."""
        for _ in range(MOST_STEPS):
            found = self.module(module)
            if found is None:
                return None
            code = found.definitions.get(name)
            if isinstance(code, ast.Name) and code.id != name:
                name = code.id
            elif code is not None:
                return module, code
            elif name in found.imported:
                source, original = found.imported[name]
                if not original or (original not in self.bound(source) and self.path(f"{source}.{original}")):
                    return (source, ast.Pass()) if self.path(source) is not None else None
                module, name = source, original
            elif name in self.bound(module):
                module, name = self.bound(module)[name]
            else:
                return None
        return None

    def parameters(self, module: str, code: ast.AST, steps: int = 5) -> str:
        """The parameters of a function or of the constructor of a class, those of its bases included."""
        match code:
            case ast.FunctionDef():
                return written(code.args)
            case ast.ClassDef(body=body, bases=bases):
                makers = {s.name: s for s in body if isinstance(s, ast.FunctionDef)}
                maker = makers.get("__init__") or makers.get("__new__")
                if maker is not None:
                    return written(maker.args)
                for base in bases if steps else ():
                    name = base.id if isinstance(base, ast.Name) else ""
                    found = self.definition(module, name)
                    if found is not None and (text := self.parameters(*found, steps - 1)):
                        return text
        return ""


def beside(place: Path) -> tuple[Path, Path]:
    """The stub and the source of a module that is no package."""
    return place.with_name(f"{place.name}.pyi"), place.with_name(f"{place.name}.py")


def read(path: Path, name: str) -> Module:
    """What the statements of a module bind, those under ``if`` and ``try`` included."""
    module = Module()
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    waiting = list(ast.parse(path.read_text(encoding="utf-8-sig", errors="replace")).body)
    while waiting:
        statement = waiting.pop(0)
        match statement:
            case ast.FunctionDef(name=bound) | ast.ClassDef(name=bound):
                module.definitions[bound] = statement
            case ast.Assign(targets=targets, value=value):
                names = [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
                module.definitions |= dict.fromkeys(names, value)
            case ast.AnnAssign(target=ast.Name(id=bound), value=value):
                module.definitions[bound] = value or statement
            case ast.Import(names=aliases):
                for alias in aliases:
                    bound = alias.asname or alias.name.partition(".")[0]
                    module.imported[bound] = (alias.name if alias.asname else bound, "")
            case ast.ImportFrom(level=level, module=source, names=aliases):
                above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                origin = ".".join([*above, *([source] if source else [])])
                module.stars += [origin for alias in aliases if alias.name == "*"]
                module.imported |= {a.asname or a.name: (origin, a.name) for a in aliases if a.name != "*"}
            case ast.If() | ast.Try() | ast.With():
                inner = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
                waiting += [s for part in inner for s in part]
                waiting += [s for handler in getattr(statement, "handlers", []) for s in handler.body]
    return module


def written(arguments: ast.arguments) -> str:
    """The parameters of a function, without their types and without ``self``."""
    first = [*arguments.posonlyargs, *arguments.args]
    own = first and first[0].arg in ("self", "cls")
    kept = first[1:] if own else first
    plain = ast.arguments(
        [], [ast.arg(a.arg) for a in kept], arguments.vararg and ast.arg(arguments.vararg.arg),
        [ast.arg(a.arg) for a in arguments.kwonlyargs], arguments.kw_defaults,
        arguments.kwarg and ast.arg(arguments.kwarg.arg), arguments.defaults[-len(kept) :] if kept else [],
    )  # fmt: skip
    return f"({ast.unparse(plain)})".replace("\n", " ")


def modules_of_knowledge() -> dict[str, list[str]]:
    """The modules that the knowledge mentions, by their library, the aliases of others last."""
    data = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(KNOWLEDGE.glob("*.toml"))]
    names = [table["module"] for tables in data for table in tables.get("entry", ())]
    names += [name for tables in data for pair in tables.get("aliases", {}).items() for name in pair]
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(name.partition(".")[0], []).append(name)
    return {library: found[library] for library in {name.partition(".")[0] for name in names}}


@cache
def aliases_of_knowledge() -> frozenset[str]:
    """The modules that are other names of modules in the knowledge."""
    data = [tomllib.loads(path.read_text(encoding="utf-8")) for path in KNOWLEDGE.glob("*.toml")]
    return frozenset(alias for tables in data for alias in tables.get("aliases", {}))


@cache
def known_names() -> frozenset[str]:
    """All names in the entries of the knowledge, without their modules."""
    data = [tomllib.loads(path.read_text(encoding="utf-8")) for path in KNOWLEDGE.glob("*.toml")]
    return frozenset(name for tables in data for table in tables.get("entry", ()) for name in table["names"])


def write_lists(folders: list[Path]) -> list[str]:
    """Write the list of each library that lies in one of the folders; return the libraries."""
    done = []
    for library, modules in sorted(modules_of_knowledge().items()):
        holding = [folder for folder in folders if (folder / library).is_dir() or (folder / f"{library}.py").is_file()]
        if not holding:
            continue
        installed = (d.name for folder in holding for d in folder.glob("*.dist-info"))
        versions = sorted(name.removesuffix(".dist-info").replace("-", " ") for name in installed)
        title = f"# {', '.join(versions)}: names with parameters, written by `python -m tests.knowledge.public_names`."
        lines = public(Sources(holding), modules, library)
        (NAMES / f"{library}.txt").write_text("\n".join([title, *lines]) + "\n", encoding="utf-8")
        done.append(library)
    return done


def public(sources: Sources, modules: list[str], library: str) -> Iterator[str]:
    """The names that the modules of a library have of it, with their parameters; an alias has those that it adds.

    What only imports lead to is left out if the library does not define it. A "module" can be a class.
    """
    seen, aliases = set[tuple[str, int]](), aliases_of_knowledge()
    for module in modules:
        owner, _, cls = module.rpartition(".")
        if sources.module(module) is None and (found := sources.definition(owner, cls)) is not None:
            body = getattr(found[1], "body", [])
            methods = (s for s in body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_"))
            yield from sorted({f"{module}.{method.name}" for method in methods})
            continue
        names = sources.bound(module).keys() | sources.declared(module)
        for name in sorted(names if len(names) <= MOST_NAMES else names & known_names()):
            found = sources.definition(module, name)
            key = (name, id(found[1]) if found is not None else 0)
            if name in sources.declared(module) and found is None:
                yield f"{module}.{name}"
            if found is None or isinstance(found[1], ast.Pass) or found[0].partition(".")[0] != library:
                continue
            if key in seen and module in aliases:
                continue
            seen.add(key)
            yield f"{module}.{name}{sources.parameters(*found)}"


if __name__ == "__main__":
    print("written:", ", ".join(write_lists([Path(argument) for argument in sys.argv[1:]])))
