"""One config file: TOML in, a `Config` with checked types out, or a `ConfigError` that names the file and the key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

from cvlint import __version__
from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file
from cvlint.filesystem.toml_tables import parse_toml
from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Severity
from cvlint.workspace.settings.config import KEYS, Config, ConfigError, FileIgnores
from cvlint.workspace.settings.required_version import is_met, is_requirement

Word = TypeVar("Word", bound=str)


def read_config_file(path: Path) -> Config | None:
    """Read one file, without the files that it extends.

    Returns
    -------
    Config or None
        None for a ``pyproject.toml`` without the section ``[tool.cvlint]``.

    Raises
    ------
    ConfigError
        If the file cannot be read, or has unknown keys or wrong types.
    """
    if path.name != "pyproject.toml":
        return parse_settings(read_toml(path), path, "")
    settings = _section(path)
    return None if settings is None else parse_settings(settings, path, "[tool.cvlint] of ")


def _section(path: Path) -> object | None:
    """The section ``[tool.cvlint]``; a file that never mentions cvlint is not parsed, so it may be broken."""
    if b"cvlint" not in _read(path):
        return None
    tool = read_toml(path).get("tool")
    return tool.get("cvlint") if isinstance(tool, dict) else None


def _read(path: Path) -> bytes:
    if not os.path.exists(path):
        raise ConfigError(f"The config file {path} is a link, and its target does not exist")
    try:
        return read_regular_file(path, MOST_SETTINGS)
    except OSError as error:
        raise ConfigError(f"The config file {path} cannot be read: {error.strerror}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file of settings, whosever they are.

    Raises
    ------
    ConfigError
        If the file cannot be read, or is not TOML.
    """
    try:
        return parse_toml(_read(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"The config file {path} is not UTF-8 text") from error
    except (ValueError, RecursionError) as error:  # ValueError: also for numbers with thousands of digits
        reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise ConfigError(f"The config file {path} is not valid TOML: {reason.rstrip('.')}") from error


def parse_settings(settings: object, path: Path, section: str) -> Config:
    """Check the settings of one config file.

    Parameters
    ----------
    settings : object
        The section, as TOML reads it.
    path : Path
        The file that holds it.
    section : str
        The name of the section, which error messages put before the path.

    Returns
    -------
    Config
        The settings, with their types checked.

    Raises
    ------
    ConfigError
        For the first unknown key or wrong type, and if the file requires another version of cvlint.
    """
    where = f"{section}{path}"
    if not isinstance(settings, dict):
        raise ConfigError(f"{where} is not a table of settings", f"valid keys are {', '.join(KEYS)}")
    required_version = _required_version(settings, where)  # first, because other versions have other keys
    for key in settings:
        if key not in KEYS:
            raise ConfigError(f"{where} has an unknown key '{key}'", f"valid keys are {', '.join(KEYS)}", key, KEYS)
    baseline, extend = _string(settings, "baseline", where), _string(settings, "extend", where)
    return Config(
        path=path,
        files=(path,),
        # Not `resolve`: globs start from the folder of the name, and a link may lie in another folder than its target.
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
        require_reason=_boolean(settings, "require-reason", where),
        required_version=required_version,
        sources=dict.fromkeys(settings, (path,)),
    )


def _required_version(settings: dict[str, Any], where: str) -> str | None:
    """The versions of cvlint that a file requires; the running version must be one of them."""
    requirement, where = _string(settings, "required-version", where), f"The key 'required-version' in {where}"
    if requirement is None:
        return None
    if not is_requirement(requirement):
        raise ConfigError(f"{where} cannot be '{requirement}'", "valid are releases such as '>=0.1' and '>=0.1, <0.3'")
    if not is_met(requirement, __version__):
        raise ConfigError(f"{where} requires cvlint '{requirement}', and {__version__} is installed")
    return requirement


def _files(settings: dict[str, Any], key: str, path: Path, where: str) -> tuple[Path, ...]:
    """The TOML files that the patterns of a key match; a folder stands for the files in it.

    Patterns start from the folder of the config file.
    """
    found: dict[Path, None] = {}
    for pattern in _strings(settings, key, where):
        try:
            named = sorted(path.parent.glob(pattern)) if pattern else []
        except (NotImplementedError, ValueError):  # an absolute path, or an invalid pattern
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


def _boolean(settings: dict[str, Any], key: str, where: str) -> bool:
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
