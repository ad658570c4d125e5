"""The abstract domain: values and their lattice, codomains, axes, traces, taint labels, environments and heap objects.

In go values; out come values. Nothing here knows the program under analysis.
"""
