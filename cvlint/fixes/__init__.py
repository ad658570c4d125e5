"""Fixes: changes of code that make a finding go away, each confirmed by a new check.

In go a file and its findings; out come edits and the new text. Code is read with libcst, and everything outside of the
edits stays the same, byte for byte.
"""
