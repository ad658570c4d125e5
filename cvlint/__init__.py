"""cvlint: a linter for the way machine-learning experiments are evaluated."""

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """Follow the cells of an IPython shell: ``%load_ext cvlint`` calls it."""
    from cvlint.notebook.extension import load

    load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Follow the cells no longer: ``%unload_ext cvlint`` calls it."""
    from cvlint.notebook.extension import unload

    unload(shell)
