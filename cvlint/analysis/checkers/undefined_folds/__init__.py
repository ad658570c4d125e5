"""Folds in which a measure is undefined, and the code that drops or patches them.

In go branches, handlers, filters and arguments; out comes the event ``skip``, for CVL103 skipped-undefined-fold. In go
measures and the splits around them; out comes the event ``split``, for CVL301 unstratified-folds (`stratification`).

- `filters`: ``if not np.isnan(auc): aucs.append(auc)``, ``scores[~np.isnan(scores)]``, ``frame.dropna()``
- `exception_handlers`: ``try: auc = ... except ValueError: pass``
- `one_class_folds`: ``if len(np.unique(y[test])) < 2: continue``
- `patches`: ``zero_division=1``, ``auc if y[test].any() else 1.0``
- `without_scores`: ``auc = … if scores is not None else np.nan``: a model without scores, and no fold
- `skip_events` records the event
"""
