"""Data that know more than they should: learned from, or resampled, as a whole before they are split.

In go fits, statistics, draws and splits; out come taint labels ("learned", "resampled", "statistic"), and events
``fit`` where labelled data are split (CVL302, CVL303).
"""
