"""Code that is not checked out: archives and commits of git repositories.

In go an archive or a repository and an empty folder; out come the files in that folder, and what was left out and why.
"""
