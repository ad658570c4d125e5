"""The same experiment in other spellings: the finding does not depend on imports or on the form of arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

ALL = CheckOptions(frozenset(rule.name for rule in load_rules()))
HEAD = "import numpy as np\nimport pandas as pd\n"
DATA = 'df = pd.read_csv("data.csv")\nX, y = df.drop(columns="y").values, df["y"].values\n'

# Metric, splitter and search are written as <names>, which a spelling fills in.
MEAN_OF_F = """\
scores = []
for train, test in <StratifiedKFold>(5).split(X, y):
    model.fit(X[train], y[train])
    scores.append(<f1_score>(y[test], model.predict(X[test])))
print(np.mean(scores))  # here
"""
AUC_MERGE = """\
oof = np.zeros(len(y))
for train, test in <StratifiedKFold>(5).split(X, y):
    model.fit(X[train], y[train])
    oof[test] = model.predict_proba(X[test])[:, 1]
print(<roc_auc_score>(y, oof))  # here
"""
UNSTRATIFIED = """\
for train, test in <KFold>(5).split(X, y):  # here
    model.fit(X[train], y[train])
    print(<roc_auc_score>(y[test], model.predict_proba(X[test])[:, 1]))
"""
SEARCH = """\
search = <GridSearchCV>(model, grid, scoring="f1", cv=5).fit(X, y)
print(search.best_score_)  # here
"""
CROSS_VAL = """\
print(<cross_val_score>(model, X, y, cv=<StratifiedKFold>(5), scoring="f1").mean())  # here
"""
SHAPES = {
    "mean-of-fold-f": MEAN_OF_F,
    "auc-merge": AUC_MERGE,
    "unstratified-folds": UNSTRATIFIED,
    "search-best-f": SEARCH,
    "mean-of-fold-f, cross_val_score": CROSS_VAL,
}
METRICS = ("f1_score", "roc_auc_score")
SELECTION = ("StratifiedKFold", "KFold", "GridSearchCV", "cross_val_score")
IMPORTS = {  # the imports, how a metric is written after them, and how a splitter or search
    "from": (
        "from sklearn.metrics import f1_score, roc_auc_score\n"
        "from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score\n",
        "{}",
        "{}",
    ),
    "alias": (
        "from sklearn.metrics import f1_score as my_f1_score, roc_auc_score as my_roc_auc_score\n"
        "from sklearn.model_selection import GridSearchCV as my_GridSearchCV, KFold as my_KFold\n"
        "from sklearn.model_selection import StratifiedKFold as my_StratifiedKFold, cross_val_score as "
        "my_cross_val_score\n",
        "my_{}",
        "my_{}",
    ),
    "module": ("import sklearn.metrics\nimport sklearn.model_selection\n", "sklearn.metrics.{}",
               "sklearn.model_selection.{}"),
    "module as": ("import sklearn.metrics as m\nimport sklearn.model_selection as ms\n", "m.{}", "ms.{}"),
    "package as": ("import sklearn as sk\n", "sk.metrics.{}", "sk.model_selection.{}"),
    "from package": ("from sklearn import metrics, model_selection\n", "metrics.{}", "model_selection.{}"),
    "from package as": ("from sklearn import metrics as mt, model_selection as sel\n", "mt.{}", "sel.{}"),
    "star": ("from sklearn.metrics import *\nfrom sklearn.model_selection import *\n", "{}", "{}"),
    "private": (
        "from sklearn.metrics._classification import f1_score\nfrom sklearn.metrics._ranking import roc_auc_score\n"
        "from sklearn.model_selection._split import KFold, StratifiedKFold\n"
        "from sklearn.model_selection._search import GridSearchCV\n"
        "from sklearn.model_selection._validation import cross_val_score\n",
        "{}",
        "{}",
    ),
    "old private": (
        "from sklearn.metrics.classification import f1_score\nfrom sklearn.metrics.ranking import roc_auc_score\n"
        "from sklearn.model_selection import *\n",
        "{}",
        "{}",
    ),
    "in try": (
        "from sklearn.metrics import *\n"
        "try:\n    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score\n"
        "except ImportError:\n    from sklearn.cross_validation import KFold, StratifiedKFold, cross_val_score\n"
        "    from sklearn.grid_search import GridSearchCV\n",
        "{}",
        "{}",
    ),
    "variable": (
        "import sklearn.metrics\nfrom sklearn import model_selection\n"
        + "".join(f"v_{name} = sklearn.metrics.{name}\n" for name in METRICS)
        + "".join(f"v_{name} = model_selection.{name}\n" for name in SELECTION),
        "v_{}",
        "v_{}",
    ),
    "none, a snippet": ("", "{}", "{}"),
    "none, of modules": ("", "metrics.{}", "model_selection.{}"),
}  # fmt: skip


def spelled(shape: str, metric: str = "{}", selection: str = "{}") -> str:
    """A shape with its names in one spelling."""
    for name in METRICS:
        shape = shape.replace(f"<{name}>", metric.format(name))
    for name in SELECTION:
        shape = shape.replace(f"<{name}>", selection.format(name))
    return shape


def found(code: str) -> list[tuple[str, int]]:
    checked = check_bytes(code.encode(), Path("train.py"), "train.py", ALL)
    assert checked.problem is None
    return [(finding.rule, finding.location.line) for finding in checked.findings]


def expected(code: str, rule: str) -> list[tuple[str, int]]:
    """The finding of a rule at the line that ends with ``# here``."""
    return [(rule.split(",")[0], number) for number, line in enumerate(code.split("\n"), 1) if line.endswith("# here")]


