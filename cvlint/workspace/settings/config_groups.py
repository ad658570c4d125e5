"""Which config each file reads: files and folders are grouped by their config."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.source.discovery import Anchored, PathPatterns, compiled_patterns, discover, is_excluded
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.settings.config import Config
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.settings.patterns import config_exclusions


class ConfigGroup(NamedTuple):
    """Files and folders that read one config, and the patterns that exclude files below the folders."""

    config: Config
    paths: tuple[Path, ...]
    exclude: tuple[str | Anchored, ...]
    walked: tuple[Path | UnreadFile, ...] | None = None
    """What `discover` finds there, if it is known already."""


class ConfigLookup:
    """Finds the config that a file reads, and the files that configs and the command line exclude.

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
        self._walked: dict[Path, tuple[Path | UnreadFile, ...]] = {}
        self._exclusion_rules: dict[Path | None, tuple[PathPatterns, ...]] = {}

    def config(self, path: str | Path) -> Config:
        """The config that a file or a folder reads."""
        folder = os.path.realpath(path) if os.path.isdir(path) else os.path.dirname(path_in_real_folder(str(path)))
        return self._configs.nearest(Path(folder))

    def excludes(self, path: str) -> bool:
        """Whether a check of a folder above would exclude a file or folder, or a folder that contains it."""
        real = path_in_real_folder(path)
        real_path = os.path.join(real, "") if os.path.isdir(path) else real
        if is_excluded(real_path, compiled_patterns(self._exclude, os.path.realpath(os.curdir))):
            return True
        parents = [os.path.dirname(real), *map(str, Path(os.path.dirname(real)).parents)]
        levels = [real_path, *(os.path.join(parent, "") for parent in parents)]
        return any(is_excluded(one, self._rules_in(parent)) for one, parent in zip(levels, parents, strict=False))

    def groups(self, paths: Sequence[Path], stdin: str | None) -> list[ConfigGroup]:
        """Group files and folders by the config that they read.

        Parameters
        ----------
        paths : sequence of Path
            Files and folders; a folder may contain others with their own config.
        stdin : str or None
            The name of standard input, if it is checked.

        Returns
        -------
        list of ConfigGroup
            At least one group; without paths and standard input, an empty one with the working directory's config.
        """
        self._walked.clear()
        paths_by_config: dict[Path | None, dict[Path, None]] = {}
        configs: dict[Path | None, Config] = {}
        for path in (path for given in paths for path in (given, *self._folders_with_own_config(given))):
            config = self.config(path)
            configs[config.path] = config
            paths_by_config.setdefault(config.path, {})[path] = None
        if stdin is not None or not configs:
            config = self.config(stdin or os.curdir)
            configs[config.path] = config
        config_of = {os.path.realpath(path): file for file, grouped in paths_by_config.items() for path in grouped}
        # What was walked is all that there is to check if no folder below has a config of its own.
        walked = self._walked.get(paths[0]) if len(paths) == len(configs) == 1 else None
        return [
            ConfigGroup(
                config,
                tuple(paths_by_config.get(file, ())),
                (*config_exclusions(config), *self._exclude, *_folders_of_other_groups(file, config_of)),
                walked,
            )
            for file, config in configs.items()
        ]

    def _folders_with_own_config(self, path: Path) -> Iterator[Path]:
        """The folders below one, as they are spelled, whose files read another config than their parent folder."""
        if self._configs.is_fixed or not path.is_dir():
            return
        real = Path(os.path.realpath(path))  # once: no folder below is entered through a link
        config_of = {path: self.config(path).path}
        below: dict[Path, None] = {}
        walked = self._walked[path] = tuple(discover((path,), (*config_exclusions(self.config(path)), *self._exclude)))
        folders = {os.path.dirname(file): file.parent for file in walked if isinstance(file, Path)}
        for folder in folders.values():
            while folder not in config_of:
                config_of[folder] = self._configs.nearest(real / folder.relative_to(path)).path
                below[folder] = None
                folder = folder.parent
        yield from (folder for folder in below if config_of[folder] != config_of[folder.parent])

    def _rules_in(self, folder: str) -> tuple[PathPatterns, ...]:
        """The compiled exclusions of the config that a folder reads."""
        config = self._configs.nearest(Path(folder))
        if config.path not in self._exclusion_rules:
            self._exclusion_rules[config.path] = compiled_patterns(config_exclusions(config), folder)
        return self._exclusion_rules[config.path]


def _folders_of_other_groups(config_file: Path | None, config_of: Mapping[str, Path | None]) -> Iterator[Anchored]:
    """Patterns that exclude the folders of other groups from the folders of one group that contain them."""
    own = [os.path.join(path, "") for path, file in config_of.items() if file == config_file]
    for path, file in config_of.items():
        if file != config_file and any(path.startswith(folder) for folder in own):
            parent, name = os.path.split(path)
            yield Anchored(parent, "/" + re.sub(r"([\\*?\[\]! #])", r"\\\1", name))
