"""The steps of a check, each in its own module with a function that makes the step.

In goes a report; out comes the next report. `analyse` and `suppress` work on one group; `find` runs both on all groups
and joins their reports. `baseline` and `since` then hide what is known. `pipeline` runs steps one
after another.
"""
