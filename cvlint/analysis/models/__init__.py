"""What library functions, methods and objects do with abstract values: one transfer function for each effect.

In go the arguments of a call and what the knowledge says of the callee; out comes the value that the call returns.

The knowledge (``rules/knowledge/*.toml``) gives each library function and each method an *effect*. The table
`dispatch.effects` says which function models it: the effect ``pool`` of a function is ``pool_call``, the effect
``update`` of a method is ``update_method``. `containers` models lists, dicts, arrays and frames; `experiment` models
splitters, estimators, metrics, training loops and what a program prints, and `early_stopping` what ``fit`` keeps;
`objects` and `enumerations` model classes, and `settings` what whoever runs the program may change.
`dispatch` finds the transfer function of a call, and `arguments` reads the arguments of a call for all of them.
"""
