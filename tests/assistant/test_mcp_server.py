"""An assistant talks to ``cvlint mcp`` with the client of the official package, as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.cli.conftest import invoke
from tests.conftest import FAULTY, ROOT, environment_without

FOLDS = "fold,y_true,y_pred\n" + "".join(f"{fold},{i % 2},{int(i % 3 == 0)}\n" for fold in (1, 2) for i in range(12))
MEAN = "from {} import scores\nimport numpy\nprint(numpy.mean(scores))\n"
LARGE = 6_000_000
"""Bytes of a script that is too large."""

QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "file": ("check_files", {"paths": ["train.py"]}),
    "selected": ("check_files", {"paths": ["train.py"], "select": ["auc-merge"]}),
    "unknown rule": ("check_files", {"paths": ["train.py"], "select": ["auc-merg"]}),
    "text": ("check_text", {"text": FAULTY, "name": "below/new.py"}),
    "text that imports": (
        "check_text",
        {"text": MEAN.format("train")},
    ),
    "malicious": ("check_files", {"paths": ["malicious.py"]}),
    "page": ("explain_rule", {"name": "CVL101"}),
    "no page": ("explain_rule", {"name": "mean-of-fold"}),
    "folds": ("recompute", {"path": "folds.csv", "reported": ["f1=0.40"]}),
    "no folds": ("recompute", {"path": "train.py"}),
    "printed": ("which_aggregate", {"f1": "0.69", "precision": "0.60", "recall": "0.60"}),
    "half": ("which_aggregate", {"f1": "0.69", "positives": 3}),
    "parent": ("check_files", {"paths": [".."]}),
    "absolute": ("check_files", {"paths": ["/etc"]}),
    "outside": ("check_files", {"paths": ["link.py"]}),
    "outside in folder": ("check_files", {"paths": ["linked"]}),
    "outside by import": ("check_text", {"text": MEAN.format("link")}),
    "outside text": ("check_text", {"text": FAULTY, "name": "../new.py"}),
    "outside folds": ("recompute", {"path": "../secret.csv"}),
    "outside and missing": ("recompute", {"path": "../nothing.csv"}),
    "outside config": ("check_files", {"paths": ["extending/train.py"]}),
    "zero byte": ("check_files", {"paths": ["a\0b"]}),
    "missing": ("check_files", {"paths": ["nothing.py"]}),
    "large text": ("check_text", {"text": "x = 1\n" * (LARGE // 6)}),
    "large file": ("check_files", {"paths": ["large.py"]}),
    "large folds": ("recompute", {"path": "large.csv"}),
    "pipe": ("recompute", {"path": "pipe.csv"}),
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with secrets, and below it the folder `root`, the only one that the server may read."""
    folder = tmp_path_factory.mktemp("outside")
    root = folder / "root"
    for below in ("below", "linked", "extending"):
        (root / below).mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[tool.cvlint]\nselect = ["auc-merge"]\n')  # above the root: not read
    for script in (folder / "secret.py", root / "train.py", root / "extending" / "train.py"):
        script.write_text(FAULTY)
    (folder / "secret.csv").write_text(FOLDS)
    (root / "folds.csv").write_text(FOLDS)
    (root / "link.py").symlink_to("../secret.py")
    (root / "linked" / "secret.py").symlink_to("../../secret.py")
    (folder / "secret.toml").write_text('ignore = ["mean-of-fold-f"]\n')
    (root / "extending" / "cvlint.toml").write_text('extend = "../../secret.toml"\n')
    (root / "malicious.py").write_text("open('was_run', 'w')\n" + FAULTY)
    (root / "large.py").write_text("x = 1\n" * (LARGE // 6))
    with (root / "large.csv").open("wb") as file:
        file.truncate(60_000_000)
    os.mkfifo(root / "pipe.csv")
    return folder


def state(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def answers(outside: Path) -> dict[str, Any]:
    """The answers to all questions by one server: what they hold, or the sentence of an error."""

    async def ask() -> dict[str, Any]:
        environment = environment_without() | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(outside / "cache")}
        command = ["-m", "cvlint", "mcp", "--root", str(outside / "root")]
        server = StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=outside)
        async with Client(stdio_client(server)) as client:
            found: dict[str, Any] = {"tools": (await client.list_tools()).tools}
            for name, (tool, arguments) in QUESTIONS.items():
                result = await client.call_tool(tool, arguments)
                text = result.content[0].text
                found[name] = text.partition(": ")[2] if result.is_error else result.structured_content or text
            return found

    before = state(outside)
    found = asyncio.run(asyncio.wait_for(ask(), 300))
    assert state(outside) == before, "something was written"
    return found


def rules(answer: Any) -> list[str]:
    assert isinstance(answer, dict), answer
    return [finding["rule"] for finding in answer["findings"]]


def test_files_and_texts_are_checked(answers: dict[str, Any]) -> None:
    for name in ("file", "text", "text that imports", "malicious"):
        assert rules(answers[name]) == ["mean-of-fold-f"], name
    assert rules(answers["selected"]) == []
    assert answers["text"]["findings"][0]["path"] == os.path.join("below", "new.py")
    assert answers["file"]["left_out"] == 0


def test_the_answer_is_that_of_the_command(
    answers: dict[str, Any], outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(outside / "root")
    status, printed, _ = invoke("check", "--isolated", "--no-cache", "--format", "json", "train.py")
    assert (status, json.loads(printed)) == (1, {k: v for k, v in answers["file"].items() if k != "left_out"})
    _, printed, _ = invoke("recompute", "folds.csv", "--reported", "f1=0.40", "--format", "json")
    assert json.loads(printed) == answers["folds"]
    _, printed, _ = invoke("reported", "--f1", "0.69", "--precision", "0.60", "--recall", "0.60", "--format", "json")
    assert json.loads(printed)["verdicts"] == answers["printed"]["verdicts"]
    _, printed, _ = invoke("rule", "CVL101")
    assert printed == answers["page"]


def test_nothing_outside_is_read(answers: dict[str, Any], outside: Path) -> None:
    for name in ("parent", "absolute", "outside", "outside text", "outside folds", "outside and missing"):
        assert answers[name].endswith(f" leads out of the folder '{outside / 'root'}', and nothing outside is read."), (
            name
        )
    assert rules(answers["outside in folder"]) == rules(answers["outside by import"]) == []
    (error,) = answers["outside in folder"]["errors"]
    assert "it lies outside of" in error["message"]
    assert "secret.toml, which cannot be used; it lies outside of the project" in answers["outside config"]


def test_nothing_is_run_or_written(answers: dict[str, Any], outside: Path) -> None:
    """The fixture compares the folder before and after all questions."""
    assert rules(answers["malicious"]) == ["mean-of-fold-f"]
    assert not (outside / "root" / "was_run").exists()
    assert all(tool.annotations.read_only_hint for tool in answers["tools"])


def test_large_input_is_refused_in_a_sentence(answers: dict[str, Any]) -> None:
    assert answers["large text"] == "The text is too long: 6.0 MB, more than 5 MB."
    assert answers["large folds"] == "The file 'large.csv' is not read: it is too large: 60.0 MB, more than 50 MB."
    assert "it is too large: 6.0 MB, more than 5 MB" in answers["large file"]["errors"][0]["message"]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("unknown rule", "did you mean 'auc-merge'?"),
        ("no page", "There is no rule 'mean-of-fold'; did you mean 'mean-of-fold-f'?"),
        ("no folds", "train.py"),
        ("half", "The numbers of positives and of negatives are needed together"),
        ("zero byte", "is no name of a file."),
        ("missing", "There is no file or folder 'nothing.py' in"),
        ("pipe", "The path 'pipe.csv' is no regular file."),
    ],
)
def test_bad_questions_are_answered_in_a_sentence(answers: dict[str, Any], question: str, sentence: str) -> None:
    assert sentence in answers[question]
    assert "\n" not in answers[question].strip()


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    status, _, problem = invoke("mcp", "--root", str(tmp_path / "nothing"))
    assert (status, problem) == (
        2,
        f"cvlint: The option --root cannot be '{tmp_path / 'nothing'}', which is no folder.\n",
    )
