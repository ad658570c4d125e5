"""Files that import a module which may hold a finding."""

from __future__ import annotations

from pathlib import Path

from cvlint.source.prefilter import importers


def test_importers_lie_near_the_module() -> None:
    module = Path("project/package/scores.py")
    names = {
        Path("project/main.py"): {b"package", b"scores"},
        Path("project/scripts/run.py"): {b"scores"},
        Path("project/other.py"): {b"numpy"},
        Path("elsewhere/deep/main.py"): {b"scores"},
    }
    assert importers(names, [module]) == [Path("project/main.py"), Path("project/scripts/run.py")]
