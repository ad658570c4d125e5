"""The test samples of an experiment: the fold, the true label and the prediction of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import (
    check_predicted,
    checked_arrays,
    encoded_labels,
    frozen,
    groups_of,
    hashes_of,
    labelled,
    rows_of_each,
    scores_of,
    weights_of,
)
from cvlint.runtime.data.labels import Codes, Label, encode
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Counts, Floats, Kind, counts_of
from cvlint.runtime.measures.ranking import Ranking

ROWS = 4_000_000  # rows that are counted at a time: bounds the memory of intermediate arrays
MOST_CELLS = 50_000_000  # of confusion tables; in memory they are 400 MB


@dataclass(frozen=True, eq=False, slots=True)
class FoldSet:
    """The test samples of all folds; made by `from_arrays`, `from_cross_validate`, `from_skore`, `read` or `capture`.

    Attributes
    ----------
    fold
        The code of each sample's fold, (n,), an index into ``fold_names``. All arrays here are read-only.
    y_true, y_pred
        Codes of labels, (n,), indices into ``classes``; for multilabel tasks booleans, (n, classes). ``y_pred`` is
        None when only scores are known.
    y_score
        Scores, (n, columns) in double precision: one column for the positive class of a binary task, else one for each
        class; None when only labels are known.
    classes
        The labels, sorted, the positive one of a binary task last; those of a multilabel task in the order of columns.
    kind
        "binary", "multiclass" or "multilabel".
    repeat, experiment, sample_id, weight
        The repetition, experiment, identity and weight of each sample, (n,); or None.
    group
        The group of each sample, such as its patient or author, (n,); or None.
    sample_names
        The identities that ``sample_id`` are indices into; or None.
    row_hash
        A hash of each sample's features, (n,), to find equal samples; or None.
    """

    fold: Codes
    fold_names: tuple[Label, ...]
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None
    y_score: Floats | None
    classes: tuple[Label, ...]
    kind: Kind
    repeat: tuple[Codes, tuple[Label, ...]] | None = None
    experiment: tuple[Codes, tuple[Label, ...]] | None = None
    sample_id: Codes | None = None
    weight: Floats | None = None
    row_hash: NDArray[np.int64] | None = None
    group: tuple[Codes, tuple[Label, ...]] | None = None
    sample_names: NDArray[Any] | None = None

    @classmethod
    def from_arrays(
        cls,
        fold: Any,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        repeat: Any = None,
        experiment: Any = None,
        sample_id: Any = None,
        weight: Any = None,
        row_hash: Any = None,
        group: Any = None,
        positive: Label | None = None,
        labels: Sequence[Label] | None = None,
    ) -> FoldSet:
        """Make and validate a set.

        Parameters
        ----------
        fold
            Fold of each sample, (n,): numbers or names.
        y_true
            True labels, (n,), or 0/1 indicators, (n, classes), of a multilabel task.
        y_pred
            Predicted labels of the same shape; or None.
        y_score
            Scores: (n,) for the positive class, (n, classes) in the order of the sorted labels; or None. Two
            columns of a binary task are reduced to the positive one's.
        repeat, experiment, sample_id
            Which repetition, which experiment and which sample each row belongs to, (n,); or None.
        weight
            Weights of the samples, (n,), finite and above 0; or None.
        row_hash
            Hashes of the samples' features, (n,), as `cvlint.runtime.data.features.row_hashes` makes them; or None.
        group
            The group of each sample, (n,), such as its patient or author: samples of a group are alike, so that
            intervals are drawn by whole groups; or None.
        positive
            The positive label of a binary task; by default 1, True, "yes" or similar, else the later one.
        labels
            The names of the columns of a multilabel task; by default they are numbered from 0.

        Raises
        ------
        FoldDataError
            When lengths or columns differ, values are missing, or labels do not fit together.
        """
        given = {"fold": fold, "y_pred": y_pred, "y_score": y_score, "repeat": repeat, "experiment": experiment}
        truth, arrays = checked_arrays(
            y_true, {**given, "sample_id": sample_id, "weight": weight, "row_hash": row_hash, "group": group}
        )
        codes, names = encode(arrays["fold"], "fold")
        sample = labelled(arrays, "sample_id")
        task = encoded_labels(truth, arrays.get("y_pred"), positive, labels)
        if "y_score" not in arrays:
            check_predicted(task)
        return cls(
            frozen(codes),
            names,
            frozen(task.true),
            None if task.pred is None else frozen(task.pred),
            scores_of(arrays.get("y_score"), task),
            task.classes,
            task.kind,
            labelled(arrays, "repeat"),
            labelled(arrays, "experiment"),
            None if sample is None else sample[0],
            weights_of(arrays.get("weight")),
            hashes_of(arrays.get("row_hash")),
            groups_of(arrays),
            None if sample is None else frozen(np.array(sample[1])),
        )

    @classmethod
    def from_cross_validate(
        cls, result: Mapping[str, Any], X: Any, y: Any, positive: Label | None = None, groups: Any = None
    ) -> FoldSet:
        """The test predictions of scikit-learn's ``cross_validate(…, return_estimator=True, return_indices=True)``.

        Parameters
        ----------
        result
            The result of ``cross_validate``.
        X, y
            The arguments of ``cross_validate``: arrays, or frames with ``iloc``.
        positive
            The positive label of a binary task.
        groups
            The argument of ``cross_validate``: the group of each sample; or None.

        Raises
        ------
        FoldDataError
            When the estimators or the indices were not returned.
        """
        if "estimator" not in result or "indices" not in result:
            raise FoldDataError(
                "the result holds no estimators or no indices: call cross_validate with return_estimator=True "
                "and return_indices=True."
            )
        folds, rows, preds, scores = [], [], [], []
        for i, (model, test) in enumerate(zip(result["estimator"], result["indices"]["test"], strict=True)):
            part = X.iloc[test] if hasattr(X, "iloc") else X[test]
            folds.append(np.full(len(test), i))
            rows.append(np.asarray(test))
            preds.append(np.asarray(model.predict(part)))
            method = next((m for m in ("predict_proba", "decision_function") if hasattr(model, m)), None)
            score = None if method is None else np.asarray(getattr(model, method)(part))
            # A decision function has one column, for the last class, which may not be the positive one.
            scores.append(np.stack((-score, score), axis=1) if score is not None and score.ndim == 1 else score)
        index = np.concatenate(rows)
        truth = np.asarray(y)[index]
        whole = [s for s in scores if isinstance(s, np.ndarray)]
        usable = len(whole) == len(scores) and len({s.shape[1:] for s in whole}) == 1
        every = np.concatenate(whole) if usable else None
        group = None if groups is None else np.asarray(groups)[index]
        return cls.from_arrays(
            np.concatenate(folds), truth, np.concatenate(preds), every, sample_id=index, group=group, positive=positive
        )

    @classmethod
    def from_skore(cls, report: Any) -> FoldSet:
        """The test predictions in a ``skore.CrossValidationReport`` of a classifier.

        The positive label is the report's ``pos_label``, if it has one. ``sample_id`` is the row in the data.

        Raises
        ------
        FoldDataError
            For another kind of report, for a regression, and for a version of skore that lacks what is needed.
        """
        from cvlint.runtime.data.skore_reports import tested_parts

        return cls.from_arrays(**tested_parts(report))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.fold)

    @property
    def folds(self) -> int:
        """The number of folds."""
        return len(self.fold_names)

    @property
    def targets(self) -> tuple[Label, ...]:
        """The classes that F is computed for: the positive one of a binary task, else all."""
        return self.classes[-1:] if self.kind == "binary" else self.classes

    @property
    def unclear_classes(self) -> tuple[Label, Label] | None:
        """The negative and the positive label of a binary task; None where they are 0 and 1, -1 and 1, False and True.

        For other labels a reader cannot know which one counts as positive.
        """
        if self.kind != "binary" or self.classes in ((0, 1), (-1, 1)):
            return None
        negative, positive = self.classes
        return negative, positive

    def summed(self, values: NDArray[Any] | None) -> Floats:
        """The sum of the samples' values, (n,), in each fold; for None the number of samples."""
        total = np.zeros(self.folds)
        for block in self.blocks():
            total += np.bincount(self.fold[block], None if values is None else values[block], self.folds)
        return total

    def tables(self) -> NDArray[np.float64] | None:
        """Confusion tables, (folds, true, predicted); None without predicted labels and for multilabel tasks."""
        if self.y_pred is None or self.kind == "multilabel":
            return None
        k, c = self.folds, len(self.classes)
        if k * c * c > MOST_CELLS:
            raise FoldDataError(
                f"{k:,} folds of {c:,} classes need {k * c * c:,} counts of true and predicted classes, and at most "
                f"{MOST_CELLS:,} are kept: are y_true and y_pred columns of labels?"
            )
        total = np.zeros(k * c * c)
        for block in self.blocks():
            weight = None if self.weight is None else self.weight[block]
            cell = (self.fold[block].astype(np.intp) * c + self.y_true[block]) * c + self.y_pred[block]
            total += np.bincount(cell, weight, k * c * c)
        return total.reshape(k, c, c)

    def counts(self) -> Counts | None:
        """Counts of each fold and target class, (folds, targets); None without predicted labels."""
        if self.y_pred is None:
            return None
        tables = self.tables()
        if tables is not None:
            return counts_of(tables, self.kind)
        k, c = self.folds, len(self.classes)
        total = np.zeros((4, k, c))
        for block in self.blocks():
            weight = None if self.weight is None else self.weight[block]
            fold = self.fold[block].astype(np.intp)
            for j in range(c):
                true, pred = self.y_true[block, j], self.y_pred[block, j]
                which = np.where(true, np.where(pred, 0, 2), np.where(pred, 1, 3))
                total[:, :, j] += np.bincount(fold * 4 + which, weight, k * 4).reshape(k, 4).T
        return Counts(total, "multilabel")

    def blocks(self) -> Iterator[slice]:
        """The rows in blocks, which bound the memory of intermediate arrays."""
        return (slice(start, start + ROWS) for start in range(0, len(self), ROWS))

    def fold_rankings(self, column: int) -> Iterator[Ranking]:
        """The ranking in each fold by the scores in ``column``; raises as `scores` does."""
        score, truth = self.scores(column), self.is_class(column)
        for rows in rows_of_each(self.fold, self.folds):
            yield Ranking.of(truth[rows], score[rows], None if self.weight is None else self.weight[rows])

    def whole_ranking(self, column: int) -> Ranking:
        """The ranking of all folds together by the scores in ``column``; raises as `scores` does."""
        order = np.argsort(self.fold, kind="stable") if self.weight is not None else slice(None)  # as in the folds
        weight = None if self.weight is None else self.weight[order]
        return Ranking.of(self.is_class(column)[order], self.scores(column)[order], weight)

    def scores(self, column: int) -> Floats:
        """The scores in ``column``, (n,).

        Raises
        ------
        ValueError
            When the set holds no scores.
        """
        if self.y_score is None:
            raise ValueError("the set holds no scores")
        return self.y_score[:, column]

    def is_class(self, column: int) -> NDArray[np.bool_]:
        """Which samples truly belong to the class of a column of scores, (n,)."""
        if self.kind == "multilabel":
            return np.asarray(self.y_true[:, column])
        return np.asarray(self.y_true == (len(self.classes) - 1 if self.kind == "binary" else column))

    def parts(self, by: Literal["experiment", "repeat"]) -> Iterator[tuple[Label, FoldSet]]:
        """Split the set by "experiment" or "repeat": each name and its rows; the whole set without such a column."""
        column = self.experiment if by == "experiment" else self.repeat
        if column is None:
            yield "", self
            return
        codes, names = column
        for name, rows in zip(names, rows_of_each(codes, len(names)), strict=True):
            if len(rows):
                yield name, self.rows(rows)

    def rows(self, index: NDArray[np.intp]) -> FoldSet:
        """Some rows as a set of their own, without the folds that have no row left."""
        names, fold = np.unique(self.fold[index], return_inverse=True)

        def taken(values: NDArray[Any] | None) -> Any:
            return None if values is None else frozen(values[index])

        def relabelled(column: tuple[Codes, tuple[Label, ...]] | None) -> tuple[Codes, tuple[Label, ...]] | None:
            return None if column is None else (taken(column[0]), column[1])

        return replace(
            self,
            fold=frozen(fold.astype(self.fold.dtype)),
            fold_names=tuple(self.fold_names[i] for i in names),
            y_true=taken(self.y_true),
            y_pred=taken(self.y_pred),
            y_score=taken(self.y_score),
            repeat=relabelled(self.repeat),
            experiment=relabelled(self.experiment),
            sample_id=taken(self.sample_id),
            weight=taken(self.weight),
            row_hash=taken(self.row_hash),
            group=relabelled(self.group),
        )
