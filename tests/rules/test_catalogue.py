"""The rule files: their pages are complete, their examples are right, and errors in them are reported."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from string import Formatter

import pytest

from cvlint.findings.finding import SEVERITIES, Finding
from cvlint.rules.catalogue import EVENT_NAMES, Docs, Rule, RuleError, load_rules, read_rules
from cvlint.rules.report import EVENT_NOTES, findings_of
from cvlint.shipped_files import rules_folder
from cvlint.source.module import read_bytes
from cvlint.workspace.file_check import shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

RULES = load_rules()
NAMES = frozenset(rule.name for rule in RULES)
USUAL = frozenset(rule.name for rule in RULES if rule.enabled)
FACTS = {  # the facts of each event that a message can use as placeholders, besides the measure and the folds
    "reduce": {"kind", "defined", "use"},
    "measure": {"scores"},
    "formula": {"shape", "guarded", "what"},
    "split": {"splitter", "style", "stratified", "labels", "chance", "result"},
    "skip": {"how", "stratified"},
    "report": set(),
    "fit": {"how", "by", "split", "rows"},
    "choose": {"what", "by", "data", "part", "seen"},
    "compare": {"how"},
    "refit": {"by", "model"},
    "retest": {"how", "model", "data"},
    "trained": {"model"},
}
ALSO_FOUND = {"mixed-aggregation": "mean-of-fold-f"}  # F_avg beside F_tp,fp is also F_avg
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)

RULE = """\
code = "CVL901"
name = "mean-of-fold-recall"
severity = "note"
summary = "Recall averaged over folds"
message = "{measure} is averaged over {folds} by a {kind}."

[[match]]
event = "reduce"
kind = ["mean"]
measure = ["recall"]
along = ["fold"]

[docs]
what = "What."
why = "Why."
bad = "x = 1"
good = "x = 2"
references = ["Nobody 2000"]

[fix]
message = "Do not."
safety = "suggestion"
"""
CODE = """\
import numpy as np
from sklearn.metrics import f1_score, recall_score
from sklearn.model_selection import StratifiedKFold

recalls, fs = [], []
for train, test in StratifiedKFold(5).split(X, y):
    hyp = model.fit(X[train], y[train]).predict(X[test])
    recalls.append(recall_score(y[test], hyp))
    fs.append(f1_score(y[test], hyp))
