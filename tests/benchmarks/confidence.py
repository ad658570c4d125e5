"""How often findings are right, by their confidence: ``python confidence.py dev2.jsonl --judged judged2.jsonl``.

The labelled files, and those with judged findings, are checked with all rules and every confidence, each in its whole
repository. A finding counts as right, wrong or doubtful by its judgement, if somebody has judged it. Otherwise it is
right if it meets a certain label of its rule, doubtful if it meets an uncertain one, and wrong if its file is labelled
completely and no label of its rule is near. Rules that the labels do not know are left out, and so are findings that
nothing decides; the last line counts them. Doubtful findings are shown and do not count in the share.

The labels stand beside ``score.py``, which knows how repositories are laid out and how labels and findings meet.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIDENCES = ("high", "medium", "low")
ASKED = {"high": 0.97, "medium": 0.90}
VERDICTS = ("right", "wrong", "doubtful")
Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", nargs="+", type=pathlib.Path)
    parser.add_argument("--judged", action="append", type=pathlib.Path, default=[])
    parser.add_argument("--mirror", help="the folder of the repositories' git directories")
    parser.add_argument("--minutes", type=float, help="stop after so long, and tell how many repositories are left out")
    parser.add_argument("--rules", action="store_true", help="also a table for each rule")
    parser.add_argument("--show", action="store_true", help="list the findings that are wrong")
    args = parser.parse_args()
    score = score_module(args.labels[0].parent / "score.py")
    mirror = args.mirror or score.nearest_mirror()
    entries, judged = [*records(args.labels)], [*records(args.judged)]
    verdicts: list[tuple[Record, str]] = []
    missing, left = set(), 0
    start = time.monotonic()
    repos = sorted({one["repo"] for one in (*entries, *judged)})
    random.Random(0).shuffle(repos)  # so that a part of them stands for all
    with tempfile.TemporaryDirectory() as scratch:
        for repo in repos:
            if args.minutes and time.monotonic() - start > 60 * args.minutes:
                left += 1
                continue
            labelled = [e for e in entries if e["repo"] == repo]
            known = [j for j in judged if j["repo"] == repo]
            commit = next((one["commit"] for one in (*labelled, *known) if one.get("commit")), None)
            folder = score.lay_out(mirror, repo, commit, pathlib.Path(scratch).resolve())
            if folder is None:
                missing.add(repo)
                continue
            for finding in checked(folder, {one["path"] for one in (*labelled, *known)}):
                verdicts.append(({**finding, "repo": repo}, verdict(score, finding, labelled, known)))
    show(verdicts, {label["rule"] for entry in entries for label in entry["labels"]}, args.rules, args.show)
    if missing:
        print("not at hand:", *sorted(missing))
    print(f"repositories: {len(repos) - len(missing) - left} checked, {left} left out")


def score_module(path: pathlib.Path) -> ModuleType:
    """The script that scores the linter on labels."""
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def records(paths: Iterable[pathlib.Path]) -> Iterator[Record]:
    """The records of files with one JSON object a line."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)


def checked(folder: pathlib.Path, paths: set[str]) -> list[Record]:
    """All findings in some files of a repository, with paths relative to it."""
    there = sorted(str(folder / path) for path in paths if (folder / path).is_file())
    if not there:
        return []
    command = [sys.executable, "-m", "cvlint", "check", "--isolated", "--confidence", "low", "--format", "json", "--"]
    done = subprocess.run([*command, *there], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"the check failed with exit status {done.returncode}: {done.stderr[-2000:]}")
    findings: list[Record] = json.loads(done.stdout)["findings"]
    for place in (step for f in findings for step in (f, *f["trace"])):
        place["path"] = os.path.relpath(ROOT / place["path"], folder)
    return [f for f in findings if f["path"] in paths]


def verdict(score: ModuleType, finding: Record, labelled: list[Record], judged: list[Record]) -> str:
    """Whether a finding is right, wrong or doubtful; empty if nothing decides."""
    place = (finding["path"], finding.get("cell"), finding["line"], finding["rule"])
    for one in judged:
        if (one["path"], one.get("cell"), one["line"], one["rule"]) == place:
            return str(one["verdict"])
    met = [(e, label) for e in labelled for label in e["labels"] if score.meets(finding, e["path"], label)]
    if met:
        return "right" if any(label.get("certain", True) for _, label in met) else "doubtful"
    complete = [e for e in labelled if e["path"] == finding["path"] and e.get("exhaustive", True)]
    return "wrong" if complete else ""


def show(verdicts: list[tuple[Record, str]], rules: set[str], each_rule: bool, wrong: bool) -> None:
    """Print the tables."""
    tables: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    undecided = 0
    for finding, found in verdicts:
        if not found or finding["rule"] not in rules:
            undecided += 1
            continue
        for name in ("all rules", finding["rule"]):
            tables[name][finding["confidence"], found] += 1
        if wrong and found == "wrong":
            where = f"{finding['path']}:{finding.get('cell') or ''}:{finding['line']}"
            print(f"wrong {finding['confidence']:7} {finding['rule']:26} {finding['repo']} {where}")
    print(f"{'':26}{'confidence':12}{''.join(f'{v:>10}' for v in VERDICTS)}{'share right':>14}{'asked':>8}")
    for name in ["all rules", *(sorted(tables.keys() - {"all rules"}) if each_rule else ())]:
        for confidence in CONFIDENCES:
            counts = [tables[name][confidence, v] for v in VERDICTS]
            if name != "all rules" and not any(counts):
                continue
            decided = counts[0] + counts[1]
            share = f"{counts[0] / decided:.1%}" if decided else "-"
            asked = f"{ASKED[confidence]:.0%}" if confidence in ASKED and name == "all rules" else ""
            print(f"{name:26}{confidence:12}{''.join(f'{c:10}' for c in counts)}{share:>14}{asked:>8}")
    print(f"not decided: {undecided} findings")


if __name__ == "__main__":
    main()
