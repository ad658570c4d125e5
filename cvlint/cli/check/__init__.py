"""What `cvlint check` can do with a report: write it, fix, keep a baseline, add comments, compare, watch.

In go a report and the options; out come written files, text on the console and an exit status.
"""
