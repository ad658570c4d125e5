"""Write the list of rules and the page of one rule.

In go rules; out comes text.
"""
