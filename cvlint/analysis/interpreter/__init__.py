"""Execute the statements and evaluate the expressions of a file on abstract values.

In goes a parsed module; out come the events of all its code. `driver` is the entry.
"""
