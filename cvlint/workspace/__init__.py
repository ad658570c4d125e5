"""A check of files and folders as a project wants it, from discovery to the report.

In goes a `CheckRequest`; `open_workspace` reads the configs and groups the files by them; out of the steps (`pipeline`,
`steps`) comes a report of findings and errors. Nothing here knows the command line or prints.
"""
