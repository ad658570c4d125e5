"""Write reports in formats for people and for programs.

In go findings, evaluations, rules or an audit; out comes text. Nothing here reads or writes a file.
"""
