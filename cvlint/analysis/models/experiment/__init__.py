"""Models of what an experiment calls: splitters, estimators, metrics, training loops.

In go the arguments of a library call; out come fold axes, predictions and measures. For each module, the effects that
it serves:

- `data_sources`: ``data``, ``made-data``, ``constant``
- `splitters`: ``splitter``, ``hold-out``, ``parts``, ``rest``, ``split``
- `cross_validation`: ``cross-val``, ``search``
- `sampling`: ``draw``, and the methods of a ``resampler``
- `estimators`: ``estimator``, ``optimiser``, ``fit``, ``predict``, and the methods of a ``transformer``
- `scorers`: ``scorer``, ``evaluator``, and every ``scoring=`` argument
- `metrics`: ``measure``, ``counts``, ``harmonic``
- `metric_results`: ``area``, and the forms in which a ``measure`` comes
- `metric_objects`: ``evaluate-load``, and the methods of a ``stateful-measure``
- `training_loops`: ``compile``, ``learner``, ``batch-scoring``, and what ``log`` averages
- `printing`: ``show``, ``log``, ``format``
"""
