"""What users import from `cvlint.runtime`: every name exists, is documented, and costs nothing before its first use."""

from __future__ import annotations

import inspect
import subprocess
import sys
from itertools import pairwise

import pytest

import cvlint.runtime
from cvlint.runtime import combining


@pytest.mark.parametrize("name", cvlint.runtime.__all__)
def test_each_name_is_importable_and_documented(name: str) -> None:
    public = getattr(cvlint.runtime, name)
    assert public.__name__ == name
    documentation = inspect.getdoc(public) or ""
    headings = {line for line, below in pairwise(documentation.split("\n")) if line and below == "-" * len(line)}
    if inspect.isclass(public):
        assert headings & {"Attributes", "Parameters"}
        return
    assert "Parameters" in headings
    returns_nothing = inspect.signature(public).return_annotation in (None, "None")
    assert returns_nothing or "Returns" in headings
    documented = documentation.partition("Parameters\n----------")[2]
    for parameter in inspect.signature(public).parameters:
        assert parameter in documented.replace(",", " ").split(), f"{name} does not explain its parameter {parameter}"


def test_the_table_of_modules_has_exactly_the_public_names() -> None:
    assert sorted(cvlint.runtime.MODULES) == sorted(cvlint.runtime.__all__) == dir(cvlint.runtime)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        cvlint.runtime.nonsense  # noqa: B018


@pytest.mark.parametrize("statement", ["import cvlint.runtime", "from cvlint.runtime import FoldDataError"])
def test_importing_the_package_does_not_import_numpy(statement: str) -> None:
    program = f"{statement}; import sys; print('numpy' in sys.modules, 'cvlint.analysis' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "False"]


def test_the_path_that_was_documented_first_still_works() -> None:
    assert combining.combination_of is cvlint.runtime.combination_of
