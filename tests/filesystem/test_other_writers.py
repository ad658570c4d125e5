"""Other programs and other cvlints that write at the same time; links out of the project."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from cvlint.filesystem.writers_lock import writer_locks
from cvlint.findings.finding import Report
from cvlint.fixes.fixer import Fixer
from cvlint.workspace.settings.baseline_file import read_baseline
from cvlint.workspace.steps.find import join
from cvlint.workspace.workspace import Workspace
from tests.conftest import FAULTY, take_interrupts
from tests.filesystem.conftest import Run, Start

unix = pytest.mark.skipif(os.name != "posix", reason="locks of folders, links and signals of Unix")


def comments(folder: Path) -> int:
    return sum(path.read_text().count("cvlint: ignore") for path in folder.glob("*.py"))


def test_two_that_add_comments_add_each_once(tmp_path: Path, start: Start) -> None:
    for number in range(15):
        (tmp_path / f"train{number}.py").write_text(FAULTY)
    both = [start("-m", "cvlint", "check", ".", "--add-ignores") for _ in range(2)]
    said = sorted(process.communicate(timeout=60)[0] for process in both)
    assert said == [
        "Added comments that suppress 0 findings to 0 files.\n",
        "Added comments that suppress 15 findings to 15 files.\n",
    ]
    assert comments(tmp_path) == 15


@unix
@pytest.mark.parametrize("option", ["--fix", "--add-ignores", "--write-baseline=known.json"])
def test_a_writer_waits_for_another(tmp_path: Path, faulty: Path, start: Start, option: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.py").write_text(FAULTY)
    with writer_locks([tmp_path], pytest.fail):
        process = start("-m", "cvlint", "check", "sub", option)
        assert process.stderr is not None
        assert process.stderr.readline() == f"Another cvlint is writing in '{tmp_path}': waiting until it is done.\n"
        assert process.poll() is None
        (tmp_path / "sub" / "train.py").write_text("\n" + FAULTY)
    process.communicate(timeout=60)
    if option == "--add-ignores":
        assert "cvlint: ignore" in (tmp_path / "sub" / "train.py").read_text().splitlines()[9]
    if option.startswith("--write"):
        assert len(read_baseline(tmp_path / "known.json")) == 1


@unix
@pytest.mark.parametrize("options", [(), ("--diff",)])
def test_a_check_that_writes_nothing_does_not_wait(
    tmp_path: Path, faulty: Path, run: Run, options: tuple[str, ...]
) -> None:
    with writer_locks([tmp_path], pytest.fail):
        assert "waiting" not in run("check", *options).stderr


@unix
def test_a_worker_process_does_not_keep_the_lock(tmp_path: Path) -> None:
    ready, tell = os.pipe()
    with writer_locks([tmp_path], pytest.fail):
        child = os.fork()
        if child == 0:
            os.write(tell, b".")
            signal.pause()
        os.read(ready, 1)
    try:
        with writer_locks([tmp_path], pytest.fail):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_folder_that_cannot_be_locked_is_left_unlocked(tmp_path: Path) -> None:
    with writer_locks([tmp_path / "gone"], pytest.fail):
        pass


def test_lines_that_are_added_during_a_fix_are_kept(faulty: Path, start: Start) -> None:
    process = start("-m", "cvlint", "check", ".", "--fix", "--unsafe-fixes")
    done = threading.Event()
    count = 0

    def add() -> None:
        nonlocal count
        while not done.wait(0.002):
            with faulty.open("a") as file:
                file.write(f"# line {count}\n")
            count += 1

    thread = threading.Thread(target=add)
    thread.start()
    _, said = process.communicate(timeout=60)
    done.set()
    thread.join()
    assert [line for line in faulty.read_text().splitlines() if line.startswith("# line")] == [
        f"# line {number}" for number in range(count)
    ]
    assert count > 10
    assert "train.py: it was changed meanwhile, so it is left unchanged: run the command again.\n" in said


def test_a_fix_leaves_a_changed_file_and_makes_the_others(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    for path in (first, second):
        path.write_text(FAULTY)
    fix = Fixer.fix

    def slow(self: Fixer, data: bytes, path: Path, *rest: Any) -> Any:
        made = fix(self, data, path, *rest)
        if path.name == "a.py":
            first.write_text(FAULTY + "# mine\n")
        return made

    monkeypatch.setattr(Fixer, "fix", slow)
    result = run("check", "--fix", "--unsafe-fixes")
    assert first.read_text() == FAULTY + "# mine\n"
    assert "np.concatenate" in second.read_text()
    assert result.stderr == (
        "a.py: it was changed meanwhile, so it is left unchanged: run the command again.\nFixed 1 finding in 1 file.\n"
    )


def test_comments_are_not_added_to_a_file_that_changed_after_its_check(
    faulty: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the findings are others then."""
    changed = faulty.read_text().replace("scores = []\n", "scores = []\nother = 1\n")

    def slow(found: Any, workspace: Workspace) -> Report:
        report = join(found, workspace)
        faulty.write_text(changed)
        return report

    monkeypatch.setattr("cvlint.workspace.steps.find.join", slow)
    result = run("check", "--add-ignores")
    assert (result.exit_code, faulty.read_text()) == (1, changed)
    assert result.stderr == "train.py: it was changed meanwhile, so it is left unchanged: run the command again.\n"


