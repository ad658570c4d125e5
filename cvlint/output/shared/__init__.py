"""Building blocks of several formats: styled text, locations, relative paths, excerpts and sentences.

In go findings and locations; out come pieces of text.
"""
