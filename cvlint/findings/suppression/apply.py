"""Apply comments to a report: mark the findings that comments suppress, and report comments that have no effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cvlint.findings.finding import CONFIDENCES, Confidence, Finding, Fix, Report, Suppression
from cvlint.findings.fingerprint import digest
from cvlint.findings.suppression.comments import Ignore, file_key
from cvlint.findings.suppression.places import FileComments, by_file, comments_at
from cvlint.records import dataclass, replace
from cvlint.rules.catalogue import Rule
from cvlint.rules.comment_rules import meta_rules
from cvlint.rules.names import is_named
from cvlint.source.links.import_closure import ImportClosure
from cvlint.source.location import Location
from cvlint.usage_error import closest_choice

UNUSED = "unused-ignore"
_FIRST = re.compile(r"\[?(?P<word>[\w-]+)")
_WORD = re.compile(r"(?<![, \t])(?P<gap>[, \t]*)(?P<word>[^, \t]+)")
UNREASONED = "ignore-without-reason"
UNCLEAR = "cannot be understood; write `# cvlint: ignore[rule] reason`, or `ignore-file` to mean the whole file"
WITHOUT_REASON = "gives no reason, so it suppresses nothing"

Use = tuple[Ignore, str]
"""A comment, and the word in it that names a finding's rule; the word is empty if the comment names no rule."""


@dataclass(frozen=True, slots=True)
class Shortening(Fix):
    """The fix of a comment with unused words: the rest of the comment, or an empty text if the whole comment goes."""

    instead: str


@dataclass(frozen=True, slots=True)
class SuppressionOptions:
    """Which rules comments can name, and what is reported."""

    rules: tuple[Rule, ...]
    """All rules that a comment can name, with the meta-rules."""
    selected: frozenset[str]
    """The names of the rules that are reported."""
    confidence: Confidence = "medium"
    """The least confidence of a reported finding."""
    require_reason: bool = False
    """Whether a comment without a reason has no effect."""


def apply_comments(
    report: Report,
    ignores: Iterable[Ignore],
    judged: frozenset[str],
    options: SuppressionOptions,
    closure: ImportClosure | None = None,
) -> Report:
    """Mark the findings that comments suppress, and add findings about comments that have no effect.

    Parameters
    ----------
    report
        The findings of the selected rules at any confidence: a comment on a finding that is not shown is still used.
    ignores
        The comments in all files that contain findings or steps of their traces.
    judged
        The files, as `file_key` spells them, in which unused comments are reported.
    options
        What is reported.
    closure
        The checked files. A file that was not checked can import one of them and use its comments, so a comment that
        seems unused is reported only if the check saw all importers of its file. None stands for a check that did.

    Returns
    -------
    Report
        The findings that are sure enough, and those about comments, sorted by location.
    """
    known = sorted({_with_doubt(one, options.rules) for one in ignores}, key=lambda ignore: ignore.location.sort_key)
    effective = _Comments((one for one in known if one.reason or not options.require_reason), options.rules)
    uses: set[Use] = set()
    findings = [_marked(finding, effective, uses) for finding in report.findings]
    in_judged_files = [ignore for ignore in known if file_key(ignore.location.path) in judged]
    about_comments = [one for ignore in in_judged_files for one in _comment_findings(ignore, uses, options, closure)]
    findings += [_marked(finding, effective, uses) for finding in about_comments]
    level = CONFIDENCES.index(options.confidence)
    kept = [finding for finding in findings if CONFIDENCES.index(finding.confidence) <= level]
    return replace(report, findings=tuple(sorted(kept, key=lambda f: (f.location.sort_key, f.code))))


def _with_doubt(ignore: Ignore, rules: Sequence[Rule]) -> Ignore:
    """Mark a comment as unclear if its reason begins with the name of a rule: ``# cvlint: ignore auc-merge`` for one.

    Perhaps its author meant that rule only.
    """
    first = _FIRST.match(ignore.reason)
    if first is None or ignore.kind not in ("line", "file") or (ignore.words and not ignore.reason.startswith("[")):
        return ignore
    if first["word"].upper() == "ALL" or not _named_rules(first["word"], rules):
        return ignore
    return replace(ignore, kind="unclear", comment=f"{ignore.comment} {ignore.reason}", words=(), reason="")


class _Comments:
    """The comments that have an effect, by the rule that they name."""

    def __init__(self, ignores: Iterable[Ignore], rules: Iterable[Rule]) -> None:
        self._ignores = list(ignores)
        self._rules = {rule.name: rule for rule in rules}
        self._naming: dict[tuple[str, str], tuple[dict[Ignore, tuple[str, ...]], dict[str, FileComments]]] = {}

    def naming(self, finding: Finding) -> tuple[dict[Ignore, tuple[str, ...]], dict[str, FileComments]]:
        """The words of each comment that name the rule of a finding, and these comments by their files."""
        key = (finding.rule, finding.code)
        if key not in self._naming:
            rule = self._rules.get(finding.rule)
            words: dict[Ignore, tuple[str, ...]] = {}
            for ignore in self._ignores:
                named = tuple(word for word in ignore.words or ("",) if _names_rule(word, rule, finding.code))
                if named:
                    words[ignore] = named
            self._naming[key] = words, by_file(words)
        return self._naming[key]


