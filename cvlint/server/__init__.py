"""The language server: what `cvlint check` finds, shown in editors while the text is written."""
