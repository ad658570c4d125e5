"""``python -m cvlint``: the same as the ``cvlint`` command."""

from cvlint.cli import main

if __name__ == "__main__":
    main()
