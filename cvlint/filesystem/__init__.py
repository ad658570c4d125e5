"""How cvlint writes files so that no file of a user is lost, whatever happens on the way.

In go a path and its new bytes; out comes either the whole new file, or the old one as it was and an `OSError` that says
why. A second module makes sure that only one cvlint at a time changes the files of a project.
"""
