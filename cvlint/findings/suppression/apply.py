"""What comments leave of a report: findings that are marked as suppressed, and comments that are of no use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cvlint.findings.finding import CONFIDENCES, Confidence, Finding, Fix, Location, Report, Suppression
from cvlint.findings.fingerprint import digest
from cvlint.findings.suppression.comments import Ignore, file_key
from cvlint.rules.catalogue import Rule
from cvlint.rules.comment_rules import meta_rules
from cvlint.rules.names import is_named
from cvlint.usage_error import closest_choice

UNUSED = "unused-ignore"
_FIRST = re.compile(r"\[?(?P<word>[\w-]+)")
_WORD = re.compile(r"(?P<gap>[, \t]*)(?P<word>[^, \t]+)")
UNREASONED = "ignore-without-reason"
UNCLEAR = "cannot be understood; write `# cvlint: ignore[rule] reason`, or `ignore-file` to mean the whole file"
WITHOUT_REASON = "gives no reason, so it suppresses nothing"

Use = tuple[Ignore, str]
"""A comment, and the word of it that named a finding's rule; the empty word if it names none."""


@dataclass(frozen=True, slots=True)
class Shortening(Fix):
    """The fix of a comment of which some rules, or all, are of no use: what is left of it, nothing where it goes."""

    instead: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run asks for.

    Attributes
    ----------
    rules
        All rules that a comment may name, the meta-rules too.
    selected
        The names of those that are reported.
    confidence
        How sure a finding must be to be reported.
    require_reason
        Whether a comment counts only with a reason.
    """

    rules: tuple[Rule, ...]
    selected: frozenset[str]
    confidence: Confidence = "medium"
    require_reason: bool = False


def suppressed(
    report: Report,
    ignores: Iterable[Ignore],
    judged: frozenset[str],
    asked: Asked,
    is_complete: Callable[[str], bool] = lambda path: True,
) -> Report:
    """Mark the findings that comments suppress, and tell of the comments that are of no use.

    Parameters
    ----------
    report
        The findings of the rules that were selected, at any confidence, so that a comment on one which is not shown
        is of use none the less.
    ignores
        The comments in the files that findings and their traces are in.
    judged
        The files, as `file_key` spells them, whose comments are told of if they are of no use.
    asked
        What is to be reported.
    is_whole
        Whether all was seen that leads to findings in a file. Where a file that was not checked may import it, nobody
        knows whether a comment is of use; it is asked only for comments that seem to be of none.

    Returns
    -------
    Report
        Findings that are sure enough, with those about comments among them, sorted by place.
    """
    known = sorted({understood(one, asked.rules) for one in ignores}, key=lambda ignore: ignore.location.sort_key)
    counting = by_file(ignore for ignore in known if ignore.reason or not asked.require_reason)
    names = {rule.name: rule for rule in asked.rules}
    uses: set[Use] = set()
    found = [marked(finding, counting, names, uses) for finding in report.findings]
    own = [i for i in known if file_key(i.location.path) in judged]
    told = [finding for ignore in own for finding in complaints(ignore, uses, asked, is_complete)]
    found += [marked(finding, counting, names, uses) for finding in told]
    level = CONFIDENCES.index(asked.confidence)
    kept = [finding for finding in found if CONFIDENCES.index(finding.confidence) <= level]
    return replace(report, findings=tuple(sorted(kept, key=lambda f: (f.location.sort_key, f.code))))


def understood(ignore: Ignore, rules: Sequence[Rule]) -> Ignore:
    """A comment as it is, or as an unclear one if its reason begins with a rule: perhaps that rule alone is meant."""
    first = _FIRST.match(ignore.reason)
    if first is None or ignore.kind not in ("line", "file") or (ignore.words and not ignore.reason.startswith("[")):
        return ignore
    if first["word"].upper() == "ALL" or not named(first["word"], rules):
        return ignore
    return replace(ignore, kind="unclear", comment=f"{ignore.comment} {ignore.reason}", words=(), reason="")


def by_file(ignores: Iterable[Ignore]) -> dict[str, list[Ignore]]:
    """The comments of each file."""
    files: dict[str, list[Ignore]] = {}
    for ignore in ignores:
        files.setdefault(file_key(ignore.location.path), []).append(ignore)
    return files


def marked(
    finding: Finding, ignores: Mapping[str, Sequence[Ignore]], rules: Mapping[str, Rule], uses: set[Use]
) -> Finding:
    """A finding with the comment that suppresses it, if there is one; every comment that would do is noted as used."""
    found = [
        (ignore, word)
        for ignore in meeting(finding, ignores)
        for word in ignore.words or ("",)
        if names_rule(word, rules.get(finding.rule), finding.code)
    ]
    uses.update(found)
    if not found:
        return finding
    first = found[0][0]
    return replace(finding, suppressed=Suppression(first.location, first.comment, first.reason))


def meeting(finding: Finding, ignores: Mapping[str, Sequence[Ignore]]) -> Iterator[Ignore]:
    """The comments that stand where they can suppress a finding: at it, at a step of its trace, in its file.

    A finding may be about a whole statement with others in it, such as a ``try``, and any of its lines will do; of a
    step that is a loop only the head, for what else is in the loop has nothing to do with it.
    """
    here = ignores.get(file_key(finding.location.path), ())
    yield from (ignore for ignore in here if ignore.kind in ("line", "noqa") and ignore.meets(finding.location))
    for place in dict.fromkeys(step.location for step in finding.trace):
        around = ignores.get(file_key(place.path), ())
        yield from (ignore for ignore in around if ignore.kind == "line" and ignore.holds_start_of(place))
    yield from (ignore for ignore in here if ignore.kind == "file")


def names_rule(word: str, rule: Rule | None, code: str) -> bool:
    """Tell whether a comment's word is for a rule; only who names a meta-rule outright means it."""
    if rule is None:
        return word.upper() in ("", "ALL", code)
    if rule in meta_rules():
        return word.upper() not in ("", "ALL") and is_named(rule, word)
    return not word or is_named(rule, word)


