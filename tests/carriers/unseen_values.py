"""More ways for a value to travel: through functions, control flow, records and texts.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, one

UNSEEN_VALUE: tuple[Construct, ...] = (
    one("while with else", "n = 3\nwhile n > 0:\n    n -= 1\nelse:\n    {o} = {v}"),
    one(
        "for with break and else",
        "for x in (1, 2):\n    if x == 5:\n        {o} = None\n        break\nelse:\n    {o} = {v}",
    ),
    one(
        "finally that returns nothing",
        "{o} = run({v})",
        ("def run(a):\n    out = None\n    try:\n        out = a\n    finally:\n        print('done')\n    return out"),
    ),
    one(
        "retry loop", "while True:\n    try:\n        {o} = {v}\n    except RuntimeError:\n        continue\n    break"
    ),
    one(
        "retry by count",
        (
            "for attempt in range(3):\n    try:\n        {o} = {v}\n        break\n    except Exception:\n"
            "        if attempt == 2:\n            raise"
        ),
    ),
    one(
        "match of a kind with a guard",
        (
            "kind, n = 'f', 3\nmatch kind:\n    case 'f' if n > 2:\n        {o} = {v}\n    case 'f':\n"
            "        {o} = None\n    case _:\n        raise ValueError(kind)"
        ),
    ),
    one(
        "match of an object",
        (
            "match Result('ok', {v}):\n    case Result(status='ok', value=x):\n        {o} = x\n"
            "    case Result(status='failed'):\n        {o} = None"
        ),
        "from dataclasses import dataclass\n@dataclass\nclass Result:\n    status: str\n    value: object",
    ),
    one(
        "match of a list with a star",
        ("match ['add', 1, {v}]:\n    case ['add', *args]:\n        {o} = args[-1]\n    case _:\n        {o} = None"),
    ),
    one("walrus in a while", "stack = [{v}]\nwhile stack and (x := stack.pop()) is not None:\n    {o} = x"),
    one("or of None", "found = None\nbackup = {v}\n{o} = backup if found is None else found"),
    one(
        "two contexts",
        "with open('x.txt', 'w') as fh, nullcontext({v}) as x:\n    fh.write('a')\n    {o} = x",
        "from contextlib import nullcontext",
    ),
    one(
        "state machine",
        (
            "state, {o} = 'start', None\nwhile state != 'end':\n    if state == 'start':\n        x = {v}\n"
            "        state = 'store'\n    elif state == 'store':\n        {o} = x\n        state = 'end'"
        ),
    ),
    one(
        "elif chain",
        (
            "task = 'binary'\nif task == 'multi':\n    {o} = None\nelif task == 'regression':\n    {o} = 0\n"
            "elif task == 'binary':\n    {o} = {v}\nelse:\n    raise ValueError(task)"
        ),
    ),
    one(
        "return out of nested loops",
        "{o} = search([[None], [{v}]])",
        (
            "def search(table):\n    for row in table:\n        for x in row:\n            if x is not None:\n"
            "                return x"
        ),
    ),
    one(
        "try with two handlers",
        "try:\n    int('x')\nexcept (TypeError, KeyError):\n    {o} = None\nexcept ValueError:\n    {o} = {v}",
    ),
    one(
        "raise from",
        (
            "try:\n    try:\n        {{}}['k']\n    except KeyError as e:\n"
            "        raise RuntimeError('no') from e\nexcept RuntimeError:\n    {o} = {v}"
        ),
    ),
    one(
        "flag",
        (
            "done = False\nfor x in [None, {v}]:\n    if not done and x is not None:\n        {o} = x\n"
            "        done = True"
        ),
    ),
    one("debug switch", "DEBUG = False\nif DEBUG:\n    {o} = None\nif not DEBUG:\n    {o} = {v}"),
    one("conditional within a call", "{o} = same({v} if True else None)", "def same(a):\n    return a"),
    one(
        "enumerated with continue",
        "for i, x in enumerate([None, {v}, None]):\n    if i != 1:\n        continue\n    {o} = x",
    ),
    one(
        "closing",
        "with closing(Src({v})) as s:\n    {o} = s.a",
        (
            "from contextlib import closing\nclass Src:\n    def __init__(self, a):\n        self.a = a\n"
            "    def close(self):\n        pass"
        ),
    ),
    one(
        "ExitStack with a callback",
        "box = []\nwith ExitStack() as es:\n    es.callback(box.append, {v})\n{o} = box[0]",
        "from contextlib import ExitStack",
    ),
    one("assert of its kind", "x = {v}\nassert not isinstance(x, str), 'kind'\n{o} = x"),
    one(
        "type switch",
        (
            "x = {v}\nif isinstance(x, (list, tuple)):\n    {o} = x[0]\nelif isinstance(x, dict):\n"
            "    {o} = x['a']\nelse:\n    {o} = x"
        ),
    ),
    one("chained comparison", "n = 3\nif 1 < n <= 5:\n    {o} = {v}\nelse:\n    {o} = None"),
    one(
        "early exit function",
        "{o} = guard({v}, True)",
        (
            "def guard(a, ok):\n    if not ok:\n        return None\n    if a is None:\n"
            "        raise ValueError\n    return a"
        ),
    ),
    one(
        "forwarded twice",
        "{o} = outer(1, a={v})",
        (
            "def inner(n, *, a=None, **rest):\n    return a\ndef middle(*args, **kwargs):\n"
            "    return inner(*args, **kwargs)\ndef outer(*args, **kwargs):\n    return middle(*args, **kwargs)"
        ),
    ),
    one(
        "timing decorator",
        "{o}, seconds = same({v})",
        (
            "import time\nfrom functools import wraps\ndef timed(f):\n    @wraps(f)\n    def run(*a, **k):\n"
            "        t = time.time()\n        out = f(*a, **k)\n        return out, time.time() - t\n"
            "    return run\n@timed\ndef same(a):\n    return a"
        ),
    ),
    one(
        "retry decorator",
        "{o} = same({v})",
        (
            "from functools import wraps\ndef retry(times=3):\n    def deco(f):\n        @wraps(f)\n"
            "        def run(*a, **k):\n            for i in range(times):\n                try:\n"
            "                    return f(*a, **k)\n                except IOError:\n"
            "                    continue\n        return run\n    return deco\n@retry(times=2)\ndef same(a):\n"
            "    return a"
        ),
    ),
    one(
        "class as a decorator",
        "{o} = same({v})",
        (
            "class Count:\n    def __init__(self, f):\n        self.f, self.n = f, 0\n"
            "    def __call__(self, *a):\n        self.n += 1\n        return self.f(*a)\n@Count\n"
            "def same(a):\n    return a"
        ),
    ),
    one(
        "two decorators",
        "{o} = same({v})",
        (
            "def up(f):\n    return lambda *a: f(*a)\ndef down(f):\n    def run(a):\n        return f(a)\n"
            "    return run\n@up\n@down\ndef same(a):\n    return a"
        ),
    ),
    one(
        "decorated method",
        "{o} = Box().same({v})",
        (
            "def logged(f):\n    def run(self, *a, **k):\n        return f(self, *a, **k)\n    return run\n"
            "class Box:\n    @logged\n    def same(self, a):\n        return a"
        ),
    ),
    one("positional only", "{o} = same({v}, n=1)", "def same(a, /, *, n):\n    return a"),
    one("attribute of a function", "keep({v})\n{o} = keep.last", "def keep(a):\n    keep.last = a"),
    one(
        "memo in a default",
        "{o} = memo('k', lambda: {v})",
        (
            "def memo(key, make, cache={}):\n    if key not in cache or True:\n        cache[key] = make()\n"
            "    return cache[key]"
        ),
    ),
    one(
        "nested functions that share",
        "{o} = run({v})",
        (
            "def run(a):\n    state = {}\n    def load():\n        state['a'] = a\n    def get():\n"
            "        return state['a']\n    load()\n    return get()"
        ),
    ),
    one("star of a result", "first, *{o} = give({v})\n{o} = {o}[0]", "def give(a):\n    return 1, a, 2"),
    one("higher order", "{o} = twice(same, {v})", "def same(a):\n    return a\ndef twice(f, a):\n    return f(f(a))"),
    one(
        "method given as an argument",
        "{o} = call(Box().same, {v})",
        "class Box:\n    def same(self, a):\n        return a\ndef call(f, *args):\n    return f(*args)",
    ),
    one(
        "factory of closures",
        "fs = [make(i) for i in range(2)]\n{o} = fs[1]({v}, None)",
        "def make(i):\n    def pick(*xs):\n        return xs[0]\n    return pick",
    ),
    one(
        "callbacks by name",
        (
            "hooks = {{'end': []}}\nout = {{}}\nhooks['end'].append(lambda a: out.update(a=a))\n"
            "for h in hooks['end']:\n    h({v})\n{o} = out['a']"
        ),
    ),
    one(
        "recursive dict search",
        "{o} = find({{'x': {{'y': {{'a': {v}}}}}}}, 'a')",
        (
            "def find(d, key):\n    if key in d:\n        return d[key]\n    for x in d.values():\n"
            "        if isinstance(x, dict):\n            r = find(x, key)\n            if r is not None:\n"
            "                return r"
        ),
    ),
    one(
        "named tuple result",
        "{o} = evaluate({v}).score",
        (
            "from collections import namedtuple\nOut = namedtuple('Out', 'score n')\ndef evaluate(a):\n"
            "    return Out(score=a, n=1)"
        ),
    ),
    one(
        "dict unpacked into a call",
        "args = dict(n=1)\nargs['a'] = {v}\n{o} = take(**args)",
        "def take(a, n=0, **extra):\n    return a",
    ),
    one(
        "optional argument",
        "{o} = take(1, {v})",
        "def take(n, a=None, b=None):\n    if b is None:\n        b = a\n    return b",
    ),
    one(
        "generator that receives",
        "g = relay()\ng.send(None)\n{o} = g.send({v})",
        "def relay():\n    last = None\n    while True:\n        got_ = yield last\n        last = got_",
    ),
    one(
        "yield from with a result",
        "{o} = drive(outer({v}))",
        (
            "def inner(a):\n    yield\n    return a\ndef outer(a):\n    r = yield from inner(a)\n    yield r\n"
            "def drive(g):\n    out = None\n    for x in g:\n        out = x\n    return out"
        ),
    ),
    one(
        "counter in a global",
        "{o} = step({v})",
        "STEP = 0\ndef step(a):\n    global STEP\n    STEP += 1\n    return a if STEP >= 1 else None",
    ),
    one(
        "function kept in a class",
        "{o} = Metric.compute({v})",
        "def same(a):\n    return a\nclass Metric:\n    compute = staticmethod(same)",
    ),
    one("argument by a partial splat", "pair = ({v},)\n{o} = take(*pair, *(1, 2))", "def take(a, b, c):\n    return a"),
    one(
        "context that yields a record",
        "with session({v}) as s:\n    {o} = s['a']",
        (
            "from contextlib import contextmanager\n@contextmanager\ndef session(a):\n    s = {'a': a}\n"
            "    try:\n        yield s\n    finally:\n        pass"
        ),
    ),
    one(
        "pickle by an opened path",
        (
            "path = Path('v.pkl')\nwith path.open('wb') as fh:\n"
            "    pickle.dump({v}, fh, protocol=pickle.HIGHEST_PROTOCOL)\nwith path.open('rb') as fh:\n"
            "    {o} = pickle.load(fh)"
        ),
        "import pickle\nfrom pathlib import Path",
    ),
    one(
        "npy of a dict", "np.save('v.npy', {{'a': {v}, 'n': 3}})\n{o} = np.load('v.npy', allow_pickle=True).item()['a']"
    ),
    one("cloudpickle", "{o} = cloudpickle.loads(cloudpickle.dumps({v}))", "import cloudpickle"),
    one(
        "checkpoint helpers",
        "save_results({{'a': {v}}}, 'ckpt')\n{o} = load_results('ckpt')['a']",
        (
            "import os, pickle\ndef save_results(results, folder, name='results.pkl'):\n"
            "    os.makedirs(folder, exist_ok=True)\n    with open(os.path.join(folder, name), 'wb') as fh:\n"
            "        pickle.dump(results, fh)\ndef load_results(folder, name='results.pkl'):\n"
            "    with open(os.path.join(folder, name), 'rb') as fh:\n        return pickle.load(fh)"
        ),
    ),
    one(
        "base64 of a pickle",
        "text = base64.b64encode(pickle.dumps({v})).decode()\n{o} = pickle.loads(base64.b64decode(text))",
        "import base64, pickle",
    ),
    one(
        "partial with keywords",
        "keep = partial(choose, which='a')\n{o} = keep(a={v}, b=None)",
        "from functools import partial\ndef choose(a, b, which):\n    return a if which == 'a' else b",
    ),
    one(
        "partialmethod of functional",
        "{o} = Box({v}).first()",
        (
            "from functools import partialmethod\nclass Box:\n    def __init__(self, a):\n"
            "        self.xs = [a, None]\n    def at(self, i):\n        return self.xs[i]\n"
            "    first = partialmethod(at, 0)"
        ),
    ),
    one(
        "singledispatchmethod",
        "{o} = Box().put(({v},))",
        (
            "from functools import singledispatchmethod\nclass Box:\n    @singledispatchmethod\n"
            "    def put(self, a):\n        return None\n    @put.register(tuple)\n    def _(self, a):\n"
            "        return a[0]"
        ),
    ),
    one(
        "methodcaller of functional",
        "{o} = methodcaller('get', 'a')({{'a': {v}}})",
        "from operator import methodcaller",
    ),
    one(
        "list of functions",
        "steps = [lambda a: (a, 1), lambda p: p[0]]\n{o} = {v}\nfor step in steps:\n    {o} = step({o})",
    ),
    one("max of one by key", "{o} = max([(1, {v}), (0, None)], key=lambda p: p[0])[1]"),
    one("lambda with a tuple result", "{o}, _ = (lambda a: (a, len('x')))({v})"),
    one(
        "operator.call by name",
        "{o} = operator.attrgetter('a')(Box({v}))",
        "import operator\nclass Box:\n    def __init__(self, a):\n        self.a = a",
    ),
    one(
        "wrapped partial",
        "{o} = update_wrapper(partial(pick, 0), pick)([{v}])",
        "from functools import partial, update_wrapper\ndef pick(i, xs):\n    return xs[i]",
    ),
    one(
        "compose with star",
        "{o} = compose(first, pack)({v})",
        (
            "def compose(*fs):\n    def run(a):\n        for g in reversed(fs):\n            a = g(a)\n"
            "        return a\n    return run\ndef pack(a):\n    return [a]\ndef first(a):\n    return a[0]"
        ),
    ),
    one("list equal to one element", "[{o}] = [{v}]"),
    one("nested unpacking", "(a, (b_, {o})) = (1, (2, {v}))"),
    one("negative index", "xs = [{v}, None, None]\n{o} = xs[-3]"),
    one("list index by a name", "names = ['a', 'b']\nxs = [None, {v}]\n{o} = xs[names.index('b')]"),
    one("slice assigned", "xs = [None] * 4\nxs[1:2] = [{v}]\n{o} = xs[1]"),
    one("list in a dict in a list", "xs = [{{'r': [0, {v}]}}]\n{o} = xs[0]['r'][1]"),
    one("swap of entries", "xs = [None, {v}]\nxs[0], xs[1] = xs[1], xs[0]\n{o} = xs[0]"),
    one("zip to dict of lists", "d = {{k: [x] for k, x in zip('ab', ({v}, 0))}}\n{o} = d['a'][0]"),
    one("list times and set", "xs = [None] * 3\nxs[2] = {v}\n{o} = xs[len(xs) - 1]"),
    one("Counter entry", "c = Counter()\nc['a'] = {v}\n{o} = c['a']", "from collections import Counter"),
    one("dict in a default", "cfg = {{'n': 1}}\ncfg = {{**cfg, **dict(a={v})}}\n{o} = cfg['a']"),
    one(
        "inverted dict",
        "d = {{'a': 0}}\nback = {{i: k for k, i in d.items()}}\nvals = {{back[0]: {v}}}\n{o} = vals['a']",
    ),
    one("key in a loop", "d = {{}}\nfor k in ('a', 'b'):\n    d[k] = {v} if k == 'a' else None\n{o} = d['a']"),
    one("fromkeys and assignment", "d = dict.fromkeys(['a', 'b'])\nd['a'] = {v}\n{o} = d['a']"),
    one("nested setdefault", "d = {{}}\nd.setdefault('m', {{}}).setdefault('a', {v})\n{o} = d['m']['a']"),
    one("match of a dict value", "d = {{'a': {v}}}\nmatch d:\n    case {{'a': x}}:\n        {o} = x"),
    one(
        "keys by dots",
        "d = {{}}\nset_path(d, 'm.test.s', {v})\n{o} = d['m']['test']['s']",
        (
            "def set_path(d, path, x):\n    *parents, last = path.split('.')\n    for p in parents:\n"
            "        d = d.setdefault(p, {})\n    d[last] = x"
        ),
    ),
    one("items unpacked", "[(k, {o})] = {{'a': {v}}}.items()"),
    one(
        "ChainMap of config",
        "c = ChainMap({{'a': {v}}}, {{'a': None, 'b': 2}})\n{o} = c['a']",
        "from collections import ChainMap",
    ),
    one(
        "record by keywords of a dict",
        "kw = dict(model='lr', score={v})\n{o} = Result(**kw).score",
        (
            "from dataclasses import dataclass\n@dataclass\nclass Result:\n    model: str\n    score: object\n"
            "    note: str = ''"
        ),
    ),
    one(
        "enum member of a record",
        "r = {{Field.SCORE.value: {v}}}\n{o} = r[Field('score').value]",
        "from enum import Enum\nclass Field(Enum):\n    SCORE = 'score'",
    ),
    one(
        "str enum key",
        "r = {{Field.SCORE: {v}}}\n{o} = r['score']",
        "from enum import Enum\nclass Field(str, Enum):\n    SCORE = 'score'",
    ),
    one(
        "dunder eq and hash key",
        "d = {{Key('a'): {v}}}\n{o} = d[Key('a')]",
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Key:\n    name: str",
    ),
    one(
        "class registry",
        "{o} = REGISTRY['identity']().run({v})",
        (
            "REGISTRY = {}\ndef register(name):\n    def add(cls):\n        REGISTRY[name] = cls\n"
            "        return cls\n    return add\n@register('identity')\nclass Identity:\n"
            "    def run(self, a):\n        return a"
        ),
    ),
    one(
        "lazy attribute",
        "{o} = Lazy({v}).value",
        (
            "class Lazy:\n    def __init__(self, a):\n        self._a = a\n        self._value = None\n"
            "    @property\n    def value(self):\n        if self._value is None:\n"
            "            self._value = self._a\n        return self._value"
        ),
    ),
    one(
        "alternative constructor from a dict",
        "{o} = Result.from_dict({{'a': {v}, 'n': 1}}).a",
        (
            "class Result:\n    def __init__(self, a, n):\n        self.a = a\n        self.n = n\n"
            "    @classmethod\n    def from_dict(cls, d):\n        return cls(**d)"
        ),
    ),
    one(
        "delegation",
        "{o} = Outer(Inner({v})).value()",
        (
            "class Inner:\n    def __init__(self, a):\n        self.a = a\n    def value(self):\n"
            "        return self.a\nclass Outer:\n    def __init__(self, inner):\n        self.inner = inner\n"
            "    def __getattr__(self, name):\n        return getattr(self.inner, name)"
        ),
    ),
    one(
        "two mixins and super",
        "{o} = Both(a={v}, b=1).a",
        (
            "class A:\n    def __init__(self, a, **rest):\n        super().__init__(**rest)\n"
            "        self.a = a\nclass B:\n    def __init__(self, b, **rest):\n"
            "        super().__init__(**rest)\n        self.b = b\nclass Both(A, B):\n    pass"
        ),
    ),
    one(
        "recursive data class",
        "tree = Node(1, [Node({v}, [])])\n{o} = tree.kids[0].x",
        "from dataclasses import dataclass\n@dataclass\nclass Node:\n    x: object\n    kids: list",
    ),
    one(
        "private name",
        "{o} = Box({v}).get()",
        ("class Box:\n    def __init__(self, a):\n        self.__a = a\n    def get(self):\n        return self.__a"),
    ),
    one(
        "setattr of many",
        "b = Box(a={v}, n=2)\n{o} = b.a",
        ("class Box:\n    def __init__(self, **kw):\n        for k, x in kw.items():\n            setattr(self, k, x)"),
    ),
    one(
        "dict of the instance",
        "b = Box(locals_of({v}))\n{o} = b.a",
        (
            "def locals_of(a):\n    n = 1\n    return locals()\nclass Box:\n    def __init__(self, d):\n"
            "        self.__dict__ = d"
        ),
    ),
)
