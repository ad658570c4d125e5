"""cvlint: a linter for the way machine-learning experiments are evaluated."""

__version__ = "0.1.0"
