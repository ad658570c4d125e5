"""Commands about code: they check it, run it, or explain what was found in it.

In go the options that click has parsed; out come findings and the exit status.
"""
