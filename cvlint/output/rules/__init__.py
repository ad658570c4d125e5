"""The list of the rules and the page of one rule.

In go rules; out comes text.
"""
