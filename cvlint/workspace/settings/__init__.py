"""Settings of a project: config files, the rules they select, severities, exclusions, the baseline they name.

In go TOML files and words of a command line; out come options and adjustments, or a usage error.
"""
