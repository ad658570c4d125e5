"""The steps of a check, one a module: analyse, suppress, find (both for all groups), baseline, since.

In goes a report; out comes the next report. Each module has one function that makes the step.
"""
