"""An error about a config that another extends quotes nothing out of files that lie outside of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.workspace.settings.config import ConfigError
from cvlint.workspace.settings.nearest_config import find_config

SECRETS = ("password = 'hunter2'\n", "[hunter2]\n", "hunter2\n", "select = 'hunter2'\nconfidence = 'hunter2'\n")


@pytest.mark.parametrize("text", SECRETS)
@pytest.mark.parametrize("spelled", ["../secret.toml", "link.toml"])
def test_nothing_outside_of_the_project_is_quoted(spelled: str, text: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / ".git").mkdir()
    (tmp_path / "secret.toml").write_text(text)
    (project / "link.toml").symlink_to(tmp_path / "secret.toml")
    (project / "cvlint.toml").write_text(f"extend = '{spelled}'\n")
    with pytest.raises(ConfigError, match="lies outside of the project") as caught:
        find_config(project)
    assert "hunter2" not in str(caught.value)
    assert "password" not in str(caught.value)


def test_inside_of_the_project_the_key_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "base.toml").write_text("password = 'hunter2'\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "cvlint.toml").write_text("extend = '../base.toml'\n")
    with pytest.raises(ConfigError, match="password"):
        find_config(inner)
