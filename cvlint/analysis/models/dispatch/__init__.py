"""Find the transfer function of a call.

In goes a call of a library function or a method, with its arguments; out comes the value that it returns:

- `effects`: the table that says for each effect where it is modelled
- `functions`: ``np.mean(scores)``, by the effect that the knowledge gives the function
- `methods`: ``scores.mean()``, by the role of the object, else by the effect that the knowledge gives the method
- `callables`: ``map(score, folds)`` and other functions that call a function: ``partial``, ``map``, ``optimise``,
  ``parallel``, ``delayed``, ``fold``, ``submit``
- `python_code`: ``itemgetter("f1")``, whose code the knowledge gives: ``python``; ``eval("f1")``, whose code is a text:
  ``code``
"""
