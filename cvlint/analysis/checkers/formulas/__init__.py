"""Formulas of precision, recall and F that are written out by hand.

In go divisions and what they are bound to; out come measures, and the event ``formula``:

- `hand_written` reads ``2 * p * r / (p + r)`` and ``tp / (tp + fp)`` as measures: CVL102, CVL402, CVL403
- `f_definition` compares what is called F with F, and `agreement_counts` what is called TP with TP: CVL401
- `formula_evaluation` computes a formula for given counts; `terms` and `guards` read its parts
"""
