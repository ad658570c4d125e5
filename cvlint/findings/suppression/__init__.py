"""Comments that suppress findings: read from source code, and applied to a report.

In go a source file and a report; out comes the report with suppressed findings marked, and notes about comments.
"""
