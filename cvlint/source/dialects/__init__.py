"""Dialects that the running Python cannot parse: IPython magics, Python 2, and f-strings of newer versions.

In goes source code; out comes valid Python with the same lines, and where possible with the same columns.
"""
