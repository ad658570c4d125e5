"""Record a running experiment: the calls of measures, splitters and cross-validation, with their data.

In goes a script that runs; out come experiments (fold data with their call sites) and what a finding amounts to.
Nothing here that is imported before the experiment starts may import numpy: the experiment may still want to set how
many threads it uses.
"""