print(np.mean(fs))
print(np.mean(recalls))
"""


def found(folder: Path, code: str, rule: str = "") -> list[Finding]:
    """The findings in ``code`` of the rules that are on, and of ``rule``."""
    (folder / "train.py").write_text(code, encoding="utf-8")
    report = check([folder / "train.py"], CheckOptions(USUAL | {rule}))
    assert not report.errors
    return list(report.findings)


def loaded(folder: Path, text: str = RULE) -> Rule:
    (folder / "CVL901-mean-of-fold-recall.toml").write_text(text, encoding="utf-8")
    (rule,) = read_rules(folder)
    return rule


def findings(rule: Rule, code: str) -> list[Finding]:
    source = read_bytes(code.encode(), Path("train.py"), "train.py").source
    assert source is not None
    return findings_of(shared_analysis().analyse(source).events, [rule])


@each_rule
def test_the_page_is_complete(rule: Rule) -> None:
    texts = [getattr(rule.docs, field.name) for field in fields(Docs) if field.type == "str"]
    assert len(texts) == 6
    assert all(text.strip() for text in [*texts, *rule.docs.references, rule.summary, rule.message])
    assert rule.docs.references
    assert rule.patterns
    assert rule.docs.fix_safety in {"safe", "unsafe", "suggestion"}
    assert rule.severity in SEVERITIES


@each_rule
def test_the_bad_example_shows_its_fault_and_no_other(rule: Rule, tmp_path: Path) -> None:
    findings = found(tmp_path, rule.docs.bad, rule.name)
    (finding,) = [f for f in findings if f.rule != ALSO_FOUND.get(rule.name)]
    assert (finding.rule, finding.code, finding.severity) == (rule.name, rule.code, rule.severity)
    assert finding.fix is not None
    assert finding.trace


@each_rule
def test_the_good_example_is_silent_under_every_rule(rule: Rule, tmp_path: Path) -> None:
    assert found(tmp_path, rule.docs.good, rule.name) == []


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len(NAMES) == len(RULES)
    assert all(re.fullmatch(r"CVL\d{3}", rule.code) and re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name) for rule in RULES)


def test_files_are_named_after_code_and_name() -> None:
    named = {path.name for path in rules_folder().glob("CVL*")}
    assert named == {f"{rule.code}-{rule.name}.toml" for rule in RULES}


def test_every_event_has_a_note_for_traces() -> None:
    assert set(EVENT_NAMES) == EVENT_NOTES.keys() == FACTS.keys()


@each_rule
def test_placeholders_resolve(rule: Rule) -> None:
    events = {pattern.event for pattern in rule.patterns}
    assert events <= FACTS.keys()
    known = {"measure", "folds"} | set.intersection(*(FACTS[event] for event in events))
    for text in [rule.message, *(variant.message or "" for variant in rule.variants)]:
        used = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        assert used <= known
        assert not re.search(r"\bNone\b", text)


@each_rule
def test_patterns_ask_for_facts_that_exist(rule: Rule) -> None:
    for pattern in rule.patterns:
        known = FACTS[pattern.event] | {"measure", "average", "label", "along", "style"}
        assert pattern.facts.keys() <= known
        assert all(exception.keys() <= known for exception in pattern.unless)
        assert all(pattern.facts.values())
    assert all(variant.when for variant in rule.variants)


def test_a_new_rule_needs_no_python(tmp_path: Path) -> None:
    rule = loaded(tmp_path)
    (finding,) = findings(rule, CODE)
    assert (finding.rule, finding.code, finding.severity) == ("mean-of-fold-recall", "CVL901", "note")
    assert finding.location.line == 11
    assert finding.message == "Recall is averaged over the folds of StratifiedKFold by a mean."
    assert sorted({step.location.line for step in finding.trace}) == [6, 8, 11]


@pytest.mark.parametrize(
    ("added", "severity", "message"),
    [
        ('[[variant]]\nwhen = { kind = ["median"] }\nmessage = "No."\n', "note", "Recall is averaged over"),
        ('[[variant]]\nwhen = { kind = ["mean"] }\nseverity = "error"\n', "error", "Recall is averaged over"),
        ('[[variant]]\nwhen = { kind = "mean" }\nmessage = "so {kind}"\n', "note", "So mean"),
    ],
)
def test_variants_of_a_new_rule(tmp_path: Path, added: str, severity: str, message: str) -> None:
    (finding,) = findings(loaded(tmp_path, RULE + added), CODE)
    assert finding.severity == severity
    assert finding.message.startswith(message)


@pytest.mark.parametrize(
    "exception", ['unless = { along = "fold" }', 'unless = [{ kind = ["median"] }, { measure = ["recall"] }]']
)
def test_exceptions_of_a_new_rule(tmp_path: Path, exception: str) -> None:
    rule = loaded(tmp_path, RULE.replace("along =", f"{exception}\nalong ="))
    assert findings(rule, CODE) == []


def test_rules_are_sorted_by_code(tmp_path: Path) -> None:
    (tmp_path / "CVL999-a.toml").write_text(RULE.replace("CVL901", "CVL201"))
    (tmp_path / "CVL100-b.toml").write_text(RULE)
    (tmp_path / "notes.toml").write_text("nothing = 1\n")
    assert [rule.code for rule in read_rules(tmp_path)] == ["CVL201", "CVL901"]


KEYS = ["code", "name", "severity", "summary", "message", "event", "what", "why", "bad", "good", "references", "safety"]


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    with pytest.raises(RuleError, match=rf"^CVL901-mean-of-fold-recall\.toml: .*\b{key}\b"):
        loaded(tmp_path, re.sub(rf"(?m)^{key} =.*\n", "", RULE, count=1))


@pytest.mark.parametrize("table", ["match", "docs", "fix"])
def test_a_missing_table_is_named(tmp_path: Path, table: str) -> None:
    text = re.sub(rf"(?ms)^\[+{table}\]+\n.*?(?=^\[|\Z)", "", RULE)
    with pytest.raises(RuleError, match=rf"^CVL901-mean-of-fold-recall\.toml: .*\b{table}\b"):
        loaded(tmp_path, text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"note"', '"fatal"', r"severity must be one of error, warning, note, not 'fatal'"),
        ('"note"', "1", r"severity must be one of .*, not 1"),
        ('code = "CVL901"', "code = CVL901", r"not valid TOML: .*line 1"),
        ("[fix]", "[fix", r"not valid TOML: "),
        ("[docs]", "[docs]\nwhat = 'twice'", r"not valid TOML: "),
        ("[fix]", "[fix]\nown = 'x'", r"own must be a list of texts, not 'x'"),
        ("[fix]", "[fix]\nown = ['{polled}']", r"own has the unknown blank \{polled\}; valid are with_scores, "),
        ("[fix]", "[fix]\nown = ['{pooled']", r"own holds a text with a wrong blank: "),
    ],
)
def test_an_error_names_the_wrong_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(RuleError, match=r"^CVL901-mean-of-fold-recall\.toml: " + said):
        loaded(tmp_path, RULE.replace(old, new, 1))
