"""Follow the values of experiment code from the split through the metric call to the aggregation.

In goes a parsed file (`cvlint.source.module.Source`) with the project around it; out come events (`events.Event`). Rules
are patterns over events. The interpreter executes the code on abstract values, models say what library calls do,
inference guesses what names and loops mean, and checkers recognise what is worth an event.
"""
