"""Fixes: changes of code that make a finding go away, each confirmed by a new check.

In go a file and its findings; out come edits and the new text. Every change is made on libcst.
"""
