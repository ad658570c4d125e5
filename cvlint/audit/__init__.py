"""Take down how a stranger's code aggregates its results, for a reviewer.

In go the events of an analysis; out come aggregations by the names of the papers, with the data part of each.
"""
