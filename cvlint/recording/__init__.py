"""Record a running experiment: the calls of measures, splitters and cross-validation, with their data.

In goes a script that runs; out come experiments (fold data with their call sites) and the measured bias of findings.
Modules that are imported before the experiment starts must not import numpy, because the experiment may still set the
number of threads.
"""
