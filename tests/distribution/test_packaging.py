"""What is shipped works: from a wheel, from an sdist, and as an editable install."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import FAULTY, ROOT, Once, environment_without


def run(*command: object, folder: Path, status: int = 0) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, cwd=folder, env=environment_without(), capture_output=True, text=True, check=False)
    assert result.returncode == status, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def built(once: Once) -> dict[str, Path]:
    """Build the sdist, and the wheel from the sdist, as `python -m build` does; no network is needed."""

    def fill(folder: Path) -> None:
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, folder=folder)

    folder = once("built", fill)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


def files_below(folder: Path, pattern: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(pattern)}


def test_wheel_holds_the_package_and_the_rules(built: dict[str, Path]) -> None:
    names = set(zipfile.ZipFile(built["wheel"]).namelist())
    assert {f"cvlint/{name}" for name in files_below(ROOT / "cvlint", "*.py")} <= names
    assert {f"cvlint/_rules/{name}" for name in files_below(ROOT / "rules", "*.toml")} <= names
    for folder in ("report/templates", "samples"):
        assert {f"cvlint/{folder}/{path.name}" for path in (ROOT / "cvlint" / folder).iterdir()} <= names
    assert "cvlint/py.typed" in names
    assert not [name for name in names if not name.startswith(("cvlint/", "cvlint-"))]


def test_sdist_holds_what_a_developer_needs(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    generated = tuple(re.findall(r"^docs/.*", (ROOT / ".gitignore").read_text(), re.MULTILINE))
    for pattern in ("*.md", "*.py", "*.svg", "*.png", "*.css"):
        pages = {f"docs/{name}" for name in files_below(ROOT / "docs", pattern)}
        assert {page for page in pages if not page.startswith(generated)} <= names
    for folder in ("rules", "tests", "fixtures/experiments", "cvlint"):
        assert {f"{folder}/{name}" for name in files_below(ROOT / folder, "*.py")} <= names
    assert {f"rules/{name}" for name in files_below(ROOT / "rules", "*.toml")} <= names
    assert {
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "pyproject.toml",
        ".pre-commit-hooks.yaml",
        ".ci/run",
    } <= names


def test_the_index_shows_links_that_lead_somewhere(built: dict[str, Path]) -> None:
    """README is shown there without the files that it links to; the address of the site is that of the metadata."""
    with zipfile.ZipFile(built["wheel"]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = wheel.read(name).decode()
    (site,) = re.findall(r"^Project-URL: Documentation, (\S+)$", metadata, re.MULTILINE)
    links = re.findall(r"\]\(([^)]*)\)", metadata)
    assert len(links) > 10
    assert [link for link in links if not link.startswith(site)] == []
    for link in links:
        page, _, heading = link.removeprefix(site).partition("#")
        source = ROOT / "docs" / page.replace(".html", ".md")
        assert source.exists(), link
        assert not heading or f"\n## {heading.replace('-', ' ').capitalize()}\n" in source.read_text(), link


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_install(kind: str, built: dict[str, Path], tmp_path: Path) -> None:
    """Install into a fresh environment, which borrows only pip and the dependencies from the one that runs tests."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=importlib.util.find_spec("pip") is None, symlinks=os.name != "nt")
    binaries = home / ("Scripts" if os.name == "nt" else "bin")
    site = Path(
        run(binaries / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=home).strip()
    )
    # An added folder comes after the environment's own, and .pth files in it (other editable installs) are not read.
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    install = (
        binaries / "python",
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--ignore-installed",
    )
    source = ["-e", ROOT] if kind == "editable" else [built[kind]]
    run(*install, *source, folder=tmp_path)

    where = run(binaries / "python", "-c", "import cvlint; print(cvlint.__file__)", folder=tmp_path)
    assert Path(where.strip()).parent == (ROOT if kind == "editable" else site) / "cvlint"
    rules = run(binaries / "cvlint", "rules", folder=tmp_path)
    assert rules.count("\n") == len(list((ROOT / "rules").rglob("CVL*.toml"))) > 0
    (tmp_path / "train.py").write_text(FAULTY)
    report = json.loads(run(binaries / "cvlint", "check", "train.py", "--format", "json", folder=tmp_path, status=1))
    assert [finding["rule"] for finding in report["findings"]] == ["mean-of-fold-f"]


def test_readme_rules_table_is_the_rules() -> None:
    from cvlint.rules.catalogue import load_rules

    rows = re.findall(r"^\| (CVL\d+) \| `([a-z0-9-]+)` \| (\w+) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert rows == [(rule.code, rule.name, rule.severity) for rule in load_rules()]


def test_changelog_names_every_rule() -> None:
    from cvlint.rules.catalogue import load_rules

    text = (ROOT / "CHANGELOG.md").read_text()
    assert [rule.name for rule in load_rules() if f"`{rule.name}` ({rule.code})" not in text] == []


def test_the_hook_runs_a_command_that_exists() -> None:
    from cvlint.cli.program import COMMANDS

    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    match = re.search(r"^  entry: cvlint (\w+)(?: |$)", text, re.MULTILINE)
    assert match
    assert match[1] in COMMANDS
