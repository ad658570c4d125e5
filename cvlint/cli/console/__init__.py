"""Standard output, standard error and the paths that people type.

In go text and words; out come bytes on a terminal, in a pipe or in a file.
"""