def complaints(ignore: Ignore, uses: set[Use], asked: Asked, is_complete: Callable[[str], bool]) -> Iterator[Finding]:
    """What is to be said of a comment, by the meta-rules that are selected."""
    said: dict[str, list[str]] = {UNUSED: [], UNREASONED: []}
    left: str | None = None
    if ignore.kind == "unclear":
        said[UNUSED].append(UNCLEAR)
    said[UNUSED] += [unknown(word, asked.rules) for word in ignore.words if not named(word, asked.rules)]
    if ignore.kind == "unclear" or (ignore.kind == "noqa" and not ignore.words):
        pass  # it says nothing, or it speaks to other linters too
    elif asked.require_reason and not ignore.reason:
        said[UNREASONED].append(WITHOUT_REASON)
    elif (idle := _idle(ignore, uses, asked)) and is_complete(ignore.location.path):
        left = None if said[UNUSED] else without(ignore, idle)  # by a name that is unknown another one was meant
        said[UNUSED].append(useless(ignore, idle))
    for rule in meta_rules():
        if said[rule.name] and rule.name in asked.selected:
            yield complaint(ignore, rule, "; it ".join(said[rule.name]), left)


def _idle(ignore: Ignore, uses: set[Use], asked: Asked) -> list[str]:
    """The words of a comment that would have named the rule of a finding in this run, and did not."""
    if UNUSED not in asked.selected:
        return []
    return [word for word in ignore.words or ("",) if (ignore, word) not in uses and is_judged(word, asked)]


def without(ignore: Ignore, words: Sequence[str]) -> str:
    """A comment as it is written without some of its words; the codes of other tools in a `# noqa` stay."""
    head, mark, listed = ignore.comment.partition(":" if ignore.kind == "noqa" else "[")
    listed, end, _ = listed.partition("]")
    found = list(_WORD.finditer(listed))
    kept = [one for one in found if one["word"] not in words]
    if not kept:
        return ""
    rest = "".join(one[0] for one in kept[1:])
    return f"{head}{mark}{found[0]['gap']}{kept[0]['word']}{rest}{end}"


def named(word: str, rules: Iterable[Rule]) -> list[Rule]:
    """The rules that a word of a comment names; the empty word stands for all."""
    return [rule for rule in rules if not word or is_named(rule, word)]


def is_judged(word: str, asked: Asked) -> bool:
    """Tell whether a word would have been of use in this run: every rule that it stands for was selected.

    Rules that are off by default do not count where the word names others too, or `# cvlint: ignore` would never be
    judged; and meta-rules are not judged, as they come after the judgement.
    """
    rules = [rule for rule in named(word, asked.rules) if rule not in meta_rules()]
    usual = [rule for rule in rules if rule.enabled] or rules
    return bool(usual) and all(rule.name in asked.selected for rule in usual)


def unknown(word: str, rules: Iterable[Rule]) -> str:
    """Say that there is no rule of a name, and which was meant."""
    meant = closest_choice(word, [choice for rule in rules for choice in (rule.name, rule.code)])
    question = f" (did you mean '{meant}'?)" if meant else ""
    return f"names '{word}', and there is no such rule{question}"


def useless(ignore: Ignore, words: Sequence[str]) -> str:
    """Say that a comment suppresses nothing, or that some of its words do not."""
    where = "in this file" if ignore.kind == "file" else "here"
    if len(words) == len(ignore.words or ("",)):
        return f"suppresses nothing {where}"
    return f"suppresses no finding of {' or '.join(words)} {where}"


def complaint(ignore: Ignore, rule: Rule, problem: str, left: str | None) -> Finding:
    """The finding of a meta-rule about a comment; it is known by the comment's words, wherever they move.

    ``left`` is what a fix would leave of the comment; None where that is for its author to say.
    """
    fix = Fix("suggestion" if rule.name == UNUSED else rule.docs.fix_safety, rule.docs.fix)
    if left is not None and rule.name == UNUSED:
        fix = Shortening("safe", left or rule.docs.fix, left)
    location: Location = ignore.location
    known_by = digest("\n".join((rule.name, ignore.comment)))
    return Finding(
        rule=rule.name,
        code=rule.code,
        severity=rule.severity,
        confidence="high",
        location=location,
        message=rule.message.format_map({"comment": ignore.comment, "problem": problem}),
        fix=fix,
        fingerprint=digest("\n".join((rule.name, file_key(location.path).replace("\\", "/"), ignore.comment))),
        statement=known_by,
    )
