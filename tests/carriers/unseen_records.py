"""More ways to collect the values of a loop in objects.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many

UNSEEN_RECORD: tuple[Construct, ...] = (
    many(
        "NamedTuple with a method",
        "runs = []",
        "runs.append(Run(len(runs), {v}))",
        "{o} = [r.score() for r in runs]",
        (
            "from typing import NamedTuple\nclass Run(NamedTuple):\n    fold: int\n    value: float\n"
            "    def score(self):\n        return self.value"
        ),
    ),
    many(
        "MutableMapping subclass",
        "box = Results()",
        "box[len(box)] = {v}",
        "{o} = list(box.values())",
        (
            "from collections.abc import MutableMapping\nclass Results(MutableMapping):\n"
            "    def __init__(self):\n        self._d = {}\n    def __getitem__(self, k):\n"
            "        return self._d[k]\n    def __setitem__(self, k, x):\n        self._d[k] = x\n"
            "    def __delitem__(self, k):\n        del self._d[k]\n    def __iter__(self):\n"
            "        return iter(self._d)\n    def __len__(self):\n        return len(self._d)"
        ),
    ),
    many(
        "Sequence subclass",
        "held = []",
        "held.append({v})",
        "{o} = list(Scores(held))",
        (
            "from collections.abc import Sequence\nclass Scores(Sequence):\n    def __init__(self, items):\n"
            "        self.items = items\n    def __getitem__(self, i):\n        return self.items[i]\n"
            "    def __len__(self):\n        return len(self.items)"
        ),
    ),
    many(
        "dataclass with slots",
        "box = []",
        "box.append(Row(fold=len(box), score={v}))",
        "{o} = [r.score for r in box]",
        "from dataclasses import dataclass\n@dataclass(slots=True)\nclass Row:\n    fold: int\n    score: float",
    ),
    many(
        "ordered dataclass",
        "box = []",
        "box.append(Row(len(box), {v}))",
        "{o} = [r.score for r in sorted(box, reverse=True)]",
        "from dataclasses import dataclass\n@dataclass(order=True)\nclass Row:\n    fold: int\n    score: float",
    ),
    many(
        "dict by enum",
        "box = {{m: [] for m in Metric}}",
        "box[Metric.F].append({v})",
        "{o} = box[Metric.F]",
        "from enum import Enum\nclass Metric(Enum):\n    F = 'f'\n    N = 'n'",
    ),
    many(
        "history attribute",
        "run = Run()",
        "run.log('f', {v})",
        "{o} = run.history['f']",
        (
            "class Run:\n    def __init__(self):\n        self.history = {}\n    def log(self, name, value):\n"
            "        if name not in self.history:\n            self.history[name] = []\n"
            "        self.history[name].append(value)"
        ),
    ),
    many(
        "tracker that is entered",
        "tracker = Tracker()",
        "with tracker as t:\n    t.add({v})",
        "{o} = tracker.values",
        (
            "class Tracker:\n    def __init__(self):\n        self.values = []\n        self.depth = 0\n"
            "    def __enter__(self):\n        self.depth += 1\n        return self\n"
            "    def __exit__(self, kind, error, tb):\n        self.depth -= 1\n    def add(self, x):\n"
            "        self.values.append(x)"
        ),
    ),
    many(
        "nested objects",
        "exp = Experiment()",
        "exp.results.test.append({v})",
        "{o} = exp.results.test",
        (
            "class Results:\n    def __init__(self):\n        self.train, self.test = [], []\n"
            "class Experiment:\n    def __init__(self):\n        self.results = Results()"
        ),
    ),
    many(
        "list of the class by an instance",
        "Fold.scores = []",
        "Fold().finish({v})",
        "{o} = Fold.scores",
        "class Fold:\n    scores = []\n    def finish(self, x):\n        self.__class__.scores.append(x)",
    ),
    many(
        "array of a property",
        "m = Meter()",
        "m.add({v})",
        "{o} = m.array",
        (
            "class Meter:\n    def __init__(self):\n        self._v = []\n    def add(self, x):\n"
            "        self._v += [x]\n    @property\n    def array(self):\n"
            "        return self._v if np.ndim(self._v[0]) else np.asarray(self._v)"
        ),
    ),
    many(
        "record that makes its row",
        "rows = []",
        "rows.append(Result('lr', {v}).to_dict())",
        "{o} = [r['score'] for r in rows]",
        (
            "class Result:\n    def __init__(self, name, score):\n        self.name, self.score = name, score\n"
            "    def to_dict(self):\n        return {'name': self.name, 'score': self.score}"
        ),
    ),
    many(
        "vars of namespaces",
        "box = []",
        "box.append(SimpleNamespace(fold=len(box), s={v}))",
        "{o} = [vars(b)['s'] for b in box]",
        "from types import SimpleNamespace",
    ),
    many(
        "sum of records",
        "parts = []",
        "parts.append(Part([{v}]))",
        "{o} = sum(parts, Part([])).xs",
        (
            "class Part:\n    def __init__(self, xs):\n        self.xs = xs\n    def __add__(self, other):\n"
            "        return Part(self.xs + other.xs)\n    def __radd__(self, other):\n"
            "        return self if other == 0 else other + self"
        ),
    ),
    many(
        "inherited dataclass",
        "box = []",
        "box.append(TestResult('lr', {v}))",
        "{o} = [b.score for b in box]",
        (
            "from dataclasses import dataclass\n@dataclass\nclass Base:\n    model: str\n@dataclass\n"
            "class TestResult(Base):\n    score: object = None"
        ),
    ),
    many(
        "callable that records",
        "rec = Recorder()",
        "rec({v})",
        "{o} = rec.seen",
        (
            "class Recorder:\n    def __init__(self):\n        self.seen = []\n    def __call__(self, x):\n"
            "        self.seen.append(x)\n        return x"
        ),
    ),
    many(
        "logger that calls its parent",
        "lg = FoldLogger()",
        "lg.log({v})",
        "{o} = lg.items",
        (
            "class Logger:\n    def __init__(self):\n        self.items = []\n    def log(self, x):\n"
            "        self.items.append(x)\nclass FoldLogger(Logger):\n    def __init__(self):\n"
            "        super().__init__()\n        self.n = 0\n    def log(self, x):\n        self.n += 1\n"
            "        super().log(x)"
        ),
    ),
    many(
        "mixin that stores",
        "t = Trainer()",
        "t.record({v})",
        "{o} = t.recorded()",
        (
            "class RecordMixin:\n    def record(self, x):\n        if not hasattr(self, '_recorded'):\n"
            "            self._recorded = []\n        self._recorded.append(x)\n    def recorded(self):\n"
            "        return list(self._recorded)\nclass Trainer(RecordMixin):\n    def __init__(self):\n"
            "        self.name = 'lr'"
        ),
    ),
    many(
        "template method",
        "job = Job()",
        "job.run({v})",
        "{o} = job.done",
        (
            "from abc import ABC, abstractmethod\nclass AbstractJob(ABC):\n    def __init__(self):\n"
            "        self.done = []\n    def run(self, x):\n        self.done.append(self.process(x))\n"
            "    @abstractmethod\n    def process(self, x):\n        pass\nclass Job(AbstractJob):\n"
            "    def process(self, x):\n        return x"
        ),
    ),
    many(
        "iterator class",
        "box = []",
        "box.append({v})",
        "{o} = [x for x in Walk(box)]",
        (
            "class Walk:\n    def __init__(self, xs):\n        self.xs, self.i = xs, 0\n"
            "    def __iter__(self):\n        return self\n    def __next__(self):\n"
            "        if self.i >= len(self.xs):\n            raise StopIteration\n        x = self.xs[self.i]\n"
            "        self.i += 1\n        return x"
        ),
    ),
    many(
        "dict with attributes",
        "d = AttrDict()\nd.scores = []",
        "d.scores.append({v})",
        "{o} = d['scores']",
        (
            "class AttrDict(dict):\n    def __getattr__(self, k):\n        return self[k]\n"
            "    def __setattr__(self, k, v):\n        self[k] = v"
        ),
    ),
    many(
        "frozen state that is replaced",
        "state = State()",
        "state = replace(state, step=state.step + 1, scores=state.scores + ({v},))",
        "{o} = list(state.scores)",
        (
            "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass State:\n"
            "    step: int = 0\n    scores: tuple = ()"
        ),
    ),
    many(
        "frozen record of lists",
        "fs, ks = [], []",
        "fs.append({v})\nks.append(len(ks))",
        "summary = Summary(folds=tuple(ks), scores=tuple(fs))\n{o} = summary.scores",
        (
            "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Summary:\n    folds: tuple\n"
            "    scores: tuple"
        ),
    ),
    many(
        "fields of a named tuple",
        "box = []",
        "box.append(R(1, {v}))",
        "{o} = [dict(zip(R._fields, r))['s'] for r in box]",
        "from collections import namedtuple\nR = namedtuple('R', ['k', 's'])",
    ),
    many(
        "objects in a dict",
        "objs = {{}}",
        "objs.setdefault('lr', Model('lr')).scores.append({v})",
        "{o} = objs['lr'].scores",
        "class Model:\n    def __init__(self, name):\n        self.name = name\n        self.scores = []",
    ),
    many(
        "contains before append",
        "store = Store()",
        "if {v} is not None and 'a' in store:\n    store.put('a', {v})",
        "{o} = store.get('a')",
        (
            "class Store:\n    def __init__(self):\n        self.d = {'a': []}\n"
            "    def __contains__(self, k):\n        return k in self.d\n    def put(self, k, x):\n"
            "        self.d[k].append(x)\n    def get(self, k):\n        return self.d[k]"
        ),
    ),
    many(
        "columns of a named tuple of lists",
        "cols = Cols([], [])",
        "cols.fold.append(0)\ncols.score.append({v})",
        "{o} = cols.score",
        "from collections import namedtuple\nCols = namedtuple('Cols', 'fold score')",
    ),
)
