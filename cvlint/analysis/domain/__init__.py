"""The abstract domain: values, codomains, axes, traces, taint labels, environments and heap objects, and the lattice of values.

In go values; out come values. Nothing here knows the program under analysis.
"""