def _marked(finding: Finding, comments: _Comments, uses: set[Use]) -> Finding:
    """Mark a finding as suppressed by the first comment that applies to it, and note all such comments as used."""
    words, files = comments.naming(finding)
    found = list(comments_at(finding, files))
    uses.update((ignore, word) for ignore in found for word in words[ignore])
    if not found:
        return finding
    first = found[0]
    return replace(finding, suppressed=Suppression(first.location, first.comment, first.reason))


def _names_rule(word: str, rule: Rule | None, code: str) -> bool:
    """Tell whether a word of a comment names a rule; a meta-rule must be named by itself, not by ALL or by no word."""
    if rule is None:
        return word.upper() in ("", "ALL", code)
    if rule in meta_rules():
        return word.upper() not in ("", "ALL") and is_named(rule, word)
    return not word or is_named(rule, word)


def _comment_findings(
    ignore: Ignore, uses: set[Use], options: SuppressionOptions, closure: ImportClosure | None
) -> Iterator[Finding]:
    """The findings of the selected meta-rules about one comment."""
    problems: dict[str, list[str]] = {UNUSED: [], UNREASONED: []}
    shortened: str | None = None
    if ignore.kind == "unclear":
        problems[UNUSED].append(UNCLEAR)
    problems[UNUSED] += [
        _unknown_problem(word, options.rules) for word in ignore.words if not _named_rules(word, options.rules)
    ]
    if ignore.kind == "unclear" or (ignore.kind == "noqa" and not ignore.words):
        pass  # it has no effect anyway, or it is for other linters too
    elif options.require_reason and not ignore.reason:
        problems[UNREASONED].append(WITHOUT_REASON)
    elif (unused := _unused_words(ignore, uses, options)) and (
        closure is None or closure.is_complete(ignore.location.path)
    ):
        # An unknown name stands for another rule, which only the author knows.
        shortened = None if problems[UNUSED] else _without_words(ignore, unused)
        problems[UNUSED].append(_unused_problem(ignore, unused))
    for rule in meta_rules():
        if problems[rule.name] and rule.name in options.selected:
            yield _comment_finding(ignore, rule, "; it ".join(problems[rule.name]), shortened)


def _unused_words(ignore: Ignore, uses: set[Use], options: SuppressionOptions) -> list[str]:
    """The words of a comment that name rules which were selected, and that suppressed no finding."""
    if UNUSED not in options.selected:
        return []
    return [word for word in ignore.words or ("",) if (ignore, word) not in uses and _is_judged(word, options)]


def _without_words(ignore: Ignore, words: Sequence[str]) -> str:
    """The text of a comment without some of its words; the codes of other tools in a `# noqa` stay."""
    head, mark, listed = ignore.comment.partition(":" if ignore.kind == "noqa" else "[")
    listed, end, _ = listed.partition("]")
    found = list(_WORD.finditer(listed))
    kept = [one for one in found if one["word"] not in words]
    if not kept:
        return ""
    rest = "".join(one[0] for one in kept[1:])
    return f"{head}{mark}{found[0]['gap']}{kept[0]['word']}{rest}{end}"


def _named_rules(word: str, rules: Iterable[Rule]) -> list[Rule]:
    """The rules that a word of a comment names; the empty word names all."""
    return [rule for rule in rules if not word or is_named(rule, word)]


def _is_judged(word: str, options: SuppressionOptions) -> bool:
    """Tell whether this run can judge a word: all rules that it names were selected.

    Rules that are off by default do not count where the word names other rules too; otherwise `# cvlint: ignore` could
    never be judged. Meta-rules do not count either, because their findings depend on this judgement.
    """
    rules = [rule for rule in _named_rules(word, options.rules) if rule not in meta_rules()]
    usual = [rule for rule in rules if rule.enabled] or rules
    return bool(usual) and all(rule.name in options.selected for rule in usual)


def _unknown_problem(word: str, rules: Iterable[Rule]) -> str:
    """Say that there is no rule with a name, and which one was probably meant."""
    meant = closest_choice(word, [choice for rule in rules for choice in (rule.name, rule.code)])
    question = f" (did you mean '{meant}'?)" if meant else ""
    return f"names '{word}', and there is no such rule{question}"


def _unused_problem(ignore: Ignore, words: Sequence[str]) -> str:
    """Say that a comment, or some of its words, suppress nothing."""
    where = "in this file" if ignore.kind == "file" else "here"
    if len(words) == len(ignore.words or ("",)):
        return f"suppresses nothing {where}"
    return f"suppresses no finding of {' or '.join(words)} {where}"


def _comment_finding(ignore: Ignore, rule: Rule, problem: str, shortened: str | None) -> Finding:
    """The finding of a meta-rule about a comment; its fingerprint depends on the words of the comment, not on lines.

    ``shortened`` is what a fix leaves of the comment; None where only its author can say that.
    """
    fix = Fix("suggestion" if rule.name == UNUSED else rule.docs.fix_safety, rule.docs.fix)
    if shortened is not None and rule.name == UNUSED:
        fix = Shortening("safe", shortened or rule.docs.fix, shortened)
    location: Location = ignore.location
    statement = digest("\n".join((rule.name, ignore.comment)))
    return Finding(
        rule=rule.name,
        code=rule.code,
        severity=rule.severity,
        confidence="high",
        location=location,
        message=rule.message.format_map({"comment": ignore.comment, "problem": problem}),
        fix=fix,
        fingerprint=digest("\n".join((rule.name, file_key(location.path).replace("\\", "/"), ignore.comment))),
        statement=statement,
    )
