"""What there is to read: finding files, decoding them, and making one syntax tree of a script or a notebook."""
