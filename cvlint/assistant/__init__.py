"""The server for AI assistants, which ask by the Model Context Protocol.

In go texts, names of files and printed numbers; out come findings, pages of rules and recomputed aggregates. Nothing is
run, nothing is written, and nothing outside of one folder is read.
"""
