from __future__ import annotations

import sys
from importlib import import_module, util
from pathlib import Path

import pytest

from cvlint.filesystem.toml_tables import parse_toml
from cvlint.server import jupyterlab

ROOT = Path(__file__).parents[2]


def test_jupyter_lsp_finds_how_to_start_the_server() -> None:
    project = parse_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (entry,) = project["entry-points"]["jupyter_lsp_spec_v1"].values()
    module, name = entry.split(":")
    spec = getattr(import_module(module), name)(None)["cvlint"]
    assert spec["argv"] == [sys.executable, "-m", "cvlint", "server"]
    assert spec["languages"] == ["python"] and spec["version"] == 2
    assert spec["requires_documents_on_disk"] is False


def test_nothing_is_offered_without_the_packages_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jupyterlab, "find_spec", lambda name: None)
    assert jupyterlab.server_spec(None) == {}


def test_the_spec_is_valid_for_jupyter_lsp() -> None:
    if util.find_spec("jupyter_lsp") is None:
        pytest.skip("jupyterlab-lsp is not installed")
    from jupyter_lsp.schema import LANGUAGE_SERVER_SPEC_MAP

    assert not list(LANGUAGE_SERVER_SPEC_MAP.iter_errors(jupyterlab.server_spec(None)))
