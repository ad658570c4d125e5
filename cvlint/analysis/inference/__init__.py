"""What names, loop heads and loop bodies tell where nothing else is known.

In goes a piece of syntax with the state around it; out comes an axis, a measure or an answer, marked as heuristic.
"""
