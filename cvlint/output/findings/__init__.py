"""Write a report of findings in each format of `cvlint check`.

In go a report and a context (source lines, rules, fixes); out comes text in one format. `formats` lists all formats.
"""
