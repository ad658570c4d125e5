"""Commands that bring cvlint into a repository, an editor or a shell, and take it away again.

In go the options that click has parsed; out come files, settings, or a running server.
"""
