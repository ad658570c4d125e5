"""The linters that cvlint is compared with, in an environment of their own, and how each is called."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SEMGREP_RULE = """\
rules:
  - id: mean-of-scores
    languages: [python]
    severity: WARNING
    message: The mean of scores.
    pattern: np.mean($SCORES)
"""


class Peer(NamedTuple):
    """A linter: its package, and the words behind the name of its program."""

    name: str
    words: tuple[str, ...]
    what: str

    def command(self, environment: Path) -> tuple[str, ...]:
        """The command that checks the working directory."""
        return (str(environment / SCRIPTS / self.name), *self.words)


SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"
RULE_FILE = "rule.yml"
PEERS = (
    Peer("ruff", ("check", "--no-cache", "--isolated", "."), "its default rules, no cache"),
    Peer("flake8", ("--isolated", "."), "its default rules"),
    Peer("bandit", ("-q", "-r", "."), "its default rules"),
    Peer("semgrep", ("--config", f"../{RULE_FILE}", "--metrics", "off", "--disable-version-check", "."), "one rule"),
    Peer("fixit", ("lint", "."), "its default rules"),
    Peer("pylint", ("--recursive=y", "--errors-only", "."), "errors only"),
)


def install(environment: Path, peers: tuple[Peer, ...] = PEERS) -> Mapping[Peer, str]:
    """Make an environment with as many of the peers as can be had.

    Returns
    -------
    mapping of Peer to str
        The version of each; what is missing could not be installed.
    """
    venv.create(environment, with_pip=True)
    python = str(environment / SCRIPTS / "python")
    found = {}
    for peer in peers:
        print(f"installing {peer.name}", file=sys.stderr, flush=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", peer.name], capture_output=True)
        if done.returncode == 0:
            ask = f"import importlib.metadata as found; print(found.version({peer.name!r}))"
            found[peer] = subprocess.run([python, "-c", ask], capture_output=True, text=True).stdout.strip()
    return found
