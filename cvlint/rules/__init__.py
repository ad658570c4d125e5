"""Rules: TOML files read into patterns, and events matched with them.

In go rule files and the events of an analysis; out come findings.
"""
