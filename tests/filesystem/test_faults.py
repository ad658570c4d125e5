"""A write that fails or is killed leaves each file either unchanged or complete."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.filesystem.conftest import Call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and signals of Unix")

# A stand-in for sklearn, which takes seconds to import: what is tested is how the folds are written.
SKLEARN = {
    "__init__.py": "",
    "metrics/__init__.py": "from sklearn.metrics._classification import f1_score\n",
    "metrics/_classification.py": """\
def f1_score(y_true, y_pred):
    return 2 * sum(map(min, y_true, y_pred)) / (sum(y_true) + sum(y_pred))
""",
    "model_selection/__init__.py": "from sklearn.model_selection._split import KFold\n",
    "model_selection/_split.py": """\
class KFold:
    def __init__(self, n_splits):
        self.n_splits = n_splits

    def split(self, X):
        for fold in range(self.n_splits):
            test = [i for i in X if i % self.n_splits == fold]
            yield [i for i in X if i % self.n_splits != fold], test
""",
}
SCRIPT = """\
import sys
sys.path.insert(0, "site-packages")
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold
X = list(range(2000))
y = [i % 2 for i in X]
scores = [f1_score([y[i] for i in test], [1 for _ in test]) for _, test in KFold(2).split(X)]
print(sum(scores) / 2)
"""


class Writing(NamedTuple):
    """A command that writes: its arguments, the file, what it holds before, and after how many bytes to stop it."""

    arguments: Sequence[str]
    file: str
    before: bytes | None
    places: Sequence[int]


WRITINGS = {
    "fix": Writing(["check", "train.py", "--fix", "--unsafe-fixes"], "train.py", None, (0, 5000, 20000)),
    "ignores": Writing(["check", "train.py", "--add-ignores"], "train.py", None, (0, 5000, 20000)),
    "baseline": Writing(
        ["check", "train.py", "--write-baseline", "known.json"],
        "known.json",
        b'{"version": 1, "findings": [null]}',
        (0, 20, 150),
    ),
    "output": Writing(["check", "train.py", "--output", "report.txt"], "report.txt", b"old report\n", (0, 50, 300)),
    "capture": Writing(["run", "--capture", "folds.csv", "script.py"], "folds.csv", b"old folds\n", (0, 9000)),
}
DIE = "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
"""Python turns writes beyond the limit for files into errors; as the system has it they kill the process."""
KINDS = ("", "import os\ndel os.O_TMPFILE\n")
"""The new file has no name, or it has one."""
DIE_AT = (
    "import os, signal\n"
    "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
    "from cvlint.filesystem import atomic_write\n"
    "atomic_write.os.{step} = die\n"
)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def prepare(folder: Path, writing: Writing) -> dict[str, bytes]:
    (folder / "script.py").write_text(SCRIPT)
    for name, text in SKLEARN.items():
        path = folder / "site-packages" / "sklearn" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if writing.before is not None:
        (folder / writing.file).write_bytes(writing.before)
    return files(folder)


@pytest.mark.parametrize("name", WRITINGS)
def test_a_full_disk_loses_nothing(tmp_path: Path, faulty: Path, call: Call, name: str) -> None:
    writing = WRITINGS[name]
    before = prepare(tmp_path, writing)
    status, said, _ = call(*writing.arguments, limit=writing.places[1])
    assert status in (1, 2) and "written" in said and "File too large" in said
    assert "Traceback" not in said
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", WRITINGS)
def test_a_kill_while_writing_loses_nothing(tmp_path: Path, faulty: Path, call: Call, name: str) -> None:
    writing = WRITINGS[name]
    before = prepare(tmp_path, writing)
    for size in writing.places:  # none of them gets as far as to change something
        assert call(*writing.arguments, first=DIE, limit=size).status == -signal.SIGXFSZ
        assert files(tmp_path) == before
    call(*writing.arguments, first=DIE)
    after = files(tmp_path)
    assert len(after[writing.file]) > max(writing.places)  # so that the places were inside of the write
    assert {**after, writing.file: before[writing.file]} == before


@pytest.mark.parametrize("kind", KINDS, ids=["without a name", "with a name"])
@pytest.mark.parametrize("step", ["fsync", "replace", "link"])
def test_a_kill_between_the_steps_loses_nothing(tmp_path: Path, faulty: Path, call: Call, step: str, kind: str) -> None:
    """Right before the replacement the new file has a name of its own, which goes with the process."""
    if step == "link" and kind:
        pytest.skip("a file with a name needs no other")
    before = files(tmp_path)
    arguments = "check", "--no-cache", "--fix", "--unsafe-fixes"
    ended = call(*arguments, first=kind + DIE_AT.format(step=step))
    assert (ended.status, ended.has_orphans) == (-signal.SIGKILL, False)
    assert files(tmp_path) == before


def test_a_process_that_stays_is_seen(call: Call) -> None:
    """As no command leaves one, the test below could not fail else."""
    fork = "import os, time\nif not os.fork():\n    time.sleep(60)\n"
    assert call("--version", first=fork).has_orphans
    assert not call("--version").has_orphans


KILLS = int(os.environ.get("CVLINT_KILLS", "8"))
"""Kills at random places; `CVLINT_KILLS=1000 pytest -k random tests/filesystem/test_faults.py` for the whole."""
DIE_AT_CALL = """
import os, signal, types
from cvlint.filesystem import atomic_write, left_behind, new_files
from cvlint.workspace import workers
calls = 0
def counted(function):
    def call(*given, **named):
        global calls
        calls += 1
        if calls == {number}:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)
    return call
class Counted:
    def __getattr__(self, name):
        found = getattr(os, name)
        return counted(found) if isinstance(found, types.BuiltinFunctionType) else found
atomic_write.os = left_behind.os = new_files.os = Counted()
workers.Worker.take = counted(workers.Worker.take)
"""
"""The process kills itself at a call of the system within the writing of files, or while its workers work."""
MOST_CALLS = 26
"""A few more than there are such calls."""


def test_kills_at_random_places_lose_nothing(tmp_path: Path, faulty: Path, call: Call) -> None:
    """Neither does anything stay: no process, and no file with a name of ours."""
    rng = random.Random(KILLS)
    names = list(WRITINGS)
    original = faulty.read_bytes()[:4000]
    (tmp_path / "other.py").write_text("from sklearn.metrics import f1_score\n")  # for the second worker
    ended = []
    for number in range(KILLS):
        writing = WRITINGS[names[number % len(names)]]
        faulty.write_bytes(original)
        before = prepare(tmp_path, writing)
        if rng.random() < 0.5:
            how = {"first": DIE, "limit": rng.randrange(min(max(writing.places), len(original)))}
        else:
            how = {"first": rng.choice(KINDS) + DIE_AT_CALL.format(number=rng.randint(1, MOST_CALLS))}
        command, *arguments = writing.arguments
        if command == "check":
            arguments = ["other.py", "--no-cache", rng.choice(["--jobs=2", "--jobs=1"]), *arguments]
        result = call(command, *arguments, **how)  # type: ignore[arg-type]
        assert not result.has_orphans
        ended.append(result.status)
        killed = files(tmp_path)
        if killed[writing.file] != before[writing.file]:  # the file is complete: the same as without a kill
            for name, data in before.items():
                (tmp_path / name).write_bytes(data)
            call(command, *arguments)
            assert (tmp_path / writing.file).read_bytes() == killed[writing.file]
        assert {**killed, writing.file: before[writing.file]} == before
    assert sum(status < 0 for status in ended) > KILLS / 2
    print(f"{sum(status < 0 for status in ended)} of {KILLS} were killed; no process and no new name stayed")
