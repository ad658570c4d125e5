"""Audits: of one submission for a reviewer, or of a long list of repositories for a study.

In goes a submission (`cvlint.workspace.snapshots`), or a file that lists repositories; out comes an `Audit`, or a file
with a line for each repository. `audited` audits one submission, and `record` writes it down as a line. `rounds` does
so for all repositories of a list: `crews` say which processes do the work, `results_file` keeps what is done, and
`table` makes a Parquet table of it.
"""
