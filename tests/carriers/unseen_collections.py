"""More ways to collect the values of a loop, and to read them later.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many

UNSEEN_COLLECTION: tuple[Construct, ...] = (
    many("while with a counter", "box = []", "n = 0\nwhile n < 1:\n    n += 1\n    box.append({v})", "{o} = box"),
    many(
        "try with else",
        "box, errors = [], []",
        (
            "try:\n    x = {v}\nexcept KeyError as e:\n    errors.append(e)\nelse:\n    box.append(x)\n"
            "finally:\n    errors.append(None)"
        ),
        "{o} = box",
    ),
    many(
        "nested condition",
        "box = []\nverbose = False",
        (
            "if verbose:\n    print(len(box))\nif len(box) % 2 == 0:\n    box.append({v})\nelif not verbose:\n"
            "    box.append({v})"
        ),
        "{o} = box",
    ),
    many(
        "inner loop over seeds",
        "box = []",
        "for seed in (0,):\n    for rep in (0,):\n        box.append({v})",
        "{o} = box",
    ),
    many(
        "match of the position",
        "first, rest = [], []",
        ("match len(first):\n    case 0:\n        first.append({v})\n    case n if n > 0:\n        rest.append({v})"),
        "{o} = first + rest",
    ),
    many("stop when there are enough", "box = []", "box.append({v})\nif len(box) > 100:\n    break", "{o} = box"),
    many(
        "exception that adds",
        "box = []",
        "try:\n    raise Done({v})\nexcept Done as d:\n    box.append(d.args[0])",
        "{o} = box",
        "class Done(Exception):\n    pass",
    ),
    many(
        "generator with a finally",
        "box = []",
        "box.append({v})",
        (
            "def gen(xs):\n    try:\n        for x in xs:\n            yield x\n    finally:\n        pass\n"
            "{o} = list(gen(box))"
        ),
    ),
    many("loop with else", "box = []", "for _ in range(1):\n    x = {v}\nelse:\n    box.append(x)", "{o} = box"),
    many("first apart", "box = None", "if box is None:\n    box = [{v}]\nelse:\n    box = box + [{v}]", "{o} = box"),
    many("conditional append", "box = []", "box.append({v}) if True else None", "{o} = box"),
    many(
        "buffer that is emptied",
        "box, buf = [], []",
        "buf.append({v})\nif len(buf) >= 1:\n    box.extend(buf)\n    buf.clear()",
        "{o} = box",
    ),
    many("walrus in the loop", "box = []", "box.append(x := {v})", "{o} = box"),
    many(
        "list attribute of a function",
        "keep.all = []",
        "keep({v})",
        "{o} = keep.all",
        "def keep(x):\n    keep.all.append(x)",
    ),
    many(
        "update of a dict of lists",
        "res = {{}}",
        "update(res, {{'s': {v}, 'n': 1}})",
        "{o} = res['s']",
        (
            "def update(res, new):\n    for k, x in new.items():\n        res.setdefault(k, []).append(x)\n"
            "    return res"
        ),
    ),
    many(
        "evaluate that returns a dict",
        "rs = []",
        "rs.append(evaluate({v}))",
        "{o} = [r['s'] for r in rs]",
        "def evaluate(a):\n    out = {}\n    out['s'] = a\n    out['n'] = 1\n    return out",
    ),
    many(
        "several results appended",
        "xs, ns = [], []",
        "x, n = evaluate({v})\nxs.append(x)\nns.append(n)",
        "{o} = xs",
        "def evaluate(a):\n    return a, 1",
    ),
    many(
        "collector coroutine",
        "box = []\nc = collect(box)\nnext(c)",
        "c.send({v})",
        "c.close()\n{o} = box",
        "def collect(box):\n    while True:\n        x = yield\n        box.append(x)",
    ),
    many(
        "recording decorator",
        "RECORDED.clear()",
        "same({v})",
        "{o} = RECORDED",
        (
            "RECORDED = []\ndef recorded(f):\n    def run(*a):\n        out = f(*a)\n"
            "        RECORDED.append(out)\n        return out\n    return run\n@recorded\ndef same(a):\n"
            "    return a"
        ),
    ),
    many(
        "default list by None",
        "box = None",
        "box = add({v}, box)",
        "{o} = box",
        "def add(x, box=None):\n    if box is None:\n        box = []\n    box.append(x)\n    return box",
    ),
    many(
        "recursive collection",
        "box = []",
        "box.append({v})",
        "def walk(xs):\n    if not xs:\n        return []\n    return [xs[0]] + walk(xs[1:])\n{o} = walk(box)",
    ),
    many(
        "setter and getter closures",
        "api = make()",
        "api['put']({v})",
        "{o} = api['all']()",
        "def make():\n    xs = []\n    return {'put': lambda x: xs.append(x), 'all': lambda: xs}",
    ),
    many(
        "nonlocal index",
        "put, out = filler()",
        "put({v})",
        "{o} = [x for x in out if x is not None]",
        (
            "def filler(n=50):\n    out, i = [None] * n, 0\n    def put(x):\n        nonlocal i\n"
            "        out[i] = x\n        i += 1\n    return put, out"
        ),
    ),
    many(
        "reduce into a dict",
        "box = []",
        "box.append(('s', {v}))",
        "{o} = reduce(lambda d, p: {{**d, p[0]: d.get(p[0], []) + [p[1]]}}, box, {{}})['s']",
        "from functools import reduce",
    ),
    many(
        "itemgetter of two",
        "rows = []",
        "rows.append({{'k': 1, 's': {v}, 'n': 2}})",
        "{o} = [s for s, n in map(itemgetter('s', 'n'), rows)]",
        "from operator import itemgetter",
    ),
    many(
        "accumulate of lists",
        "box = []",
        "box.append([{v}])",
        "*_, {o} = accumulate(box, lambda a, b: a + b)",
        "from itertools import accumulate",
    ),
    many(
        "map of two lists",
        "xs, ks = [], []",
        "xs.append({v}); ks.append(len(ks))",
        "{o} = list(map(lambda k, x: x, ks, xs))",
    ),
    many(
        "groupby of rows",
        "rows = []",
        "rows.append(('lr', {v}))",
        (
            "groups = {{k: [x for _, x in g] for k, g in groupby(sorted(rows, key=lambda r: r[0]), key="
            "lambda r: r[0])}}\n"
            "{o} = groups['lr']"
        ),
        "from itertools import groupby",
    ),
    many(
        "tee of functional",
        "box = []",
        "box.append({v})",
        "first, second = tee(iter(box))\nn = sum(1 for _ in first)\n{o} = list(second)",
        "from itertools import tee",
    ),
    many(
        "islice of a generator",
        "box = []",
        "box.append({v})",
        (
            "def gen():\n    i = 0\n    while True:\n        yield box[i % len(box)]\n        i += 1\n"
            "{o} = list(islice(gen(), len(box)))"
        ),
        "from itertools import islice",
    ),
    many(
        "filterfalse",
        "box = []",
        "box.append({v})",
        "{o} = list(filterfalse(lambda x: x is None, box))",
        "from itertools import filterfalse",
    ),
    many(
        "dropwhile",
        "box = [None]",
        "box.append({v})",
        "{o} = [*dropwhile(lambda x: x is None, box)]",
        "from itertools import dropwhile",
    ),
    many(
        "zip_longest of rows",
        "box = []",
        "box.append({v})",
        "{o} = [x for x, _ in zip_longest(box, range(2), fillvalue=-1)]",
        "from itertools import zip_longest",
    ),
    many("map over items", "box = {{}}", "box[len(box)] = {v}", "{o} = list(map(lambda kv: kv[1], box.items()))"),
    many(
        "operator.setitem",
        "box = {{}}",
        "operator.setitem(box, len(box), {v})",
        "{o} = list(box.values())",
        "import operator",
    ),
    many("operator.iconcat", "box = []", "box = operator.iconcat(box, [{v}])", "{o} = box", "import operator"),
    many(
        "zip with count",
        "box = []",
        "box.append({v})",
        "{o} = [x for i, x in zip(count(1), box)]",
        "from itertools import count",
    ),
    many(
        "reduce of dicts",
        "box = []",
        "box.append({{len(box): {v}}})",
        "{o} = list(reduce(lambda a, b: a | b, box).values())",
        "from functools import reduce",
    ),
    many(
        "iter with a sentinel",
        "box = []",
        "box.append({v})",
        "rest = list(box) + [None]\n{o} = []\nfor x in iter(partial(rest.pop, 0), None):\n    {o}.append(x)",
        "from functools import partial",
    ),
    many(
        "curried append", "box = []", "add(box)({v})", "{o} = box", "def add(box):\n    return lambda x: box.append(x)"
    ),
    many(
        "reduce with a named function",
        "box = []",
        "box.append({v})",
        ("def step(acc, x):\n    acc['xs'].append(x)\n    return acc\n{o} = reduce(step, box, {{'xs': []}})['xs']"),
        "from functools import reduce",
    ),
    many(
        "generator pipeline",
        "box = []",
        "box.append({{'s': {v}}})",
        "scores = (r['s'] for r in box)\nkept = (s for s in scores if s is not None)\n{o} = list(kept)",
    ),
    many(
        "map of a method",
        "box = []",
        "box.append(R({v}))",
        "{o} = list(map(R.get, box))",
        "class R:\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n        return self.x",
    ),
    many(
        "dict of map",
        "box = []",
        "box.append((len(box), {v}))",
        "{o} = [x for _, x in sorted(dict(map(lambda p: p, box)).items())]",
    ),
    many(
        "for each by comprehension",
        "box, sink = [], []",
        "box.append({v})",
        "[sink.append(x) for x in box]\n{o} = sink",
    ),
    many(
        "transposed by comprehension",
        "rows = []",
        "rows.append([len(rows), {v}])",
        "cols = [[r[i] for r in rows] for i in range(2)]\n{o} = cols[1]",
    ),
    many("list by model and fold", "scores = [[], []]", "scores[1].append({v})", "{o} = scores[1]"),
    many(
        "lists by comprehension",
        "scores = [[] for _ in range(3)]",
        "for j in range(3):\n    scores[j].append({v} if j == 2 else 0)",
        "{o} = scores[2]",
    ),
    many(
        "columns of zip",
        "rows = []",
        "rows.append(('lr', len(rows), {v}))",
        "cols = list(zip(*rows))\n{o} = list(cols[2])",
    ),
    many(
        "sorted rows",
        "rows = []",
        "rows.append((len(rows), {v}))",
        "rows = sorted(rows, key=lambda r: -r[0])\n{o} = [r[1] for r in rows][::-1]",
    ),
    many("placeholder removed", "box = ['header']", "box.append({v})", "box.pop(0)\n{o} = box"),
    many("del of the first", "box = [None]", "box.append({v})", "del box[0]\n{o} = box"),
    many("extend by a generator", "box = []", "box.extend(x for x in ({v},))", "{o} = box"),
    many("insort", "box = []", "bisect.insort(box, float({v}))", "{o} = box", "import bisect"),
    many("interleaved", "box = []", "box += [{v}, len(box)]", "{o} = box[::2]"),
    many("interleaved, second", "box = []", "box.extend((len(box), {v}))", "{o} = box[1::2]"),
    many(
        "position by name",
        "names = ['n', 's']\ncols = [[], []]",
        "cols[names.index('s')].append({v})",
        "{o} = cols[names.index('s')]",
    ),
    many("last row of a table", "rows = []\nrows.append([])", "rows[-1].append({v})", "{o} = rows[-1]"),
    many(
        "first in, first out",
        "box = []",
        "box.append({v})",
        "{o} = []\nwhile len(box) > 0:\n    {o}.append(box.pop(0))",
    ),
    many("shuffled", "box = []", "box.append({v})", "random.shuffle(box)\n{o} = box", "import random"),
    many("sorted in place", "box = []", "box.append({v})", "box.sort(reverse=True)\n{o} = box[:]"),
    many("unpacked with star", "box = ['scores']", "box.append({v})", "title, *{o} = box"),
    many(
        "filled by enumerate",
        "tmp = []",
        "tmp.append({v})",
        "{o} = [0] * len(tmp)\nfor i, x in enumerate(tmp, start=0):\n    {o}[i] = x",
    ),
    many(
        "nested append",
        "rows = []",
        "row = []\nrow.append(len(rows))\nrow.append([{v}])\nrows.append(row)",
        "{o} = [r[1][0] for r in rows]",
    ),
    many(
        "deque with a limit",
        "box = deque(maxlen=100)",
        "box.append({v})",
        "{o} = [*box]",
        "from collections import deque",
    ),
    many("slices joined", "box = []", "box.append({v})", "half = len(box) // 2\n{o} = box[:half] + box[half:]"),
    many("list in a tuple", "state = ([], 0)", "state[0].append({v})", "{o}, _ = state"),
    many("repeated copies", "hist = []", "hist = hist.copy()\nhist.append({v})", "{o} = hist"),
    many(
        "tuples with a conditional",
        "rows = []",
        "rows.append(('test' if len(rows) >= 0 else 'train', {v}))",
        "{o} = [s for part, s in rows if part == 'test']",
    ),
    many(
        "two level comprehension",
        "reps = [[]]",
        "reps[0].append(dict(s={v}))",
        "{o} = [r['s'] for rep in reps for r in rep]",
    ),
    many("range over len", "box = []", "box.append({v})", "{o} = [box[k] for k in range(len(box))]"),
    many(
        "index of each", "xs, order = [], []", "order.append(len(xs))\nxs.append({v})", "{o} = [xs[i] for i in order]"
    ),
    many(
        "results of three levels",
        "results = {{'lr': {{'train': {{'s': []}}, 'test': {{'s': []}}}}}}",
        "results['lr']['test']['s'].append({v})",
        "{o} = results['lr']['test']['s']",
    ),
    many(
        "fromkeys and a comprehension",
        "results = {{k: [] for k in ('s', 'n', 't')}}",
        "results['s'].append({v})\nresults['n'].append(1)",
        "{o} = results['s']",
    ),
    many(
        "loop over metrics",
        "results = {{}}",
        "for name, x in [('s', {v}), ('n', 0)]:\n    results.setdefault(name, []).append(x)",
        "{o} = results['s']",
    ),
    many(
        "keys that start with",
        "results = {{}}",
        "results[f'test_{{len(results)}}'] = {v}",
        "{o} = [x for k, x in results.items() if k.startswith('test_')]",
    ),
    many(
        "sorted items",
        "results = {{}}",
        "results[len(results)] = {v}",
        "{o} = [x for _, x in sorted(results.items(), key=lambda kv: kv[0])]",
    ),
    many(
        "key of model and fold",
        "results = {{}}",
        "results[('lr', len(results))] = {v}",
        "{o} = [x for (m, k), x in results.items() if m == 'lr']",
    ),
    many(
        "values made arrays",
        "results = {{'s': [], 'n': []}}",
        "results['s'].append({v})\nresults['n'].append(1)",
        "for k in results:\n    results[k] = tuple(results[k])\n{o} = results['s']",
    ),
    many(
        "setdefault of a dict",
        "results = {{}}",
        "results.setdefault('lr', {{}})[len(results.get('lr', {{}}))] = {v}",
        "{o} = list(results['lr'].values())",
    ),
    many(
        "defaultdict of defaultdict",
        "results = defaultdict(lambda: defaultdict(list))\nmodel_name = 'lr'",
        "results[model_name]['s'].append({v})",
        "{o} = dict(results)['lr']['s']",
        "from collections import defaultdict",
    ),
    many(
        "dict with missing",
        "results = Box()",
        "results['s'].append({v})",
        "{o} = results['s']",
        "class Box(dict):\n    def __missing__(self, key):\n        self[key] = []\n        return self[key]",
    ),
    many(
        "reversed items",
        "results = {{}}",
        "results[len(results)] = {v}",
        "{o} = [x for k, x in reversed(results.items())][::-1]",
    ),
    many(
        "two dicts splatted",
        "a_, b_ = {{}}, {{'n': 1}}",
        "a_[f'k{{len(a_)}}'] = {v}",
        "both = dict(**a_, **b_)\nboth.pop('n')\n{o} = list(both.values())",
    ),
    many(
        "update of a copy",
        "results = {{}}",
        "new = results.copy()\nnew.update([(len(results), {v})])\nresults = new",
        "{o} = list(results.values())",
    ),
    many(
        "ChainMap child",
        "results = ChainMap({{}})",
        "results = results.new_child({{len(results): {v}}})",
        "{o} = [results[k] for k in sorted(results)]",
        "from collections import ChainMap",
    ),
    many(
        "dict of tuples",
        "results = {{}}",
        "results[len(results)] = ('lr', {v})",
        "{o} = [s for _, s in results.values()]",
    ),
    many(
        "list under a computed name",
        "results = {{'test_s': []}}\npart = 'test'",
        "results[part + '_s'].append({v})",
        "{o} = results['test_s']",
    ),
    many(
        "dict of lists by zip",
        "names = ['n', 's']\nresults = {{k: [] for k in names}}",
        "for k, x in zip(names, (0, {v})):\n    results[k].append(x)",
        "{o} = results[names[1]]",
    ),
    many(
        "OrderedDict of lists",
        "results = OrderedDict([('s', []), ('n', [])])",
        "results['s'] += [{v}]",
        "{o} = results['s']",
        "from collections import OrderedDict",
    ),
    many(
        "popped and put back",
        "results = {{'s': []}}",
        "xs = results.pop('s')\nxs.append({v})\nresults['s'] = xs",
        "{o} = results['s']",
    ),
    many(
        "nested get",
        "results = {{'lr': {{}}}}",
        "results['lr']['s'] = results['lr'].get('s', ()) + ({v},)",
        "{o} = results.get('lr', {{}}).get('s')",
    ),
    many(
        "dict by a helper",
        "results = {{}}",
        "add_to(results, s={v}, n=1)",
        "{o} = results['s']",
        (
            "def add_to(d, **kw):\n    for k, x in kw.items():\n        if k in d:\n"
            "            d[k].append(x)\n        else:\n            d[k] = [x]"
        ),
    ),
    many(
        "merged rows",
        "rows = []",
        "rows.append({{'s': {v}, 'n': 1}})",
        "merged = {{k: [r[k] for r in rows] for k in rows[0]}}\n{o} = merged['s']",
    ),
    many(
        "row of a matrix", "m = np.full((3, 50), np.nan)\nj = 0", "m[1, j] = {v}\nj += 1", "{o} = m[1][~np.isnan(m[1])]"
    ),
    many("matrix by concatenate", "m = np.zeros((0,))", "m = np.concatenate((m, [{v}]))", "{o} = m"),
    many(
        "structured array",
        "rec = np.zeros(50, dtype=[('k', 'i4'), ('s', 'f8')])\nj = 0",
        "rec['s'][j] = {v}\nrec['k'][j] = j\nj += 1",
        "{o} = rec['s'][:j]",
    ),
    many(
        "recarray",
        "rows = []",
        "rows.append((len(rows), {v}))",
        "rec = np.rec.array(rows, dtype=[('k', int), ('s', float)])\n{o} = rec.s",
    ),
    many(
        "array of a list of dicts",
        "rows = []",
        "rows.append({{'s': {v}}})",
        "{o} = np.array([r['s'] for r in rows], dtype=np.float64)",
    ),
    many("array then column", "rows = []", "rows.append([0.0, {v}, 1.0])", "{o} = np.asarray(rows)[:, 1]"),
    many("three axes", "cube = np.zeros((2, 50, 1))\nj = 0", "cube[1, j, 0] = {v}\nj += 1", "{o} = cube[1, :j, 0]"),
    many("np.r_ grown", "m = np.array([])", "m = np.r_[m, {v}]", "{o} = m"),
    many("append to a row", "m = np.empty((1, 0))", "m = np.append(m, [[{v}]], axis=1)", "{o} = m.ravel()"),
    many("sorted array", "box = []", "box.append({v})", "{o} = np.sort(np.array(box))[::-1]"),
    many("atleast_1d joined", "box = []", "box.append(np.atleast_1d({v}))", "{o} = np.concatenate(box)"),
    many(
        "item of an array each",
        "box = []",
        "box.append(np.float32({v}).astype(float) * 0 + np.asarray({v}).item())",
        "{o} = np.array(box)",
    ),
    many("masked valid", "box = []", "box.append({v})", "{o} = np.ma.masked_less(np.array(box), -1).compressed()"),
)
