"""A call may spell fewer arguments than its function takes: ``f(*values)``, ``partial(f)()``."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.knowledge.loader import load_knowledge
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

KNOWLEDGE = load_knowledge()
HEAD = """\
from functools import partial
from sklearn.metrics import f1_score
values = [f1_score(y, p), len]
rows = {"f1": values, "n": [1]}
"""
FORMS = ("{f}()", "{f}(*values)", "{f}(**rows)", "partial({f})(values)", "partial({f}, values)(*values)")


@pytest.mark.parametrize("form", FORMS)
def test_no_function_or_method_of_the_knowledge_needs_spelled_arguments(form: str) -> None:
    options = CheckOptions(frozenset(rule.name for rule in load_rules()))
    modules = sorted({name.rpartition(".")[0] for name in KNOWLEDGE.entries} - {""})
    functions = [
        *sorted(KNOWLEDGE.entries),
        *(f"{it}.{name}" for name in sorted(KNOWLEDGE.methods) for it in ("values", "it")),
    ]
    lines = [f"import {module}" for module in modules] + [form.format(f=function) for function in functions]
    found = check_bytes((HEAD + "\n".join(lines) + "\n").encode(), Path("calls.py"), "calls.py", options)
    assert found.problem is None
