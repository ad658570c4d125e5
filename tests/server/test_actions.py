"""Code actions: after an action is applied, the finding is gone."""

from __future__ import annotations

import re

import pytest
from lsprotocol import types

from cvlint.rules.comment_rules import all_rules
from tests.conftest import FAULTY
from tests.server.conftest import MEAN, Editor

pytestmark = pytest.mark.asyncio(loop_scope="package")

SEARCH = """\
from sklearn.model_selection import cross_val_score

# \N{MATHEMATICAL ITALIC SMALL BETA}
scores = cross_val_score(model, X, y, cv=5, scoring="f1")
print("\N{MATHEMATICAL ITALIC SMALL BETA}", scores.mean())
"""
GUARDED = """\
from sklearn.model_selection import StratifiedKFold

for train, test in StratifiedKFold(5).split(X, y):
    tp = fp = fn = 0
    for truth, guess in zip(y[test], guesses[test]):
        if truth == 1 and guess == 1:
            tp += 1
        elif guess == 1:
            fp += 1
        elif truth == 1:
            fn += 1
precision = tp / (tp + fp)
recall = tp / (tp + fn)
f1 = 2 * precision * recall / (precision + recall)
print(f1)
"""


async def test_a_fix_that_changes_the_number_says_so(editor: Editor) -> None:
    uri = editor.open("train.py", SEARCH)
    (found,) = await editor.codes(uri, "CVL101")
    actions = await editor.actions(uri, found.range)
    action = actions["Fix mean-of-fold-f (changes the reported number)"]
    assert (action.kind, action.is_preferred, action.edit) == (types.CodeActionKind.QuickFix, None, None)
    text = (await editor.apply(action))[uri]
    assert "cross_val_predict(model, X, y, cv=5)" in text
    editor.write(uri, text)
    await editor.codes(uri)


async def test_edits_touch_only_what_changes(editor: Editor) -> None:
    uri = editor.open("train.py", SEARCH)
    (found,) = await editor.codes(uri, "CVL101")
    action = (await editor.actions(uri, found.range))["Fix mean-of-fold-f (changes the reported number)"]
    resolved = await editor.client.code_action_resolve_async(action)
    assert resolved.edit is not None
    (change,) = resolved.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    touched = {line for edit in change.edits for line in range(edit.range.start.line, edit.range.end.line + 1)}
    assert 2 not in touched


async def test_a_safe_fix_is_preferred_and_in_fix_all(editor: Editor) -> None:
    uri = editor.open("train.py", GUARDED)
    found = await editor.told(uri, bool)
    assert {one.code for one in found} == {"CVL402"}
    everything = types.Range(types.Position(0, 0), types.Position(20, 0))
    actions = await editor.actions(uri, everything)
    assert actions["Fix unguarded-f"].is_preferred
    assert "Fix all that cvlint can fix safely" not in actions
    actions = await editor.actions(uri, everything, "source.fixAll")
    assert list(actions) == ["Fix all that cvlint can fix safely"]
    editor.write(uri, (await editor.apply(actions["Fix all that cvlint can fix safely"]))[uri])
    await editor.codes(uri)


@pytest.mark.parametrize("title", ["Ignore mean-of-fold-f here", "Ignore mean-of-fold-f in this file"])
async def test_comments_that_ignore(editor: Editor, title: str) -> None:
    text = "#!/usr/bin/env python\n# coding: utf-8\n" + FAULTY.replace("\n", "\r\n")
    uri = editor.open("train.py", text)
    (found,) = await editor.codes(uri, "CVL101")
    new = (await editor.apply((await editor.actions(uri, found.range))[title]))[uri]
    rest = re.sub(r"# cvlint: ignore-file\[mean-of-fold-f\]\r?\n|  # cvlint: ignore\[mean-of-fold-f\]", "", new)
    assert rest == text != new
    assert new.startswith("#!/usr/bin/env python\n# coding: utf-8\n")
    editor.write(uri, new)
    await editor.codes(uri)


async def test_the_fix_of_an_unused_comment_removes_it(editor: Editor) -> None:
    uri = editor.open("train.py", "x = 1  # cvlint: ignore[mean-of-fold-f]\n")
    (found,) = await editor.codes(uri, "CVL001")
    actions = await editor.actions(uri, found.range)
    assert list(actions) == ["Fix unused-ignore"]
    assert (await editor.apply(actions["Fix unused-ignore"]))[uri] == "x = 1\n"


async def test_nothing_is_offered_elsewhere_or_of_other_kinds(editor: Editor) -> None:
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri, "CVL101")
    assert await editor.actions(uri, types.Range(types.Position(0, 0), types.Position(7, 0))) == {}
    assert await editor.actions(uri, MEAN, "refactor") == {}
    assert "Ignore mean-of-fold-f here" in await editor.actions(uri, MEAN, "")  # the empty kind is all kinds
    assert await editor.actions(editor.uri("unknown.py"), MEAN) == {}


async def test_an_action_for_a_text_that_has_changed_edits_nothing(editor: Editor) -> None:
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri, "CVL101")
    action = (await editor.actions(uri, MEAN))["Ignore mean-of-fold-f here"]
    editor.write(uri, FAULTY.replace("np.mean", "np.max"))
    assert (await editor.client.code_action_resolve_async(action)).edit is None


async def test_actions_see_the_text_as_it_is_before_the_wait_is_over(editor: Editor) -> None:
    uri = editor.open("train.py", "x = 1\n")
    await editor.codes(uri)
    editor.write(uri, FAULTY)
    assert "Ignore mean-of-fold-f here" in await editor.actions(uri, MEAN)


async def test_hover_shows_the_page_of_the_rule(editor: Editor) -> None:
    uri = editor.open("train.py", FAULTY)
    await editor.codes(uri, "CVL101")
    shown = await editor.hover(uri, 8, 10)
    assert shown is not None
    assert shown.range == MEAN
    assert isinstance(shown.contents, types.MarkupContent)
    assert shown.contents.kind == types.MarkupKind.Markdown
    rule = next(rule for rule in all_rules() if rule.name == "mean-of-fold-f")
    for part in ("# CVL101 mean-of-fold-f", rule.docs.why.strip(), rule.docs.bad.strip(), rule.docs.good.strip()):
        assert part in shown.contents.value
    assert await editor.hover(uri, 0, 0) is None
