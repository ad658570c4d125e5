"""Fixes of findings: what to write instead, as edits of the source text; libcst is imported only here."""
