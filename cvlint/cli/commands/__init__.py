"""The commands, one a module, each imported when it is called: about code, about fold data, and to set cvlint up.

In go the options that click has parsed; out come what the command prints and its exit status.
"""
