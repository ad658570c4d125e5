"""With and without a cache, warm and cold, and after any edit, a check finds the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.workspace import file_check
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
PATHS = (
    "main.py",
    "evaluation.py",
    "evaluation/__init__.py",
    "evaluation/loop.py",
    "src/evaluation.py",
    "scripts/run.py",
    "scripts/evaluation.py",
)
TEXTS = (
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
