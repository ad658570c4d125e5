"""Set up a repository: look at it, and propose the files with which cvlint is switched on.

In go a folder and the answers of its owner; out come new files, and never changes of old ones.
"""
