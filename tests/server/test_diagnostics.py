"""Diagnostics: their positions, severities and steps, and that they disappear with the fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check
from tests.conftest import FAULTY, ROOT
from tests.server.conftest import MEAN, RIGHT, Editor

pytestmark = pytest.mark.asyncio(loop_scope="package")

FIXTURES = sorted((ROOT / "fixtures").glob("*/*.py"))[::60]

HELPER = """\
import numpy as np
from sklearn.metrics import f1_score

def summary(scores):
    return np.mean(scores)
"""
EVALUATION = """\
import numpy as np
from sklearn.metrics import f1_score

def evaluate(model, parts, X, y):
    scores = []
    for train, test in parts:
        model.fit(X[train], y[train])
        scores.append(f1_score(y[test], model.predict(X[test])))
    return np.mean(scores)
"""
EVALUATING = """\
from evaluation import evaluate
from sklearn.model_selection import StratifiedKFold
print(evaluate(model, StratifiedKFold(5).split(X, y), X, y))
"""
CALLER = FAULTY.replace("import numpy as np\n", "from helper import summary\n").replace("np.mean", "summary")


def starts(found: types.Diagnostic) -> list[tuple[str, int]]:
    """The file and the line, from 1, of each related place."""
    related = found.related_information or []
    return [(one.location.uri.rpartition("/")[2], one.location.range.start.line + 1) for one in related]


async def test_a_fault_with_the_steps_that_lead_to_it(editor: Editor) -> None:
    uri = editor.open("train.py", FAULTY)
    (found,) = await editor.codes(uri, "CVL101")
    assert (found.source, found.severity, found.range) == ("cvlint", types.DiagnosticSeverity.Error, MEAN)
    assert found.message.startswith("F1 is averaged over the folds")
    assert starts(found) == [("train.py", line) for line in (6, 6, 8, 8, 9)]
    assert all(one.message for one in found.related_information or [])


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
async def test_what_is_found_is_what_check_finds(editor: Editor, path: Path) -> None:
    report = check([path], CheckOptions(rules=frozenset(rule.name for rule in load_rules() if rule.enabled), jobs=1))
    expected = [(f.code, f.location.line, f.location.column, f.location.end_line) for f in report.findings]
    uri = editor.open(path.name, path.read_text(encoding="utf-8"))
    found = await editor.codes(uri, *(code for code, *_ in expected))
    places = [(one.code, one.range.start.line + 1, one.range.start.character + 1) for one in found]
    ends = [one.range.end.line + 1 for one in found]
    assert sorted((*place, end) for place, end in zip(places, ends, strict=True)) == sorted(expected)


async def test_the_text_in_the_editor_counts_and_not_the_file(editor: Editor) -> None:
    (editor.folder / "train.py").write_text(RIGHT)
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri, "CVL101")
    editor.write(uri, RIGHT)
    await editor.codes(uri)
    editor.write(uri, FAULTY)
    await editor.codes(uri, "CVL101")
    editor.close(uri)
    await editor.codes(uri)


async def test_changes_of_parts_of_lines(editor: Editor) -> None:
    """Also behind a form feed, which ends a line for ``str.splitlines`` and for no editor."""
    text = FAULTY.replace("scores = []", "scores = []  # \f")
    uri = editor.open("train.py", text)
    await editor.codes(uri, "CVL101")
    span = types.Range(types.Position(8, 6), types.Position(8, 13))
    editor.change(uri, types.TextDocumentContentChangePartial(span, "max"))
    await editor.codes(uri)
    span = types.Range(types.Position(8, 6), types.Position(8, 9))
    editor.change(uri, types.TextDocumentContentChangePartial(span, "np.mean"))
    (found,) = await editor.codes(uri, "CVL101")
    assert found.range == MEAN


async def test_columns_are_those_of_utf_16(editor: Editor) -> None:
    text = FAULTY.replace("print(", "print('\N{MATHEMATICAL ITALIC SMALL BETA}\u00e9', ")
    uri = editor.open("train.py", text)
    (found,) = await editor.codes(uri, "CVL101")
    line = text.split("\n")[8]
    column = len(line[: line.index("np.mean")].encode("utf-16-le")) // 2
    assert column == line.index("np.mean") + 1
    assert (found.range.start.character, found.range.end.character) == (column, column + len("np.mean(scores)"))


async def test_an_encoding_that_the_file_declares_is_not_that_of_the_text(editor: Editor) -> None:
    text = "# coding: latin-1\n" + FAULTY.replace("print(", "print('\u00e9\u00e9', ")
    uri = editor.open("train.py", text)
    (found,) = await editor.codes(uri, "CVL101")
    assert found.range.start == types.Position(9, text.split("\n")[9].index("np.mean"))


async def test_imported_text_is_that_of_the_editor(editor: Editor) -> None:
    (editor.folder / "helper.py").write_text(HELPER.replace("np.mean(scores)", "scores"))
    caller = editor.open("train.py", CALLER)
    await editor.codes(caller)
    helper = editor.open("helper.py", "\n\n" + HELPER)
    editor.save(helper)
    (found,) = await editor.codes(caller, "CVL101")
    assert ("helper.py", 7) in starts(found)
    editor.write(helper, HELPER.replace("np.mean(scores)", "np.max(scores)"))  # a step of the finding is in this text
    await editor.codes(caller)


async def test_importers_follow_a_module_that_is_not_saved(editor: Editor) -> None:
    (editor.folder / "helper.py").write_text(HELPER.replace("np.mean(scores)", "np.max(scores)"))
    caller = editor.open("train.py", CALLER)
    await editor.codes(caller)
    helper = editor.open("helper.py", HELPER)  # as an editor does with what was not saved when it was closed
    await editor.codes(caller, "CVL101")
    editor.write(helper, HELPER.replace("np.mean(scores)", "np.max(scores)"))
    await editor.codes(caller)
    editor.write(helper, HELPER)
    await editor.codes(caller, "CVL101")
    editor.close(helper)  # without saving
    await editor.codes(caller)


async def test_finding_in_a_file_that_is_not_open(editor: Editor) -> None:
    (editor.folder / "evaluation.py").write_text(EVALUATION)
    uri = editor.open("train.py", EVALUATING)
    (found,) = await editor.codes(editor.uri("evaluation.py"), "CVL101")
    assert found.range == types.Range(types.Position(8, 11), types.Position(8, 26))
    editor.close(uri)
    await editor.codes(editor.uri("evaluation.py"))


async def test_comments_config_and_baseline_count(editor: Editor, environment: dict[str, str]) -> None:
    (editor.folder / "train.py").write_text(FAULTY)
    uri = editor.open("train.py", FAULTY.replace("print(np.mean(scores))", "print(np.mean(scores))  # cvlint: ignore"))
    await editor.codes(uri)
    editor.write(uri, FAULTY)
    await editor.codes(uri, "CVL101")
    config = editor.folder / "cvlint.toml"
    config.write_text("severity = { CVL101 = 'note' }\n")
    editor.save(editor.uri("cvlint.toml"))
    (found,) = await editor.codes(uri, "CVL101")
    assert found.severity == types.DiagnosticSeverity.Information
    for text in ("per-file-ignores = { 'tr*.py' = ['CVL1'] }\n", "exclude = ['train.py']\n", "ignore = ['CVL101']\n"):
        config.write_text(text)
        changed = types.FileEvent(editor.uri("cvlint.toml"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.codes(uri)
        config.write_text("")
        editor.save(editor.uri("cvlint.toml"))
        await editor.codes(uri, "CVL101")
    command = [sys.executable, "-m", "cvlint", "check", "train.py", "--write-baseline", "known.json"]
    subprocess.run(command, cwd=editor.folder, env=environment, check=True, capture_output=True)
    config.write_text("baseline = 'known.json'\n")
    editor.save(editor.uri("cvlint.toml"))
    await editor.codes(uri)


async def test_a_bad_config_is_reported_once_until_it_is_correct(editor: Editor) -> None:
    config = editor.folder / "cvlint.toml"
    config.write_text("selct = ['ALL']\n")
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri)
    editor.write(uri, FAULTY + "\n")
    await editor.codes(uri)
    (message,) = editor.client.messages
    assert message.type == types.MessageType.Error
    assert message.message.startswith(f"cvlint: {config} has an unknown key 'selct'")
    assert "; did you mean 'select'? Valid keys are " in message.message
    config.write_text("select = ['ALL']\n")
    editor.save(uri)
    await editor.told(uri, lambda found: "CVL101" in [one.code for one in found])


async def test_a_syntax_error_is_logged_and_the_server_continues(editor: Editor) -> None:
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri, "CVL101")
    editor.write(uri, FAULTY + "print((\n")
    await editor.codes(uri)
    (logged,) = editor.client.log_messages
    assert logged.message == f"{editor.folder / 'train.py'}, line 10: not valid Python 3: '(' was never closed."
    editor.write(uri, FAULTY)
    await editor.codes(uri, "CVL101")


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "(" * 5000, "x = " + "-" * 20000 + "1", "\f\r\r\n\u2028x"])
async def test_nothing_stops_the_server(editor: Editor, text: str) -> None:
    await editor.codes(editor.open("odd.py", text.encode("utf-8", "replace").decode()))
    await editor.codes(editor.open("train.py", FAULTY), "CVL101")


async def test_other_languages_and_files_that_were_never_saved(editor: Editor) -> None:
    editor.open("notes.md", FAULTY, "markdown")
    uri = "untitled:Untitled-1"
    item = types.TextDocumentItem(uri, "python", 1, FAULTY)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.codes(uri, "CVL101")
    assert editor.uri("notes.md") not in editor.client.diagnostics
    editor.close(uri)
    await editor.codes(uri)


async def test_a_path_with_other_letters(editor: Editor) -> None:
    (editor.folder / "été 1").mkdir()
    await editor.codes(editor.open("été 1/träin #2.py", FAULTY), "CVL101")
