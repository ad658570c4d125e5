"""The parts of a check: each file heeds the config nearest to it, and those that heed one are checked together."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.source.discovery import Anchored, PathPatterns, compiled_patterns, discover, is_excluded
from cvlint.workspace.config import Config, Configs
from cvlint.workspace.rule_selection import Adjustments, adjusted, exclusions, real_place

if TYPE_CHECKING:
    from cvlint.workspace.baselines import Known
    from cvlint.workspace.check import Options

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Part:
    """Files and folders, or standard input, that heed one config, and what it says together with the command line."""

    config: Config
    paths: tuple[Path, ...]
    stdin: tuple[str, bytes] | None
    options: Options
    require_reason: bool
    changes: Adjustments
    known: Known | None = None


class Group(NamedTuple):
    """Files and folders that heed one config, and what is left out in the folders."""

    config: Config
    paths: tuple[Path, ...]
    exclude: tuple[str | Anchored, ...]


class Projects:
    """Tells which config a file heeds, and what configs and the command line leave out.

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
        """The config that a file or a folder heeds."""
        return self._configs.nearest(Path(os.path.realpath(path) if os.path.isdir(path) else _folder(str(path))))

    def leaves_out(self, path: str) -> bool:
        """Tell whether a check of a folder above would leave a file or folder out, or a folder that it is in."""
        real = real_place(path)
        place = os.path.join(real, "") if os.path.isdir(path) else real
        if is_excluded(place, compiled_patterns(self._exclude, os.path.realpath(os.curdir))):
            return True
        parents = [os.path.dirname(real), *map(str, Path(os.path.dirname(real)).parents)]
        inside = [place, *(os.path.join(parent, "") for parent in parents)]
        return any(is_excluded(one, self._rules_in(parent)) for one, parent in zip(inside, parents, strict=False))

    def groups(self, paths: Sequence[Path], stdin: str | None) -> list[Group]:
        """Put together what heeds the same config.

        Parameters
        ----------
        paths : sequence of Path
            Files, and folders, which may hold others with a config of their own.
        stdin : str or None
            The name of standard input, if that is to be checked.

        Returns
        -------
        list of Group
            At least one; without paths and standard input it is that of the working directory, which holds nothing.
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
            Group(config, tuple(places.get(key, ())), (*exclusions(config), *self._exclude, *_others(key, folders)))
            for key, config in configs.items()
        ]

    def _nested(self, path: Path) -> Iterator[Path]:
        """The folders below one, as they are spelled, whose files heed another config than those around it."""
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


def _folder(path: str) -> str:
    return os.path.dirname(real_place(path))


def _others(key: Path | None, folders: Mapping[str, Path | None]) -> Iterator[Anchored]:
    """The folders that are checked by another config, as what is left out of those around them."""
    own = [os.path.join(folder, "") for folder, config in folders.items() if config == key]
    for folder, config in folders.items():
        if config != key and any(folder.startswith(around) for around in own):
            above, name = os.path.split(folder)
            yield Anchored(above, "/" + re.sub(r"([\\*?\[\]! #])", r"\\\1", name))


def joined(found: Sequence[tuple[Part, Report]], projects: Projects) -> Report:
    """One report of the checks of all parts.

    What is found in a file that another part holds, through one that imports it, is as the config of that part wants
    it: it decides which rules are reported there, how sure they must be, and how grave they are.
    """
    if len(found) == 1:
        part, report = found[0]
        return adjusted(report, part.changes)
    parts = [part for part, _ in found]
    kept: dict[object, Finding] = {}
    below_severity: dict[Finding, None] = {}
    for part, report in found:
        for finding in report.findings:
            mine = owner(finding.location.path, parts, projects, part)
            if _is_wanted(finding, mine.options):
                outcome = adjusted(Report((finding,), (), 0), mine.changes)
                for one in outcome.findings:
                    kept.setdefault((one.rule, one.location), one)
                below_severity.update(dict.fromkeys(outcome.below_severity))
    errors = {error: None for _, report in found for error in report.errors}
    return replace(
        found[0][1],
        findings=tuple(sorted(kept.values(), key=lambda one: (one.location.sort_key, one.code))),
        errors=tuple(sorted(errors, key=lambda error: (error.path, error.line or 0))),
        files=sum(report.files for _, report in found),
        below_severity=tuple(below_severity),
    )


def owner(path: str, parts: Sequence[Part], projects: Projects, otherwise: Part) -> Part:
    """The part of a check whose config a file heeds; another where that is none of them."""
    if len(parts) == 1:
        return parts[0]
    config = projects.config(path)
    return next((part for part in parts if part.config.path == config.path), otherwise)


def _is_wanted(finding: Finding, options: Options) -> bool:
    sure = CONFIDENCES.index(finding.confidence) <= CONFIDENCES.index(options.confidence)
    return sure and finding.rule in options.rules


def common_options(parts: Sequence[Part], exclude: Sequence[str] = ()) -> Options:
    """What the parts of a check were made with, together: of rules, knowledge and what is left out, that of all.

    It serves what comes after the check: to confirm fixes, and to describe the rules.

    Parameters
    ----------
    parts : sequence of Part
        At least one.
    exclude : sequence of str
        The patterns of the command line.
    """
    first, *others = [part.options for part in parts]
    if not others:
        return first
    from cvlint.knowledge.loader import load_knowledge
    from cvlint.knowledge.schema import KnowledgeError
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules

    return replace(
        first,
        rules=frozenset().union(*(part.options.rules for part in parts)),
        confidence=max((part.options.confidence for part in parts), key=CONFIDENCES.index),
        exclude=(*exclude, *_all(exclusions(part.config) for part in parts)),
        own_knowledge=_agreeing((part.config.extend_knowledge for part in parts), load_knowledge, KnowledgeError),
        own_rules=_agreeing((part.config.extend_rules for part in parts), all_rules, RuleError),
    )


def _agreeing(
    several: Iterable[tuple[Path, ...]], load: Callable[..., object], fault: type[Exception]
) -> tuple[Path, ...]:
    """The files of several projects that can be loaded together: of two copies of a rule the first is enough."""
    files: tuple[Path, ...] = ()
    for file in _all(several):
        try:
            load(*files, file)
        except fault:
            continue
        files = *files, file
    return files


def _all(several: Iterable[tuple[Item, ...]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(item for some in several for item in some))
