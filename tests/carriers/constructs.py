"""Everyday constructs that carry a value from where it is made to where it is used.

A `Construct` for one value takes the name ``{v}`` and binds ``{o}`` to the same value. One for a collection has three
parts: before the loop, inside it with the value of one pass as ``{v}``, and after it, where ``{o}`` becomes a list (or
another sequence) of all values in order. ``define`` stands at the top of the program.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Construct:
    """One way for a value, or for the values of a loop, to travel."""

    name: str
    body: str = ""
    define: str = ""
    before: str = ""
    inside: str = ""
    after: str = ""


def one(name: str, body: str, define: str = "") -> Construct:
    return Construct(name, body=body, define=define)


def many(name: str, before: str, inside: str, after: str, define: str = "") -> Construct:
    return Construct(name, define=define, before=before, inside=inside, after=after)


VALUE = (
    one("name", "{o} = {v}"),
    one("two names", "a = {v}\nb = a\n{o} = b"),
    one("tuple unpacking", "{o}, rest = {v}, 1"),
    one("starred unpacking", "first, *others = [1, {v}]\n{o} = others[0]"),
    one("swap", "a, b = 1, {v}\na, b = b, a\n{o} = a"),
    one("walrus", "if ({o} := {v}) is not None:\n    pass"),
    one("conditional expression", "{o} = {v} if len('ab') == 2 else None"),
    one("branch", "if len('ab') == 2:\n    {o} = {v}\nelse:\n    {o} = None"),
    one("branches that agree", "if len('ab') == 2:\n    {o} = {v}\nelse:\n    {o} = {v}"),
    one("match", "match len('ab'):\n    case 2:\n        {o} = {v}\n    case _:\n        {o} = None"),
    one("match of a tuple", "match ('x', {v}):\n    case (tag, {o}):\n        pass"),
    one("try", "try:\n    {o} = {v}\nexcept ValueError:\n    raise"),
    one("with", "with nullcontext({v}) as {o}:\n    pass", "from contextlib import nullcontext"),
    one("list entry", "box = [{v}, 1]\n{o} = box[0]"),
    one("last list entry", "box = [1]\nbox.append({v})\n{o} = box[-1]"),
    one("list pop", "box = [1, {v}]\n{o} = box.pop()"),
    one("list insert", "box = [1]\nbox.insert(0, {v})\n{o} = box[0]"),
    one("list slice", "box = [1, {v}, 2][1:]\n{o} = box[0]"),
    one("nested list", "box = [[1], [2, {v}]]\n{o} = box[1][1]"),
    one("alias of a list", "box = [None]\nother = box\nother[0] = {v}\n{o} = box[0]"),
    one("dict entry", "box = {{'a': {v}, 'b': 1}}\n{o} = box['a']"),
    one("dict assignment", "box = {{}}\nbox['a'] = {v}\n{o} = box['a']"),
    one("dict get", "box = {{'a': {v}}}\n{o} = box.get('a')"),
    one("dict get with a default", "box = {{'a': {v}}}\n{o} = box.get('a', None)"),
    one("dict update", "box = {{'b': 1}}\nbox.update({{'a': {v}}})\n{o} = box['a']"),
    one("dict update by keyword", "box = {{'b': 1}}\nbox.update(a={v})\n{o} = box['a']"),
    one("dict union", "box = {{'b': 1}} | {{'a': {v}}}\n{o} = box['a']"),
    one("dict splat", "inner = {{'a': {v}}}\nbox = {{'b': 1, **inner}}\n{o} = box['a']"),
    one("dict()", "box = dict(a={v})\n{o} = box['a']"),
    one("dict of pairs", "box = dict([('a', {v})])\n{o} = box['a']"),
    one("dict of zip", "box = dict(zip(['a', 'b'], [{v}, 1]))\n{o} = box['a']"),
    one("dict pop", "box = {{'a': {v}}}\n{o} = box.pop('a')"),
    one("dict setdefault", "box = {{}}\n{o} = box.setdefault('a', {v})"),
    one("dict comprehension", "box = {{k: {v} for k in 'ab'}}\n{o} = box['a']"),
    one("computed key", "key = 'a' + str(1)\nbox = {{key: {v}}}\n{o} = box[key]"),
    one("nested dict", "box = {{'a': {{}}}}\nbox['a']['b'] = {v}\n{o} = box['a']['b']"),
    one(
        "defaultdict",
        "box = defaultdict(dict)\nbox['a']['b'] = {v}\n{o} = box['a']['b']",
        "from collections import defaultdict",
    ),
    one("values of a dict", "box = {{'a': {v}}}\n{o} = list(box.values())[0]"),
    one("items of a dict", "for key, {o} in {{'a': {v}}}.items():\n    pass"),
    one("next of an iterator", "{o} = next(iter([{v}]))"),
    one("itemgetter", "{o} = itemgetter('a')({{'a': {v}}})", "from operator import itemgetter"),
    one(
        "namedtuple",
        "box = Box({v}, 1)\n{o} = box.a",
        "from collections import namedtuple\nBox = namedtuple('Box', 'a b')",
    ),
    one(
        "unpacked namedtuple",
        "{o}, b = Box({v}, 1)",
        "from collections import namedtuple\nBox = namedtuple('Box', ['a', 'b'])",
    ),
    one(
        "NamedTuple class",
        "{o} = Box(a={v}).a",
        "from typing import Any, NamedTuple\nclass Box(NamedTuple):\n    a: Any",
    ),
    one(
        "dataclass",
        "box = Box({v})\n{o} = box.a",
        "from dataclasses import dataclass\n@dataclass\nclass Box:\n    a: object",
    ),
    one(
        "dataclass with a default",
        "box = Box()\nbox.a = {v}\n{o} = box.a",
        "from dataclasses import dataclass\n@dataclass\nclass Box:\n    a: object = None",
    ),
    one(
        "frozen dataclass",
        "box = Box(a={v})\n{o} = box.a",
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Box:\n    a: object",
    ),
    one(
        "replaced dataclass",
        "box = replace(Box(None), a={v})\n{o} = box.a",
        "from dataclasses import dataclass, replace\n@dataclass\nclass Box:\n    a: object",
    ),
    one("SimpleNamespace", "box = SimpleNamespace(a={v})\n{o} = box.a", "from types import SimpleNamespace"),
    one(
        "set SimpleNamespace", "box = SimpleNamespace()\nbox.a = {v}\n{o} = box.a", "from types import SimpleNamespace"
    ),
    one("attribute", "box = Box()\nbox.a = {v}\n{o} = box.a", "class Box:\n    pass"),
    one("constructor", "{o} = Box({v}).a", "class Box:\n    def __init__(self, a):\n        self.a = a"),
    one(
        "method",
        "{o} = Box({v}).get()",
        "class Box:\n    def __init__(self, a):\n        self.a = a\n    def get(self):\n        return self.a",
    ),
    one(
        "setter method",
        "box = Box()\nbox.set({v})\n{o} = box.a",
        "class Box:\n    def set(self, a):\n        self.a = a",
    ),
    one(
        "property",
        "{o} = Box({v}).value",
        "class Box:\n    def __init__(self, a):\n        self._a = a\n    @property\n    def value(self):\n        return self._a",
    ),
    one(
        "inherited attribute",
        "{o} = Derived({v}).a",
        "class Box:\n    def __init__(self, a):\n        self.a = a\nclass Derived(Box):\n    def __init__(self, a):\n        super().__init__(a)",
    ),
    one("class attribute", "Box.a = {v}\n{o} = Box.a", "class Box:\n    a = None"),
    one("setattr and getattr", "box = Box()\nsetattr(box, 'a', {v})\n{o} = getattr(box, 'a')", "class Box:\n    pass"),
    one("vars", "box = Box()\nbox.a = {v}\n{o} = vars(box)['a']", "class Box:\n    pass"),
    one("__call__", "{o} = Box()({v})", "class Box:\n    def __call__(self, a):\n        return a"),
    one("static method", "{o} = Box.same({v})", "class Box:\n    @staticmethod\n    def same(a):\n        return a"),
    one(
        "class method",
        "{o} = Box.create({v}).a",
        "class Box:\n    def __init__(self, a):\n        self.a = a\n    @classmethod\n    def create(cls, a):\n        return cls(a)",
    ),
    one("function", "{o} = same({v})", "def same(a):\n    return a"),
    one("keyword argument", "{o} = same(a={v})", "def same(b=None, *, a=None):\n    return a"),
    one("*args", "{o} = first({v}, 1)", "def first(*args):\n    return args[0]"),
    one("**kwargs", "{o} = first(a={v})", "def first(**kwargs):\n    return kwargs['a']"),
    one("splatted arguments", "given = ({v}, 1)\n{o} = first(*given)", "def first(a, b):\n    return a"),
    one("splatted keywords", "given = {{'a': {v}}}\n{o} = first(**given)", "def first(a):\n    return a"),
    one("two results", "{o}, other = pair({v})", "def pair(a):\n    return a, 1"),
    one("dict result", "{o} = packed({v})['a']", "def packed(a):\n    return {'a': a}"),
    one("nested functions", "{o} = outer({v})", "def inner(a):\n    return a\ndef outer(a):\n    return inner(a)"),
    one("closure", "{o} = making({v})()", "def making(a):\n    def get():\n        return a\n    return get"),
    one(
        "nonlocal",
        "{o} = keeping({v})",
        "def keeping(a):\n    held = None\n    def keep():\n        nonlocal held\n        held = a\n    keep()\n    return held",
    ),
    one("global", "keep({v})\n{o} = HELD", "HELD = None\ndef keep(a):\n    global HELD\n    HELD = a"),
    one("lambda", "{o} = (lambda a: a)({v})"),
    one("named lambda", "same = lambda a: a\n{o} = same({v})"),
    one("partial", "{o} = partial(second, 1)({v})", "from functools import partial\ndef second(a, b):\n    return b"),
    one(
        "decorator",
        "{o} = same({v})",
        "import functools\ndef logged(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n        return function(*args, **kwargs)\n    return wrapper\n@logged\ndef same(a):\n    return a",
    ),
    one(
        "decorator with arguments",
        "{o} = same({v})",
        "def times(n):\n    def decorate(function):\n        def wrapper(*args):\n            return function(*args)\n        return wrapper\n    return decorate\n@times(2)\ndef same(a):\n    return a",
    ),
    one("recursion", "{o} = down({v}, 3)", "def down(a, n):\n    return a if n == 0 else down(a, n - 1)"),
    one("generator", "{o} = next(give({v}))", "def give(a):\n    yield a"),
    one(
        "yield from", "{o} = list(outer({v}))[0]", "def inner(a):\n    yield a\ndef outer(a):\n    yield from inner(a)"
    ),
    one(
        "contextmanager",
        "with given({v}) as {o}:\n    pass",
        "from contextlib import contextmanager\n@contextmanager\ndef given(a):\n    yield a",
    ),
    one("function in a dict", "{o} = FUNCTIONS['same']({v})", "FUNCTIONS = {'same': lambda a: a}"),
    one(
        "function as a parameter",
        "{o} = applied(same, {v})",
        "def same(a):\n    return a\ndef applied(function, a):\n    return function(a)",
    ),
    one("bound method", "add = [].append\nbox = []\nadd = box.append\nadd({v})\n{o} = box[0]"),
    one("mutated argument", "box = {{}}\nfill(box, {v})\n{o} = box['a']", "def fill(box, a):\n    box['a'] = a"),
    one("mutated list argument", "box = []\nfill(box, {v})\n{o} = box[0]", "def fill(box, a):\n    box.append(a)"),
    one("mutable default", "{o} = keep({v})[-1]", "def keep(a, held=[]):\n    held.append(a)\n    return held"),
    one("map", "{o} = list(map(lambda a: a, [{v}]))[0]"),
    one("filter", "{o} = list(filter(lambda a: a is not None, [{v}]))[0]"),
    one("reduce", "{o} = reduce(lambda a, b: b, [None, {v}])", "from functools import reduce"),
    one("comprehension", "{o} = [a for a in [{v}]][0]"),
    one("generator expression", "{o} = next(a for a in [{v}])"),
    one("zip", "for {o}, b in zip([{v}], [1]):\n    pass"),
    one("enumerate", "for i, {o} in enumerate([{v}]):\n    pass"),
    one("loop over one", "for {o} in [{v}]:\n    pass"),
    one("while", "{o} = None\nwhile {o} is None:\n    {o} = {v}"),
    one("deque", "box = deque([{v}])\n{o} = box.popleft()", "from collections import deque"),
    one("copy", "{o} = copy.copy({v})", "import copy"),
    one("deepcopy of a container", "{o} = copy.deepcopy({{'a': {v}}})['a']", "import copy"),
    one("pickle bytes", "{o} = pickle.loads(pickle.dumps({v}))", "import pickle"),
    one(
        "pickle file",
        "with open('v.pkl', 'wb') as f:\n    pickle.dump({v}, f)\nwith open('v.pkl', 'rb') as f:\n    {o} = pickle.load(f)",
        "import pickle",
    ),
    one("joblib file", "joblib.dump({v}, 'v.joblib')\n{o} = joblib.load('v.joblib')", "import joblib"),
    one(
        "thread pool",
        "with ThreadPoolExecutor(1) as pool:\n    {o} = pool.submit(same, {v}).result()",
        "from concurrent.futures import ThreadPoolExecutor\ndef same(a):\n    return a",
    ),
    one(
        "thread pool map",
        "with ThreadPoolExecutor(1) as pool:\n    {o} = list(pool.map(same, [{v}]))[0]",
        "from concurrent.futures import ThreadPoolExecutor\ndef same(a):\n    return a",
    ),
    one(
        "joblib Parallel",
        "{o} = Parallel(n_jobs=1)(delayed(same)(a) for a in [{v}])[0]",
        "from joblib import Parallel, delayed\ndef same(a):\n    return a",
    ),
    one("queue", "q = queue.Queue()\nq.put({v})\n{o} = q.get()", "import queue"),
    one("async", "{o} = asyncio.run(same({v}))", "import asyncio\nasync def same(a):\n    return a"),
    one("assert", "assert {v} is not None\n{o} = {v}"),
    one("deleted name", "a = {v}\n{o} = a\ndel a"),
    one("annotated", "{o}: object = {v}"),
    one("chained assignment", "a = {o} = {v}"),
    one("globals", "globals()['held'] = {v}\n{o} = globals()['held']"),
)

ARRAY = (
    one("np.array", "{o} = np.array({v})"),
    one("np.asarray", "{o} = np.asarray({v})"),
    one("list and array", "{o} = np.array(list({v}))"),
    one("tolist", "{o} = np.array({v}.tolist())"),
    one("copy method", "{o} = {v}.copy()"),
    one("full slice", "{o} = {v}[:]"),
    one("fancy index", "{o} = {v}[np.arange(len({v}))]"),
    one("boolean mask", "{o} = {v}[np.ones(len({v}), dtype=bool)]"),
    one("filled array", "{o} = np.zeros({v}.shape)\n{o}[:] = {v}"),
    one("zeros_like", "{o} = np.zeros_like({v})\n{o}[...] = {v}"),
    one("filled row by row", "{o} = np.empty({v}.shape)\nfor i in range(len({v})):\n    {o}[i] = {v}[i]"),
    one("np.concatenate", "{o} = np.concatenate([{v}[:10], {v}[10:]])"),
    one("np.r_", "{o} = np.r_[{v}[:10], {v}[10:]]"),
    one("np.take", "{o} = np.take({v}, np.arange(len({v})), axis=0)"),
    one("stack and index", "{o} = np.stack([{v}, {v}])[0]"),
    one("transpose twice", "{o} = {v}.T.T"),
    one("reshape", "{o} = {v}.reshape({v}.shape)"),
    one("ascontiguousarray", "{o} = np.ascontiguousarray({v})"),
    one("DataFrame values", "{o} = pd.DataFrame({v}).values.reshape({v}.shape)"),
    one("DataFrame to_numpy", "{o} = pd.DataFrame({v}).to_numpy().reshape({v}.shape)"),
    one("DataFrame reset_index", "{o} = pd.DataFrame({v}).reset_index(drop=True).values.reshape({v}.shape)"),
    one("np.save", "np.save('v.npy', {v})\n{o} = np.load('v.npy')"),
    one("np.savez", "np.savez('v.npz', a={v})\n{o} = np.load('v.npz')['a']"),
    one("comprehension over rows", "{o} = np.array([row for row in {v}])"),
    one("append rows", "rows = []\nfor row in {v}:\n    rows.append(row)\n{o} = np.array(rows)"),
    one("vstack of rows", "{o} = np.vstack([row for row in {v}]).reshape({v}.shape)"),
)

COLLECTION = (
    many("append", "box = []", "box.append({v})", "{o} = box"),
    many("add a list", "box = []", "box += [{v}]", "{o} = box"),
    many("list plus list", "box = []", "box = box + [{v}]", "{o} = box"),
    many("starred list", "box = []", "box = [*box, {v}]", "{o} = box"),
    many("extend", "box = []", "box.extend([{v}])", "{o} = box"),
    many("insert", "box = []", "box.insert(len(box), {v})", "{o} = box"),
    many("slice assignment", "box = []", "box[len(box):] = [{v}]", "{o} = box"),
    many("bound append", "box = []\nadd = box.append", "add({v})", "{o} = box"),
    many("alias", "box = []\nother = box", "other.append({v})", "{o} = box"),
    many("index", "box = [None] * 5\nn = 0", "box[n] = {v}\nn += 1", "{o} = box"),
    many("deque", "box = deque()", "box.append({v})", "{o} = list(box)", "from collections import deque"),
    many("tuple", "box = ()", "box = box + ({v},)", "{o} = list(box)"),
    many("dict by number", "box = {{}}\nn = 0", "box[n] = {v}\nn += 1", "{o} = list(box.values())"),
    many("dict update", "box = {{}}", "box.update({{len(box): {v}}})", "{o} = list(box.values())"),
    many("dict union", "box = {{}}", "box |= {{len(box): {v}}}", "{o} = list(box.values())"),
    many("dict splat", "box = {{}}", "box = {{**box, len(box): {v}}}", "{o} = list(box.values())"),
    many("formatted keys", "box = {{}}", "box[f'pass {{len(box)}}'] = {v}", "{o} = list(box.values())"),
    many("dict of lists", "box = {{'a': [], 'b': []}}", "box['a'].append({v})", "{o} = box['a']"),
    many(
        "defaultdict",
        "box = defaultdict(list)",
        "box['a'].append({v})",
        "{o} = box['a']",
        "from collections import defaultdict",
    ),
    many("setdefault", "box = {{}}", "box.setdefault('a', []).append({v})", "{o} = box['a']"),
    many("get and add", "box = {{}}", "box['a'] = box.get('a', []) + [{v}]", "{o} = box['a']"),
    many("nested dict", "box = {{'m': {{'a': []}}}}", "box['m']['a'].append({v})", "{o} = box['m']['a']"),
    many("list of dicts", "box = []", "box.append({{'n': 1, 'a': {v}}})", "{o} = [row['a'] for row in box]"),
    many("list of tuples", "box = []", "box.append((1, {v}))", "{o} = [a for _, a in box]"),
    many("zip of tuples", "box = []", "box.append((1, {v}))", "_, {o} = zip(*box)"),
    many("list of pairs by index", "box = []", "box.append([1, {v}])", "{o} = [row[1] for row in box]"),
    many(
        "itemgetter",
        "box = []",
        "box.append({{'a': {v}}})",
        "{o} = list(map(itemgetter('a'), box))",
        "from operator import itemgetter",
    ),
    many(
        "namedtuples",
        "box = []",
        "box.append(Row(1, {v}))",
        "{o} = [row.a for row in box]",
        "from collections import namedtuple\nRow = namedtuple('Row', 'n a')",
    ),
    many(
        "dataclasses",
        "box = []",
        "box.append(Row(1, {v}))",
        "{o} = [row.a for row in box]",
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    n: int\n    a: object",
    ),
    many(
        "dataclass field",
        "box = Box()",
        "box.a.append({v})",
        "{o} = box.a",
        "from dataclasses import dataclass, field\n@dataclass\nclass Box:\n    a: list = field(default_factory=list)",
    ),
    many(
        "SimpleNamespace",
        "box = SimpleNamespace(a=[])",
        "box.a.append({v})",
        "{o} = box.a",
        "from types import SimpleNamespace",
    ),
    many(
        "attribute list",
        "box = Box()",
        "box.a.append({v})",
        "{o} = box.a",
        "class Box:\n    def __init__(self):\n        self.a = []",
    ),
    many(
        "method that adds",
        "box = Box()",
        "box.add({v})",
        "{o} = box.a",
        "class Box:\n    def __init__(self):\n        self.a = []\n    def add(self, value):\n        self.a.append(value)",
    ),
    many(
        "method that returns",
        "box = Box()",
        "box.add({v})",
        "{o} = box.all()",
        "class Box:\n    def __init__(self):\n        self._a = []\n    def add(self, value):\n        self._a.append(value)\n    def all(self):\n        return self._a",
    ),
    many("class list", "Box.a = []", "Box.a.append({v})", "{o} = Box.a", "class Box:\n    a = []"),
    many("subclass of list", "box = Box()", "box.append({v})", "{o} = box", "class Box(list):\n    pass"),
    many(
        "helper that appends", "box = []", "keep(box, {v})", "{o} = box", "def keep(box, value):\n    box.append(value)"
    ),
    many(
        "global list", "HELD.clear()", "keep({v})", "{o} = HELD", "HELD = []\ndef keep(value):\n    HELD.append(value)"
    ),
    many(
        "closure list",
        "add, get = making()",
        "add({v})",
        "{o} = get()",
        "def making():\n    held = []\n    def add(value):\n        held.append(value)\n    def get():\n        return held\n    return add, get",
    ),
    many("np.append", "box = np.array([])", "box = np.append(box, {v})", "{o} = list(box)"),
    many("preallocated array", "box = np.zeros(5)\nn = 0", "box[n] = {v}\nn += 1", "{o} = box"),
    many("column of an array", "box = np.zeros((5, 2))\nn = 0", "box[n, 1] = {v}\nn += 1", "{o} = box[:, 1]"),
    many("DataFrame of rows", "rows = []", "rows.append({{'n': 1, 'a': {v}}})", "{o} = pd.DataFrame(rows)['a']"),
    many("DataFrame of lists", "box = {{'a': []}}", "box['a'].append({v})", "{o} = pd.DataFrame(box)['a'].tolist()"),
    many("DataFrame loc", "box = pd.DataFrame(columns=['a'])", "box.loc[len(box)] = [{v}]", "{o} = box['a'].tolist()"),
    many(
        "DataFrame concat", "box = []", "box.append(pd.DataFrame({{'a': [{v}]}}))", "{o} = pd.concat(box)['a'].tolist()"
    ),
    many("Series of a dict", "box = {{}}", "box[len(box)] = {v}", "{o} = pd.Series(box)"),
    many("json text", "box = []", "box.append(float({v}))", "{o} = json.loads(json.dumps(box))", "import json"),
    many(
        "json file",
        "box = []",
        "box.append(float({v}))",
        "with open('v.json', 'w') as f:\n    json.dump(box, f)\nwith open('v.json') as f:\n    {o} = json.load(f)",
        "import json",
    ),
    many(
        "pickle file",
        "box = []",
        "box.append({v})",
        "with open('v.pkl', 'wb') as f:\n    pickle.dump(box, f)\nwith open('v.pkl', 'rb') as f:\n    {o} = pickle.load(f)",
        "import pickle",
    ),
    many(
        "csv by pandas",
        "rows = []",
        "rows.append({{'n': 1, 'a': {v}}})",
        "pd.DataFrame(rows).to_csv('v.csv', index=False)\n{o} = pd.read_csv('v.csv')['a']",
    ),
    many("np.save", "box = []", "box.append({v})", "np.save('v.npy', box)\n{o} = np.load('v.npy')"),
    many("sorted", "box = []", "box.append({v})", "{o} = sorted(box)"),
    many("reversed", "box = []", "box.append({v})", "{o} = list(reversed(box))"),
    many("copy", "box = []", "box.append({v})", "{o} = box.copy()"),
    many("slice", "box = [0]", "box.append({v})", "{o} = box[1:]"),
    many("comprehension", "box = []", "box.append({v})", "{o} = [a for a in box]"),
    many("filtered comprehension", "box = []", "box.append({v})", "{o} = [a for a in box if a is not None]"),
    many("map to float", "box = []", "box.append({v})", "{o} = list(map(float, box))"),
    many(
        "chain", "box = []", "box.append([{v}])", "{o} = list(chain.from_iterable(box))", "from itertools import chain"
    ),
    many("in a branch", "box = []", "if len('ab') == 2:\n    box.append({v})", "{o} = box"),
    many(
        "in both branches", "box = []", "if len(box) > 2:\n    box.append({v})\nelse:\n    box.append({v})", "{o} = box"
    ),
    many("in a try", "box = []", "try:\n    box.append({v})\nexcept IndexError:\n    raise", "{o} = box"),
    many("in an inner loop", "box = []", "for k in range(1):\n    box.append({v})", "{o} = box"),
    many("two lists", "box, other = [], []", "box.append({v}); other.append(1)", "{o} = box"),
    many("returned list", "box = []", "box.append({v})", "{o} = same(box)", "def same(a):\n    return a"),
    many("in a dict of results", "box = []", "box.append({v})", "results = {{'a': box}}\n{o} = results['a']"),
)

REDUCTION = {
    "np.mean": "print(np.mean({o}))",
    "np.average": "print(np.average({o}))",
    "array mean": "print(np.array({o}).mean())",
    "sum by len": "print(sum({o}) / len({o}))",
    "np.sum by len": "print(np.sum({o}) / len({o}))",
    "fsum": "import math\nprint(math.fsum({o}) / len({o}))",
    "statistics.mean": "import statistics\nprint(statistics.mean([float(a) for a in {o}]))",
    "statistics.fmean": "import statistics\nprint(statistics.fmean([float(a) for a in {o}]))",
    "Series mean": "print(pd.Series({o}).mean())",
    "Series agg": "print(pd.Series({o}).agg('mean'))",
    "describe": "print(pd.Series({o}).describe()['mean'])",
    "DataFrame mean": "print(pd.DataFrame({{'a': {o}}}).mean()['a'])",
    "running total": "total = 0\nfor a in {o}:\n    total += a\nprint(total / len({o}))",
    "total and counter": "total, n = 0, 0\nfor a in {o}:\n    total += a\n    n += 1\nprint(total / n)",
    "reduce": "from functools import reduce\nprint(reduce(lambda a, b: a + b, {o}) / len({o}))",
    "cumsum": "print(np.cumsum({o})[-1] / len({o}))",
    "dot": "print(np.dot({o}, np.ones(len({o}))) / len({o}))",
    "helper": "def average(a):\n    return sum(a) / len(a)\nprint(average({o}))",
    "lambda": "average = lambda a: np.mean(a)\nprint(average({o}))",
    "f-string": "print(f'{{np.mean({o})}}')",
    "format": "print('{{}}'.format(np.mean({o})))",
    "percent": "print('%.17g' % np.mean({o}))",
    "mean then name": "m = np.mean({o})\nreport = {{'a': m}}\nprint(report['a'])",
    "mean and std": "m, s = np.mean({o}), np.std({o})\nprint(m)",
    "nanmean": "print(np.nanmean({o}))",
}
