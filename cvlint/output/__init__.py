"""Reports in the formats of people and programs.

In go findings, evaluations, rules or an audit; out comes text. Nothing here reads a file or writes one.
"""
