"""Whether a check covered a file with all its importers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cvlint.source.links.import_closure import ImportClosure


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module in a package of a project."""
    path = tmp_path / "lab" / "core" / "measures.py"
    path.parent.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    for file in (path, tmp_path / "lab" / "__init__.py", path.with_name("__init__.py")):
        file.write_text("x = 1\n")
    return path


IMPORTS = [
    ("main.py", "from lab.core.measures import f\n"),
    ("main.py", "import lab.core.measures as m\n"),
    ("main.py", "x = 1; from lab.core import (\n    other,\n    measures,\n)\n"),
    ("main.py", "from lab.core \\\n    import measures\n"),
    ("main.py", "def f():\n\tfrom\tlab.core\timport\tmeasures\n"),
    ("lab/core/near.py", "from . import measures\n"),
    ("lab/core/near.py", "from.measures import*\n"),
    ("lab/other/far.py", "from ..core.measures import f\n"),
    ("main.ipynb", "print(1)\nfrom lab.core.measures import f\n"),
    ("main.py", "from lab.core.measures import f\ndef (\n"),
]


@pytest.mark.parametrize(("name", "text"), IMPORTS)
@pytest.mark.parametrize("lines", [True, False])
def test_importers_must_be_checked_with_a_file(tmp_path: Path, module: Path, name: str, text: str, lines: bool) -> None:
    importer = tmp_path / name
    importer.parent.mkdir(exist_ok=True)
    source = text.splitlines(keepends=True) if lines else text
    notebook = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": source}]})
    importer.write_text(notebook if name.endswith(".ipynb") else text)
    assert not ImportClosure([str(module)]).is_complete(str(module))
    assert ImportClosure([str(module), str(importer)]).is_complete(str(module))
    assert not ImportClosure([str(importer)]).is_complete(str(module))


def test_indirect_importers_count(tmp_path: Path, module: Path) -> None:
    module.with_name("__init__.py").write_text("from .measures import f\n")
    checked = [str(module), str(module.with_name("__init__.py"))]
    assert ImportClosure(checked).is_complete(str(module))
    (tmp_path / "main.py").write_text("from lab.core import f\n")
    assert not ImportClosure(checked).is_complete(str(module))
    assert ImportClosure([*checked, str(tmp_path / "main.py")]).is_complete(str(module))


@pytest.mark.parametrize(
    "text", ["measures = 1\n", "import measures\n", "from lab.core import other\n", "# from lab.core import measures\n"]
)
def test_a_file_that_only_mentions_the_name_is_no_importer(tmp_path: Path, module: Path, text: str) -> None:
    (tmp_path / "main.py").write_text(text)
    assert ImportClosure([str(module)]).is_complete(str(module))


def test_nobody_imports_a_notebook(tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text("{}")
    (tmp_path / "main.py").write_text("import n\n")
    assert ImportClosure([str(tmp_path / "n.ipynb")]).is_complete(str(tmp_path / "n.ipynb"))


def test_many_importers_are_not_followed_to_the_end(tmp_path: Path, module: Path) -> None:
    importers = [tmp_path / f"main{number}.py" for number in range(30)]
    for importer in importers:
        importer.write_text("import lab.core.measures\n")
    assert ImportClosure(map(str, (module, *importers))).is_complete(str(module))
    (tmp_path / "one_more.py").write_text("import main1\n")
    assert not ImportClosure(map(str, (module, *importers))).is_complete(str(module))
