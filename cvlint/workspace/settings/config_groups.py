"""Which config each file reads: files and folders in groups that read the same config."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cvlint.filesystem.real_place import real_place
from cvlint.source.discovery import Anchored, PathPatterns, compiled_patterns, discover, is_excluded
from cvlint.workspace.settings.config import Config, Configs
from cvlint.workspace.settings.patterns import exclusions


class ConfigGroup(NamedTuple):
    """Files and folders that read one config, and the patterns of what is excluded in the folders."""

    config: Config
    paths: tuple[Path, ...]
    exclude: tuple[str | Anchored, ...]


class ConfigLookup:
    """Finds the config that a file reads, and tells what configs and the command line exclude.

    Parameters
    ----------
    configs : Configs
        The config files.
    exclude : sequence of str
        The patterns of the command line.
    """

    def __init__(self, configs: Configs, exclude: Sequence[str] = ()) -> None:
        self._configs = configs
        self._exclude = tuple(exclude)
        self._rules: dict[Path | None, tuple[PathPatterns, ...]] = {}

    def config(self, path: str | Path) -> Config:
        """The config that a file or a folder reads."""
        folder = os.path.realpath(path) if os.path.isdir(path) else os.path.dirname(real_place(str(path)))
        return self._configs.nearest(Path(folder))

    def leaves_out(self, path: str) -> bool:
        """Tell whether a check of a folder above excludes a file or folder, or a folder that it is in."""
        real = real_place(path)
        place = os.path.join(real, "") if os.path.isdir(path) else real
        if is_excluded(place, compiled_patterns(self._exclude, os.path.realpath(os.curdir))):
            return True
        parents = [os.path.dirname(real), *map(str, Path(os.path.dirname(real)).parents)]
        inside = [place, *(os.path.join(parent, "") for parent in parents)]
        return any(is_excluded(one, self._rules_in(parent)) for one, parent in zip(inside, parents, strict=False))

    def groups(self, paths: Sequence[Path], stdin: str | None) -> list[ConfigGroup]:
        """Put together the files and folders that read the same config.

        Parameters
        ----------
        paths : sequence of Path
            Files, and folders, which may hold others with a config of their own.
        stdin : str or None
            The name of standard input, if that is checked.

        Returns
        -------
        list of ConfigGroup
            At least one; without paths and standard input an empty one with the config of the working directory.
        """
        places: dict[Path | None, dict[Path, None]] = {}
        configs: dict[Path | None, Config] = {}
        for place in (place for path in paths for place in (path, *self._nested(path))):
            config = self.config(place)
            configs[config.path] = config
            places.setdefault(config.path, {})[place] = None
        if stdin is not None or not configs:
            config = self.config(stdin or os.curdir)
            configs[config.path] = config
        folders = {os.path.realpath(place): key for key, inside in places.items() for place in inside}
        return [
            ConfigGroup(
                config, tuple(places.get(key, ())), (*exclusions(config), *self._exclude, *_others(key, folders))
            )
            for key, config in configs.items()
        ]

    def _nested(self, path: Path) -> Iterator[Path]:
        """The folders below one, as they are spelled, whose files read another config than those around them."""
        if self._configs.is_fixed or not path.is_dir():
            return
        keys = {path: self.config(path).path}
        found: dict[Path, None] = {}
        for file in discover((path,), (*exclusions(self.config(path)), *self._exclude)):
            folder = file.parent if isinstance(file, Path) else path
            while folder not in keys:
                keys[folder] = self.config(folder).path
                found[folder] = None
                folder = folder.parent
        yield from (folder for folder in found if keys[folder] != keys[folder.parent])

    def _rules_in(self, folder: str) -> tuple[PathPatterns, ...]:
        config = self._configs.nearest(Path(folder))
        if config.path not in self._rules:
            self._rules[config.path] = compiled_patterns(exclusions(config), folder)
        return self._rules[config.path]


def _others(key: Path | None, folders: Mapping[str, Path | None]) -> Iterator[Anchored]:
    """The folders that another group checks, as exclusions of the folders around them."""
    own = [os.path.join(folder, "") for folder, config in folders.items() if config == key]
    for folder, config in folders.items():
        if config != key and any(folder.startswith(around) for around in own):
            above, name = os.path.split(folder)
            yield Anchored(above, "/" + re.sub(r"([\\*?\[\]! #])", r"\\\1", name))
