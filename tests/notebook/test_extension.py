from __future__ import annotations

import time
from pathlib import Path

import pytest

from cvlint.notebook import extension as module
from cvlint.notebook.checking import answer
from cvlint.notebook.history import History
from cvlint.notebook.serving import first_question
from cvlint.rules.catalogue import load_rules
from tests.notebook.conftest import LOOP, Notebook


def test_a_finding_appears_under_the_cell_that_completes_the_fault(notebook: Notebook) -> None:
    assert notebook.run("1 + 1") == []
    assert notebook.run(LOOP, "loop") == []
    (text,) = notebook.run("mean(scores)", "mean")
    loop, mean = (cell.label for cell in notebook.extension.history.cells[-2:])
    assert text.startswith(f"cvlint: {mean}:1:1 error mean-of-fold-f (CVL101)")
    assert f"{loop}:2: split into folds" in text
    html = notebook.displayed[-1]["text/html"]
    assert f"at {mean}, line 1" in html and "<details" in html and "/reference/rules/mean-of-fold-f.html" in html


def test_each_fault_is_shown_once(notebook: Notebook) -> None:
    notebook.run(LOOP, "loop")
    assert len(notebook.run("mean(scores)", "mean")) == 1
    assert notebook.run("mean(scores)", "mean") == []
    assert notebook.run("# edited\nprint(1)\nmean(scores)", "mean") == []
    assert notebook.run(LOOP + "\nprint(2)", "loop") == []
    assert notebook.run("mean(scores)", "mean") == []


def test_the_same_statement_in_another_cell_is_another_fault(notebook: Notebook) -> None:
    notebook.run(LOOP.replace("scores", "first"), "a")
    assert len(notebook.run("mean(first)", "b")) == 1
    notebook.run(LOOP.replace("scores", "second"), "c")
    assert len(notebook.run("mean(second)", "d")) == 1


def test_a_cell_that_fails_shows_nothing_until_it_succeeds(notebook: Notebook) -> None:
    notebook.run(LOOP, "loop")
    assert notebook.run("mean(scores)\nmissing", "mean") == []
    assert len(notebook.run("mean(scores)", "mean")) == 1


