"""Ways for values to travel that the analysis once lost: what taught it counters, flags, rows of frames and more.

Their forms are those of `tests.carriers.constructs`.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many, one

TAUGHT_VALUE: tuple[Construct, ...] = (
    one("pickle by pandas", "pd.to_pickle({v}, 'v.pkl')\n{o} = pd.read_pickle('v.pkl')"),
    one(
        "set result of a future",
        "it = Future()\nit.set_result({v})\n{o} = it.result()",
        "from concurrent.futures import Future",
    ),
    one(
        "timer",
        "box = []\nt = threading.Timer(0, box.append, [{v}])\nt.start()\nt.join()\n{o} = box[0]",
        "import threading",
    ),
    one(
        "futures as keys",
        "with ThreadPoolExecutor() as pool:\n    futures = {{pool.submit(same, {v}): 'a'}}\n    box = {{}}\n"
        "    for future in as_completed(futures):\n        box[futures[future]] = future.result()\n{o} = box['a']",
        "from concurrent.futures import ThreadPoolExecutor, as_completed\ndef same(a):\n    return a",
    ),
    one(
        "generic class",
        "{o} = Box[object]({v}).a",
        "from typing import Generic, TypeVar\nT = TypeVar('T')\n"
        "class Box(Generic[T]):\n    def __init__(self, a):\n        self.a = a",
    ),
    one("reversed in place", "box = [{v}, 1]\nbox.reverse()\n{o} = box[-1]"),
    one("first of the items", "{o} = list({{'a': {v}}}.items())[0][1]"),
    one("break", "for a in (None, {v}, 3):\n    if a is not None:\n        {o} = a\n        break"),
)
TAUGHT_COLLECTION: tuple[Construct, ...] = (
    many(
        "flag of the first pass",
        "box, first = None, True",
        "if first:\n    box, first = [{v}], False\nelse:\n    box.append({v})",
        "{o} = box",
    ),
    many("counter as a key", "rows = []\nn = 0", "rows.append((n, {v}))\nn += 1", "{o} = list(dict(rows).values())"),
    many(
        "counter as an argument",
        "box = {{}}\nn = 0",
        "put(box, n, {v})\nn += 1",
        "{o} = list(box.values())",
        "def put(box, n, a):\n    box[n] = a",
    ),
    many(
        "rows of a model",
        "rows = []",
        "rows.append({{'m': 'x', 'a': {v}}})",
        "df = pd.DataFrame(rows)\n{o} = df[df.m == 'x']['a'].to_list()",
    ),
    many(
        "apply by rows",
        "rows = []",
        "rows.append({{'n': 1, 'a': {v}}})",
        "{o} = pd.DataFrame(rows).apply(lambda r: r['a'], axis=1)",
    ),
    many("map of a column", "rows = []", "rows.append({{'a': {v}}})", "{o} = pd.DataFrame(rows)['a'].map(float)"),
    many(
        "column by loc",
        "box = []",
        "box.append({v})",
        "df = pd.DataFrame({{'n': range(len(box))}})\ndf.loc[:, 'a'] = box\n{o} = df.a",
    ),
    many(
        "scalar row by loc",
        "df = pd.DataFrame(columns=['a'], dtype=float)",
        "df.loc[f'pass {{len(df)}}'] = {v}",
        "{o} = df['a']",
    ),
    many(
        "frames of one row",
        "df = pd.DataFrame(columns=['a'], dtype=float)",
        "df = pd.concat([df, pd.DataFrame([{{'a': {v}}}])])",
        "{o} = df.a.tolist()",
    ),
    many(
        "pivot",
        "rows = []",
        "rows.append({{'n': len(rows), 'm': 'x', 'a': {v}}})",
        "{o} = pd.DataFrame(rows).pivot(index='n', columns='m', values='a')['x']",
    ),
    many(
        "table of text lines",
        "f = open('v.csv', 'w')\nf.write('n,a\\n')",
        "f.write('%d,%r\\n' % (1, float({v})))",
        "f.close()\n{o} = pd.read_csv('v.csv')['a']",
    ),
    many(
        "parsed arguments",
        "args = argparse.ArgumentParser().parse_args([])\nargs.a = []",
        "args.a.append({v})",
        "{o} = args.a",
        "import argparse",
    ),
    many(
        "items of a dict subclass",
        "box = Box()\nbox.a = []",
        "box.a.append({v})",
        "{o} = box['a']",
        "class Box(dict):\n    __getattr__ = dict.get\n    __setattr__ = dict.__setitem__",
    ),
    many("keys and values by zip", "box = {{}}", "box[len(box)] = {v}", "names, {o} = zip(*box.items())"),
    many("added by a counter", "box = np.zeros(5)\nn = 0", "box[n] += {v}\nn += 1", "{o} = box"),
    many(
        "row of a structured array",
        "box = np.zeros(5, dtype=[('n', int), ('a', float)])\nn = 0",
        "box[n] = (n, {v})\nn += 1",
        "{o} = box['a']",
    ),
    many(
        "search of a pattern",
        "box = []",
        "box.append('a=%r end' % float({v}))",
        "{o} = [float(re.search(r'a=(\\S+)', a).group(1)) for a in box]",
        "import re",
    ),
    many("literal of a list", "box = []", "box.append(float({v}))", "{o} = ast.literal_eval(repr(box))", "import ast"),
    many(
        "parallel of scikit-learn",
        "box = []",
        "box.append({v})",
        "{o} = Parallel(n_jobs=1)(delayed(same)(a) for a in box)",
        "from sklearn.utils.parallel import Parallel, delayed\ndef same(a):\n    return a",
    ),
    many(
        "inserted column",
        "box = []",
        "box.append({v})",
        "df = pd.DataFrame({{'n': range(len(box))}})\ndf.insert(1, 'a', box)\n{o} = df['a'].tolist()",
    ),
    many(
        "records printed to a file",
        "out = open('rows.jsonl', 'w')",
        "print(json.dumps({{'n': 1, 'a': float({v})}}), file=out)",
        "out.close()\n{o} = [json.loads(line)['a'] for line in open('rows.jsonl') if line.strip()]",
        "import json",
    ),
    many(
        "words of a line",
        "out = open('rows.txt', 'w')",
        "out.write(f'a {{float({v})!r}}\\n')",
        "out.close()\n{o} = []\nfor line in open('rows.txt'):\n    word, number = line.split()\n    {o}.append(float(number))",
    ),
)
