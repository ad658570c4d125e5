"""One rewrite for each kind of finding that can be fixed.

In go a parsed file and a finding; out come edits, or nothing where the shape of the code is not surely recognised.
"""