def test_a_cell_without_a_part_in_any_measure_asks_nothing(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(notebook.extension.process, "ask", asked.append)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    notebook.run("table = [1, 2]\nprint(table)")
    assert asked == []
    notebook.run(LOOP)
    assert len(asked) == 1


def test_a_late_finding_appears_under_its_cell(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    import contextvars

    running = contextvars.ContextVar("running", default="")
    under = []
    publish = notebook.shell.display_pub.publish
    monkeypatch.setattr(
        notebook.shell.display_pub, "publish", lambda *args, **kw: (under.append(running.get()), publish(*args, **kw))
    )
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    for name, text in (("loop", LOOP), ("mean", "mean(scores)")):
        running.set(name)
        notebook.run(text, name)
    running.set("later")
    notebook.run("1 + 1")
    notebook.wait(lambda: bool(notebook.displayed))
    assert under == ["mean"]
    assert "mean-of-fold-f" in notebook.displayed[0]["text/plain"]


def test_a_program_that_takes_no_late_output_gets_it_with_the_next_cell(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook.shell, "parent_header", {"content": {"allow_stdin": False}}, raising=False)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(notebook.extension, "await_late", lambda: None)
    assert notebook.run(LOOP, "loop") == notebook.run("mean(scores)", "mean") == []
    end = time.monotonic() + 60
    while notebook.extension.late is None or not notebook.extension.late.faults:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert notebook.displayed == []
    label = notebook.extension.history.cells[-1].label
    (text,) = notebook.run("1 + 1")
    assert text.startswith(f"cvlint: {label}:1:1 error mean-of-fold-f")
    assert notebook.run("2 + 2") == []


def test_where_late_output_is_lost_the_next_cell_waits_for_it(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook.shell, "parent_header", {"content": {"allow_stdin": False}}, raising=False)
    monkeypatch.setattr(type(notebook.extension), "patience", 0.0)  # so that the cells themselves do not wait
    assert notebook.run(LOOP, "loop") == notebook.run("mean(scores)", "mean") == []
    (text,) = notebook.run("1 + 1")
    assert "error mean-of-fold-f" in text
    assert notebook.run("2 + 2") == []


def test_no_time_is_spent_on_waiting_for_a_check_that_takes_longer(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    extension = notebook.extension
    assert extension.patience == module.PATIENCE
    extension.times.extend(3 * [2 * module.PATIENCE])
    assert extension.patience == 0
    extension.times.append(0.01)  # a busy machine may have slowed down the others
    assert extension.patience == module.PATIENCE
    monkeypatch.setattr(extension.history, "words", None)  # the process does not answer yet
    assert extension.patience == 0


def test_the_process_checks_an_example_before_it_is_asked() -> None:
    (fault,) = answer(first_question(load_rules()[0])).faults
    assert fault.findings[0].rule == load_rules()[0].name


def test_a_fault_of_cvlint_is_one_sentence_and_breaks_no_cell(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(History, "add", broken)
    (text,) = notebook.run("value = 41 + 1")
    assert "a fault of cvlint itself" in text and "RuntimeError('oh')" in text
    assert notebook.result.success and notebook.shell.user_ns["value"] == 42
    assert notebook.run("value = 1") == []  # once
    assert "Traceback" not in capsys.readouterr().out


def test_a_fault_of_cvlint_in_the_line_magic_is_one_sentence(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook.run("1 + 1")
    monkeypatch.setattr(History, "notebook", lambda _: 1 / 0)
    (text,) = notebook.run("%cvlint")
    assert "a fault of cvlint itself" in text and "ZeroDivisionError" in text
    assert "Traceback" not in capsys.readouterr().out


def test_the_user_may_interrupt_a_check(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    notebook.run("1 + 1")
    monkeypatch.setattr(notebook.extension, "ask", interrupted)
    assert notebook.run("%cvlint") == ["cvlint: The check was interrupted."]


def test_a_fault_in_a_module_appears_under_the_cell_that_calls_it(notebook: Notebook, tmp_path: Path) -> None:
    body = LOOP.replace("\n", "\n    ")
    (tmp_path / "evaluation.py").write_text(
        "from sklearn.metrics import f1_score\nfrom sklearn.model_selection import StratifiedKFold\n"
        f"def evaluate(predict, X, y):\n    {body}\n    return sum(scores) / len(scores)\n"
    )
    notebook.shell.user_ns["evaluate"] = lambda *_: 0.5  # scikit-learn need not be there
    notebook.run("if X is None:\n    from evaluation import evaluate")
    texts = notebook.run("f1 = evaluate(predict, X, y)")
    assert len(texts) == 1 and texts[0].startswith("cvlint: evaluation.py:7:12 error mean-of-fold-f")
    assert "sum(scores) / len(scores)" in notebook.displayed[0]["text/html"]
    assert notebook.run("f1 = evaluate(predict, X, y)") == []


def test_a_comment_hides_a_finding(notebook: Notebook) -> None:
    notebook.run(LOOP)
    assert notebook.run("mean(scores)  # cvlint: ignore[mean-of-fold-f] a demonstration") == []


def test_a_config_that_cannot_be_read_is_named_once(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text("selct = ['CVL101']\n")
    (text,) = notebook.run(LOOP)
    assert "selct" in text and "not checked" in text
    assert notebook.run("mean(scores)") == []
    assert notebook.run("%cvlint")[-1] == text


def test_the_line_magic_checks_all_cells(notebook: Notebook) -> None:
    assert notebook.run("%cvlint") == ["No cell has run since %load_ext cvlint, so there is nothing to check."]
    notebook.extension.history.cells.clear()
    notebook.run("1 + 1")
    assert notebook.run("%cvlint") == ["cvlint finds no fault in the one cell that has run."]
    notebook.run(LOOP)
    notebook.run("mean(scores)")
    said, fault = notebook.run("%cvlint")
    assert said == "cvlint finds 1 fault in the 4 cells that have run."
    assert "mean-of-fold-f" in fault


def test_cells_in_other_languages_and_with_errors_are_no_obstacle(notebook: Notebook) -> None:
    notebook.run("if:", "broken")  # it did not run, so it is no part of the notebook
    notebook.run("%%html\n<b>f1_score = (</b>", "html")
    notebook.run("!true\n%time 1 + 1\nfiles = !echo a", "magics")
    notebook.run(LOOP, "loop")
    assert len(notebook.run("%who_ls str\nmean(scores)", "mean")) == 1
    assert notebook.run("%cvlint")[0].startswith("cvlint finds 1 fault")


def test_a_cell_that_cannot_be_read_is_named_by_its_number(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook.run(LOOP)
    # A magic of another extension may take any language.
    monkeypatch.setitem(notebook.shell.magics_manager.magics["cell"], "time", lambda line, cell: None)
    notebook.run("%%time\nif:")
    label = notebook.extension.history.cells[-1].label
    texts = notebook.run("%cvlint")
    assert f"in cell {label}; what is valid was checked." in texts[0]


def test_the_process_may_end(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(notebook.extension.process), "is_alive", property(lambda _: False))
    monkeypatch.setattr(notebook.extension.process, "ask", lambda question: None)
    notebook.run("1 + 1")
    assert notebook.run("%cvlint") == [module.ENDED]
