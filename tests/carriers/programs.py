"""Programs made of a base and a construct: each is run, and checked."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent

from tests.carriers.bases import BASES, HEAD, Base
from tests.carriers.constructs import ARRAY, COLLECTION, REDUCTION, VALUE, Construct
from tests.carriers.everyday import EVERYDAY_COLLECTION, EVERYDAY_REDUCTION, EVERYDAY_VALUE
from tests.carriers.rare_arrays import RARE_ARRAY
from tests.carriers.rare_collections import RARE_COLLECTION
from tests.carriers.rare_objects import RARE_OBJECT
from tests.carriers.rare_reductions import RARE_REDUCTION
from tests.carriers.rare_values import RARE_VALUE
from tests.carriers.taught import TAUGHT_COLLECTION, TAUGHT_VALUE
from tests.carriers.unseen_arrays import UNSEEN_ARRAY
from tests.carriers.unseen_collections import UNSEEN_COLLECTION
from tests.carriers.unseen_files import UNSEEN_FILE
from tests.carriers.unseen_frames import UNSEEN_FRAME
from tests.carriers.unseen_records import UNSEEN_RECORD
from tests.carriers.unseen_values import UNSEEN_VALUE

RARE = {
    "search": RARE_VALUE,
    "one fold's F": TAUGHT_VALUE + EVERYDAY_VALUE + UNSEEN_VALUE,
    "cross_val_score": RARE_ARRAY + UNSEEN_ARRAY,
    "fold F": (RARE_COLLECTION + RARE_OBJECT + TAUGHT_COLLECTION + EVERYDAY_COLLECTION)
    + (UNSEEN_COLLECTION + UNSEEN_FILE + UNSEEN_FRAME + UNSEEN_RECORD),
    "F of batches": TAUGHT_COLLECTION,
}
"""The rarer constructs, each beside one base of its kind: they take a fault along as they take any other."""

NUMBERS_ONLY = (
    "np.append",
    "preallocated array",
    "column of an array",
    "json text",
    "json file",
    "DataFrame loc",
    "map to float",
    "csv by pandas",
    "sorted",
    "reversed",
    "Series of a dict",
    "DataFrame of rows",
    "np.save",
)
"""Constructs that carry numbers, and no arrays of different lengths."""
PLAIN = Construct("plain", body="{o} = {v}", before="box = []", inside="box.append({v})", after="{o} = box")


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and the rule whose finding must be there; none in a right program."""

    name: str
    base: Base
    construct: str
    text: str
    rule: str | None


def filled(code: str, base: Base, construct: Construct) -> str:
    """The text of a program."""
    parts = {"value": construct.body, "before": construct.before, "inside": construct.inside, "after": construct.after}
    lines = []
    for line in code.split("\n"):
        bare = line.strip()
        if bare.startswith("{") and bare.endswith("}") and bare[1:-1] in parts:
            text = parts[bare[1:-1]].format(v="made", o="got")
            lines.append(indent(text, line[: len(line) - len(bare)]))
        else:
            lines.append(line.replace("{{", "{").replace("}}", "}"))
    return HEAD.replace("{define}", construct.define) + "\n".join(lines) + "\n"


def programs(crossed: bool = False) -> Iterator[Program]:
    """All programs, the faulty and the right ones; ``crossed`` puts the rarer constructs beside every base."""
    for base in BASES:
        rare = [c for name, more in RARE.items() if name == base.name or crossed for c in more if fits(c, base)]
        for construct in (*constructs(base), *rare):
            for code, rule in ((base.faulty, base.rule), (base.right, None)):
                if code:
                    kind = "faulty" if rule else "right"
                    name = f"{base.name}: {construct.name} ({kind})"
                    yield Program(name, base, construct.name, filled(code, base, construct), rule)
        if base.name == "fold F":
            yield from reductions(base)


def fits(construct: Construct, base: Base) -> bool:
    """Whether a construct can carry what a base has."""
    carries_arrays = base.kind == "array" or construct not in RARE_ARRAY + UNSEEN_ARRAY
    return carries_arrays and bool(construct.inside) == (base.kind in ("collection", "arrays"))


def constructs(base: Base) -> Iterator[Construct]:
    """The constructs that can carry what a base has."""
    yield PLAIN
    match base.kind:
        case "value":
            yield from VALUE
        case "array":
            yield from (c for c in VALUE if c.name != "assert")
            yield from ARRAY
        case "collection":
            yield from COLLECTION
        case "arrays":
            yield from (c for c in COLLECTION if c.name not in NUMBERS_ONLY)


def reductions(base: Base) -> Iterator[Program]:
    """The ways to take a mean."""
    for name, end in {**REDUCTION, **RARE_REDUCTION, **EVERYDAY_REDUCTION}.items():
        for code, rule in ((base.faulty, base.rule), (base.right, None)):
            text = filled(code, base, PLAIN).replace("print(np.mean(got))", end.format(o="got"))
            yield Program(f"{base.name}: {name} ({'faulty' if rule else 'right'})", base, name, text, rule)


def printed(text: str) -> float:
    """Run a program in a folder of its own, and give the number that it prints."""
    out = io.StringIO()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        os.chdir(folder)
        try:
            exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
        finally:
            os.chdir(before)
    return float(out.getvalue().split()[-1])
