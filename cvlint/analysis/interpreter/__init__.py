"""Execute the statements and evaluate the expressions of a file on abstract values.

In goes a parsed module; out come the events of everything in it. `driver` is the entry.
"""
