"""Models of lists, dicts, arrays and frames.

In go container values of the abstract heap; out come entries, new containers and reduced or pooled values. For each
module, the effects that it serves:

- `lists_and_dicts`: ``container``, ``copy``, ``append``, ``insert``, ``extend``, ``sort``, ``clear``, ``get``,
  ``setdefault``, ``update``, ``items``, ``keys``, ``values``
- `arrays_and_frames`: ``array``, ``frame``, ``same``, ``check-cv``, ``length``, ``distinct``, ``threshold``,
  ``bins``, ``rows``, ``text``
- `frames`: ``rename``, and what ``apply`` does
- `column_expressions`: ``column``, ``select-columns``
- `files`: ``open``, ``store``, ``load``, ``save``, ``write``
- `concatenation`: ``pool``, ``stack``, ``beside``, ``transpose``, ``unstack``, ``columns-code``
- `iteration`: ``iterate``, ``loader``, and the loops of the interpreter
- `reductions`: ``reduce``, ``accumulate``, ``weigh``, ``quantile``, ``spread``
- `sums`: what a loop adds up by assignments, for the interpreter
- `extremes`: ``select``
- `group_reductions`: ``aggregate``, ``transform``, and ``apply`` after ``groupby``
- `undefined_values`: ``mask``, ``patch``, ``divide``, ``drop-undefined``
"""
