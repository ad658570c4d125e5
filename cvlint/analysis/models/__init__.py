"""What library functions, methods and objects do with abstract values: one transfer function for each effect.

In go the arguments of a call and what the knowledge says of the callee; out comes the value that the call returns.
"""
