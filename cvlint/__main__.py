"""``python -m cvlint``: the same as the ``cvlint`` command."""

from cvlint.cli.entry import run

if __name__ == "__main__":
    run()