def test_a_baseline_that_changed_is_left(
    tmp_path: Path, faulty: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known.json"
    known.write_text('{"version": 1, "findings": [null]}')

    def slow(found: Any, workspace: Workspace) -> Report:
        known.write_text('{"version": 1, "findings": []}')
        return join(found, workspace)

    monkeypatch.setattr("cvlint.workspace.steps.find.join", slow)
    result = run("check", "--write-baseline", "known.json")
    assert (result.exit_code, known.read_text()) == (2, '{"version": 1, "findings": []}')
    assert result.stderr.startswith("cvlint: The baseline cannot be written to 'known.json': it was changed meanwhile")


@unix
class TestLinks:
    @pytest.fixture
    def outside(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        path = tmp_path_factory.mktemp("elsewhere") / "theirs.py"
        path.write_text(FAULTY)
        return path

    @pytest.mark.parametrize("option", ["--fix", "--add-ignores"])
    @pytest.mark.parametrize("git", [True, False])
    @pytest.mark.parametrize("given", [".", "link.py"])
    def test_a_link_out_of_the_project(
        self, tmp_path: Path, outside: Path, run: Run, option: str, git: bool, given: str
    ) -> None:
        if git:
            (tmp_path / ".git").mkdir()
        (tmp_path / "link.py").symlink_to(outside)
        more = ["--unsafe-fixes"] if option == "--fix" else []
        result = run("check", given, option, *more)
        assert outside.read_text() == FAULTY
        assert result.exit_code == 1
        assert result.stderr.startswith(
            f"link.py: is left unchanged, because it is a link to '{outside}', which is outside of '{tmp_path}': name"
        )

    def test_a_diff_shows_the_same(self, tmp_path: Path, outside: Path, run: Run) -> None:
        (tmp_path / "link.py").symlink_to(outside)
        result = run("check", "--diff", "--unsafe-fixes")
        assert (result.exit_code, result.stdout) == (0, "")

    @pytest.mark.parametrize("option", ["--fix", "--add-ignores"])
    def test_a_named_folder_may_be_a_link(self, tmp_path: Path, outside: Path, run: Run, option: str) -> None:
        (tmp_path / ".git").mkdir()
        (tmp_path / "folder").symlink_to(outside.parent)
        more = ["--unsafe-fixes"] if option == "--fix" else []
        run("check", "folder", option, *more)
        assert outside.read_text() != FAULTY

    @pytest.mark.parametrize("option", ["--fix", "--add-ignores"])
    def test_a_link_inside_stays(self, tmp_path: Path, faulty: Path, run: Run, option: str) -> None:
        before = faulty.read_text()
        (tmp_path / "folder").mkdir()
        link = tmp_path / "folder" / "link.py"
        link.symlink_to("../train.py")
        (tmp_path / ".git").mkdir()
        more = ["--unsafe-fixes"] if option == "--fix" else []
        run("check", "folder/link.py", option, *more)
        assert os.readlink(link) == "../train.py"
        assert faulty.read_text() != before

    @pytest.mark.parametrize("option", ["--fix", "--add-ignores"])
    def test_a_file_under_two_names(self, tmp_path: Path, run: Run, option: str) -> None:
        """Folders with configs of their own are checked one by one, so that the file is found under both names."""
        (tmp_path / ".git").mkdir()
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "cvlint.toml").write_text('confidence = "low"\n')
        path, link = tmp_path / "a" / "train.py", tmp_path / "b" / "train.py"
        path.write_text(FAULTY)
        link.symlink_to("../a/train.py")
        assert run("check", "--format", "concise").stdout.count("CVL101") == 2
        more = ["--unsafe-fixes"] if option == "--fix" else []
        result = run("check", option, *more)
        assert result.exit_code == 0
        assert link.is_symlink()
        text = path.read_text()
        assert text.count("cvlint: ignore") == (option == "--add-ignores")
        assert text.count("np.concatenate(true_labels)") == (option == "--fix")


WAITING = """
import sys, tempfile, time
from cvlint.cli.console.exit_status import exit_status
with exit_status() as end:
    with tempfile.TemporaryDirectory(dir="."):
        print("ready", flush=True)
        for _ in range(600):
            time.sleep(0.1)
sys.exit(end.status)
"""
"""Python 3.14 looks for a signal that came during the call of `print` after the next call only: it must not be long."""


@unix
class TestSignals:
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
    def test_temporary_folders_go(self, tmp_path: Path, start: Start, name: str) -> None:
        process = start("-c", WAITING, preexec_fn=take_interrupts)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=20)
        assert (process.returncode, said) == (128 + getattr(signal, name), "")
        assert not list(tmp_path.iterdir())

    def test_ignored_signals_stay_ignored(self, start: Start) -> None:
        """As under ``nohup``."""
        process = start("-c", WAITING, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == 128 + signal.SIGTERM

    def test_one_that_waits_ends(self, tmp_path: Path, faulty: Path, start: Start) -> None:
        with writer_locks([tmp_path], pytest.fail):
            process = start("-m", "cvlint", "check", "--fix")
            assert process.stderr is not None and "waiting" in process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)
        assert process.returncode == 128 + signal.SIGTERM
