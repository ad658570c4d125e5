"""Operating points and thresholds: the best F, calibration, and the winner's curse of choosing.

In go scores and labels; out come thresholds with their F.
"""
