"""What a project settles for itself: ``[tool.cvlint]`` of pyproject.toml, or cvlint.toml."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cvlint.findings import CONFIDENCES, Confidence

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KEYS = ("confidence", "exclude", "extend-knowledge", "extend-rules", "ignore", "select")


class ConfigError(Exception):
    """A config file that cannot be used.

    Attributes
    ----------
    problem : str
        What is wrong, without a full stop.
    valid : str
        What would be right, or nothing.
    given : str
        The word that was not understood, for finding the nearest valid one.
    choices : tuple of str
        The words that would have been understood.
    """

    def __init__(self, problem: str, valid: str = "", given: str = "", choices: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.valid = valid
        self.given = given
        self.choices = choices


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one config file; ``None`` where the file says nothing.

    ``select`` and ``ignore`` are as written: only who knows the rules can tell whether they name any.
    """

    path: Path | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    confidence: Confidence | None = None
    extend_knowledge: tuple[Path, ...] = ()
    extend_rules: tuple[Path, ...] = ()


def find_config(folder: Path) -> Config:
    """Read the config file nearest to a folder.

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
        If the file cannot be read, or has unknown keys or wrong types.
    """
    for place in (folder, *folder.parents):
        own = place / "cvlint.toml"
        if own.is_file():
            return parse_settings(_load(own), own, "")
        shared = place / "pyproject.toml"
        if shared.is_file() and (settings := _section(shared)) is not None:
            return parse_settings(settings, shared, "[tool.cvlint] of ")
    return Config()


def _section(path: Path) -> object | None:
    """Return ``[tool.cvlint]``; a file that does not even mention us is not parsed, and may be broken."""
    if b"cvlint" not in _read(path):
        return None
    tool = _load(path).get("tool")
    return tool.get("cvlint") if isinstance(tool, dict) else None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"The config file {path} cannot be read: {error.strerror}") from error


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"The config file {path} is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is nested too deeply"
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
        For the first unknown key or wrong type.
    """
    where = f"{section}{path}"
    if not isinstance(settings, dict):
        raise ConfigError(f"{where} is not a table of settings", f"valid keys are {', '.join(KEYS)}")
    for key in settings:
        if key not in KEYS:
            raise ConfigError(f"{where} has an unknown key '{key}'", f"valid keys are {', '.join(KEYS)}", key, KEYS)
    return Config(
        path=path,
        select=_strings(settings, "select", where) if "select" in settings else None,
        ignore=_strings(settings, "ignore", where),
        exclude=_strings(settings, "exclude", where),
        confidence=_confidence(settings, where),
        extend_knowledge=_files(settings, "extend-knowledge", path, where),
        extend_rules=_files(settings, "extend-rules", path, where),
    )


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


def _confidence(settings: dict[str, Any], where: str) -> Confidence | None:
    value = settings.get("confidence")
    if value is None:
        return None
    for confidence in CONFIDENCES:
        if value == confidence:
            return confidence
    valid = f"valid values are {', '.join(CONFIDENCES)}"
    raise ConfigError(f"The key 'confidence' in {where} cannot be {value!r}", valid, str(value), CONFIDENCES)
