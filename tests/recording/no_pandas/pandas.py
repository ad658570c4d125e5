"""Stands before pandas on the path of scripts that need none: scikit-learn imports pandas if it is there."""

raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
