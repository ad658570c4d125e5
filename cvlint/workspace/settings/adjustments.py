"""What a config changes in findings: severities, rules ignored in some files, and the lowest reported severity."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.findings.finding import SEVERITIES, Report, Severity
from cvlint.records import dataclass, field, replace
from cvlint.workspace.settings.config import Config, FileIgnores
from cvlint.workspace.settings.patterns import compile_pattern
from cvlint.workspace.settings.rule_selection import named_rules

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from cvlint.rules.catalogue import Rule


@dataclass(frozen=True, slots=True)
class FilePattern:
    """Rules that are ignored in some files below ``folder``: those that match the globs, or all others if negated."""

    folder: str
    globs: GitIgnoreSpec
    negated: bool
    rules: frozenset[str]

    def matches(self, real_path: str) -> bool:
        """Whether the pattern names a file; it never names files outside of its folder."""
        if not real_path.startswith(self.folder):
            return False
        return bool(self.globs.match_file(real_path[len(self.folder) :])) != self.negated  # None in pathspec 0.12.0


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What a config changes in findings."""

    ignores: tuple[FilePattern, ...] = ()
    """Rules that are ignored in some files."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """The severities that replace the default ones, by the name of the rule."""
    min_severity: Severity = "note"
    """The lowest severity that is reported."""

    def severity(self, rule: str, default: Severity) -> Severity:
        """The severity of a rule's findings."""
        return self.severities.get(rule, default)

    def is_reported(self, severity: Severity) -> bool:
        """Whether findings of this severity are reported."""
        return SEVERITIES.index(severity) <= SEVERITIES.index(self.min_severity)

    def ignored_rules(self, path: str) -> frozenset[str]:
        """The names of the rules that are ignored in a file."""
        real_path = path_in_real_folder(path)
        return frozenset(name for pattern in self.ignores if pattern.matches(real_path) for name in pattern.rules)


def config_adjustments(config: Config, min_severity: Severity | None = None) -> Adjustments:
    """Compute what a config changes in findings.

    Parameters
    ----------
    config : Config
        A config whose words name rules, as `check_options` has checked. If several words give a rule a severity, the
        word that names the fewest rules counts.
    min_severity : "error", "warning" or "note", optional
        The lowest severity of the command line; it replaces that of the config.
    """
    from cvlint.rules.comment_rules import all_rules

    rules = all_rules(*config.extend_rules)
    by_width = sorted(config.severity.items(), key=lambda item: -len(named_rules(rules, [item[0]])))
    severities = {name: severity for word, severity in by_width for name in named_rules(rules, [word])}
    patterns = tuple(_pattern(rules, entry) for entry in config.per_file_ignores)
    return Adjustments(patterns, severities, min_severity or config.min_severity or "note")


def _pattern(rules: Sequence[Rule], entry: FileIgnores) -> FilePattern:
    folder = os.path.join(os.path.realpath(entry.path.parent), "")
    globs = compile_pattern(entry.glob.removeprefix("!"), f"The key 'per-file-ignores' in {entry.path}")[1]
    return FilePattern(folder, globs, entry.glob.startswith("!"), named_rules(rules, entry.rules))


def adjusted(report: Report, adjustments: Adjustments) -> Report:
    """Give findings the severities of the config, drop those ignored in their file, and set slight ones aside."""
    paths = {finding.location.path for finding in report.findings}
    ignored = {path: adjustments.ignored_rules(path) for path in paths}
    kept = (finding for finding in report.findings if finding.rule not in ignored[finding.location.path])
    graded = [replace(one, severity=adjustments.severity(one.rule, one.severity)) for one in kept]
    below_severity = tuple(one for one in graded if not adjustments.is_reported(one.severity))
    reported = tuple(one for one in graded if adjustments.is_reported(one.severity))
    return replace(report, findings=reported, below_severity=below_severity)
