"""Jupyter notebooks: the sources of the code cells, and the positions of their lines in the notebook's file.

In goes the JSON of a notebook; out come texts of cells, or offsets and lines in the JSON.
"""
