"""Constructs of everyday research code that the analysis once lost: frames beside frames, records, modules by name.

Their forms are those of `tests.carriers.constructs`.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many, one

EVERYDAY_VALUE: tuple[Construct, ...] = (
    one("module by its name", "{o} = importlib.import_module('copy').copy({v})", "import importlib"),
    one(
        "import that may fail",
        "{o} = clone({v})",
        "try:\n    from copy import copy as clone\nexcept ImportError:\n    clone = None",
    ),
    one("code in a text", "{o} = eval('a', {{'a': {v}}})"),
    one("names of executed code", "names = {{}}\nexec('made_of = a', {{'a': {v}}}, names)\n{o} = names['made_of']"),
    one("class by a call", "{o} = type('Box', (object,), {{'a': {v}}}).a"),
    one(
        "new before init",
        "{o} = Box({v}).a",
        "class Box:\n    def __new__(cls, a):\n        it = super().__new__(cls)\n        it.a = a\n        return it",
    ),
    one(
        "fields of a dataclass",
        "box = Box({v}, 1)\n{o} = [getattr(box, f.name) for f in fields(box)][0]",
        "from dataclasses import dataclass, fields\n@dataclass\nclass Box:\n    a: object\n    n: int",
    ),
    one(
        "record of a list",
        "{o} = Box._make([{v}, 1]).a",
        "from collections import namedtuple\nBox = namedtuple('Box', 'a n')",
    ),
    one(
        "composed functions",
        "{o} = reduce(lambda f, g: lambda a: g(f(a)), [same, same])({v})",
        "from functools import reduce\ndef same(a):\n    return a",
    ),
    one(
        "steps one after another",
        "{o} = reduce(lambda a, step: step(a), [same, same], {v})",
        "from functools import reduce\ndef same(a):\n    return a",
    ),
    one(
        "object or value",
        "{o} = opened(Box({v}))",
        "class Box:\n    def __init__(self, a):\n        self.a = a\n"
        "def opened(it):\n    if isinstance(it, Box):\n        return it.a\n    return it",
    ),
    one("key of two parts", "box = {{}}\nbox['lr', 0] = {v}\n{o} = box['lr', 0]"),
)
EVERYDAY_COLLECTION: tuple[Construct, ...] = (
    many(
        "objects as rows",
        "box = []",
        "box.append(Row(len(box), {v}))",
        "{o} = pd.DataFrame(box).score",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    n: int\n    score: float",
    ),
    many(
        "merged frames",
        "rows = []",
        "rows.append({{'n': len(rows), 'a': {v}}})",
        "{o} = pd.DataFrame({{'n': range(5), 'k': 1}}).merge(pd.DataFrame(rows), on='n')['a']",
    ),
    many(
        "joined frames",
        "rows = []",
        "rows.append({{'a': {v}}})",
        "{o} = pd.DataFrame({{'n': range(5)}}).join(pd.DataFrame(rows))['a']",
    ),
    many(
        "unstacked column",
        "rows = []",
        "rows.append({{'n': len(rows), 'm': 'x', 'a': {v}}})",
        "{o} = pd.DataFrame(rows).set_index(['n', 'm'])['a'].unstack()['x']",
    ),
    many(
        "evaluated column", "rows = []", "rows.append({{'a': {v}}})", "{o} = pd.DataFrame(rows).eval('e = a + 0')['e']"
    ),
    many(
        "dicts within rows",
        "rows = []",
        "rows.append({{'m': {{'a': {v}}}}})",
        "{o} = pd.json_normalize(rows)['m.a']",
    ),
    many(
        "product of lists",
        "box = []",
        "box.append({v})",
        "{o} = [s for s, _ in product(box, [1])]",
        "from itertools import product",
    ),
    many(
        "one logger for all",
        "logger = the_logger()",
        "the_logger().log(a={v})",
        "{o} = logger.history['a']",
        "class Logger:\n    def __init__(self):\n        self.history = {}\n    def log(self, **given):\n"
        "        for name, a in given.items():\n            self.history.setdefault(name, []).append(a)\n"
        "LOGGER = None\ndef the_logger():\n    global LOGGER\n    if LOGGER is None:\n        LOGGER = Logger()\n"
        "    return LOGGER",
    ),
    many(
        "sum of objects",
        "box = Scores([])",
        "box = box + Scores([{v}])",
        "{o} = box.all",
        "class Scores:\n    def __init__(self, all):\n        self.all = all\n"
        "    def __add__(self, other):\n        return Scores(self.all + other.all)",
    ),
    many(
        "number from a closure",
        "box, number = {{}}, counter()",
        "box[number()] = {v}",
        "{o} = list(box.values())",
        "def counter():\n    n = 0\n    def number():\n        nonlocal n\n        n += 1\n        return n\n"
        "    return number",
    ),
    many(
        "text of a table",
        "rows = []",
        "rows.append({{'a': {v}}})",
        "text = pd.DataFrame(rows).to_csv(index=False)\n{o} = pd.read_csv(io.StringIO(text))['a']",
        "import io",
    ),
    many("lists of one", "box = []", "box.append([{v}])", "{o} = np.hstack(box)"),
    many(
        "list under a key of two parts",
        "box = {{}}",
        "box['lr', 'a'] = box.get(('lr', 'a'), []) + [{v}]",
        "{o} = box['lr', 'a']",
    ),
    many("lists of a transposed list", "box = []", "box.append(({v}, 0.5))", "{o}, others = map(list, zip(*box))"),
    many(
        "first of each group",
        "rows = []",
        "rows.append({{'n': len(rows), 'a': {v}}})",
        "{o} = pd.DataFrame(rows).groupby('n')['a'].first()",
    ),
)
EVERYDAY_REDUCTION: dict[str, str] = {
    "aggregated by a function": "print(pd.Series({o}).agg(lambda s: s.mean()))",
    "applied to groups": "print(pd.DataFrame({{'m': 'x', 'a': {o}}}).groupby('m')['a'].apply(np.mean).iloc[0])",
    "cross table": "t = pd.DataFrame({{'m': 'x', 'k': 'y', 'a': {o}}})\n"
    "print(pd.crosstab(t.m, t.k, values=t.a, aggfunc='mean').iloc[0, 0])",
}
