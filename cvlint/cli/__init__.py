"""The command line: commands, their options, and the console.

In go the words of a command line; out come a report, an exit status, and sentences about what cannot be done. The
folders import each other in one direction: `main` → `commands` → `check` → `options` → `console`.
"""

from cvlint.cli.main import COMMANDS as COMMANDS
from cvlint.cli.main import main as main
