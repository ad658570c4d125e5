"""Source code: files found, decoded, parsed with Python's own `ast`, notebooks joined to one module.

In go paths and bytes; out come parsed sources, or why one could not be read.
"""
