"""The published schema and the parser accept the same configs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from cvlint.findings.finding import CONFIDENCES, SEVERITIES
from cvlint.workspace.settings.config import KEYS, ConfigError
from cvlint.workspace.settings.config_file import parse_settings
from cvlint.workspace.settings.required_version import REQUIREMENT, is_requirement

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "cvlint" / "workspace" / "settings" / "config_schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
FILES = {"extend-knowledge": "rules/knowledge/*.toml", "extend-rules": "rules/CVL101-*.toml"}
"""The parser looks for these files, which a schema cannot."""
VERSION = "required-version"
MET = (">=0", "> 0.0", "!=0.0.0, >=0.0.1 ", "~=0.1, <99")
"""Requirements that every version meets; a schema cannot compare versions."""


def parses(settings: object) -> bool:
    try:
        parse_settings(settings, ROOT / "cvlint.toml", "")
    except ConfigError:
        return False
    return True


def test_the_schema_is_valid() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_both_have_the_same_keys() -> None:
    assert tuple(SCHEMA["properties"]) == KEYS
    assert list(KEYS) == sorted(KEYS)


def test_each_key_has_a_description() -> None:
    for key, about in SCHEMA["properties"].items():
        assert about["description"].endswith("."), key


words = st.one_of(st.sampled_from([*CONFIDENCES, *SEVERITIES, "CVL101", "ALL", ""]), st.text(max_size=5))
odd = st.one_of(st.booleans(), st.integers(), st.floats(), words)  # TOML has no null
values = st.recursive(odd, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3))


def right(key: str) -> st.SearchStrategy[Any]:
    """Values that a key may have, made from the schema."""
    if key in FILES:
        return st.lists(st.just(FILES[key]), max_size=2)
    if key == VERSION:
        return st.sampled_from(MET)
    return made(SCHEMA["properties"][key])


def made(about: dict[str, Any]) -> st.SearchStrategy[Any]:
    match about:
        case {"enum": choices}:
            return st.sampled_from(choices)
        case {"type": "array", "items": item}:
            return st.lists(made(item), max_size=3)
        case {"type": "object", "additionalProperties": item}:
            return st.dictionaries(words, made(item), max_size=3)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "string"}:
            return words
    raise AssertionError(f"what the schema says here has no strategy yet: {about}")


def wrong(key: str) -> st.SearchStrategy[Any]:
    """Any value; of a key with files, lists of strings are right or wrong by what lies on disk."""
    if key == VERSION:
        return values.filter(lambda value: not (isinstance(value, str) and is_requirement(value)))
    if key not in FILES:
        return values
    return values.filter(lambda value: not (isinstance(value, list) and all(isinstance(v, str) for v in value)))


def test_both_have_the_same_requirement_pattern() -> None:
    assert SCHEMA["properties"][VERSION]["pattern"] == f"^{REQUIREMENT}$"


configs = st.fixed_dictionaries({}, optional={key: right(key) for key in KEYS})


@given(configs)
def test_both_accept(settings: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(settings)
    assert parses(settings)


@given(configs, st.data())
def test_both_agree_on_any_value(settings: dict[str, Any], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(KEYS))
    settings[key] = data.draw(wrong(key))
    assert parses(settings) == VALIDATOR.is_valid(settings)


@given(configs, st.text(max_size=8))
def test_both_agree_on_any_key(settings: dict[str, Any], key: str) -> None:
    settings.setdefault(key, [])
    assert parses(settings) == VALIDATOR.is_valid(settings)
    assert key in KEYS or not parses(settings)


@given(values)
def test_both_agree_on_values_that_are_not_tables(settings: object) -> None:
    if not isinstance(settings, dict) or not settings.keys() & {*FILES, VERSION}:
        assert parses(settings) == VALIDATOR.is_valid(settings)
