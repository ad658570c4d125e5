"""The abstract values of the analysis, and the operations of their lattice.

Nothing here knows a program: values go in, values come out.
"""
