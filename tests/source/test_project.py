"""Imports are resolved to files of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.source.project import ImportResolver

FILES = [
    *("pyproject.toml", "metrics.py", "src/core/__init__.py", "src/core/folds.py", "src/core/cv/__init__.py"),
    *("src/core/cv/split.py", "a/b.py", "a/run.py", "a/__init__.py", "lib.py", "lib/__init__.py", "a/b2/__init__.py"),
    *("site-packages/numpy.py", "Cased.py"),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in [*(f"project/{name}" for name in FILES), "outside.py", "__init__.py"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("importer", "module", "level", "expected"),
    [
        ("train.py", "metrics", 0, "metrics.py"),
        ("train.py", "core.folds", 0, "src/core/folds.py"),
        ("a/run.py", "metrics", 0, "metrics.py"),
        ("a/run.py", "b", 0, "a/b.py"),
        ("a/run.py", "a.b", 0, "a/b.py"),
        ("a/run.py", "a", 0, "a/__init__.py"),
        ("a/run.py", "b", 1, "a/b.py"),
        ("a/run.py", "", 1, "a/__init__.py"),
        ("a/run.py", "metrics", 2, "metrics.py"),
        ("src/core/cv/split.py", "folds", 2, "src/core/folds.py"),
        ("src/core/cv/split.py", "core.cv", 0, "src/core/cv/__init__.py"),
        ("train.py", "lib", 0, "lib/__init__.py"),
        ("metrics.py", "metrics", 0, None),
        ("a/metrics.py", "metrics", 0, "metrics.py"),
        ("train.py", "numpy", 0, None),
        ("train.py", "site-packages.numpy", 0, None),
        ("train.py", "cased", 0, None),
        ("train.py", "Cased", 0, "Cased.py"),
        ("a/run.py", "outside", 0, None),
        ("a/run.py", "outside", 3, None),
        ("a/run.py", "", 3, None),
        ("a/run.py", "b", 40, None),
        ("train.py", "", 0, None),
        ("train.py", "..outside", 0, None),
        ("train.py", "a..b", 0, None),
        ("train.py", "/etc", 0, None),
    ],
)
def test_find(root: Path, importer: str, module: str, level: int, expected: str | None) -> None:
    for imports in (ImportResolver(), ImportResolver(root)):
        found = imports.find(root / importer, module, level)
        assert found == (root / expected if expected else None)
        assert imports.find(root / importer, module, level) == found


def test_a_module_does_not_hide_itself_from_its_neighbours(root: Path) -> None:
    imports = ImportResolver()
    assert imports.find(root / "metrics.py", "metrics", 0) is None
    assert imports.find(root / "train.py", "metrics", 0) == root / "metrics.py"


def test_case_counts_where_the_disk_ignores_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.isfile", lambda path: path.lower().endswith("cased.py"))
    assert ImportResolver().find(root / "train.py", "cased", 0) is None


def test_without_a_project_only_four_folders_up_are_searched(tmp_path: Path) -> None:
    folders = [tmp_path]
    for name in "abcdefg":
        folders.append(folders[-1] / name)
        folders[-1].mkdir()
    folder = folders[-1]
    (folders[-5] / "near.py").touch()
    (folders[-6] / "far.py").touch()
    imports = ImportResolver()
    assert imports.find(folder / "x.py", "near", 0) == folders[-5] / "near.py"
    assert imports.find(folder / "x.py", "far", 0) is None


def test_an_importer_outside_of_the_root_sees_its_own_folder_only(root: Path) -> None:
    imports = ImportResolver(root)
    assert imports.find(root.parent / "x.py", "outside", 0) == root.parent / "outside.py"
    assert imports.find(root.parent / "x.py", "project.metrics", 0) == root / "metrics.py"
    assert imports.find(root.parent / "x.py", "outside", 2) is None


def test_a_package_with_a_setup_file_beside_its_modules_is_imported_from_the_folder_above(tmp_path: Path) -> None:
    for name in ("desk/setup.py", "desk/__init__.py", "desk/models/__init__.py", "desk/models/base.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".git").mkdir()
    found = ImportResolver().find(tmp_path / "desk" / "models" / "own.py", "desk.models.base", 0)
    assert found == tmp_path / "desk" / "models" / "base.py"
