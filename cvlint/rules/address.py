"""The address of a rule's page on the site; the address of the site is written down once, in ``pyproject.toml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cvlint.filesystem.toml_tables import parse_toml
from cvlint.rules.comment_rules import all_rules

KEY = "Documentation"
"""The key of ``[project.urls]`` that holds the address of the site."""


def rule_address(name: str) -> str | None:
    """The address of a rule's page; None for a rule of a project's own, and where the address of the site is unknown.

    Parameters
    ----------
    name : str
        The name of the rule.
    """
    site = _site()
    return f"{site}reference/rules/{name}.html" if site and name in _shipped() else None


@cache
def _shipped() -> frozenset[str]:
    return frozenset(rule.name for rule in all_rules())


@cache
def _site() -> str:
    """The address of the site, with a slash at its end: of the checkout, or of what is installed; empty if unknown."""
    found = _of_checkout(Path(__file__).resolve().parents[2] / "pyproject.toml") or _of_installation()
    return found and f"{found.rstrip('/')}/"


def _of_checkout(path: Path) -> str:
    """The address in the project's own file: the record of an editable installation may be older."""
    try:
        project = parse_toml(path.read_text(encoding="utf-8"))["project"]
        return str(project["urls"][KEY]) if project["name"] == "cvlint" else ""
    except (OSError, KeyError, ValueError):
        return ""


def _of_installation() -> str:
    from importlib import metadata  # slow to import

    try:
        entries = metadata.metadata("cvlint").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    pairs = (entry.partition(",") for entry in entries)
    return next((address.strip() for key, _, address in pairs if key.strip() == KEY), "")
