"""How cvlint writes files without ever losing one, even if it is killed halfway.

In go a path and new bytes; out comes the whole new file, or the old file unchanged and an `OSError` with the reason
(`atomic_write`). `writers_lock` makes sure that only one cvlint at a time changes the files of a project.
"""
