"""The language server: findings, fixes and rule pages in an editor.

In go messages of an editor; out come diagnostics, code actions and hovers.
"""
