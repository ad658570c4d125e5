"""What a check covered, and what it therefore says about the entries of a baseline for which it found nothing."""

from __future__ import annotations

from collections.abc import Callable

from cvlint.findings.baseline import Baseline, BaselineEntry, FindingCount, is_below, merged_baseline
from cvlint.findings.finding import CONFIDENCES, Confidence
from cvlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """Where and for what a check looked. An entry outside of it can still be valid although nothing was found."""

    paths: tuple[str, ...]
    """The absolute paths of the files and folders that were checked."""
    is_seen: Callable[[str], bool]
    """Tells by its absolute path whether a file was deleted, or was checked together with all files that can lead to
    findings in it. A file that is excluded or cannot be read was not seen.
    """
    unselected: Callable[[str], frozenset[str]]
    """Gives for the absolute path of a file the rules that are not reported in it."""
    confidence: Confidence
    """The least confidence of a reported finding."""
    below_severity: frozenset[BaselineEntry] = frozenset()
    """The entries of findings that are not reported because their severity is too low."""

    def covers(self, entry: BaselineEntry, total: FindingCount) -> bool:
        """Tell whether the check would have reported the findings of an entry if they were still there."""
        return (
            CONFIDENCES.index(total.confidence) <= CONFIDENCES.index(self.confidence)
            and any(entry.path == path or is_below(entry.path, path) for path in self.paths)
            and entry not in self.below_severity
            and entry.rule not in self.unselected(entry.path)
            and self.is_seen(entry.path)
        )


def expired(rest: Baseline, coverage: Coverage) -> Baseline:
    """The entries without a finding that the check would have found: their fault is gone."""
    return {entry: total for entry, total in rest.items() if coverage.covers(entry, total)}


def updated(old: Baseline, new: Baseline, *coverages: Coverage) -> Baseline:
    """The baseline after a check that found ``new``; entries that no part of the check covers stay as they are."""
    rest = ((entry, total) for entry, total in old.items() if new.get(entry) != total)
    kept = [(entry, total) for entry, total in rest if not any(coverage.covers(entry, total) for coverage in coverages)]
    return merged_baseline([*kept, *new.items()])
