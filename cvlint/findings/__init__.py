"""Findings: what they hold, how a later check recognises them, and how baselines and comments hide them.

In go findings; out come fingerprints, baselines, faults, and reports in which some findings are hidden.
`baseline.hide` matches findings with the entries of a baseline, by what `fingerprint` makes of their code.
"""
