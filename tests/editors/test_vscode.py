"""The extension for VS Code fits the server that it starts; npm checks and builds it, which CI does not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cvlint import __version__
from cvlint.workspace.settings.required_version import is_met

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="an sdist holds no extension")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return found


def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((FOLDER / "src").glob("*.ts")))


def test_every_setting_is_read_and_every_one_read_is_there() -> None:
    settings = {name.removeprefix("cvlint.") for name in manifest()["contributes"]["configuration"]["properties"]}
    read = set(re.findall(r'\.get<\w+>\("([\w.]+)"', source()))
    assert settings == read | {"trace.server"}  # the client itself reads the last one


def test_every_command_is_registered() -> None:
    commands = {entry["command"] for entry in manifest()["contributes"]["commands"]}
    assert commands == set(re.findall(r'registerCommand\("([\w.]+)"', source()))


def test_the_extension_can_start_this_server() -> None:
    (arguments,) = re.findall(r"args: (\[.*?\])", source())
    shown = subprocess.run([sys.executable, *json.loads(arguments), "--help"], capture_output=True, text=True)
    assert shown.returncode == 0 and "language server" in shown.stdout.lower()
    (oldest,) = re.findall(r'OLDEST = "(.+)"', source())
    assert is_met(f">={oldest}", __version__)


def test_it_starts_for_what_the_server_checks() -> None:
    from cvlint.server.server import NOTEBOOKS

    (selector,) = NOTEBOOKS.notebook_selector
    kind = selector.notebook.notebook_type  # type: ignore[union-attr]
    assert set(manifest()["activationEvents"]) == {"onLanguage:python", f"onNotebook:{kind}"}


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == manifest()["devDependencies"]
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
