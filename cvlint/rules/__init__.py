"""Rules: patterns over the events of the analysis, read from TOML files, and the findings that they make.

`catalogue` reads the files, `match` compares events with patterns, and `report` makes the findings. The texts that
users read are in ``rules/*.toml``.
"""
