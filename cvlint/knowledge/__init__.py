"""Knowledge about libraries: TOML files that say what functions and methods do, and what identifiers mean.

In go the files of ``rules/knowledge`` and those of a project; out comes one `Knowledge`, which the analysis looks up.
"""
