"""With and without a cache, warm and cold, and after any edit, a check finds the same."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.source.project import ImportResolver
from cvlint.workspace import file_check
from cvlint.workspace.cache import file_stamp, results
from cvlint.workspace.cache.codec import decoded, encoded, from_line, to_line
from cvlint.workspace.cache.folder import CacheFolder
from cvlint.workspace.request import CheckRequest
from cvlint.workspace.settings.config import Config
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.steps import check_files
from cvlint.workspace.steps.find import find
from cvlint.workspace.steps.pipeline import run_steps
from cvlint.workspace.workspace import open_workspace

EVALUATE = """\
import numpy as np
from sklearn.model_selection import StratifiedKFold

def evaluate(measure, model, X, y):
    scores = []
    for train, test in StratifiedKFold(5).split(X, y):
        scores.append(measure(y[test], model.fit(X[train], y[train]).predict(X[test])))
    return np.{}(scores)
"""
FORWARD = "from .loop import evaluate\n"
CALL = "from {} import evaluate\nfrom sklearn.metrics import f1_score\nprint(evaluate(f1_score, model, X, y))\n"
PREPARE = """\
import pandas as pd
from sklearn.preprocessing import StandardScaler
table = pd.read_csv("raw.csv")
table[["a"]] = {}(table[["a"]])
table.to_csv("data/table.csv")
"""
TRAIN = """\
import pandas as pd
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
train, test = train_test_split(pd.read_csv("../data/table.csv"))
print(f1_score(test["y"], model.fit(train[["a"]], train["y"]).predict(test[["a"]])))
"""
PATHS = (
    "main.py",
    "evaluation.py",
    "evaluation/__init__.py",
    "evaluation/loop.py",
    "src/evaluation.py",
    "scripts/run.py",
    "scripts/evaluation.py",
    "scripts/data/prepare.py",
)
TEXTS = (
    TRAIN,
    PREPARE.format("StandardScaler().fit_transform"),
    PREPARE.format("abs"),
    EVALUATE.format("mean"),
    EVALUATE.format("max"),
    EVALUATE.format("mean").replace("return", "return  # cvlint: ignore[mean-of-fold-f] known\n   "),
    FORWARD,
    CALL.format("evaluation"),
    CALL.format("evaluation.loop"),
    CALL.format("evaluation") + "# cvlint: ignore-file[mean-of-fold-f] nothing\n",
    "import numpy as np\n",
    "def broken(:\n",
    "\0",
)


@contextmanager
def project() -> Iterator[Path]:
    """An empty project, which is the working directory."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder, "project") / ".git").mkdir(parents=True)
        os.chdir(Path(folder, "project"))
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def checked(cache: CacheFolder | None, *paths: str) -> Report:
    """What a check of this version of the project finds; each check is like a process of its own."""
    file_check.shared_analysis.cache_clear()
    request = CheckRequest(tuple(map(Path, paths or (".",))), cache=cache, jobs=1)
    workspace = open_workspace(request, ConfigLookup(Configs(Config())))
    with patch.object(results, "MOST_LOOKED_UP", 1):  # so that small projects keep the state of their folders
        return run_steps((find(workspace),))


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are analysed, and not found in the cache."""
    names: list[str] = []
    real = file_check.check_file

    def check(path: Path, options: object, whole: bool) -> object:
        names.append(str(path))
        return real(path, options, whole)  # type: ignore[arg-type]

    monkeypatch.setattr(check_files, "check_file", check)
    return names


edits = st.lists(
    st.tuples(st.sampled_from(PATHS), st.one_of(st.none(), st.sampled_from(TEXTS))), min_size=2, max_size=5
)


@settings(max_examples=12)
@given(edits)
def test_after_any_edit_a_check_finds_the_same(steps: list[tuple[str, str | None]]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write("main.py", CALL.format("evaluation"))
        write("evaluation.py", EVALUATE.format("mean"))
        for path, text in steps:
            if text is not None:
                write(path, text)
            elif os.path.exists(path):
                os.unlink(path)
            fresh = checked(None)
            assert checked(cache) == fresh  # after an edit
            assert checked(cache) == fresh  # and again
            assert checked(cache, "main.py", "evaluation.py") == checked(None, "main.py", "evaluation.py")


def test_only_what_has_changed_is_analysed(analysed: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write("main.py", CALL.format("evaluation"))
        write("evaluation.py", EVALUATE.format("mean"))
        write("other.py", CALL.format("elsewhere"))
        first = checked(cache)
        assert [one.rule for one in first.findings] == ["mean-of-fold-f"]
        assert sorted(analysed) == ["evaluation.py", "main.py", "other.py"]
        analysed.clear()
        assert checked(cache) == first
        assert analysed == []
        write("evaluation.py", "\n" + EVALUATE.format("mean"))
        assert [one.location.line for one in checked(cache).findings] == [first.findings[0].location.line + 1]
        assert sorted(analysed) == ["evaluation.py", "main.py"]
        analysed.clear()
        write("elsewhere.py", EVALUATE.format("mean"))  # other.py looked for it in vain
        assert len(checked(cache).findings) == 2
        assert "other.py" in analysed


def test_what_another_script_writes_is_part_of_the_key(analysed: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        scaled, other = PREPARE.format("StandardScaler().fit_transform"), PREPARE.format("abs")
        write("src/train.py", TRAIN)
        assert not checked(cache).findings
        for path, text, count in (
            ("data/prepare.py", scaled, 1),
            ("data/prepare.py", other, 0),
            ("src/prepare.py", scaled, 1),  # it is nearer
            ("src/again.py", other, 0),  # two are equally near
        ):
            write(path, text)
            analysed.clear()
            assert len(checked(cache).findings) == count == len(checked(None).findings)
            assert "src/train.py" in analysed
        analysed.clear()
        checked(cache)
        assert not analysed


def test_rules_and_knowledge_of_the_project_are_part_of_the_key(analysed: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        loop = "scores = [own.f(y[test], p) for train, test in StratifiedKFold(5).split(X, y)]"
        write("main.py", f"import own\n{loop}\nprint(np.mean(scores))\n")
        entry = '[[entry]]\nmodule = "own"\nnames = ["f"]\neffect = "measure"\nmeasure = "{}"\n'

        def found() -> list[str]:
            from cvlint.knowledge.loader import load_knowledge

            load_knowledge.cache_clear()
            file_check.shared_analysis.cache_clear()
            config = Config(extend_knowledge=(Path("own.toml"),))
            workspace = open_workspace(CheckRequest((Path("main.py"),), cache=cache), ConfigLookup(Configs(config)))
            return [one.rule for one in run_steps((find(workspace),)).findings]

        write("own.toml", entry.format("accuracy"))
        assert found() == found() == []
        write("own.toml", entry.format("f-measure"))
        assert found() == ["mean-of-fold-f"]
        assert len(analysed) == 2


def test_two_runs_at_once_keep_the_results_of_both(analysed: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        for name in ("first.py", "second.py"):
            write(name, CALL.format("evaluation"))
        lookup = ConfigLookup(Configs(Config()))
        slow = open_workspace(CheckRequest((Path("first.py"),), cache=cache), lookup)
        assert slow.groups[0].results.is_kept  # it has read the empty cache
        checked(cache, "second.py")
        run_steps((find(slow),))
        analysed.clear()
        checked(cache, "first.py", "second.py")
        assert analysed == []


def test_every_field_of_a_finding_survives() -> None:
    with project():
        write("main.py", CALL.format("evaluation"))
        write("evaluation.py", EVALUATE.format("mean"))
        finding = checked(None).findings[0]
        read = decoded(from_line(to_line(encoded(finding))))
        assert read == finding
        assert [type(getattr(read, one.name)) for one in fields(Finding)] == [
            type(getattr(finding, one.name)) for one in fields(Finding)
        ]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose bytes the cache reads."""
    names: list[str] = []
    real = results.load

    def load(path: str, display: str) -> object:
        names.append(display)
        return real(path, display)

    monkeypatch.setattr(results, "load", load)
    return names


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as old as soon as they are written; a test must let the clock tick before it writes again."""
    monkeypatch.setattr(file_stamp, "SETTLED", -(10**12))


@pytest.mark.usefixtures("settled")
def test_files_that_have_not_changed_are_not_read(read: list[str], analysed: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write("main.py", CALL.format("evaluation"))
        write("evaluation.py", EVALUATE.format("mean"))
        write("other.py", "x = 1\n")
        first = checked(cache)
        assert sorted(read) == ["evaluation.py", "main.py", "other.py"]
        read.clear()
        assert checked(cache) == first
        assert read == []
        time.sleep(0.05)
        Path("other.py").touch()
        assert checked(cache) == first
        assert read == ["other.py"]
        read.clear()
        assert checked(cache) == first
        assert read == []
        assert sorted(set(analysed)) == ["evaluation.py", "main.py"]


@pytest.mark.usefixtures("settled")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell when an inode has changed")
def test_a_change_that_hides_its_time_is_seen(read: list[str]) -> None:
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write(
            "main.py", EVALUATE.format("mean") + "from sklearn.metrics import f1_score\nevaluate(f1_score, m, X, y)\n"
        )
        before = os.stat("main.py")
        assert len(checked(cache).findings) == 1
        time.sleep(0.05)
        write("main.py", Path("main.py").read_text().replace("np.mean", "np.size"))
        os.utime("main.py", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (os.stat("main.py").st_size, os.stat("main.py").st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        assert checked(cache).findings == ()


def test_a_file_that_may_change_within_one_tick_is_read(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_stamp, "SETTLED", 10**15)  # however slow the machine is
    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write("main.py", EVALUATE.format("mean"))
        checked(cache)
        read.clear()
        checked(cache)
        assert read == ["main.py"]


def test_imports_are_looked_up_only_after_their_folders_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []
    real = ImportResolver.locate

    def locate(self: ImportResolver, importer: str, module: str, level: int) -> str | None:
        looked_up.append(module)
        return real(self, importer, module, level)

    with project() as folder:
        cache = CacheFolder(str(folder / "cache"), pytest.fail)
        write("main.py", CALL.format("evaluation.loop"))
        write("evaluation/__init__.py", "")
        checked(cache)
        monkeypatch.setattr(ImportResolver, "locate", locate)

        def is_looked_up() -> bool:
            looked_up.clear()
            found = checked(cache)
            during = bool(looked_up)
            assert found == checked(None)
            return during

        assert not is_looked_up()
        write("unrelated.txt", "")
        write("unrelated.py", "")
        assert not is_looked_up()  # nobody has looked for it
        write("evaluation/loop.py", EVALUATE.format("mean"))
        assert is_looked_up()
        assert not is_looked_up()
        os.unlink("evaluation/loop.py")
        os.mkdir("evaluation/loop.py")  # a folder is no module
        assert is_looked_up()
        os.rmdir("evaluation/loop.py")
        assert not is_looked_up()
        write("evaluation/pyproject.toml", "")  # now it is a project of its own
        write("src/evaluation/loop.py", EVALUATE.format("mean"))
        assert is_looked_up()
        (Path(".git")).rename(folder / "git")
        assert is_looked_up()
