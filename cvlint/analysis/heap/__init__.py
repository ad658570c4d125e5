"""Containers and objects: reading entries, columns and rows, and writing them.

In goes the state of an analysis with an abstract value and a key; out comes the value read, or a changed object.
"""
