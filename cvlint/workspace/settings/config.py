"""The settings of a project: what ``[tool.cvlint]`` of a pyproject.toml, or a cvlint.toml, says in Python types."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cvlint.findings.finding import Confidence, Severity
from cvlint.records import dataclass, field, replace
from cvlint.usage_error import UsageError

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
"""All valid keys; ``config_schema.json`` lists the same ones for editors."""
ADDING_KEYS = frozenset({"extend-knowledge", "extend-rules", "extend-select", "per-file-ignores", "severity"})
"""Keys that add to the same key of an extended file; every other key replaces it."""


class ConfigError(UsageError):
    """A config file that cannot be used."""


@dataclass(frozen=True, slots=True)
class FileIgnores:
    """Rules that are ignored in the files that a glob matches; the glob starts from the folder of ``path``."""

    path: Path
    glob: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a config file and of the files that it extends; ``None`` and ``()`` where they say nothing.

    Words that name rules, and globs, are kept as they are written: this module does not know the rules.

    ``files`` are the config files that were read, the nearest first; ``sources`` holds for each key the files that set
    it, the nearest last.
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
        """The beginning of a sentence about a key: its name and the files that set it."""
        return f"The key '{key}' in {' or '.join(map(str, self.sources.get(key, ())))}"


def extended(base: Config, own: Config) -> Config:
    """Join the settings of a file with those of the file that it extends, as `ADDING_KEYS` says."""
    settings: dict[str, Any] = {}
    sources = {**base.sources, **own.sources}
    for key in base.sources:
        name = key.replace("-", "_")
        base_value, own_value = getattr(base, name), getattr(own, name)
        if key in ADDING_KEYS:
            is_table = isinstance(base_value, Mapping)
            settings[name] = {**base_value, **own_value} if is_table else (*base_value, *own_value)
            sources[key] = (*base.sources[key], *own.sources.get(key, ()))
        elif key not in own.sources:
            settings[name] = base_value
    return replace(own, **settings, files=(*own.files, *base.files), sources=sources)
