"""Which rows a model is fitted to, and which rows it is measured on.

Each expression has a row set (`cvlint.analysis.domain.rows`). The interpreter tells this checker of assignments, calls,
branches and loops; the checker keeps what the names hold, and at the end it reports models that are measured on rows
that they were fitted to, and transformers that are fitted anew to a test part.
"""
