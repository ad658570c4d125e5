"""Which rules to report, in which files, how sure they must be, and how grave they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cvlint.findings.finding import SEVERITIES, Report, Severity
from cvlint.rules.names import is_named
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from cvlint.rules.catalogue import Rule
    from cvlint.source.discovery import Anchored
    from cvlint.workspace.config import Config, FileIgnores

VALID = "valid are names such as mean-of-fold-f, codes such as CVL101, beginnings of codes such as CVL1, and ALL"


def selected_rules(
    rules: Sequence[Rule],
    select: Sequence[str],
    ignore: Sequence[str],
    config: Config,
    extend_select: Sequence[str] = (),
) -> frozenset[str]:
    """Settle which rules to report.

    Parameters
    ----------
    rules : sequence of Rule
        All there are.
    select, ignore : sequence of str
        The words of the command line, each a comma-separated list.
    config : Config
        What the project says. A `select` on the command line sets aside its lists, for who names a rule there wants
        to see it; an `ignore` on the command line adds to that of the config.
    extend_select : sequence of str
        Words of the command line that add to the selection, also what the config ignores.

    Returns
    -------
    frozenset of str
        The names of the rules.
    """
    chosen, dropped = _words(rules, select, "--select"), _words(rules, ignore, "--ignore")
    added = _words(rules, extend_select, "--extend-select")
    _check_config(rules, config)
    names = (_named(rules, chosen) if chosen else _configured(rules, config)) | _named(rules, added)
    names -= _named(rules, dropped)
    if not names:
        raise Refusal(f"No rule is left to check: of the {len(rules)} rules, none is selected and not ignored")
    return names


def _words(rules: Sequence[Rule], values: Sequence[str], option: str) -> tuple[str, ...]:
    words = tuple(word for value in values for word in map(str.strip, value.split(",")) if word)
    if values and not words:
        raise Refusal(f"The option {option} names no rule", VALID)
    _check(rules, words, f"The option {option}")
    return words


def _configured(rules: Sequence[Rule], config: Config) -> frozenset[str]:
    """The rules that a config selects, or those that are on by default, without those that it ignores."""
    kept = _enabled(rules) if config.select is None else _named(rules, config.select)
    return (kept | _named(rules, config.extend_select)) - _named(rules, config.ignore)


def _enabled(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.name for rule in rules if rule.enabled)


def _named(rules: Sequence[Rule], words: Iterable[str]) -> frozenset[str]:
    return frozenset(rule.name for word in words for rule in rules if is_named(rule, word))


def _check_config(rules: Sequence[Rule], config: Config) -> None:
    """Refuse words of a config that name no rule."""
    for key, words in (
        ("select", config.select or ()),
        ("extend-select", config.extend_select),
        ("ignore", config.ignore),
        ("severity", config.severity),
    ):
        _check(rules, words, config.where(key))
    for entry in config.per_file_ignores:
        _check(rules, entry.rules, f"The key 'per-file-ignores' in {entry.path}")


def _check(rules: Sequence[Rule], words: Iterable[str], where: str) -> None:
    for word in words:
        if not any(is_named(rule, word) for rule in rules):
            choices = [choice for rule in rules for choice in (rule.name, rule.code)]
            problem = f"{where} names '{word}', and there is no such rule"
            raise Refusal(problem, f"{VALID} (`cvlint rules` lists them)", word, [*choices, "ALL"])


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What a config changes in findings.

    Attributes
    ----------
    ignores
        Rules that are left out in some files.
    severities
        Those of rules by name.
    least
        What is less severe is left out.
    """

    ignores: tuple[Pattern, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    least: Severity = "note"

    def severity(self, rule: str, usual: Severity) -> Severity:
        """How grave the findings of a rule are."""
        return self.severities.get(rule, usual)

    def shows(self, severity: Severity) -> bool:
        """Tell whether findings of a severity, as it is settled, are reported."""
        return SEVERITIES.index(severity) <= SEVERITIES.index(self.least)

    def ignored(self, path: str) -> frozenset[str]:
        """The names of the rules that are left out in a file."""
        place = real_place(path)
        return frozenset(name for pattern in self.ignores if pattern.matches(place) for name in pattern.rules)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rules that are left out in the files below ``folder`` that match the globs, or in those that do not."""

    folder: str
    globs: GitIgnoreSpec
    negated: bool
    rules: frozenset[str]

    def matches(self, place: str) -> bool:
        """Tell whether a file, by its real place, is meant; files outside of the folder never are."""
        if not place.startswith(self.folder):
            return False
        return self.globs.match_file(place[len(self.folder) :]) != self.negated


def real_place(path: str) -> str:
    """Where a file lies in its real folder; what it is itself a link to does not matter."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def adjustments(rules: Sequence[Rule], config: Config, min_severity: Severity | None = None) -> Adjustments:
    """Settle what a config, and the least severity that the command line names, change in findings.

    Parameters
    ----------
    rules : sequence of Rule
        All there are.
    config : Config
        Its words name rules, which `selected_rules` has made sure of. Of several words for the severity of a rule,
        the one that names the fewest rules counts.
    min_severity : "error", "warning" or "note", optional
        It goes before that of the config.
    """
    by_width = sorted(config.severity.items(), key=lambda item: -len(_named(rules, [item[0]])))
    severities = {name: severity for word, severity in by_width for name in _named(rules, [word])}
    patterns = tuple(_pattern(rules, entry) for entry in config.per_file_ignores)
    return Adjustments(patterns, severities, min_severity or config.min_severity or "note")


def _pattern(rules: Sequence[Rule], entry: FileIgnores) -> Pattern:
    folder = os.path.join(os.path.realpath(entry.path.parent), "")
    globs = compiled(entry.glob.removeprefix("!"), f"The key 'per-file-ignores' in {entry.path}")[1]
    return Pattern(folder, globs, entry.glob.startswith("!"), _named(rules, entry.rules))


def compiled(pattern: str, where: str) -> tuple[str, GitIgnoreSpec]:
    """Read a pattern of a config or the command line as git does, to which ``./a.py`` means nothing; or refuse it."""
    from pathspec import GitIgnoreSpec  # heavy for a start-up, and only some configs need it

    mark, rest = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    plain = mark + (rest[1:] if rest.startswith("./") else rest)
    if ".." in rest.split("/"):
        valid = "valid are patterns as in .gitignore, which go down from their folder"
        raise Refusal(f"{where} has the pattern '{pattern}', which names nothing", valid)
    try:
        return plain, GitIgnoreSpec.from_lines([plain])
    except ValueError:
        valid = "valid are patterns as in .gitignore"
        raise Refusal(f"{where} has the pattern '{pattern}', which makes no sense", valid) from None


def exclusions(config: Config) -> tuple[Anchored, ...]:
    """What a config leaves out: its patterns count from the folder of the file that holds them."""
    if not config.exclude:
        return ()
    from cvlint.source.discovery import Anchored

    folder = os.path.realpath(config.sources["exclude"][-1].parent)
    where = config.where("exclude")
    return tuple(Anchored(folder, compiled(pattern, where)[0]) for pattern in config.exclude)


def adjusted(report: Report, changes: Adjustments) -> Report:
    """Give findings the severities that the config wants; what is ignored in its file goes, and what is too slight."""
    ignored = {path: changes.ignored(path) for path in {finding.location.path for finding in report.findings}}
    kept = (finding for finding in report.findings if finding.rule not in ignored[finding.location.path])
    graded = [replace(one, severity=changes.severity(one.rule, one.severity)) for one in kept]
    below_severity = tuple(one for one in graded if not changes.shows(one.severity))
    return replace(
        report, findings=tuple(one for one in graded if changes.shows(one.severity)), below_severity=below_severity
    )
