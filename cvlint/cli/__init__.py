"""The command line: commands, their options, and the console.

In go the words of a command line; out come a report, an exit status, and sentences about what cannot be done.
"""

from cvlint.cli.main import main as main
