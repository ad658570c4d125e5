"""The cache of results: what earlier checks found in files that are still the same.

In go the digests of files and the options of a check; out come the findings of an earlier run, as long as everything
that its analysis read is the same. A cache that cannot be used is reported in one sentence, and the check does without.
"""
