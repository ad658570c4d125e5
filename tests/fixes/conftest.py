from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cvlint.findings.finding import Finding
from cvlint.fixes.fixer import Fixed, Fixer
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

USUAL = CheckOptions(frozenset(rule.name for rule in load_rules() if rule.enabled))
EVERYTHING = CheckOptions(frozenset(rule.name for rule in load_rules()), confidence="low")

Fix = Callable[..., str]


def found(data: bytes, name: str, options: CheckOptions = USUAL) -> list[Finding]:
    return [f for f in check_bytes(data, Path(name), name, options).findings if f.location.path == name]


def fixed(data: bytes, name: str = "train.py", unsafe: bool = True) -> Fixed:
    return Fixer(USUAL, unsafe).fix(data, Path(name), name, found(data, name))


@pytest.fixture
def fix() -> Fix:
    """Fix a script, and give its new text."""

    def run(text: str, unsafe: bool = True) -> str:
        return fixed(text.encode(), unsafe=unsafe).data.decode()

    return run
