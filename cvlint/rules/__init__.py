"""Rules: patterns over the events of the analysis, and the findings that they make.

In go TOML files (`catalogue`) and the events of a file (`match`); out come findings with message, location and trace
(`report`). The texts that users read are in ``rules/*.toml``.
"""
