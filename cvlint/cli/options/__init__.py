"""Options that several commands share: declared for click, checked, and read into values.

In go words of the command line; out come values that make sense, or a usage error.
"""
