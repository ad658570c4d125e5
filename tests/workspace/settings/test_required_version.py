"""Requirements on the version of cvlint are read as ``packaging`` reads them, which implements PEP 440."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from cvlint.workspace.settings.required_version import is_met, is_requirement

releases = st.lists(st.integers(0, 3).map(str), min_size=1, max_size=4).map(".".join)
operators = st.sampled_from(["==", "!=", ">=", "<=", ">", "<", "~="])
comparisons = st.builds("{}{}{}".format, operators, st.sampled_from(["", " "]), releases)


@given(st.lists(comparisons, min_size=1, max_size=3).map(", ".join), releases)
@example("~=0.1.2", "0.1")
@example("~=1.0.0", "1")
@example("<=1", "1.0")
def test_releases_are_compared_as_by_packaging(demand: str, version: str) -> None:
    try:
        expected = SpecifierSet(demand).contains(version)
    except InvalidSpecifier:  # `~=1`, of which nobody knows what it is near to
        assert not is_requirement(demand)
        return
    assert is_requirement(demand)
    assert is_met(demand, version) == expected


@given(st.text(alphabet="<>=!~ ,.01a*", max_size=9))
def test_accepted_requirements_are_valid(text: str) -> None:
    if is_requirement(text):
        assert is_met(text, "0.1") == SpecifierSet(text).contains("0.1")


@pytest.mark.parametrize("text", ["", "0.1", ">=0.1,", "== 0.1.*", ">=0.2rc1", "=>0.1", ">=0.1\n", ">=" + "9" * 5000])
def test_invalid_requirements(text: str) -> None:
    assert not is_requirement(text)


def test_only_the_release_counts() -> None:
    assert is_met(">=0.2", "0.2.dev1")
    assert not is_met(">0.2", "0.2+local.3")
    with pytest.raises(ValueError, match="'unknown'"):
        is_met(">=0.1", "unknown")
