"""Follow the values of experiment code from the split through the metric call to the aggregation.

In goes a parsed file (`cvlint.source.module.Source`) with its project; out come events (`events.Event`). Rules are
patterns over events. The interpreter executes the code on abstract values. Models say what library calls do. Inference
guesses what names and loops mean. Checkers recognise what is worth an event.
"""
