"""Inference: what an axis or a measure is, where the code does not say it: from identifiers, loops and dependences.

In goes a piece of syntax with the state; out comes an axis, a measure or an answer, with steps marked as heuristic.
"""
