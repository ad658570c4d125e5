"""The known findings of a project: read from its baseline, and hidden."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.baseline import Baseline, BaselineError, Scope, expired, hide, parse
from cvlint.findings import Report
from cvlint.project.selection import real_place
from cvlint.refusal import Refusal

if TYPE_CHECKING:
    from cvlint.check import Options


@dataclass(frozen=True, slots=True)
class Known:
    """The file of known findings and what it holds, and whether it is to be written and not to be used."""

    path: Path
    findings: Baseline
    writes: bool = False


def read_baseline(path: Path) -> Baseline:
    """Read the known findings, or refuse the file."""
    if path.exists() and not path.is_file():
        raise Refusal(f"The baseline cannot be '{path}', because that is no file")
    if not path.exists():
        command = shlex.join(("cvlint", "check", "--write-baseline", str(path)))
        raise Refusal(f"There is no baseline '{path}'", f"`{command}` makes it")
    try:
        return parse(path.read_text(encoding="utf-8"), folder_of(path))
    except BaselineError as error:
        raise Refusal(f"The file '{path}' {error}") from None
    except UnicodeDecodeError:
        raise Refusal(f"The file '{path}' is not a baseline: it is not UTF-8 text") from None
    except OSError as error:
        raise Refusal(f"The baseline '{path}' cannot be read: {error.strerror}") from error


def scope_of(paths: Sequence[Path], stdin: tuple[str, bytes] | None, report: Report, options: Options) -> Scope:
    """What a check looked for."""
    from cvlint.meta_rules import all_rules

    files = [*map(str, paths), *([] if stdin is None else [stdin[0]])]
    return Scope(
        paths=tuple(os.path.realpath(path) if os.path.isdir(path) else real_place(path) for path in files),
        unread=frozenset(real_place(error.path) for error in report.errors),
        left_out=frozenset(rule.name for rule in all_rules(*options.own_rules)) - options.rules,
        confidence=options.confidence,
    )


def without_known(report: Report, known: Known, scope: Scope) -> tuple[Report, Baseline]:
    """Hide known findings; also tells which of them are gone."""
    report, rest = hide(report, known.findings, real_place)
    return report, expired(rest, scope)


def folder_of(path: Path) -> str:
    """The real folder of a file, which the paths in it start from."""
    return os.path.dirname(real_place(str(path)))
