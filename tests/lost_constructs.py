"""Rank the constructs at which the analysis loses values, over many repositories: ``lost_constructs.py FOLDER...``.

Each folder is one repository. Run it before and after a change of the engine: the share of lost values is a measure of
recall that needs no labels. ``--list FILE`` writes every lost value with its place.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from cvlint.audit.fate import Fate, counts
from cvlint.audit.ledger import ledger
from cvlint.output.shared.locations import place
from cvlint.rules.catalogue import load_rules
from cvlint.source.discovery import discover
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import analyse_files

MOST_ROWS = 60


def fates_in(folder: Path) -> list[Fate]:
    """The fates of the values in one repository."""
    rules = frozenset(rule.name for rule in load_rules())
    options = CheckOptions(rules=rules, jobs=1, fates=True)
    return list(ledger(analyse_files(tuple(discover([folder])), [folder], options).fates))


def print_counts(fates: list[Fate]) -> None:
    """Print how many fates there are of each kind, and for which reasons."""
    total = len(fates) or 1
    for kind in ("finding", "harmless", "lost"):
        number = sum(fate.kind == kind for fate in fates)
        print(f"{kind:10}{number:7}{100 * number / total:7.1f} %")
    print()
    for kind, why, number in counts(fates):
        print(f"{number:7}  {kind}: {why}")


def print_ranking(fates: dict[Path, list[Fate]]) -> None:
    """Print the constructs that lost most values, with the number of repositories and an example."""
    lost: dict[tuple[str, str], list[Fate]] = defaultdict(list)
    repositories: Counter[tuple[str, str]] = Counter()
    for found in fates.values():
        here = {(fate.why, fate.name) for fate in found if fate.kind == "lost"}
        repositories.update(here)
        for fate in found:
            if fate.kind == "lost":
                lost[fate.why, fate.name].append(fate)
    print("\nvalues  repositories  construct  (example)")
    for key, found in sorted(lost.items(), key=lambda item: -len(item[1]))[:MOST_ROWS]:
        example = place(found[0].end or found[0].location)
        print(f"{len(found):6}{repositories[key]:7}  {key[0]}: {key[1]}  ({example})")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--list", type=Path, help="write every lost value with its place to this file")
    given = parser.parse_args()
    fates = {folder: fates_in(folder) for folder in given.folders}
    every = [fate for found in fates.values() for fate in found]
    print_counts(every)
    print_ranking(fates)
    if given.list is not None:
        lines = [
            f"{place(f.location)} | {f.what} | {f.why} | {f.name} | {place(f.end or f.location)}"
            for f in every
            if f.kind == "lost"
        ]
        given.list.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
