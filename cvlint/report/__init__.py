"""The page of `cvlint report`: one HTML file with tables and pictures of fold data.

In go experiments and findings; out comes a page that loads nothing from elsewhere.
"""
