"""The settings of a project: config files, selected rules, severities, exclusions, and the baseline.

In go TOML files and the words of a command line; out come options and adjustments, or a usage error.
"""
