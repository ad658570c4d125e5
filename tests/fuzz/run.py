"""Run very many inputs, and print figures: ``python -m tests.fuzz.run 100000 [first seed] [processes]``.

By default there is a process for each core.

With ``growth`` instead of a number, each growing program is checked at doubled sizes, up to the bound of 5 MB or of
20 s of CPU time; the calls for each character and the greatest memory are printed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from cvlint.workspace.workers import Lost, map_in_workers
from tests.fuzz.growing import PATTERNS, characters_read
from tests.fuzz.mutators import MUTATORS, made
from tests.fuzz.trial import OPTIONS, TooManyCalls, counted, fault


def trial(seed: int) -> str | None:
    """What is wrong with the input of a seed."""
    return fault(*made(seed), patience=2.0)


def growth(number: int) -> list[str]:
    """Lines of figures about one of the growing programs."""
    pattern, lines = PATTERNS[number], []
    for size in (250, 500, 1_000, 2_000, 4_000):
        files = pattern(size)
        characters = characters_read(files)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                if len(str(path)) > 3_000:
                    return lines
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            began = time.process_time()
            try:
                report, calls = counted(Path(folder), characters)
            except TooManyCalls:
                return [*lines, f"{pattern.__name__:24} {size:6} does not end"]
            taken = time.process_time() - began
            tracemalloc.start()
            from cvlint.workspace.steps.analyse import check

            check([Path(folder)], OPTIONS)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        part = "in part" if report.errors else ""
        lines.append(
            f"{pattern.__name__:24} {size:6} {characters:9} characters {calls:9} calls {calls / characters:7.1f} each "
            f"{peak / 1e6:7.1f} MB {part}"
        )
        if taken > 20:
            break
    return lines


def main(arguments: list[str]) -> int:
    """Run the trials; the status is 1 if one of them fails."""
    jobs = int(arguments[2]) if len(arguments) > 2 else os.cpu_count() or 1
    if arguments[:1] == ["growth"]:
        for lines in map_in_workers(growth, range(len(PATTERNS)), jobs):
            print(lines.reason if isinstance(lines, Lost) else "\n".join(lines), flush=True)
        return 0
    count = int(arguments[0]) if arguments else 10_000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    seeds = range(first, first + count)
    began, failed = time.monotonic(), 0
    for seed, found in zip(seeds, map_in_workers(trial, seeds, jobs), strict=True):
        if found is not None:
            failed += 1
            reason = found.reason if isinstance(found, Lost) else found
            print(f"seed {seed} ({MUTATORS[seed % len(MUTATORS)].__name__}): {reason}", flush=True)
    print(f"{count} inputs, {failed} failed, {time.monotonic() - began:.0f} s in {jobs} processes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
