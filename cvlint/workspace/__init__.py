"""A check of files and folders by the settings of their project, from discovery to the report.

In go a `CheckRequest` and the configs; out comes a report of findings and errors. `open_workspace` reads the configs
and groups the files by config, and the `steps` compute the report. Nothing here knows the command
line or prints.
"""
