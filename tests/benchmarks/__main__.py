"""Measure cvlint beside other linters, and write docs/benchmarks.md: ``python -m tests.benchmarks FOLDER``.

It installs the other linters in an environment of their own, works on copies of the folder, and prints ratios: only
they can be compared between machines. The runs take turns, so that a busy machine slows all of them down alike.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cvlint.source.discovery import discover
from tests.benchmarks import processes
from tests.benchmarks.peers import PEERS, RULE_FILE, SEMGREP_RULE, Peer, install
from tests.benchmarks.processes import Cost, cost, measured
from tests.benchmarks.repeated_checks import SMALL, changed_file

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured by python -m tests.benchmarks -->", "<!-- end of what was measured -->"
CVLINT = (sys.executable, "-m", "cvlint", "check", "--exit-zero")
PASS = (sys.executable, "-c", "pass")
NOTEBOOKS = 10_000_000


class Bench:
    """The copies of a folder, and the runs in them."""

    def __init__(self, place: Path, folder: Path, growth: int) -> None:
        self.place, self.cache = place, place / "cache"
        self.one, self.many = place / "one", place / "many"
        shutil.copytree(folder, self.one, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for number in range(growth):
            shutil.copytree(self.one, self.many / f"copy{number}", symlinks=True)
        (place / "small.py").write_text(SMALL)
        (place / RULE_FILE).write_text(SEMGREP_RULE)
        self.environment = {**os.environ, "CVLINT_CACHE_DIR": str(self.cache)}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.script = changed_file(self.one)

    def run(self, *command: str, folder: Path | None = None) -> Callable[[], Cost]:
        """A run of a command in the copy, or in another folder."""
        return lambda: cost(command, folder or self.one, self.environment)

    def own_runs(self) -> dict[str, Callable[[], Cost]]:
        """The runs of cvlint."""

        def cold() -> Cost:
            shutil.rmtree(self.cache, ignore_errors=True)
            return self.run(*CVLINT, ".")()

        def changed() -> Cost:
            with self.script.open("a") as file:
                file.write("\n# changed\n")
            return self.run(*CVLINT, ".")()

        self.run(*CVLINT, "--no-cache", "../small.py")()  # Python compiles cvlint
        return {
            "without a cache": self.run(*CVLINT, "--no-cache", "."),
            "cold, fills the cache": cold,
            "warm, nothing changed": self.run(*CVLINT, "."),
            "warm, one file changed": changed,
        }


def files_in(folder: Path) -> int:
    """The number of files that a check of a folder reads."""
    return sum(isinstance(entry, Path) for entry in discover((folder,)))


def ratios(costs: Mapping[str, Cost], base: Cost, files: int) -> Iterator[str]:
    """The rows of a table."""
    for name, one in costs.items():
        per_file = one.processor / files * 1000
        yield f"| {name} | {one.processor / base.processor:.2f} | {per_file:.1f} ms | {one.megabytes:.0f} MB |"


def peer_rows(bench: Bench, environment: Path, versions: Mapping[Peer, str], rounds: int) -> tuple[list[str], Cost]:
    """The rows of the other linters and of cvlint, and the cost of ruff, in whose terms they are."""
    runs = {
        f"{peer.name} {version}, {peer.what}": bench.run(*peer.command(environment))
        for peer, version in versions.items()
    }
    quick = {name: run for name, run in runs.items() if name.startswith("ruff")}
    if not quick:
        sys.exit("ruff could not be installed, and all figures are ratios to it.")
    costs = measured({**quick, **{f"**cvlint** {name}": run for name, run in bench.own_runs().items()}}, rounds)
    base = costs[next(iter(quick))]
    stuck = []
    for name, run in runs.items():
        if name not in quick:
            print(f"running {name}", file=sys.stderr, flush=True)
            try:
                costs[name] = run()  # once: they take long
            except TimeoutError:
                stuck.append(f"| {name} | did not end in {processes.LONGEST:.0f} s | | |")
    return [*ratios(costs, base, files_in(bench.one)), *stuck], base


def small_rows(bench: Bench, rounds: int) -> list[str]:
    """The rows about one small file."""
    small = bench.run(*CVLINT, "../small.py")
    runs = {"warm": small, "without a cache": bench.run(*CVLINT, "--no-cache", "../small.py")}
    small()
    costs = measured({"Python alone": bench.run(*PASS), **runs}, rounds * 5)
    alone = costs["Python alone"].processor
    return [
        f"| {name} | {one.processor / alone:.1f} | {(one.processor - alone) * 1000:.0f} ms |"
        for name, one in costs.items()
    ]


def growth_rows(bench: Bench, growth: int) -> tuple[list[str], float]:
    """The rows about one and many copies of the folder, and the seconds of the processor that a file costs."""
    rows, per_file = [], 0.0
    for times, folder in ((1, bench.one), (growth, bench.many)):
        found = cost((*CVLINT, "--no-cache", "."), folder, bench.environment)
        per_file = found.processor / files_in(folder)
        rows.append(f"| {times} × | {files_in(folder)} | {per_file * 1000:.1f} ms | {found.megabytes:.0f} MB |")
    return rows, per_file


def report(bench: Bench, environment: Path, about: str, growth: int, rounds: int) -> str:
    """What is written between the marks of the page."""
    versions = install(environment)
    missing = [peer.name for peer in PEERS if peer not in versions]
    rows, base = peer_rows(bench, environment, versions, rounds)
    grown, per_file = growth_rows(bench, growth)
    days = per_file * NOTEBOOKS / 86_400
    setting = (
        f"{files_in(bench.one)} files ({about}), {os.cpu_count()} cores, Python {sys.version.split()[0]}. The figures "
        "are seconds of the processor, of all processes together, as ratios to those of ruff without its cache. Other "
        "programs ran on the machine, so small differences mean nothing. The runs of cvlint and ruff are medians of "
        f"{rounds} rounds; the others ran once."
    )
    return "\n".join(
        (
            textwrap.fill(setting, 120),
            *([f"Could not be installed: {', '.join(missing)}."] if missing else []),
            "",
            "| run | ÷ ruff | per file | memory |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            "One small file without a finding, beside the start of Python itself:",
            "",
            "| run | ÷ Python | more than Python |",
            "| --- | --- | --- |",
            *small_rows(bench, rounds),
            "",
            "Growth, without a cache:",
            "",
            "| copies | files | per file | memory of the largest process |",
            "| --- | --- | --- | --- |",
            *grown,
            "",
            f"At this rate, {NOTEBOOKS:,} scripts or notebooks of this kind cost {days:.1f} days of one core, or",
            f"{per_file / (base.processor / files_in(bench.one)):.0f} × what ruff costs.",
        )
    )


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--about", default="research code", help="What the folder holds, for the page.")
    parser.add_argument("--growth", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--environment", type=Path, help="Keep the environment of the peers in this folder.")
    parser.add_argument("--longest", type=float, default=processes.LONGEST, help="Seconds that a run may take.")
    args = parser.parse_args()
    processes.LONGEST = args.longest
    with tempfile.TemporaryDirectory(prefix="cvlint-benchmark-") as place:
        bench = Bench(Path(place), args.folder, args.growth)
        text = report(bench, args.environment or Path(place, "peers"), args.about, args.growth, args.rounds)
    write_page(PAGE, text)
    print(text)


def write_page(page: Path, text: str) -> None:
    """Replace what stands between the marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, behind = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{behind}", encoding="utf-8")


if __name__ == "__main__":
    main()
