"""The mathematics of evaluation; knows nothing of the linter."""
