"""Source code: find files, decode them, and parse them with Python's own `ast`; a notebook becomes one module.

In go paths and bytes; out come parsed sources, or the reason why a file could not be read.
"""
