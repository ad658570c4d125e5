"""Programs that grow: one generator for each pattern that once made the analysis grow faster than the program.

Every generator takes a size and returns the files of a project by name; the first file is the one that is checked.
"""

from __future__ import annotations

from collections.abc import Callable

Files = dict[str, str]
SHARED = "shared.py"
"""A module that all other files import."""

HEAD = """\
import numpy as np
import pandas as pd
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
f1 = f1_score(y_true, y_pred)
"""
FOLDS = "for train, test in StratifiedKFold(10).split(X, y):\n    f1 = f1_score(y[test], p[test])\n"


def characters_read(files: Files) -> int:
    """The characters that a check reads: of names and texts, and of a module once for each file that imports it."""
    texts = sum(len(name) + len(text) for name, text in files.items())
    return texts + (len(files) - 1) * len(files.get(SHARED, ""))


def program(lines: list[str], head: str = HEAD) -> Files:
    """A project of one file."""
    return {"train.py": head + "\n".join(lines) + "\n"}


def doubled_text(size: int) -> Files:
    """A text is added to itself, line after line."""
    return program(["x = 'abcdefgh'", *["x = x + x"] * size])


def doubled_text_in_place(size: int) -> Files:
    """The same with ``+=``."""
    return program(["x = 'abcdefgh'", *["x += x"] * size])


def doubled_format(size: int) -> Files:
    """A text is put into an f-string twice, line after line."""
    return program(["x = 'abcdefgh'", *["x = f'{x}{x}'"] * size])


