"""How long a check takes, compared with parsing the same files with libcst: ``python check_speed.py FOLDER``.

In one process, it prints the CPU seconds for (a) ``libcst.parse_module`` over the files that pass the prefilter and
(b) the whole check of the folder (discovery, reading, parsing, analysis, rules), each as the best of the
repetitions, and the ratio b/a.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import libcst

from cvlint.rules.catalogue import load_rules
from cvlint.source.discovery import discover
from cvlint.source.module import read_file
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check, load_prefilter


def sources(folder: Path) -> list[str]:
    """The texts of the files that may hold a finding, as the check parses them."""
    prefilter = load_prefilter()
    paths = [p for p in discover([folder]) if isinstance(p, Path) and prefilter.may_hold(p.read_bytes())]
    readings = [read_file(path, str(path)) for path in paths]
    return [reading.source.text for reading in readings if reading.source is not None]


def parse_all(texts: list[str]) -> None:
    """Parse with libcst; a file that it cannot parse counts as parsed."""
    for text in texts:
        try:
            libcst.parse_module(text)
        except (libcst.ParserSyntaxError, RecursionError):
            continue


def best(action: Callable[[], object], times: int) -> float:
    """The CPU seconds of the quickest of several runs: other programs do not count."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    """Print the figures for a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    rules = frozenset(rule.name for rule in load_rules())
    texts = sources(args.folder)
    report = check([args.folder], CheckOptions(rules=rules, jobs=1))
    a = best(lambda: parse_all(texts), args.times)
    b = best(lambda: check([args.folder], CheckOptions(rules=rules, jobs=1)), args.times)
    unread = sum(isinstance(p, UnreadFile) for p in discover([args.folder]))
    size = sum(map(len, texts)) / 1e6
    print(f"{report.files} files, {len(texts)} of them parsed ({size:.2f} MB), {unread} unreadable")
    print(f"(a) libcst.parse_module over the parsed files  {a:8.3f} s")
    print(f"(b) the whole check                            {b:8.3f} s, {len(report.findings)} findings")
    print(f"b/a                                            {b / a:8.3f}")


if __name__ == "__main__":
    main()
