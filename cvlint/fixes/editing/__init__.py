"""What all rewrites need: edits of text, documents and notebooks, imports, names that other files use.

In go syntax trees and edits; out comes the text of a file with only those edits applied.
"""
