"""What `cvlint run` records of an experiment while it runs: measures and folds, with the places they come from.

Nothing here that is imported before the experiment starts may import numpy: the experiment may still want to set
how many threads it uses.
"""
