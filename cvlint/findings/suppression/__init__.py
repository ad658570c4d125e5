"""Comments that suppress findings: read from source code (`comments`), and applied to a report (`apply`).

In go a source file and a report; out comes the report with suppressed findings marked, and findings about comments that
have no effect.
"""
