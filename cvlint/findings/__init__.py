"""Findings: what they hold, how a later check recognises them, and how baselines and comments hide them.

In go findings; out come fingerprints, baselines, and reports in which some findings are hidden, with the reason.
"""
