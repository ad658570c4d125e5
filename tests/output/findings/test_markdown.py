from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cvlint.findings.finding import Report
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings import markdown
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.prose import sentence, suppression
from cvlint.source.unread_file import UnreadFile

GOLDEN = """\
## cvlint

Found 1 error and 1 note in 12 files; 1 file could not be read in full.

### `a.ipynb`

| place | rule | severity | confidence | what is wrong |
| --- | --- | --- | --- | --- |
| cell 4:3:1 | CVL107 mean-of-fold-ratio | note | medium | A note. |

### `train.py`

| place | rule | severity | confidence | what is wrong |
| --- | --- | --- | --- | --- |
| 9:29 | CVL101 mean-of-fold-f | error | high | F1 is computed in each fold and averaged over 10 folds. |

<details>
<summary>9:29: how mean-of-fold-f comes about, and what to use instead</summary>

1. 5:20: folds are split here

   ```python
   for train, test in folds.split(X, y):
   ```

2. 6:7: F1 is computed here

   ```python
   f1 = f1_score(y[test], model.predict(X[test]))
   ```

3. 7:2: collected here

   ```python
   scores.append(f1)
   ```

4. 9:29: averaged here

   ```python
   print("F1 der Prüfung 测试:", np.mean(scores))
   ```

Use instead: f1_score(y, cross_val_predict(model, X, y, cv=folds)).

</details>

### Not read in full

- `old.py`: not valid Python 3.
"""


def test_golden(report: Report, lines: SourceLines) -> None:
    assert markdown.render(report, RenderContext(source_lines=lines)) == GOLDEN


def tokens(rendered: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(rendered):
        yield token
        yield from token.children or ()


def shown(text: str) -> list[str]:
    """The text of each cell or paragraph without markup."""
    inline = (token.children or [] for token in tokens(text) if token.type == "inline")
    return ["".join(child.content for child in children) for children in inline]


@settings(max_examples=50)
@given(data=st.data())
def test_no_text_becomes_markup(reports: st.SearchStrategy[Report], data: st.DataObject) -> None:
    report = data.draw(reports)
    rendered = markdown.render(report, RenderContext(source_lines=lambda _: ["", "``` ~~~"] * 1000))
    found = [" ".join(text.split()) for text in shown(rendered)]
    for finding in report.findings:
        message = " ".join(filter(None, [sentence(finding.message), suppression(finding)]))
        assert " ".join(message.split()) in found
    kinds = {token.type for token in tokens(rendered)}
    assert not kinds & {"em_open", "strong_open", "s_open", "link_open", "image", "html_inline", "softbreak"}
    html = [token.content for token in tokens(rendered) if token.type == "html_block"]
    assert all(block.startswith(("<details>\n<summary>", "</details>")) for block in html)
    rows = sum(token.type == "tr_open" for token in tokens(rendered))
    cells = sum(token.type in ("td_open", "th_open") for token in tokens(rendered))
    assert cells == 5 * rows


def test_any_path_becomes_a_code_span() -> None:
    for path in ("a`b``c.py", "`", " x ", "@everyone/#1 <b>.py"):
        rendered = markdown.render(Report((), (UnreadFile(path, "not valid"),), 1), RenderContext())
        assert path in [token.content for token in tokens(rendered) if token.type == "code_inline"]


def test_a_suppressed_finding_says_so(suppressed: Report, lines: SourceLines) -> None:
    row = markdown.render(suppressed, RenderContext(source_lines=lines)).splitlines()[8]
    assert row.startswith("| 9:29 | CVL101 mean-of-fold-f | error, suppressed | high | ")
    assert row.endswith(" Suppressed at train.py:9:46: as in the paper. |")


def test_a_clean_report_says_so() -> None:
    assert markdown.render(Report((), (), 3), RenderContext()) == "## cvlint\n\nNo faults found in 3 files.\n"
