"""Which rows a model is fitted to, and which rows it is measured on.

In go assignments, calls, branches and loops, as the interpreter comes to them; out come events of models that are
measured on rows that they were fitted to, and of transformers that are fitted anew to a test part. Each expression has
a row set (`cvlint.analysis.domain.rows`), and the checker keeps what the names hold.
"""