@pytest.mark.parametrize("spelling", IMPORTS)
@pytest.mark.parametrize("rule", SHAPES)
def test_imports(rule: str, spelling: str) -> None:
    imports, metric, selection = IMPORTS[spelling]
    code = HEAD + imports + DATA + spelled(SHAPES[rule], metric, selection)
    assert found(code) == expected(code, rule)


OLD = {
    "mean-of-fold-f": """\
from sklearn.cross_validation import StratifiedKFold
from sklearn.metrics import f1_score
total = 0
for train, test in StratifiedKFold(y, n_folds=5):
    total += f1_score(y[test], model.fit(X[train], y[train]).predict(X[test]))
print(total / 5)  # here
""",
    "auc-merge": """\
from sklearn import cross_validation as cv, metrics
oof = np.zeros(len(y))
for train, test in cv.StratifiedKFold(y, 5):
    oof[test] = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
print(metrics.roc_auc_score(y, oof))  # here
""",
    "unstratified-folds": """\
from sklearn import cross_validation
from sklearn.metrics.ranking import roc_auc_score
for train, test in cross_validation.KFold(len(y), n_folds=10, shuffle=True):  # here
    print(roc_auc_score(y[test], model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]))
""",
    "search-best-f": """\
from sklearn.grid_search import GridSearchCV
search = GridSearchCV(model, grid, scoring="f1", cv=5).fit(X, y)
print(search.best_score_)  # here
""",
    "mean-of-fold-f, cross_val_score": """\
from sklearn.cross_validation import cross_val_score
print(cross_val_score(model, X, y, cv=10, scoring="f1_macro").mean())  # here
""",
}


@pytest.mark.parametrize("rule", OLD)
def test_old_modules(rule: str) -> None:
    code = HEAD + DATA + OLD[rule]
    assert found(code) == expected(code, rule)


