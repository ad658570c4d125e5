"""How experiments are called in a file: by the call sites that they were recorded at, as in ``train.py:24``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cvlint.recording.call_sites import Site
from cvlint.recording.experiments import Experiment, Use
from cvlint.recording.records import Options

PLACE = re.compile(
    r"(?P<path>.+?):(?:cell (?P<cell>\d+):)?(?P<lines>\d+(?:,\d+)*)(?: \((?P<told>[^()]*)\))?(?: #(?P<number>\d+))?"
)
RANKED = frozenset({"roc-auc", "average-precision"})


def label_of(experiment: Experiment, folder: str | None = None) -> str:
    """The name of an experiment: its files and lines, what its calls were told beyond the usual, and its number.

    ``train.py:24``; ``n.ipynb:cell 3:5``; ``train.py:24,25 (average=macro) #2``. Paths are relative to ``folder``,
    which is the working directory by default.
    """
    lines: dict[tuple[str, int | None, str], set[int]] = {}
    for use in experiment.uses:
        lines.setdefault((use.site.path, use.site.cell, told(use)), set()).add(use.site.line)
    places = []
    for (path, cell, options), numbers in lines.items():
        where = shown(path, folder) + ("" if cell is None else f":cell {cell}")
        listed = ",".join(map(str, sorted(numbers)))
        places.append(f"{where}:{listed}{f' ({options})' if options else ''}")
    return "; ".join(places) + (f" #{experiment.number}" if experiment.number > 1 else "")


def told(use: Use) -> str:
    """The options of a call that are not as usual."""
    options = use.options
    if use.measure in RANKED or use.measure == "counts":
        return ""
    parts = [f"average={options.average}"] if options.average != "binary" else []
    if options.average == "binary" and options.positive not in (None, 1, True):
        parts.append(f"positive={str(options.positive).translate(str.maketrans('', '', '(),;='))}")
    if options.beta != 1:
        parts.append(f"beta={options.beta:g}")
    return ", ".join(parts)


def uses_of(label: str, folder: str) -> Iterator[Use]:
    """The places and options in the name of an experiment; none where it is called otherwise."""
    for text in label.split("; "):
        match = PLACE.fullmatch(text)
        if match is None:
            continue
        path = os.path.normpath(os.path.join(folder, match["path"]))
        given = dict(part.partition("=")[::2] for part in (match["told"] or "").split(", ") if "=" in part)
        try:
            beta = float(given.get("beta", 1))
        except ValueError:
            beta = 1.0
        options = Options(given.get("average", "binary"), given.get("positive"), beta)
        for line in match["lines"].split(","):
            site = Site(path, int(match["cell"]) if match["cell"] else None, int(line), int(line))
            yield Use(site, "", "", options, (), False)


def number_of(label: str) -> int:
    """The number at the end of an experiment's name."""
    match = re.search(r" #(\d+)$", label)
    return int(match[1]) if match else 1


def shown(path: str, folder: str | None) -> str:
    """A path as a reader knows it: relative to the folder he is in, where it lies below it."""
    relative = os.path.relpath(path, folder or os.getcwd())
    return path if relative.startswith(os.pardir) else relative.replace(os.sep, "/")
