"""The tasks of ``cvlint check``: report, fix, keep a baseline, write comments, compare with a commit, watch.

In go the arguments of the command line; out come reports, changed files and an exit status. `plan` turns the arguments
into the steps of a check and what is done with its report; each other module is one task.
"""
