"""Several classifiers on the same test samples: the experiments of a file, matched by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.columns import experiments_in
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Codes, Label, encode, joined
from cvlint.runtime.data.reading import check_absent, columns_in, fold_data_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats


@dataclass(frozen=True, slots=True, eq=False)
class SameSamples:
    """The scores of several classifiers for the same samples."""

    fold: Codes
    """The code of each sample's fold, (n,), an index into ``fold_names``."""
    fold_names: tuple[Label, ...]
    """The names of the folds."""
    y_true: NDArray[np.bool_]
    """Whether each sample is positive, (n,)."""
    scores: Mapping[str, Floats]
    """The scores of each classifier, (n,), by its name; for a crisp one its decisions, 0 and 1."""
    classes: tuple[Label, Label] | None = None
    """The negative and the positive label, as `FoldSet.unclear_classes`."""

    @property
    def prevalence(self) -> float:
        """P(+) of the samples, from 0 to 1."""
        return float(self.y_true.mean())

    def taken(self, rows: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], dict[str, Floats]]:
        """The truth and the scores of some samples."""
        return self.y_true[rows], {name: values[rows] for name, values in self.scores.items()}

    def mean_score(self) -> Floats | None:
        """The mean of the classifiers' scores, (n,); None unless all are from 0 to 1: scales may differ."""
        every = np.array(list(self.scores.values()))
        return np.asarray(every.mean(axis=0)) if ((every >= 0) & (every <= 1)).all() else None


class PairedExperiment(NamedTuple):
    """One experiment of a file, and the identities of its samples: codes and their labels."""

    name: str
    folds: FoldSet
    samples: tuple[Codes, tuple[Label, ...]]


def read_same_samples(
    path: str | Path, columns: Mapping[str, str] | None = None, positive: Label | None = None
) -> tuple[SameSamples, tuple[str, ...]]:
    """Read a file with several classifiers as experiments, each with every sample once.

    The parameters are those of `cvlint.runtime.data.reading.read`; the result is the samples and the unused columns.

    Raises
    ------
    FoldDataError
        When the file cannot be read or does not fit: it has one experiment, samples without identity, experiments that
        differ in their samples, labels or folds, several repetitions, weights, or more than two labels.
    """
    path = Path(path)
    found = columns_in(path, columns)
    check_absent(path, found.ours)
    if "sample_id" not in found.ours:
        raise FoldDataError(
            f"{path} has no column 'sample_id', which says which rows belong to the same sample: add it."
        )
    parts = [
        paired_experiment(path, str(name), ours, fold_data_of(path, ours, positive, found.header))
        for name, ours in experiments_in(found.ours)
    ]
    if len(parts) < 2:
        raise FoldDataError(f"{path} holds one experiment: two classifiers or more are needed, as experiments.")
    return matched(path, parts), found.unused


def paired_experiment(path: Path, name: str, columns: Mapping[str, Any], folds: Any) -> PairedExperiment:
    """An experiment; raises unless it can be combined."""
    where = f"{path}, experiment {name!r}"
    match folds:
        case FoldSet(kind="binary"):
            pass
        case FoldSet(kind="multilabel", classes=classes):
            raise FoldDataError(f"{where} has indicators of {len(classes)} labels: keep the columns of one, as y_true.")
        case FoldSet(classes=classes):
            raise FoldDataError(
                f"{where} has {len(classes)} labels: name the positive one, the rest is set against it."
            )
        case _:
            raise FoldDataError(f"{where} holds counts only: the predictions of each sample are needed.")
    if folds.repeat is not None and len(np.unique(folds.repeat[0])) > 1:
        raise FoldDataError(f"{where} has several repetitions: keep the rows of one, each sample once.")
    if folds.weight is not None:
        raise FoldDataError(f"{where} has weights: rules are chosen by numbers of samples; leave the column out.")
    if "sample_id" not in columns:
        raise FoldDataError(f"{where} has no sample_id, which says which rows belong to the same sample: add it.")
    return PairedExperiment(name, folds, encode(columns["sample_id"], "sample_id"))


def matched(path: Path, parts: Sequence[PairedExperiment]) -> SameSamples:
    """The experiments matched by sample, in the order of the identities."""
    codes, samples = joined(*(part.samples for part in parts))
    orders = [np.argsort(each, kind="stable") for each in codes]
    first, order = parts[0], orders[0]
    for part, own, each in zip(parts, orders, codes, strict=True):
        twice = np.flatnonzero(np.diff(each[own]) == 0)
        if len(twice):
            name = samples[int(each[own][twice[0]])]
            raise FoldDataError(f"{path}, experiment {part.name!r}: sample {name!r} occurs twice; each may occur once.")
        lacking = np.setxor1d(codes[0], each)
        if len(lacking):
            having, other = (part, first) if lacking[0] in each else (first, part)
            raise FoldDataError(
                f"{path}: sample {samples[int(lacking[0])]!r} is in experiment {having.name!r} and not in "
                f"{other.name!r}: only classifiers that were tested on the same samples can be combined."
            )
        for what, mine, theirs in (
            ("true label", positives(part)[own], positives(first)[order]),
            ("fold", fold_names(part)[own], fold_names(first)[order]),
        ):
            different = np.flatnonzero(mine != theirs)
            if len(different):
                name = samples[int(each[own][different[0]])]
                raise FoldDataError(
                    f"{path}: sample {name!r} has another {what} in experiment {part.name!r} than in {first.name!r}: "
                    "only classifiers that were tested on the same samples can be combined."
                )
    scores = {part.name: decision_scores(part.folds)[own] for part, own in zip(parts, orders, strict=True)}
    folds = first.folds
    return SameSamples(folds.fold[order], folds.fold_names, positives(first)[order], scores, folds.unclear_classes)


def positives(part: PairedExperiment) -> NDArray[np.bool_]:
    """Which samples of an experiment are positive, (n,)."""
    return part.folds.is_class(0)


def fold_names(part: PairedExperiment) -> NDArray[Any]:
    """The name of the fold of each sample, (n,)."""
    return np.array([str(name) for name in part.folds.fold_names])[part.folds.fold]


def decision_scores(folds: FoldSet) -> Floats:
    """The scores of a binary task, (n,), or its decisions as 0 and 1."""
    if folds.y_score is not None:
        return folds.scores(0)
    return np.asarray(folds.y_pred, dtype=np.float64)
