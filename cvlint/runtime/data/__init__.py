"""Fold data: held in a `FoldSet`, captured in a loop, read from files and written to them.

In go arrays, files or reports of other libraries; out comes checked fold data.
"""
