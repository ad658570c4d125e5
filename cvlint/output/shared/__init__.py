"""What several formats share: styled text, locations, relative paths, excerpts and sentences.

In go findings and locations; out come pieces of text.
"""
