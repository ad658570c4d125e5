"""Draw curves and panels with matplotlib, as SVG inside the page or as a picture.

In go curves of `cvlint.runtime.spaces`; out come figures.
"""
