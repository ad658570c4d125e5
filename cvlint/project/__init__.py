"""What a project brings to a check of it: settings, comments, known findings, and the text of its files."""
