"""What is known of libraries: TOML files read into effects of functions, methods, measures and names.

In go the files of `rules/knowledge` and those of a project; out comes one `Knowledge`, which the analysis asks.
"""
