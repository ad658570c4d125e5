"""How cvlint writes files so that no file of a user is lost, whatever happens on the way.

A path and its new bytes go in; either the whole new file comes out or the old one stays as it was, with an `OSError`
that says why. A second module makes sure that only one cvlint at a time changes the files of a project.
"""
