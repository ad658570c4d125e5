"""Which config a folder reads: that of the nearest config file in it or above it."""

from __future__ import annotations

import os
from functools import reduce
from pathlib import Path

from cvlint.workspace.settings.config import Config, ConfigError, extended
from cvlint.workspace.settings.config_file import read_config_file

CONFIG_FILES = ("cvlint.toml", "pyproject.toml")
"""Where a folder holds both, the first counts."""


class Configs:
    """The configs of folders, each file read once.

    Parameters
    ----------
    only : Config, optional
        A config for all folders, whatever config files they hold.
    top : Path, optional
        The folder above which no config file is looked for.
    """

    def __init__(self, only: Config | None = None, top: Path | None = None) -> None:
        self._only = only
        self._top = top
        self._by_folder: dict[Path, Config] = {}

    @property
    def is_fixed(self) -> bool:
        """Whether all folders read one config."""
        return self._only is not None

    def nearest(self, folder: Path) -> Config:
        """Find the config of a folder, as `find_config` does."""
        if self._only is not None:
            return self._only
        visited: list[Path] = []
        found: Config | None = None
        place = folder
        while found is None:
            found = self._by_folder[place] if place in self._by_folder else _config_in(place)
            visited.append(place)
            if place in (place.parent, self._top):
                break
            place = place.parent
        config = found or Config()
        self._by_folder.update(dict.fromkeys(visited, config))
        return config


def find_config(folder: Path) -> Config:
    """Read the config file nearest to a folder, and those that it extends.

    Parameters
    ----------
    folder : Path
        Where the search starts; it goes on in the folders above.

    Returns
    -------
    Config
        An empty one if there is no config file up to the root.

    Raises
    ------
    ConfigError
        If a file cannot be read, has unknown keys or wrong types, or extends itself.
    """
    return Configs().nearest(folder)


def named_config(path: Path) -> Config:
    """Read one config file, and those that it extends.

    Parameters
    ----------
    path : Path
        A TOML file; a ``pyproject.toml`` holds the settings in its section ``[tool.cvlint]``.

    Raises
    ------
    ConfigError
        As `find_config` does, and if a ``pyproject.toml`` lacks that section.
    """
    own = read_config_file(path)
    if own is None:
        raise ConfigError(f"The config file {path} has no section [tool.cvlint]")
    return _with_extended_files(own)


def _config_in(folder: Path) -> Config | None:
    """The config of a folder that holds a config file."""
    for name in CONFIG_FILES:
        path = folder / name
        if os.path.lexists(path) and (own := read_config_file(path)) is not None:
            return _with_extended_files(own)
    return None


def _extended_file(path: Path, where: str, first: Path) -> Config | None:
    """Read a file that ``extend`` names; an error quotes nothing out of a file outside of the first one's project.

    Whoever wrote a config chooses the file, and who reads the error may be somebody else.
    """
    try:
        return read_config_file(path)
    except ConfigError:
        folder = Path(os.path.realpath(first.parent))
        root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)
        if Path(os.path.realpath(path)).is_relative_to(root):
            raise
        reason = "it lies outside of the project, so nothing in it is shown here; check it by itself"
        raise ConfigError(f"{where} names {path}, which cannot be used", reason) from None


def _with_extended_files(config: Config) -> Config:
    """Join the settings of a file with those of the file that it extends, of the one that this extends, and so on."""
    chain = [config]
    while (path := chain[-1].extend) is not None:
        where = chain[-1].where("extend")
        if not path.is_file():
            raise ConfigError(f"{where} names {path}, and there is no such file")
        if any(one.path and path.samefile(one.path) for one in chain):
            raise ConfigError(f"{where} names {path}, so that this file extends itself in the end")
        base = _extended_file(path, where, chain[0].path or path)
        if base is None:
            raise ConfigError(f"{where} names {path}, which has no section [tool.cvlint]")
        chain.append(base)
    return reduce(extended, reversed(chain))
