"""Findings: what they hold, how they are recognised again, and how baselines and comments hide them.

In go findings; out come fingerprints, baselines and reports in which some findings are hidden, with the reason.
"""
