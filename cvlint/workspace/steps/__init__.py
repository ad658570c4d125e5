"""The steps of a check that the command, the server and the checks of commits share.

In goes a report; out comes the next report. `analyse` (with `check_files` for the files of one process) and `suppress`
work on one group; `find` runs both on all groups and joins their reports. `baseline` and `since` then hide what is
known. `pipeline` runs steps one after another, and its docstring gives the order.
"""