TORCH = "import torch\n"
CALLS = {  # of F1 in a fold: the imports and the call
    "keywords": ("from sklearn.metrics import f1_score\n", "f1_score(y_true=y[test], y_pred=hyp)"),
    "keywords swapped": ("from sklearn.metrics import f1_score\n", "f1_score(y_pred=hyp, y_true=y[test])"),
    "swapped": ("from sklearn.metrics import f1_score\n", "f1_score(hyp, y[test])"),
    "average": ("from sklearn.metrics import f1_score\n", "f1_score(y[test], hyp, average='weighted')"),
    "positional average": ("from sklearn.metrics import fbeta_score\n", "fbeta_score(y[test], hyp, beta=2)"),
    "starred": ("from sklearn.metrics import f1_score\n", "f1_score(*(y[test], hyp), **{'average': 'macro'})"),
    "partial": (
        "from functools import partial\nfrom sklearn.metrics import f1_score\nf = partial(f1_score, average='macro')\n",
        "f(y[test], hyp)",
    ),
    "lambda": ("from sklearn.metrics import f1_score\nf = lambda a, b: f1_score(b, a)\n", "f(hyp, y[test])"),
    "scorer": ("from sklearn.metrics import get_scorer\n", "get_scorer('f1')(model, X[test], y[test])"),
    "another library": ("from labtools.metrics import f1_score\n", "f1_score(y[test], hyp)"),
    "torchmetrics": (
        TORCH + "from torchmetrics.functional import f1_score\n",
        "f1_score(torch.tensor(hyp), torch.tensor(y[test]), task='binary')",
    ),
    "torchmetrics keywords": (
        TORCH + "import torchmetrics.functional as tmf\n",
        "tmf.f1_score(target=torch.tensor(y[test]), preds=torch.tensor(hyp), task='binary').item()",
    ),
    "torchmetrics module": (
        TORCH + "import torchmetrics\n",
        "torchmetrics.functional.classification.binary_f1_score(torch.tensor(hyp), torch.tensor(y[test]))",
    ),
    "torchmetrics macro": (
        TORCH + "from torchmetrics.functional.classification import multiclass_f1_score\n",
        "multiclass_f1_score(torch.tensor(hyp), torch.tensor(y[test]), num_classes=3)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_arguments_of_f(call: str) -> None:
    imports, written = CALLS[call]
    code = f"""{HEAD}from sklearn.model_selection import StratifiedKFold
{imports}{DATA}scores = []
for train, test in StratifiedKFold(5).split(X, y):
    hyp = model.fit(X[train], y[train]).predict(X[test])
    scores.append({written})
print(np.mean(scores))  # here
"""
    assert found(code) == expected(code, "mean-of-fold-f")


POOLED = {  # of AUC after the folds
    "keywords": ("from sklearn.metrics import roc_auc_score\n", "roc_auc_score(y_true=y, y_score=oof)"),
    "keywords swapped": ("from sklearn.metrics import roc_auc_score\n", "roc_auc_score(y_score=oof, y_true=y)"),
    "curve": ("from sklearn.metrics import roc_curve\n", "roc_curve(y, oof)[:2]"),
    "torchmetrics": (
        "import torch\nfrom torchmetrics.functional import auroc\n",
        "auroc(torch.tensor(oof), torch.tensor(y), task='binary')",
    ),
    "torchmetrics keywords": (
        "import torch\nfrom torchmetrics.functional.classification import binary_auroc as AUC\n",
        "AUC(target=torch.from_numpy(y), preds=torch.from_numpy(oof))",
    ),
}


@pytest.mark.parametrize("call", POOLED)
def test_arguments_of_auc(call: str) -> None:
    imports, written = POOLED[call]
    shape = spelled(AUC_MERGE).replace("roc_auc_score(y, oof)", written)
    code = f"{HEAD}from sklearn.model_selection import StratifiedKFold\n{imports}{DATA}{shape}"
    assert found(code) == expected(code, "auc-merge")


SKLEARN = IMPORTS["from"][0]
LOOK_ALIKES = {  # what stands between the imports and the shape
    "f1_score is a function here": ("mean-of-fold-f", "def f1_score(a, b):\n    return (a == b).mean()\n"),
    "f1_score is rebound": ("mean-of-fold-f", "import sklearn.metrics as m\nf1_score = m.accuracy_score\n"),
    "f1_score is a lambda": ("mean-of-fold-f", "f1_score = lambda a, b: np.mean(a != b)\n"),
    "f1_score is another name": ("mean-of-fold-f", "from sklearn.metrics import accuracy_score as f1_score\n"),
    "f1_score is a class": (
        "mean-of-fold-f",
        "class f1_score:\n    def __init__(self, a, b):\n        self.seconds = len(a)\n",
    ),
    "roc_auc_score is a function here": ("auc-merge", "def roc_auc_score(a, b):\n    return np.abs(a - b).mean()\n"),
    "roc_auc_score is another name": ("auc-merge", "from sklearn.metrics import log_loss as roc_auc_score\n"),
    "KFold is stratified": ("unstratified-folds", "from sklearn.model_selection import StratifiedKFold as KFold\n"),
    "KFold is a class here": (
        "unstratified-folds",
        "class KFold(StratifiedKFold):\n    pass\n",
    ),
    "AUC is accuracy": ("unstratified-folds", "def roc_auc_score(a, b):\n    return ((b > 0.5) == a).mean()\n"),
    "GridSearchCV is rebound": ("search-best-f", "from mylab import GridSearchCV\n"),
    "cross_val_score is a function here": (
        "mean-of-fold-f, cross_val_score",
        "def cross_val_score(model, X, y, cv, scoring):\n    return np.zeros(3)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LOOK_ALIKES)
def test_look_alikes(what: str) -> None:
    rule, rebinding = LOOK_ALIKES[what]
    assert found(HEAD + SKLEARN + rebinding + DATA + spelled(SHAPES[rule])) == []


def test_results_that_take_the_name_of_their_function() -> None:
    code = f"""{HEAD}from sklearn import metrics
from sklearn.metrics import auc, roc_auc_score
from sklearn.model_selection import StratifiedKFold
{DATA}f1, aucs = [], []
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    f1_score = metrics.f1_score(y[test], model.predict(X[test]))
    auc = roc_auc_score(y[test], model.predict_proba(X[test])[:, 1])
    f1.append(f1_score)
    aucs.append(auc)
auc = np.mean(aucs)
f1_score = np.mean(f1)  # here
print(auc, f1_score)
"""
    assert found(code) == expected(code, "mean-of-fold-f")


@pytest.mark.parametrize(
    "written",
    [
        "f1_score, auc = 0.5, 0.7\nscores = [f1_score] * 5\nprint(np.mean(scores))\n",
        "f1 = [0.5, 0.6]\nfor fold in range(5):\n    f1.append(float(input()))\nprint(len(f1))\n",
        "parser.add_argument('--f1_score', default='f1')\nprint(np.mean(args.f1_score_weights))\n",
        "import f1\nfor fold in f1.seasons():\n    print(fold.f1_score())\n",
    ],
)
def test_names_alone_are_no_fault(written: str) -> None:
    assert found(HEAD + DATA + written) == []


def test_a_name_counts_from_where_it_is_bound() -> None:
    code = f"""{HEAD}{SKLEARN}{DATA}{spelled(MEAN_OF_F)}
def f1_score(a, b):
    return (a == b).mean()

{spelled(MEAN_OF_F).replace("  # here", "")}
from sklearn.metrics import f1_score
{spelled(MEAN_OF_F)}"""
    assert found(code) == expected(code, "mean-of-fold-f")


def test_a_name_bound_in_a_function_is_its_own() -> None:
    body = spelled(MEAN_OF_F).replace("\n", "\n    ")
    code = f"""{HEAD}{SKLEARN}{DATA}
def other(f1_score):
    print(f1_score)


def one():
    f1_score = lambda a, b: (a == b).mean()
    {body.replace("  # here", "")}

def two():
    {body}
other(lambda a, b: 0)
one()
two()
"""
    assert found(code) == expected(code, "mean-of-fold-f")
