"""Code that is not checked out: archives, and commits of git repositories.

In go an archive or a repository, and an empty folder; out comes the code in that folder, and a list of the files that
were left out with the reasons. `submissions` finds the code of whatever `cvlint audit` names.
"""
