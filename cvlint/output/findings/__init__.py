"""A report of findings in each format of `cvlint check`.

In goes a report; out comes its text in one format.
"""
