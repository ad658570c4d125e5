"""The options that choose the config file, as the lookup that finds the config of each file."""

from __future__ import annotations

from collections.abc import Sequence

from cvlint.cli.console.paths import existing_path, working_directory
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.config import Config
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs, named_config
from cvlint.workspace.settings.patterns import compile_pattern


def config_lookup(named: str | None, isolated: bool, exclude: Sequence[str] = ()) -> ConfigLookup:
    """The lookup that uses the named config file for all files, or for each file the nearest one, or none at all.

    Parameters
    ----------
    named : str or None
        The value of --config.
    isolated : bool
        Whether --isolated is given.
    exclude : sequence of str
        The values of --exclude.
    """
    patterns = [compile_pattern(pattern, "The option --exclude")[0] for pattern in exclude]
    return ConfigLookup(_configs(named, isolated), patterns)


def _configs(named: str | None, isolated: bool) -> Configs:
    if named is not None and isolated:
        raise UsageError(
            "The options --config and --isolated cannot go together, because the second reads no config file"
        )
    folder = working_directory()
    if isolated:
        return Configs(Config())
    return Configs(None if named is None else named_config(folder / existing_path(named, "valid is a TOML file")))
