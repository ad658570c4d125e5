"""What a project settles for itself: ``[tool.cvlint]`` of pyproject.toml, or cvlint.toml."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

from cvlint import __version__
from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Confidence, Severity
from cvlint.usage_error import Refusal
from cvlint.workspace.settings.required_version import DEMAND, is_met

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KEYS = (
    "baseline",
    "confidence",
    "exclude",
    "extend",
    "extend-knowledge",
    "extend-rules",
    "extend-select",
    "ignore",
    "min-severity",
    "per-file-ignores",
    "require-reason",
    "required-version",
    "select",
    "severity",
)
"""What ``config_schema.json`` tells editors, too."""
ADDING = frozenset({"extend-knowledge", "extend-rules", "extend-select", "per-file-ignores", "severity"})
"""Keys that add to those of an extended file; any other key takes the place of the same key there."""

CONFIG_FILES = ("cvlint.toml", "pyproject.toml")
"""Of two in a folder the first counts."""

Word = TypeVar("Word", bound=str)


class ConfigError(Refusal):
    """A config file that cannot be used."""


@dataclass(frozen=True, slots=True)
class FileIgnores:
    """Rules that are left out in the files that a glob names, which is relative to the folder of ``path``."""

    path: Path
    glob: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a config file and of those that it extends; ``None`` where they say nothing.

    Words that name rules are as written: only who knows the rules can tell whether they name any. So are globs.
    ``files`` are those that were read, the nearest first; ``sources`` holds those that each key comes from which is
    set, the nearest last.
    """

    path: Path | None = None
    files: tuple[Path, ...] = ()
    extend: Path | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[FileIgnores, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    confidence: Confidence | None = None
    min_severity: Severity | None = None
    baseline: Path | None = None
    extend_knowledge: tuple[Path, ...] = ()
    extend_rules: tuple[Path, ...] = ()
    require_reason: bool = False
    required_version: str | None = None
    sources: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    def where(self, key: str) -> str:
        """Write which key of which files is meant, for sentences about it."""
        return f"The key '{key}' in {' or '.join(map(str, self.sources.get(key, ())))}"


class Configs:
    """The configs of folders, each file read once.

    Parameters
    ----------
    only : Config, optional
        What holds everywhere, whatever config files there are.
    """

    def __init__(self, only: Config | None = None) -> None:
        self._only = only
        self._known: dict[Path, Config] = {}

    @property
    def is_fixed(self) -> bool:
        """Whether one config holds everywhere."""
        return self._only is not None

    def nearest(self, folder: Path) -> Config:
        """Find the config of a folder, as `find_config` does."""
        if self._only is not None:
            return self._only
        passed: list[Path] = []
        found: Config | None = None
        for place in (folder, *folder.parents):
            found = self._known[place] if place in self._known else _config_in(place)
            passed.append(place)
            if found is not None:
                break
        config = found or Config()
        self._known.update(dict.fromkeys(passed, config))
        return config


def find_config(folder: Path) -> Config:
    """Read the config file nearest to a folder, and those that it extends.

    Parameters
    ----------
    folder : Path
        Where to start; the folders above it follow.

    Returns
    -------
    Config
        An empty one if there is no config file up to the root.

    Raises
    ------
    ConfigError
        If a file cannot be read, or has unknown keys or wrong types, or extends itself.
    """
    return Configs().nearest(folder)


def named_config(path: Path) -> Config:
    """Read the config file of this name, and those that it extends.

    Parameters
    ----------
    path : Path
        A TOML file; one that is called ``pyproject.toml`` has the settings in its section ``[tool.cvlint]``.

    Raises
    ------
    ConfigError
        As `find_config` does, and if a ``pyproject.toml`` lacks that section.
    """
    own = _read_config(path)
    if own is None:
        raise ConfigError(f"The config file {path} has no section [tool.cvlint]")
    return reduce(extended, reversed(_chain(own)))


def _config_in(folder: Path) -> Config | None:
    """The config of a folder that holds one, with what it extends."""
    for name in CONFIG_FILES:
        path = folder / name
        if os.path.lexists(path) and (own := _read_config(path)) is not None:
            return reduce(extended, reversed(_chain(own)))
    return None


def extended(base: Config, own: Config) -> Config:
    """Put the settings of one file over those of the file that it extends."""
    settings: dict[str, Any] = {}
    sources = {**base.sources, **own.sources}
    for key in base.sources:
        name = key.replace("-", "_")
        theirs, ours = getattr(base, name), getattr(own, name)
        if key in ADDING:
            settings[name] = {**theirs, **ours} if isinstance(theirs, Mapping) else (*theirs, *ours)
            sources[key] = (*base.sources[key], *own.sources.get(key, ()))
        elif key not in own.sources:
            settings[name] = theirs
    return replace(own, **settings, files=(*own.files, *base.files), sources=sources)


def _chain(config: Config) -> list[Config]:
    """The settings of a file, of the one that it extends, and so on."""
    chain = [config]
    while (path := chain[-1].extend) is not None:
        where = chain[-1].where("extend")
        if not path.is_file():
            raise ConfigError(f"{where} names {path}, and there is no such file")
        if any(one.path and path.samefile(one.path) for one in chain):
            raise ConfigError(f"{where} names {path}, so that this file extends itself in the end")
        further = _read_config(path)
        if further is None:
            raise ConfigError(f"{where} names {path}, which has no section [tool.cvlint]")
        chain.append(further)
    return chain


def _read_config(path: Path) -> Config | None:
    """The settings of one file alone; None of a ``pyproject.toml`` that does not speak of us."""
    if path.name != "pyproject.toml":
        return parse_settings(_load(path), path, "")
    settings = _section(path)
    return None if settings is None else parse_settings(settings, path, "[tool.cvlint] of ")


def _section(path: Path) -> object | None:
    """Return ``[tool.cvlint]``; a file that does not even mention us is not parsed, and may be broken."""
    if b"cvlint" not in _read(path):
        return None
    tool = _load(path).get("tool")
    return tool.get("cvlint") if isinstance(tool, dict) else None


def _read(path: Path) -> bytes:
    if not os.path.exists(path):
        raise ConfigError(f"The config file {path} is a link, and what it names is not there")
    if not os.path.isfile(path):  # to read from a pipe would wait for ever
        raise ConfigError(f"The config file {path} cannot be read, because it is no file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"The config file {path} cannot be read: {error.strerror}") from error


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"The config file {path} is not UTF-8 text") from error
    except (ValueError, RecursionError) as error:  # ValueError: also of numbers with thousands of digits
        reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise ConfigError(f"The config file {path} is not valid TOML: {reason.rstrip('.')}") from error


def parse_settings(settings: object, path: Path, section: str) -> Config:
    """Check the settings of one config file.

    Parameters
    ----------
    settings : object
        What TOML made of the section.
    path : Path
        The file they stand in.
    section : str
        Words that name the section, put before the path in error messages.

    Returns
    -------
    Config
        The settings, with their types checked.

    Raises
    ------
    ConfigError
        For the first unknown key or wrong type, and if another version of cvlint is demanded.
    """
    where = f"{section}{path}"
    if not isinstance(settings, dict):
        raise ConfigError(f"{where} is not a table of settings", f"valid keys are {', '.join(KEYS)}")
    required_version = _required_version(settings, where)  # before all else: other versions know other keys
    for key in settings:
        if key not in KEYS:
            raise ConfigError(f"{where} has an unknown key '{key}'", f"valid keys are {', '.join(KEYS)}", key, KEYS)
    baseline, extend = _string(settings, "baseline", where), _string(settings, "extend", where)
    return Config(
        path=path,
        files=(path,),
        # Not `resolve`: a link may stand for its target elsewhere, and globs count from where the file is named.
        extend=None if extend is None else Path(os.path.normpath(path.parent / extend)),
        select=_strings(settings, "select", where) if "select" in settings else None,
        extend_select=_strings(settings, "extend-select", where),
        ignore=_strings(settings, "ignore", where),
        per_file_ignores=_file_ignores(settings, path, where),
        severity=_severities(settings, where),
        exclude=_strings(settings, "exclude", where),
        confidence=_one_of(settings, "confidence", CONFIDENCES, where),
        min_severity=_one_of(settings, "min-severity", SEVERITIES, where),
        baseline=None if baseline is None else Path(os.path.normpath(path.parent / baseline)),
        extend_knowledge=_files(settings, "extend-knowledge", path, where),
        extend_rules=_files(settings, "extend-rules", path, where),
        require_reason=_switch(settings, "require-reason", where),
        required_version=required_version,
        sources=dict.fromkeys(settings, (path,)),
    )


def _required_version(settings: dict[str, Any], where: str) -> str | None:
    """The versions of cvlint that a file demands, which this one must be among."""
    demand, where = _string(settings, "required-version", where), f"The key 'required-version' in {where}"
    if demand is None:
        return None
    if not DEMAND.fullmatch(demand):
        raise ConfigError(f"{where} cannot be '{demand}'", "valid are releases such as '>=0.1' and '>=0.1, <0.3'")
    if not is_met(demand, __version__):
        raise ConfigError(f"{where} demands cvlint '{demand}', and {__version__} is installed")
    return demand


def _files(settings: dict[str, Any], key: str, path: Path, where: str) -> tuple[Path, ...]:
    """The TOML files that patterns name, relative to the config file; of a folder those in it."""
    found: dict[Path, None] = {}
    for pattern in _strings(settings, key, where):
        try:
            named = sorted(path.parent.glob(pattern)) if pattern else []
        except (NotImplementedError, ValueError):  # an absolute path, or a pattern that is none
            named = [Path(pattern)]
        files = [file for one in named for file in (sorted(one.glob("*.toml")) if one.is_dir() else [one])]
        if not files or not all(file.is_file() for file in files):
            raise ConfigError(f"The key '{key}' in {where} names '{pattern}', and there is no TOML file of that name")
        found.update(dict.fromkeys(file.resolve() for file in files))
    return tuple(found)


def _strings(settings: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = settings.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"The key '{key}' in {where} must be a list of strings")
    return tuple(value)


def _string(settings: dict[str, Any], key: str, where: str) -> str | None:
    value = settings.get(key)
    if value is None or isinstance(value, str):
        return value
    raise ConfigError(f"The key '{key}' in {where} must be a string")


def _switch(settings: dict[str, Any], key: str, where: str) -> bool:
    value = settings.get(key, False)
    if isinstance(value, bool):
        return value
    raise ConfigError(f"The key '{key}' in {where} must be true or false")


def _one_of(settings: dict[str, Any], key: str, words: tuple[Word, ...], where: str) -> Word | None:
    value = _string(settings, key, where)
    if value is None:
        return None
    for word in words:
        if value == word:
            return word
    problem = f"The key '{key}' in {where} cannot be '{value}'"
    raise ConfigError(problem, f"valid values are {', '.join(words)}", value, words)


def _table(settings: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    value = settings.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"The key '{key}' in {where} must be a table")
    return value


def _file_ignores(settings: dict[str, Any], path: Path, where: str) -> tuple[FileIgnores, ...]:
    table, where = _table(settings, "per-file-ignores", where), f"'per-file-ignores' of {where}"
    return tuple(FileIgnores(path, glob, _strings(table, glob, where)) for glob in table)


def _severities(settings: dict[str, Any], where: str) -> dict[str, Severity]:
    table, where = _table(settings, "severity", where), f"'severity' of {where}"
    found = {word: _one_of(table, word, SEVERITIES, where) for word in table}
    return {word: severity for word, severity in found.items() if severity is not None}
