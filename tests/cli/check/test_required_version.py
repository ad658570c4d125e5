"""The key ``required-version``: with another version nothing is done, and it is said why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cvlint import __version__


def test_another_version_may_be_required(run: Any, engine: Any, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.cvlint]\nkey-of-the-future = 1\nrequired-version = ">=900, <901"\n')
    sentence = (
        f"cvlint: The key 'required-version' in [tool.cvlint] of {path} requires cvlint '>=900, <901', "
        f"and {__version__} is installed.\n"
    )
    (tmp_path / "train.py").write_text("x = 1\n")
    for arguments in (["check"], ["config"], ["run", "train.py"]):
        result = run(*arguments)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", sentence)
    assert engine.calls == []
    assert run("check", "--isolated").exit_code == 0
    path.write_text(f'[tool.cvlint]\nrequired-version = "=={__version__}"\n')
    assert run("check").exit_code == 0
    settings = json.loads(run("config", "--format", "json").stdout)["settings"]
    assert settings["required-version"] == {"value": f"=={__version__}", "files": [str(path)]}


def test_an_extended_file_has_its_own_requirement(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text('required-version = "<0.0.1"\n')
    (tmp_path / "cvlint.toml").write_text('extend = "lab.toml"\nrequired-version = ">=0"\n')
    result = run("check")
    assert (result.exit_code, engine.calls) == (2, [])
    assert f"in {tmp_path / 'lab.toml'} requires cvlint '<0.0.1', and " in result.stderr
