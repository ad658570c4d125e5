"""The config that each folder reads is found without going through the same folders again and again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs


def test_links_are_resolved_once_and_not_in_each_folder_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a folder is as long as it is deep: folders 800 deep would be looked at 320,000 times."""
    deep = tmp_path / ("d/" * 100)
    deep.mkdir(parents=True)
    (deep / "train.py").write_text("import f1_score\n")
    (deep / "cvlint.toml").write_text('confidence = "low"\n')
    looked, lstat = 0, os.lstat

    def counted(path: Any, **more: Any) -> os.stat_result:
        nonlocal looked
        looked += 1
        return lstat(path, **more)

    monkeypatch.setattr(os, "lstat", counted)
    groups = ConfigLookup(Configs()).groups([tmp_path], None)
    assert [group.paths for group in groups] == [(tmp_path,), (deep,)]
    assert looked < 1_000
