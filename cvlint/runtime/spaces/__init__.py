"""ROC, precision-recall, cost and F-measure space: curves, lower envelopes and crossings.

In go operating points; out come curves over thresholds or over the prevalence P(+).
"""
