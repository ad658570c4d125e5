"""Recomputed aggregates as runs of MLflow: metrics, params and tags, with the same names as in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cvlint import __version__
from cvlint.output.evaluation.recomputed import as_object, verdict
from cvlint.records import dataclass
from cvlint.runtime.aggregates.reported_match import Match
from cvlint.runtime.aggregates.results import Recomputed

PARAMS = ("experiment", "repeat", "average", "beta", "folds", "samples", "positives")
FOLD_METRICS = ("samples", "positives", "tp", "fp", "fn", "tn", "precision", "recall", "f", "auc")
NOTE = "mlflow.note.content"
"""The tag that MLflow shows as the description of a run."""

LONGEST = 250
"""The longest name, param or tag that every version of MLflow and its databases accept, in characters."""

LONGEST_NOTE = 5_000


@dataclass(frozen=True, slots=True)
class MlflowMetric:
    """A number of a run."""

    name: str
    value: float
    step: int = 0
    """The number of the fold; 0 for a number of all folds."""


@dataclass(frozen=True, slots=True)
class MlflowRun:
    """The content of one run of MLflow."""

    name: str
    metrics: tuple[MlflowMetric, ...]
    params: Mapping[str, str]
    tags: Mapping[str, str]


def mlflow_run(found: Recomputed, matches: Sequence[Match], file: str) -> MlflowRun:
    """The run for one experiment in one repetition.

    Parameters
    ----------
    found, matches
        The recomputed aggregates, and the published numbers.
    file
        The name of the file with the fold data.

    Returns
    -------
    Run
        Its metrics are the aggregates (``f_tpfp``), the ends of their intervals (``f_tpfp_ci_low``,
        ``f_tpfp_ci_high``), their expected biases (``f_tpfp_expected_bias``), and the folds' values (``fold_f``), each
        at the step of its fold. Undefined and unknown values are left out: databases store NaN as 0 with a flag, and
        a reader of the table who ignores the flag sees an F of 0. The description says why an aggregate is
        undefined.
    """
    document = as_object(found, matches)
    metrics = (*aggregate_metrics(document["aggregates"]), *fold_metrics(found))
    params = {name: str(document[name])[:LONGEST] for name in PARAMS if document[name] not in (None, "")}
    if document["positives"] is not None and document["samples"]:
        params["prevalence"] = str(document["positives"] / document["samples"])
    tags = common_tags(file) | {NOTE: note(found, matches)[:LONGEST_NOTE]}
    name = " ".join([str(found.experiment) or file, *([f"repeat {found.repeat}"] if found.repeat != "" else [])])
    return MlflowRun(name[:LONGEST], metrics, params, {key: value for key, value in tags.items() if value})


def common_tags(file: str) -> dict[str, str]:
    """The tags of every run: the version of cvlint, and the file."""
    return {"cvlint.version": __version__, "cvlint.file": file[:LONGEST]}


def aggregate_metrics(aggregates: Mapping[str, Any]) -> Iterator[MlflowMetric]:
    """The aggregates that are known, with their intervals and expected biases."""
    for name, found in aggregates.items():
        low, high = found["ci"] or (None, None)
        of_it = {"": found["value"], "_ci_low": low, "_ci_high": high, "_expected_bias": found["expected_bias"]}
        yield from (MlflowMetric(f"{name}{ending}", value) for ending, value in of_it.items() if known(value))


def fold_metrics(found: Recomputed) -> Iterator[MlflowMetric]:
    """The values of each fold. The step is the number of the fold, or its place from 1 where folds have names."""
    numbered = all(type(row.fold) is int for row in found.rows)
    for place, row in enumerate(found.rows, start=1):
        step = int(row.fold) if numbered else place
        values = {name: getattr(row, name) for name in FOLD_METRICS}
        yield from (MlflowMetric(f"fold_{name}", float(value), step) for name, value in values.items() if known(value))


def known(value: float | None) -> bool:
    """Whether a value is a number: neither None nor NaN."""
    return value is not None and value == value


def note(found: Recomputed, matches: Sequence[Match]) -> str:
    """The description of the run, with one sentence in each paragraph."""
    told = [a for a in found.aggregates if a.right and known(a.value) and not a.vacuous]
    right = [f"Report {a.label} first: {a.meaning}." for a in told]
    undefined = [f"{a.label} is undefined: {a.why['value']}." for a in found.aggregates if "value" in a.why]
    odd = [anomaly.message for anomaly in found.anomalies]
    return "\n\n".join([*right, *(verdict(match, found) for match in matches), *undefined, *odd])
