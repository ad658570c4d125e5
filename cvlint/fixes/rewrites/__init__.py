"""One module for each kind of rewrite, and the registry that maps rules to rewrites.

In go a parsed file and a finding; out come edits, or nothing if a rewrite does not recognise the shape of the code.
"""
