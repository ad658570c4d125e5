"""Deep nesting, which crashes the parser of Python 3.10; other Pythons on this machine run this test too."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import cvlint
from cvlint.source.module import read_bytes

STARTS = {"a": ".b", "f": "()", "x": "+x"}


def main() -> None:
    for start, link in STARTS.items():
        for links in (10_000, 150_000):
            reading = read_bytes((start + link * links).encode(), Path("a.py"), "a.py")
            assert reading.source is None, sys.version
            assert reading.problem is not None


def test_deep_nesting_does_not_crash() -> None:
    main()


def test_deep_nesting_does_not_crash_other_pythons() -> None:
    folder = Path(cvlint.__file__).parents[1]
    code = f"import runpy; runpy.run_path({str(Path(__file__))!r})['main']()"
    for minor in (10, 12, 13, 14):
        python = shutil.which(f"python3.{minor}")
        if python is None or subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode:
            continue  # not here, or a name that leads nowhere
        subprocess.run([python, "-c", code], check=True, cwd=folder)
