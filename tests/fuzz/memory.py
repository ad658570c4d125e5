"""Check single files of 5 MB, each in a process of its own: ``python -m tests.fuzz.memory [shape ...]``.

Each shape is checked three times: as long as a check reads it and padded to 5 MB with a comment, the same as a
notebook, and at the full length, which most of them are refused at. Printed are the greatest memory of the process and
the seconds of CPU time. The status is 1 if the memory of one of them exceeds 500 MB.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.long_files import MOST, SHAPES, data_notebook, longest, notebook, padded, too_long

MOST_MEMORY = 500.0

# A small process in between: what is told of a process includes the memory of the one that started it.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run([sys.executable, "-m", "cvlint", "check", "--no-cache", "--isolated", sys.argv[1]],
                        stdout=open(sys.argv[2], "w"), stderr=subprocess.STDOUT).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def files_of(name: str) -> Iterator[tuple[str, str]]:
    """The files of a shape, each with the end of its name."""
    shape = SHAPES[name]
    text = longest(shape)
    yield "padded.py", padded(text)
    as_notebook = notebook(text)
    if len(as_notebook) > MOST:  # as JSON a text is longer
        as_notebook = notebook(text[: len(text) * MOST // len(as_notebook)].rpartition("\n")[0])
    yield "cells.ipynb", as_notebook
    yield "whole.py", too_long(shape)


def measured(text: str, name: str, folder: Path) -> tuple[int, float, float, str]:
    """The status of a check, megabytes, seconds, and how the report ends."""
    file, report = folder / name, folder / "report.txt"
    file.write_text(text)
    command = [sys.executable, "-c", MEASURE, str(file), str(report)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    status, kilobytes, seconds = said.split()
    lines = [
        line for line in report.read_text().split("\n") if line.startswith(("Found", str(file))) or " error" in line
    ]
    return int(status), int(kilobytes) / 1000, float(seconds), (lines or [""])[-1].replace(str(file), "")[:60]


def main(names: list[str]) -> int:
    """Print a line for each file; the status is 1 if one of them takes too much memory."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or [*SHAPES, "data_notebook"]:
            files = [("values.ipynb", data_notebook())] if name == "data_notebook" else files_of(name)
            for end, text in files:
                status, megabytes, seconds, said = measured(text, f"{name}_{end}", Path(folder))
                worst = max(worst, megabytes)
                print(
                    f"{name:22} {end:12} {len(text) / 1e6:5.2f} {megabytes:7.1f} MB {seconds:6.1f} s  {status} {said}",
                    flush=True,
                )
    print(f"at most {worst:.1f} MB")
    return worst > MOST_MEMORY


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
