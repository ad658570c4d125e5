"""How long a check takes with and without its cache, beside ruff without its own: ``python repeated_checks.py FOLDER``.

It works on a copy of the folder. The runs alternate, so that a busy machine slows all of them down alike; each figure
is the least of the rounds. Seconds of the processor count the work of all processes; those of the clock count waiting.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from cvlint.source.discovery import discover
from cvlint.workspace.cache.scan import load_prefilter

CVLINT = (sys.executable, "-m", "cvlint", "check")
SMALL = "import os\n\nprint(os.getcwd())\n"


class Cost(NamedTuple):
    """Seconds of the processor and of the clock."""

    processor: float
    clock: float


def cost(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> Cost:
    """What one run of a command costs; its status does not matter."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, clock)


def measured(runs: Mapping[str, Callable[[], Cost]], rounds: int) -> dict[str, Cost]:
    """The least cost of each run over some rounds, in each of which every run has its turn."""
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            costs[name].append(run())
    return {name: Cost(min(c.processor for c in found), min(c.clock for c in found)) for name, found in costs.items()}


def changed_file(folder: Path) -> Path:
    """A script of middling size that is analysed: the one that changes between two checks."""
    words = load_prefilter()
    scripts = [path for path in discover((folder,)) if isinstance(path, Path) and path.suffix == ".py"]
    sizes = {path: path.stat().st_size for path in scripts if words.may_hold(path.read_bytes())}
    if not sizes:
        sys.exit(f"There is no script in {folder} that cvlint would analyse.")
    middle = statistics.median_low(sizes.values())
    return next(path for path, size in sizes.items() if size == middle)


def main() -> None:
    """Print the figures for a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cvlint-benchmark-") as place:
        copy, cache = Path(place, "copy"), Path(place, "cache")
        shutil.copytree(args.folder, copy, symlinks=True)
        Path(place, "small.py").write_text(SMALL)
        environment = {**os.environ, "CVLINT_CACHE_DIR": str(cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        script = changed_file(copy)

        def run(*command: str) -> Callable[[], Cost]:
            return lambda: cost(command, copy, environment)

        def cold() -> Cost:
            shutil.rmtree(cache, ignore_errors=True)
            found = cost((*CVLINT, "."), copy, environment)
            cost((*CVLINT, "../small.py"), copy, environment)
            return found

        def changed() -> Cost:
            with script.open("a") as file:
                file.write("\n# changed\n")
            return cost((*CVLINT, "."), copy, environment)

        cost((*CVLINT, "../small.py"), copy, environment)  # Python compiles cvlint
        runs = {
            "python -c pass": run(sys.executable, "-c", "pass"),
            "ruff --no-cache": run(sys.executable, "-m", "ruff", "check", "--no-cache", "--isolated", "."),
            "cvlint --no-cache": run(*CVLINT, "--no-cache", "."),
            "cvlint, cold": cold,
            "cvlint, warm": run(*CVLINT, "."),
            "cvlint, one file changed": changed,
            "cvlint --no-cache, small file": run(*CVLINT, "--no-cache", "../small.py"),
            "cvlint, small file, warm": run(*CVLINT, "../small.py"),
        }
        costs = measured(runs, args.rounds)
        files = sum(isinstance(path, Path) for path in discover((copy,)))
    print(f"{files} files; {script.relative_to(copy)} changes; least of {args.rounds} rounds")
    print(f"{'':32}{'processor':>12}{'/ ruff':>9}{'clock':>12}{'/ ruff':>9}")
    ruff = costs["ruff --no-cache"]
    for name, (processor, clock) in costs.items():
        ratios = processor / ruff.processor, clock / ruff.clock
        print(f"{name:32}{processor:10.3f} s{ratios[0]:9.2f}{clock:10.3f} s{ratios[1]:9.2f}")


if __name__ == "__main__":
    main()
