from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import Once

if TYPE_CHECKING:
    from jinja2.bccache import Bucket
    from report_data import Made

sys.path.append(str(Path(__file__).parent))  # the tests of the page share report_data.py

KINDS = ("counts", "binary with findings", "several", "multiclass", "multilabel")


@pytest.fixture(scope="session")
def made(once: Once) -> Made:
    """Each kind of page, made once for all tests."""
    from report_data import PAGES

    from cvlint.report.drawing.inline_svg import drawn
    from cvlint.report.figures import picture

    def page_of(kind: str) -> str:
        def fill(folder: Path) -> None:
            assert picture.drawn is drawn, "a test that leaves drawings empty must not make a page for other tests"
            (folder / "page.html").write_text(PAGES[kind](), encoding="utf-8")

        return (once(f"page-{kind.replace(' ', '-')}", fill) / "page.html").read_text(encoding="utf-8")

    return page_of


@pytest.fixture(params=KINDS)
def page(request: pytest.FixtureRequest, made: Made) -> str:
    """Each kind of page."""
    return made(request.param)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the drawings empty; they take most of the time, and other tests look at them."""
    monkeypatch.setattr("cvlint.report.figures.picture.drawn", lambda key, draw, height: "<g></g>")


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    """Compile each template once; a command renders one page, these tests render many."""
    if importlib.util.find_spec("jinja2") is None:
        yield
        return
    from jinja2 import BytecodeCache

    from cvlint.report import page

    known: dict[str, bytes] = {}

    class Compiled(BytecodeCache):
        def load_bytecode(self, bucket: Bucket) -> None:
            if bucket.key in known:
                bucket.bytecode_from_string(known[bucket.key])

        def dump_bytecode(self, bucket: Bucket) -> None:
            known[bucket.key] = bucket.bytecode_to_string()

    templates = page.templates

    def kept(lines):  # type: ignore[no-untyped-def]
        environment = templates(lines)
        environment.bytecode_cache = Compiled()
        return environment

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "templates", kept)
        yield
