"""Name experiments by their call sites, ``train.py:24``, and read such names back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cvlint.recording.call_sites import CallSite
from cvlint.recording.experiments import Experiment, Measurement
from cvlint.recording.records import MeasureOptions

PLACE = re.compile(
    r"(?P<path>.+?):(?:cell (?P<cell>\d+):)?(?P<lines>\d+(?:,\d+)*)(?: \((?P<options>[^()]*)\))?(?: #(?P<number>\d+))?"
)
RANKED = frozenset({"roc-auc", "average-precision"})


def label_of(experiment: Experiment, folder: str | None = None) -> str:
    """Name an experiment by its files and lines, the options of its calls that are not the defaults, and its number.

    ``train.py:24``; ``n.ipynb:cell 3:5``; ``train.py:24,25 (average=macro) #2``. Paths are relative to ``folder``,
    by default the working directory.
    """
    lines: dict[tuple[str, int | None, str], set[int]] = {}
    for measurement in experiment.measurements:
        lines.setdefault((measurement.site.path, measurement.site.cell, changed_options(measurement)), set()).add(
            measurement.site.line
        )
    places = []
    for (path, cell, options), numbers in lines.items():
        where = shown_path(path, folder) + ("" if cell is None else f":cell {cell}")
        listed = ",".join(map(str, sorted(numbers)))
        places.append(f"{where}:{listed}{f' ({options})' if options else ''}")
    return "; ".join(places) + (f" #{experiment.number}" if experiment.number > 1 else "")


def changed_options(measurement: Measurement) -> str:
    """Write the options of a call that differ from the defaults."""
    options = measurement.options
    if measurement.measure in RANKED or measurement.measure == "counts":
        return ""
    parts = [f"average={options.average}"] if options.average != "binary" else []
    if options.average == "binary" and options.positive not in (None, 1, True):
        parts.append(f"positive={str(options.positive).translate(str.maketrans('', '', '(),;='))}")
    if options.beta != 1:
        parts.append(f"beta={options.beta:g}")
    return ", ".join(parts)


def measurements_of(label: str, folder: str) -> Iterator[Measurement]:
    """Read the call sites and options from the name of an experiment; nothing from any other name."""
    for text in label.split("; "):
        match = PLACE.fullmatch(text)
        if match is None:
            continue
        path = os.path.normpath(os.path.join(folder, match["path"]))
        given = dict(part.partition("=")[::2] for part in (match["options"] or "").split(", ") if "=" in part)
        try:
            beta = float(given.get("beta", 1))
        except ValueError:
            beta = 1.0
        options = MeasureOptions(given.get("average", "binary"), given.get("positive"), beta)
        for line in match["lines"].split(","):
            site = CallSite(path, int(match["cell"]) if match["cell"] else None, int(line), int(line))
            yield Measurement(site, "", "", options, (), False)


def number_of(label: str) -> int:
    """Read the number at the end of an experiment's name."""
    match = re.search(r" #(\d+)$", label)
    return int(match[1]) if match else 1


def shown_path(path: str, folder: str | None) -> str:
    """Write a path relative to a folder if it lies below it."""
    relative = os.path.relpath(path, folder or os.getcwd())
    return path if relative.startswith(os.pardir) else relative.replace(os.sep, "/")
