"""The importers of a file are found; they are checked again when it is fixed."""

from __future__ import annotations

import json
from pathlib import Path

from cvlint.source.links.importers import Importers, source_replaced
from cvlint.source.module import Source, read_file

FILES = {
    "lib.py": "x = 1\n",
    "direct.py": "from lib import x\n",
    "through.py": "import direct\n",
    "around.py": "import through\nimport circle\n",
    "circle.py": "import around, lib\n",
    "metrics.py": "y = 1\n",
    "other.py": "from sklearn.metrics import f1_score\nlib = 1\n",
    "broken.py": "import lib (\n",
    "pkg/__init__.py": "z = 1\n",
    "pkg/inner.py": "from . import z\n",
    "pkg/deeper.py": "from .inner import z\n",
}


def importers(folder: Path, name: str) -> list[str]:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    files = [folder / path for path in FILES]
    return [str(path.relative_to(folder)) for path in Importers(files).of(folder / name)]


def test_the_nearest_come_first_and_circles_end(tmp_path: Path) -> None:
    assert importers(tmp_path, "lib.py") == ["direct.py", "circle.py", "through.py", "around.py"]


def test_a_library_with_the_name_of_a_module_is_not_followed(tmp_path: Path) -> None:
    assert importers(tmp_path, "metrics.py") == []


def test_packages(tmp_path: Path) -> None:
    assert importers(tmp_path, "pkg/__init__.py") == ["pkg/inner.py", "pkg/deeper.py"]


def test_texts_include_importers_in_the_same_folder(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": "print(1)\nfrom lib import (\n    x,\n)", "outputs": []}
    for notebook, indent in (("wide.ipynb", None), ("long.ipynb", 1)):
        (tmp_path / notebook).write_text(json.dumps({"cells": [cell]}, indent=indent))
    for path, text in {**FILES, "größe.py": "x = 1\n", "use.py": "from größe import x\n"}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    texts = Importers([]).texts(tmp_path / "lib.py")
    assert sorted(text for text in texts if "cells" not in text) == sorted(
        FILES[name] for name in ("direct.py", "circle.py", "through.py", "around.py")
    )
    assert len(texts) == 6
    assert Importers([]).texts(tmp_path / "größe.py") == ["from größe import x\n"]
    assert Importers([]).texts(tmp_path / "pkg/inner.py") == [FILES["pkg/deeper.py"]]


def test_a_source_is_replaced_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    source = read_file(path, "a.py").source
    assert source is not None
    kept: dict[str, Source | None] = {"a.py": None, "b.py": None}
    with source_replaced(kept, source):
        assert kept["a.py"] is source
    assert kept == {"a.py": None, "b.py": None}
