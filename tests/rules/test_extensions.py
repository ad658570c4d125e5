"""A project's own knowledge and rules: they are used and checked, and errors in them are reported in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cvlint.cli import main

KNOWLEDGE = """\
[[entry]]
effect = "measure"
module = "lab.metrics"
names = ["skilled_f"]
measure = "f-measure"
"""
CODE = """\
import numpy as np
from lab.metrics import skilled_f
from sklearn.model_selection import StratifiedKFold

scores = []
for train, test in StratifiedKFold(5).split(X, y):
    scores.append(skilled_f(y[test], model.fit(X[train], y[train]).predict(X[test])))
print(np.mean(scores))
"""
BAD = CODE.replace("from lab.metrics import skilled_f", "from sklearn.metrics import recall_score as skilled_f")
GOOD = BAD.replace("print(np.mean(scores))", "print(scores)")
RULE = f'''\
code = "LAB001"
name = "mean-of-fold-recall"
severity = "warning"
summary = "Recall averaged over folds"
message = "{{measure}} is averaged over {{folds}} here."

[[match]]
event = "reduce"
kind = ["mean"]
measure = ["recall"]
along = ["fold"]

[docs]
what = "What."
why = "Why."
bad = """
{BAD}"""
good = """
{GOOD}"""
references = ["The lab's handbook, page 3"]

[fix]
message = "Pool the counts."
safety = "suggestion"
'''


def entry(effect: str) -> str:
    """The beginning of an entry with an effect."""
    return f'[[entry]]\neffect = "{effect}"\nmodule = "lab.metrics"\nnames = ["skilled_f"]\n'


CONFIG = '[tool.cvlint]\nextend-knowledge = ["lab/*.toml"]\nextend-rules = ["lab-rules"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab-rules").mkdir()
    (tmp_path / "lab" / "metrics.toml").write_text(KNOWLEDGE, encoding="utf-8")
    (tmp_path / "lab-rules" / "recall.toml").write_text(RULE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "train.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cvlint(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def test_a_wrapper_in_the_project_knowledge_is_a_measure(project: Path) -> None:
    result = cvlint("check", ".", "--format", "concise")
    assert result.exit_code == 1
    assert result.output.startswith("train.py:8:7: CVL101 mean-of-fold-f")


def test_a_wrapper_without_knowledge_is_not_a_measure(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.cvlint]\n", encoding="utf-8")
    assert "CVL101" not in cvlint("check", "train.py", "--format", "concise").output


def test_project_knowledge_replaces_the_code_of_a_wrapper(project: Path) -> None:
    (project / "lab" / "__init__.py").write_text("", encoding="utf-8")
    (project / "lab" / "metrics.py").write_text("from hidden import magic as skilled_f\n", encoding="utf-8")
    assert "CVL101" in cvlint("check", "train.py", "--format", "concise").output


def test_a_project_rule_reports(project: Path) -> None:
    (project / "train.py").write_text(BAD, encoding="utf-8")
    result = cvlint("check", "train.py", "--format", "concise")
    assert "LAB001 mean-of-fold-recall (warning): Recall is averaged over the folds of StratifiedKFold" in result.output
    assert cvlint("check", "train.py", "--ignore", "mean-of-fold-recall").exit_code == 0


def test_rules_are_checked_by_their_examples(project: Path) -> None:
    result = cvlint("rules", "--check", "lab-rules")
    assert (result.exit_code, result.output) == (0, "1 rule is right about the examples.\n")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('measure = ["recall"]', 'measure = ["precision"]', "the bad example shows no fault"),
        ("print(scores)\n", "print(np.mean(scores))\n", "the good example shows the fault too, in line 8"),
        ("print(scores)\n", "print(scores\n", "the good example cannot be read"),
    ],
)
def test_a_rule_that_is_wrong_about_its_examples(project: Path, old: str, new: str, said: str) -> None:
    path = project / "lab-rules" / "recall.toml"
    path.write_text(RULE.replace(old, new), encoding="utf-8")
    result = cvlint("rules", "--check", "lab-rules")
    assert result.exit_code == 1
    assert said in result.output


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('code = "LAB001"\n', "", "recall.toml: the key 'code' is missing"),
        ("LAB001", "CVL101", "recall.toml: the rule mean-of-fold-f (CVL101) has this name or code already"),
        ('"warning"', '"fatal"', "recall.toml: severity must be one of"),
        ('event = "reduce"', 'event = "guess"', "recall.toml: there is no event 'guess'"),
        ("[fix]", "[fix", "recall.toml: not valid TOML"),
    ],
)
def test_a_rule_file_that_cannot_be_used(project: Path, old: str, new: str, said: str) -> None:
    (project / "lab-rules" / "recall.toml").write_text(RULE.replace(old, new), encoding="utf-8")
    for arguments in (["check", "train.py"], ["rules", "--check", "lab-rules"]):
        result = cvlint(*arguments)
        assert result.exit_code == 2
        assert said in result.output
        assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (KNOWLEDGE.replace('measure = "f-measure"', ""), "metrics.toml needs the key 'measure', one of f-measure"),
        (KNOWLEDGE.replace('effect = "measure"', ""), "metrics.toml needs the key 'effect'"),
        (KNOWLEDGE.replace('"measure"', '"meassure"'), "metrics.toml has an unknown effect 'meassure'"),
        (KNOWLEDGE.replace('["skilled_f"]', '"skilled_f"'), "metrics.toml needs the key 'names', a list of names"),
        (KNOWLEDGE.replace('["skilled_f"]', "[1]"), "metrics.toml has a name under 'names' that is not a text"),
        (KNOWLEDGE.replace("[[entry]]", "[[entries]]"), "metrics.toml has a table 'entries'; valid is [[entry]]"),
        (KNOWLEDGE.replace("[[entry]]", "[[entry"), "metrics.toml cannot be read as TOML"),
        (
            KNOWLEDGE + 'avrage = "macro"\n',
            "metrics.toml has an unknown key 'avrage'; the effect 'measure' has average",
        ),
        (
            KNOWLEDGE + 'average = "marco"\n',
            "metrics.toml has an unknown value 'marco' under 'average'; valid are binary",
        ),
        (KNOWLEDGE + 'curve = "yes"\n', "metrics.toml needs true or false under 'curve', and has 'yes'"),
        (KNOWLEDGE + "curve = true\n", "metrics.toml needs the key 'parts', because a curve has several"),
        (
            KNOWLEDGE + 'keywords = { guess = "y_guess" }\n',
            "metrics.toml says under 'keywords' that 'guess' is 'y_guess', which 'params' lacks",
        ),
        (KNOWLEDGE + KNOWLEDGE, "metrics.toml says what lab.metrics.skilled_f is, as [[entry]] 1"),
        (entry("reduce"), "metrics.toml needs the key 'kind', because its effect is 'reduce'"),
        (entry("python") + 'code = "lambda x: ("\n', "metrics.toml has code that Python cannot read"),
        (entry("measure") + 'measure = "recall"\nparams = ["y"]\n', "needs 'y_true' and either 'y_pred' or 'y_score'"),
    ],
)
def test_knowledge_that_cannot_be_used(project: Path, text: str, said: str) -> None:
    (project / "lab" / "metrics.toml").write_text(text, encoding="utf-8")
    result = cvlint("check", "train.py")
    assert result.exit_code == 2
    assert said in result.output


def test_two_files_that_name_the_same(project: Path) -> None:
    (project / "lab" / "more.toml").write_text(KNOWLEDGE.replace("f-measure", "recall"), encoding="utf-8")
    result = cvlint("check", "train.py")
    assert result.exit_code == 2
    assert "more.toml says what lab.metrics.skilled_f is, as [[entry]] 1 of " in result.output


@pytest.mark.parametrize("pattern", ["nowhere/*.toml", "", "/nowhere.toml", "train.py/x"])
def test_a_pattern_that_names_nothing(project: Path, pattern: str) -> None:
    (project / "pyproject.toml").write_text(f'[tool.cvlint]\nextend-knowledge = ["{pattern}"]\n', encoding="utf-8")
    result = cvlint("check", "train.py")
    assert result.exit_code == 2
    assert f"names '{pattern}'" in result.output


def test_a_folder_without_rules_is_refused(project: Path) -> None:
    (project / "empty").mkdir()
    result = cvlint("rules", "--check", "empty")
    assert result.exit_code == 2
    assert "There is no rule file in 'empty'" in result.output
    assert cvlint("rules", "--check", "nowhere").exit_code == 2
