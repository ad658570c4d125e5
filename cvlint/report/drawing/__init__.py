"""Draw curves with matplotlib, as SVG inside a page or as a picture file.

In go curves of `cvlint.runtime.spaces`; out come axes, figures and SVG.
"""