def doubled_percent(size: int) -> Files:
    """A text is formatted with ``%`` and ``str.format``, line after line."""
    return program(["x = 'abcdefgh'", *["x = x + ('%s' % x)", "x = '{0}{0}'.format(x)"] * (size // 2)])


def wide_fields(size: int) -> Files:
    """Format fields ask for texts that are very long."""
    lines = [f"x{i} = '%{10**8 + i}d' % 3\ny{i} = '{{:>{10**8 + i}}}'.format(4)" for i in range(size)]
    return program([*lines, "z = 10 ** 10 ** 10 ** 10 + 2 ** 10 ** 12 + f1", "s = 'ab' * 10 ** 12"])


def nested_lists(size: int) -> Files:
    """A list holds the former list twice."""
    return program(["x = [f1, 1]", *["x = [x, x]"] * size, "print(np.mean(x))"])


def nested_tuples(size: int) -> Files:
    """A tuple holds the former tuple twice, within a loop."""
    body = ["    x = (f1, 1)", *["    x = (x, x)"] * size, "    scores.append(x)"]
    return program(["scores = []", FOLDS, *body, "print(np.mean(scores))"])


def nested_dicts(size: int) -> Files:
    """A dict holds the former dict under two keys."""
    return program(["x = {'f1': f1}", *["x = {'a': x, 'b': x, **x}"] * size, "print(pd.DataFrame(x).mean())"])


def rings(size: int) -> Files:
    """Lists and dicts hold themselves and each other."""
    lines = ["a0 = [f1]", "d0 = {'f1': f1}"]
    for i in range(1, size):
        lines += [f"a{i} = [f1]", f"a{i}.append(a{i - 1})", f"a{i - 1}.append(a{i})", f"a{i}.append(a{i})"]
        lines += [f"d{i} = {{'f1': f1}}", f"d{i}['k'] = d{i - 1}", f"d{i - 1}['j'] = d{i}", f"d{i}[a] = d{i}"]
    return program([*lines, f"print(np.mean(a{size - 1}), np.mean(d{size - 1}['k']))"])


def one_ring(size: int) -> Files:
    """A list is appended to itself again and again."""
    return program(["a = [f1]", *["a.append(a)"] * size, "print(np.mean(a))"])


def columns(size: int) -> Files:
    """Each column of a frame is computed from the one before."""
    lines = [f"df['k{i + 1}'] = df['k{i}'] + f1_score(x, y)" for i in range(size)]
    return program(["df = pd.DataFrame({'k0': x})", *lines, "print(df.mean())"])


def branches(size: int) -> Files:
    """Branches bind as many names as there are branches."""
    pairs = [f"if a > {i}:\n    n{i} = f1\nelse:\n    n{i} = f1_score(y, {i})" for i in range(size)]
    return program(pairs)


def branches_of_one_name(size: int) -> Files:
    """Branches bind one name again and again."""
    return program([f"if a > {i}:\n    x = f1_score(y, p{i})\nelse:\n    x = x + {i}" for i in range(size)])


def nested_branches(size: int) -> Files:
    """Branches inside of branches (up to sixteen), which change the same list and dict."""
    lines = ["scores = []", "box = {}"]
    for i in range(size):
        pad = "    " * (i % 16)
        lines += [f"{pad}scores.append(f1_score(y, {i}))", f"{pad}box['k{i}'] = f1", f"{pad}if a > {i}:"]
        lines += [f"{pad}    box = dict(box)"] if i % 16 == 15 or i == size - 1 else []
    return program([*lines, "print(np.mean(scores))"])


def changed_in_branches(size: int) -> Files:
    """A large dict is changed in each of many branches."""
    keys = [f"box['k{i}'] = f1" for i in range(size)]
    return program(["box = {}", *keys, *[f"if a > {i}:\n    box['k{i}'] = 0" for i in range(size)]])


def appended(size: int) -> Files:
    """Many measures are appended to one list."""
    return program(["s = []", *[f"s.append(f1_score(y, p{i}))" for i in range(size)], "print(np.mean(s))"])


def extended(size: int) -> Files:
    """A list is made of the former list and one more measure."""
    return program(["s = []", *[f"s = [*s, f1_score(y, p{i})]" for i in range(size)], "print(np.mean(s))"])


def added_up(size: int) -> Files:
    """Tuples are added to a tuple, and dicts merged into a dict."""
    lines = [f"t = t + (f1_score(y, p{i}),)\nd = {{**d, 'k{i}': f1}}" for i in range(size)]
    return program(["t = ()", "d = {}", *lines, "print(np.mean(t))"])


def large_dict(size: int) -> Files:
    """A dict display of many measures, which is copied, looped over and reduced."""
    entries = ", ".join(f"'k{i}': f1_score(y, p{i})" for i in range(size))
    return program([f"d = {{{entries}}}", "e = dict(d)", "for k, v in d.items():\n    print(k, v)", "np.mean(list(d))"])


def large_list(size: int) -> Files:
    """A list display of many measures, which is reduced in a few ways."""
    entries = ", ".join(f"f1_score(y, p{i})" for i in range(size))
    return program([f"s = [{entries}]", "print(np.mean(s), sum(s) / len(s), np.mean([v for v in s]), max(s))"])


def literal(size: int) -> Files:
    """A long literal of numbers."""
    return program([f"data = [{', '.join(['1'] * size)}]", "print(np.mean(data))"])


def text_parts(size: int) -> Files:
    """An f-string of many parts."""
    return program(["x = f'" + "{f1} and {a}" * size + "'", "print(x)"])


def sums(size: int) -> Files:
    """A long sum of measures, which is nested as deeply as allowed, again and again."""
    return program([f"t{i} = " + " + ".join(["f1_score(y, p)"] * 50) for i in range(size // 50 + 1)])


def products(size: int) -> Files:
    """Many formulas of counts."""
    return program([f"f{i} = 2 * tp / (2 * tp + fp + fn + {i})\ntp = f{i} + tp" for i in range(size)])


def comments(size: int) -> Files:
    """Comments that suppress findings."""
    return program([f"x{i} = 1  # cvlint: ignore[mean-of-fold-f] because it is so {i}" for i in range(size)])


def calls(size: int) -> Files:
    """Each function calls the one before twice."""
    lines = ["def g0(x):\n    return f1_score(y, x)"]
    lines += [f"def g{i}(x):\n    return g{i - 1}(x) + g{i - 1}(x * 2)" for i in range(1, size)]
    return program([*lines, f"print(g{size - 1}(p))"])


def new_arguments(size: int) -> Files:
    """One function is called with ever new arguments."""
    calls = [f"print(score([f1, {i}], 'k{i}'))" for i in range(size)]
    return program(["def score(xs, key):\n    for x in xs:\n        print(key, x)\n    return np.mean(xs)", *calls])


def closures(size: int) -> Files:
    """Functions are passed to functions, which return functions."""
    lines = ["def twice(f):\n    def g(x):\n        return f(f(x))\n    return g", "h = lambda x: [x, f1]"]
    return program([*lines, *["h = twice(h)"] * size, "print(np.mean(h(f1)))"])


def classes(size: int) -> Files:
    """Each class inherits from two before it."""
    lines = ["class C0:\n    f1 = 0", "class C1(C0):\n    pass"]
    lines += [f"class C{i}(C{i - 1}, C{i - 2}):\n    def m{i}(self):\n        return self.f1" for i in range(2, size)]
    return program([*lines, f"print(C{size - 1}().none, C{size - 1}().f1)"])


def objects(size: int) -> Files:
    """Objects hold each other, and are copied deeply."""
    lines = ["import copy", "class C:\n    def __init__(self, a, b):\n        self.a, self.b, self.f1 = a, b, f1"]
    lines += ["c = C(None, None)", *["c = C(c, c)", "d = copy.deepcopy(c)"] * size]
    return program(lines)


def loops(size: int) -> Files:
    """Loops over each other's results."""
    lines = ["x = [f1]"]
    lines += [f"x{i} = [v for v in x for w in x]\nfor a{i} in x{i}:\n    x.append(a{i})" for i in range(size)]
    return program(lines)


def literal_loops(size: int) -> Files:
    """Short literal loops inside of each other."""
    depth = min(size // 4, 18)
    lines = ["    " * i + f"for v{i} in (1, 2, 3, 4):" for i in range(depth)]
    return program([*lines, "    " * depth + "s = f1_score(y, v0)"])


def turned_flags(size: int) -> Files:
    """Tests of a flag that a loop turns."""
    lines = [f"    if flag:\n        a{i} = f1_score(y, x)\n        other = {i}" for i in range(size)]
    return program(["flag = True", "for x in xs:", *lines, "    flag = False"])


def choices(size: int) -> Files:
    """Conditional expressions whose results are combined."""
    lines = [f"k = k + ('a{i}' if a else 'b{i}')\nd[k] = f1" for i in range(size)]
    return program(["d = {}", "k = 'k'", *lines])


def unions(size: int) -> Files:
    """A name may be any of many lists, which are all changed."""
    lines = [f"if a > {i}:\n    x = [x, f1_score(y, p{i})]\nx.append(f1)" for i in range(size)]
    return program(["x = [f1]", *lines, "print(np.mean(x))"])


def stars(size: int) -> Files:
    """Modules that import everything from the two before, around in a circle."""
    files = {"train.py": HEAD + "from m0 import *\nprint(np.mean(unknown), f1, unknown2)\n"}
    for i in range(min(size, 120)):
        files[f"m{i}.py"] = "".join(f"from m{(i + k) % size} import *\n" for k in range(1, 6)) + f"v{i} = {i}\n"
    return files


def shared_module(size: int) -> Files:
    """Many files import one long module."""
    module = HEAD + "".join(f"def g{i}(x):\n    return f1_score(x, {i})\nv{i} = g{i}(y)\n" for i in range(100))
    users = {f"user{i}.py": HEAD + "from shared import g1\nprint(np.mean([g1(p), f1]))\n" for i in range(size // 10)}
    return {**users, SHARED: module}


def folders(size: int) -> Files:
    """A file in a deep folder."""
    return {"d/" * size + "train.py": HEAD + "print(np.mean(f1))\n"}


def suppressed_lines(size: int) -> Files:
    """Findings, each with a comment that suppresses another rule."""
    loop = "for tr, te in StratifiedKFold(10).split(X, y):\n    s.append(f1_score(y[te], p[te]))\n"
    return program([f"s = []\n{loop}print(np.mean(s))  # cvlint: ignore[auc-merge]" for _ in range(size // 4)])


def findings(size: int) -> Files:
    """Many findings of one loop."""
    loop = "s = []\nfor tr, te in StratifiedKFold(10).split(X, y):\n    s.append(f1_score(y[te], p[te]))"
    return program([loop, *["print(np.mean(s))"] * size])


def unsplit_folds(size: int) -> Files:
    """Many loops over folds, whose results are compared and chosen."""
    loop = (
        "for c{0} in grid:\n    s{0} = cross_val_score(m, X, y, scoring='f1').mean()\n"
        "    if s{0} > best:\n        best, chosen = s{0}, c{0}"
    )
    head = HEAD + "from sklearn.model_selection import cross_val_score\nbest = 0\n"
    return program([loop.format(i) for i in range(size)], head)


def nested_one(size: int) -> Files:
    """A list in a list in a list, very deep."""
    return program(["x = f1", *["x = [x]"] * size, "print(np.mean(x), sum(x), x)", "y = x[0] / 3", "z = np.array(x)"])


def text_parts_in_loop(size: int) -> Files:
    """An f-string of many parts in a loop that counts."""
    counts = "".join(f"    n{i} += 1\n" for i in range(size))
    parts = "".join(f"{{n{i}}}" for i in range(size))
    return program([*[f"n{i} = 0" for i in range(size)], f"{FOLDS}{counts}    print(f'{parts}')"])


def dependences(size: int) -> Files:
    """In a loop over folds, each name depends on the two before it."""
    lines = [f"    n{i + 2} = make(n{i}, n{i + 1})" for i in range(size)]
    last = f"    s.append(f1_score(y[test], n{size}.predict(X[test])))"
    return program(["s = []\nn0 = n1 = X", FOLDS.rstrip(), *lines, last, "print(np.mean(s))"])


def cases(size: int) -> Files:
    """A match of many cases, each of which binds the same name and appends to the same list."""
    arms = [f"    case {i}:\n        x = {i}\n        s.append(f1)" for i in range(size)]
    return program(["s = []", "match a:", *arms])


def cases_of_names(size: int) -> Files:
    """A match of many cases, each of which binds a name of its own."""
    return program(["match a:", *[f"    case v{i}:\n        w{i} = f1" for i in range(size)]])


PATTERNS: tuple[Callable[[int], Files], ...] = (
    doubled_text, doubled_text_in_place, doubled_format, doubled_percent, wide_fields, nested_lists, nested_tuples,
    nested_dicts, rings, one_ring, columns, branches, branches_of_one_name, nested_branches, changed_in_branches,
    appended, extended, added_up, large_dict, large_list, literal, text_parts, sums, products, comments, calls,
    new_arguments, closures, classes, objects, loops, literal_loops, choices, unions, stars, shared_module, folders,
    suppressed_lines, findings, unsplit_folds, nested_one, text_parts_in_loop, dependences,
    turned_flags, cases, cases_of_names,
)  # fmt: skip
