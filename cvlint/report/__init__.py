"""Write the page of `cvlint report`: one HTML file with tables and drawings of fold data.

In go experiments and findings; out comes a page that loads nothing from elsewhere.
"""
