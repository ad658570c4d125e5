"""The abstract domain: values, axes, traces, taint labels, environments and heap objects, and the lattice of values.

Nothing here knows a program: values go in, values come out.
"""
