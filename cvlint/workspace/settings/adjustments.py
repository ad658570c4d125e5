"""What a config changes in findings: severities, rules that some files ignore, the least severity that is reported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cvlint.filesystem.real_place import real_place
from cvlint.findings.finding import SEVERITIES, Report, Severity
from cvlint.workspace.settings.config import Config, FileIgnores
from cvlint.workspace.settings.patterns import compiled
from cvlint.workspace.settings.rule_selection import named_rules

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from cvlint.rules.catalogue import Rule


@dataclass(frozen=True, slots=True)
class FilePattern:
    """Rules that are ignored in the files below ``folder`` that match the globs, or in those that do not match."""

    folder: str
    globs: GitIgnoreSpec
    negated: bool
    rules: frozenset[str]

    def matches(self, place: str) -> bool:
        """Tell whether the pattern names a file by its real path; it never names files outside of its folder."""
        if not place.startswith(self.folder):
            return False
        return self.globs.match_file(place[len(self.folder) :]) != self.negated


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What a config changes in findings.

    Attributes
    ----------
    ignores
        Rules that are ignored in some files.
    severities
        The severity of rules by name, where it is not the usual one.
    least
        The least severity that is reported.
    """

    ignores: tuple[FilePattern, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    least: Severity = "note"

    def severity(self, rule: str, usual: Severity) -> Severity:
        """The severity of a rule's findings."""
        return self.severities.get(rule, usual)

    def shows(self, severity: Severity) -> bool:
        """Tell whether findings of this severity are reported."""
        return SEVERITIES.index(severity) <= SEVERITIES.index(self.least)

    def ignored(self, path: str) -> frozenset[str]:
        """The names of the rules that are ignored in a file."""
        place = real_place(path)
        return frozenset(name for pattern in self.ignores if pattern.matches(place) for name in pattern.rules)


def config_adjustments(config: Config, min_severity: Severity | None = None) -> Adjustments:
    """Settle what a config, and the least severity that the command line names, change in findings.

    Parameters
    ----------
    config : Config
        `check_options` has made sure that its words name rules. Where several words give a rule a severity, the word
        that names the fewest rules counts.
    min_severity : "error", "warning" or "note", optional
        It replaces that of the config.
    """
    from cvlint.rules.comment_rules import all_rules

    rules = all_rules(*config.extend_rules)
    by_width = sorted(config.severity.items(), key=lambda item: -len(named_rules(rules, [item[0]])))
    severities = {name: severity for word, severity in by_width for name in named_rules(rules, [word])}
    patterns = tuple(_pattern(rules, entry) for entry in config.per_file_ignores)
    return Adjustments(patterns, severities, min_severity or config.min_severity or "note")


def _pattern(rules: Sequence[Rule], entry: FileIgnores) -> FilePattern:
    folder = os.path.join(os.path.realpath(entry.path.parent), "")
    globs = compiled(entry.glob.removeprefix("!"), f"The key 'per-file-ignores' in {entry.path}")[1]
    return FilePattern(folder, globs, entry.glob.startswith("!"), named_rules(rules, entry.rules))


def adjusted(report: Report, adjustments: Adjustments) -> Report:
    """Give findings the severities of the config, drop those ignored in their file, and set slight ones aside."""
    ignored = {path: adjustments.ignored(path) for path in {finding.location.path for finding in report.findings}}
    kept = (finding for finding in report.findings if finding.rule not in ignored[finding.location.path])
    graded = [replace(one, severity=adjustments.severity(one.rule, one.severity)) for one in kept]
    below_severity = tuple(one for one in graded if not adjustments.shows(one.severity))
    return replace(
        report, findings=tuple(one for one in graded if adjustments.shows(one.severity)), below_severity=below_severity
    )
