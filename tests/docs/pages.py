"""The pages of the documentation, and what makes some of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def script(name: str) -> ModuleType:
    """A script of the folder docs, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = script("generate")
PAGES = (
    ROOT / "README.md",
    *(
        page
        for page in sorted(DOCS.rglob("*.md"))
        if not page.relative_to(DOCS).as_posix().startswith(tuple(GENERATE.GENERATED))
    ),
)
"""README and the pages that people write."""


def name_of(page: Path) -> str:
    """What a page is called in the names of tests."""
    return page.relative_to(ROOT).as_posix()
