"""A check of files and folders as a project wants it: configs, discovery, analysis, suppression, baseline.

In go paths and options; out comes a report of findings and errors. Nothing here knows the command line.
"""
