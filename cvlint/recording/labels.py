"""How experiments are called in a file: by the call sites that they were recorded at, as in ``train.py:24``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from cvlint.recording.experiments import Experiment, Use
from cvlint.recording.records import Options
from cvlint.recording.sites import Site


def label_of(experiment: Experiment, folder: str | None = None) -> str:
    """The name of an experiment: its file and lines, what its calls were told beyond the usual, and its number.

    ``train.py:24``; ``n.ipynb:cell 3:5``; ``train.py:24,25 (average=macro) #2``.
    """
    paths = list(dict.fromkeys((use.site.path, use.site.cell) for use in experiment.uses))
    places = []
    for path, cell in paths:
        lines = sorted({use.site.line for use in experiment.uses if (use.site.path, use.site.cell) == (path, cell)})
        where = shown(path, folder) + ("" if cell is None else f":cell {cell}")
        places.append(f"{where}:{','.join(map(str, lines))}")
    return "; ".join(places) + (f" #{experiment.number}" if experiment.number > 1 else "")


def shown(path: str, folder: str | None) -> str:
    """A path as a reader knows it: relative to the folder he is in, where it lies below it."""
    start = folder or os.getcwd()
    relative = os.path.relpath(path, start)
    return path if relative.startswith(os.pardir) else relative.replace(os.sep, "/")
