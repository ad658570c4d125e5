"""The workspace of a check: its files in groups that read the same config, and the options of each group.

Each check opens it once; all steps read files, configs and options from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cvlint.findings.finding import CONFIDENCES
from cvlint.records import dataclass, replace
from cvlint.source.discovery import discover, folders_among
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import UsageError
from cvlint.workspace.cache.folder import CacheFolder
from cvlint.workspace.cache.results import ResultCache
from cvlint.workspace.cache.scan import load_prefilter, scanner
from cvlint.workspace.request import CheckRequest, Stdin
from cvlint.workspace.settings.adjustments import Adjustments, config_adjustments
from cvlint.workspace.settings.check_options import CheckOptions, check_options
from cvlint.workspace.settings.config import Config
from cvlint.workspace.settings.config_groups import ConfigGroup, ConfigLookup
from cvlint.workspace.settings.patterns import config_exclusions

if TYPE_CHECKING:
    from cvlint.workspace.settings.baseline_file import BaselineFile

Item = TypeVar("Item")


@dataclass(frozen=True)
class CheckGroup:
    """Files and folders, or standard input, that read one config, and the options of this config and the request."""

    config: Config
    paths: tuple[Path, ...]
    stdin: Stdin
    options: CheckOptions
    adjustments: Adjustments
    require_reason: bool = False
    read_comments: bool = True
    baseline: BaselineFile | None = None
    cache: CacheFolder | None = None
    """Where the results of the group's files are kept; None keeps nothing."""
    only: frozenset[str] | None = None
    """The real paths of the files that are analysed; None analyses all that may hold a finding."""

    @cached_property
    def results(self) -> ResultCache:
        """What is known of the group's files, from this run and from earlier ones."""
        words = partial(load_prefilter, *self.options.own_knowledge)
        return ResultCache(self.cache, self.options, scanner(words))

    @cached_property
    def discovered(self) -> tuple[Path | UnreadFile, ...]:
        """The files of the group, and those that cannot be read with the reason; the folders are walked only once."""
        return tuple(discover(self.paths, self.options.exclude))

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the group on disk."""
        return tuple(entry for entry in self.discovered if isinstance(entry, Path))

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names of the group's files in reports, with standard input last."""
        return (*map(str, self.files), *([] if self.stdin is None else [self.stdin[0]]))


@dataclass(frozen=True)
class Workspace:
    """All groups of a check."""

    request: CheckRequest
    """The paths and options of the check."""
    lookup: ConfigLookup
    """Finds the config that a file reads."""
    groups: tuple[CheckGroup, ...]
    """One group per config; at least one."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders that are checked."""
        return tuple(path for group in self.groups for path in group.paths)

    def owner(self, path: str, default: CheckGroup) -> CheckGroup:
        """The group whose config a file reads; the default if no group reads it."""
        if len(self.groups) == 1:
            return self.groups[0]
        config = self.lookup.config(path)
        return next((group for group in self.groups if group.config.path == config.path), default)

    @cached_property
    def options(self) -> CheckOptions:
        """The joined options of all groups, for what comes after the check: fixes, and the list of the rules."""
        first, *others = [group.options for group in self.groups]
        if not others:
            return first
        from cvlint.knowledge.loader import load_knowledge
        from cvlint.knowledge.schema import KnowledgeError
        from cvlint.rules.catalogue import RuleError
        from cvlint.rules.comment_rules import all_rules

        configs = [group.config for group in self.groups]
        return replace(
            first,
            rules=frozenset().union(*(group.options.rules for group in self.groups)),
            confidence=max((group.options.confidence for group in self.groups), key=CONFIDENCES.index),
            exclude=(*self.request.exclude, *_distinct(config_exclusions(config) for config in configs)),
            own_knowledge=_compatible((config.extend_knowledge for config in configs), load_knowledge, KnowledgeError),
            own_rules=_compatible((config.extend_rules for config in configs), all_rules, RuleError),
        )


def open_workspace(request: CheckRequest, lookup: ConfigLookup) -> Workspace:
    """Read the configs of the files in a request, and compute the options of each group.

    Raises
    ------
    UsageError
        If a config, or a file that it names, cannot be used, or if a word names no rule.
    """
    groups = lookup.groups(request.paths, None if request.stdin is None else request.stdin[0])
    return Workspace(request, lookup, tuple(_group(request, group, lookup) for group in groups))


def _group(request: CheckRequest, group: ConfigGroup, lookup: ConfigLookup) -> CheckGroup:
    config, stdin = group.config, request.stdin
    options = check_options(
        config, request.select, request.ignore, request.confidence, request.jobs, request.extend_select
    )
    baseline = request.baseline
    if baseline is None and config.baseline is not None and request.read_baselines:
        from cvlint.workspace.settings.baseline_file import BaselineFile, read_baseline

        baseline = BaselineFile(config.baseline, read_baseline(config.baseline))
    made = CheckGroup(
        config,
        group.paths,
        stdin if stdin is not None and lookup.config(stdin[0]).path == config.path else None,
        replace(
            options if request.read_comments else _without_comment_rules(options),
            exclude=group.exclude,
            folders=folders_among(request.paths),
        ),
        config_adjustments(config, request.min_severity),
        request.require_reason or config.require_reason,
        request.read_comments,
        baseline,
        request.cache,
    )
    if group.walked is not None:  # to find the configs; a copy of the group with other paths walks these itself
        vars(made)["discovered"] = group.walked
    return made


def _without_comment_rules(options: CheckOptions) -> CheckOptions:
    """Leave out the rules about comments, because the check reads no comments."""
    from cvlint.rules.comment_rules import meta_rules

    rules = options.rules - {rule.name for rule in meta_rules()}
    if not rules:
        raise UsageError(
            "No rule is left to check, because --ignore-noqa reads no comments, and all selected rules are about them"
        )
    return replace(options, rules=rules)


def _compatible(
    file_lists: Iterable[tuple[Path, ...]], load: Callable[..., object], error: type[Exception]
) -> tuple[Path, ...]:
    """The files of several projects that can be loaded together; of two copies of a rule the first one counts."""
    files: tuple[Path, ...] = ()
    for file in _distinct(file_lists):
        try:
            load(*files, file)
        except error:
            continue
        files = *files, file
    return files


def _distinct(lists: Iterable[Sequence[Item]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
