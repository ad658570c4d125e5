"""The report of `cvlint audit` as Markdown and HTML.

In goes an audit; out comes a document.
"""
