"""The counts of samples that a bootstrap draws in each fold and true class; whole where a sample has several labels.

Two ways draw the same. Confusion tables are drawn as numbers, whose time grows with the square of the classes. Samples
are drawn one by one, whose time grows with the samples: for many classes, and where samples have weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap, ClassSizes, replicate_blocks
from cvlint.runtime.measures.counts import Counts, Floats, Kind, counts_of

DRAWN_CELLS = 2  # a number of a table takes about as long to draw as so many samples
PATTERN_COST = 0.25  # a number of a pattern takes about as long to draw as so many samples with some labels each
IN_CACHE = 8  # arrays of a block are smaller by this, so that they stay in the cache


@dataclass(frozen=True, eq=False, slots=True)
class LabelledSamples:
    """Samples with one label each, as they are drawn."""

    sizes: NDArray[np.int64]
    """The number of samples of each fold and true class, (folds, classes)."""
    pooled: NDArray[np.int64]
    """The number of samples of each true class, (classes,), over all folds."""
    pred: NDArray[np.int64]
    """The predicted classes, by true class; after each true class -1, for the sample with an unknown prediction."""
    weight: Floats | None
    """The weights of ``pred``; the sample with an unknown prediction has the mean weight of its class."""

    @classmethod
    def of_tables(cls, tables: NDArray[np.float64]) -> LabelledSamples:
        """The samples of confusion tables (folds, true, predicted) in whole numbers."""
        summed = tables.sum(axis=0).astype(np.int64)
        classes = len(summed)
        each = np.append(summed, np.ones((classes, 1), np.int64), axis=1).reshape(-1)
        pred = np.repeat(np.tile(np.append(np.arange(classes), -1), classes), each)
        return cls(tables.sum(axis=2).astype(np.int64), summed.sum(axis=1), pred, None)

    @classmethod
    def of_set(cls, folds: FoldSet) -> LabelledSamples:
        """The samples of a set that is not multilabel, with their weights."""
        if folds.y_pred is None:
            raise ValueError("the set holds no predicted labels")
        k, c = folds.folds, len(folds.classes)
        true = folds.y_true.astype(np.intp)
        sizes = np.bincount(folds.fold.astype(np.intp) * c + true, minlength=k * c).reshape(k, c)
        order = np.argsort(true, kind="stable")
        pooled = sizes.sum(axis=0)
        ends = np.cumsum(pooled)
        pred = np.insert(folds.y_pred[order].astype(np.int64), ends, -1)
        if folds.weight is None:
            return cls(sizes, pooled, pred, None)
        mean = np.bincount(true, folds.weight, c) / np.maximum(pooled, 1)
        return cls(sizes, pooled, pred, np.insert(folds.weight[order], ends, mean))

    def drawn(self, kind: Kind, bootstrap: Bootstrap) -> Iterator[Counts]:
        """The counts of blocks of replicates, (replicates, folds, classes)."""
        rng = np.random.default_rng(bootstrap.seed)
        for size in replicate_blocks(bootstrap, len(self.pred) * IN_CACHE):
            sizes = drawn_sizes(rng, self.sizes, size, bootstrap.class_sizes)
            repeated = size if bootstrap.class_sizes == "fixed" else 1  # the places of all replicates, or of each
            classes = np.broadcast_to(np.arange(len(self.pooled)), sizes.shape)
            chosen = sizes[: size // repeated]
            true = np.repeat(classes[: size // repeated].reshape(-1), chosen.reshape(-1))
            yield self.block(rng, sizes, np.broadcast_to(true, (repeated, len(true))), kind)

    def block(self, rng: np.random.Generator, sizes: NDArray[np.int64], true: NDArray[np.intp], kind: Kind) -> Counts:
        """The counts of replicates that hold so many samples with these true classes, by replicate, fold and class."""
        first = np.cumsum(self.pooled + 1) - self.pooled - 1
        taken = first[true[0]] + (rng.random(true.shape) * (self.pooled[true[0]] + 1)).astype(np.intp)
        pred = self.pred[taken]
        unknown = np.flatnonzero(pred.reshape(-1) < 0)
        pred.reshape(-1)[unknown] = rng.integers(0, len(self.pooled), len(unknown))
        right = pred == true
        weight = np.ones(right.shape) if self.weight is None else self.weight[taken]
        tp, fn = (summed(np.where(chosen, weight, 0.0).reshape(-1), sizes) for chosen in (right, ~right))
        if len(self.pooled) == 2:
            fp = fn[..., ::-1]
        else:
            wrong = np.flatnonzero(~right)
            row = np.repeat(np.arange(sizes.size // len(self.pooled)), sizes.sum(axis=-1).reshape(-1))[wrong]
            place = row * len(self.pooled) + pred.reshape(-1)[wrong]
            fp = np.bincount(place, weight.reshape(-1)[wrong], sizes.size).reshape(sizes.shape).astype(np.float64)
        cells = np.stack((tp, fp, fn, (tp + fn).sum(axis=-1, keepdims=True) - tp - fp - fn))
        return Counts(cells[..., -1:] if kind == "binary" else cells, kind)


def summed(values: Floats, sizes: NDArray[np.int64]) -> Floats:
    """The sums of so many values after the other, in the shape of ``sizes``."""
    each = sizes.reshape(-1)
    found, some = np.zeros(each.size), each > 0
    if some.any():
        found[some] = np.add.reduceat(values, (np.cumsum(each) - each)[some])
    return found.reshape(sizes.shape)


def drawn_sizes(
    rng: np.random.Generator, sizes: NDArray[np.int64], replicates: int, class_sizes: ClassSizes
) -> NDArray[np.int64]:
    """How many samples of each fold and class (folds, classes) replicates hold: (replicates, folds, classes).

    With a random prevalence the number of all samples of a class is drawn, and folds share it as they do now.
    """
    if class_sizes == "fixed":
        return np.broadcast_to(sizes, (replicates, *sizes.shape))
    every = sizes.sum(axis=0)
    totals = rng.multinomial(every.sum(), every / every.sum(), size=replicates)
    upto = np.cumsum(sizes, axis=0) / np.maximum(every, 1)
    ends = np.floor(totals[:, None] * upto + rng.random((replicates, 1, len(every)))).astype(np.int64)
    found: NDArray[np.int64] = np.diff(np.minimum(ends, totals[:, None]), axis=1, prepend=0)
    return found


def draw_cost(tables: NDArray[np.float64]) -> float:
    """How many samples one replicate of confusion tables (folds, true, predicted) takes as long as to draw and count.

    Counting takes some steps for each fold and class, however few samples it has.
    """
    return float(min(tables.sum(), DRAWN_CELLS * tables.size) + tables.size / tables.shape[-1])


def counts_of_tables(tables: NDArray[np.float64], kind: Kind, bootstrap: Bootstrap) -> Iterator[Counts]:
    """The counts of blocks of replicates of confusion tables, drawn in the quicker way."""
    if tables.sum() < DRAWN_CELLS * tables.size:
        yield from LabelledSamples.of_tables(tables).drawn(kind, bootstrap)
        return
    for block in drawn_tables(tables, bootstrap):
        yield counts_of(block, kind)


def drawn_tables(tables: NDArray[np.float64], bootstrap: Bootstrap) -> Iterator[NDArray[np.int64]]:
    """Confusion tables of samples that are drawn in each fold and true class: blocks of replicates of ``tables``."""
    rng = np.random.default_rng(bootstrap.seed)
    pooled = tables.sum(axis=0)
    shares = (pooled + 1 / len(pooled)) / (pooled.sum(axis=1, keepdims=True) + 1)
    now = tables.sum(axis=2).astype(np.int64)
    for size in replicate_blocks(bootstrap, tables.size):
        sizes = drawn_sizes(rng, now, size, bootstrap.class_sizes)
        yield rng.multinomial(sizes, np.broadcast_to(shares, (*sizes.shape, len(pooled))))


def drawn_counts(folds: FoldSet, kind: Kind, bootstrap: Bootstrap) -> Iterator[Counts]:
    """The counts of blocks of replicates, (replicates, folds, classes), of samples that are drawn one by one."""
    if folds.kind != "multilabel":
        return LabelledSamples.of_set(folds).drawn(kind, bootstrap)
    return drawn_label_sets(folds, bootstrap)


def drawn_label_sets(folds: FoldSet, bootstrap: Bootstrap) -> Iterator[Counts]:
    """The counts of blocks of replicates of samples that have several labels each, and are drawn whole.

    Samples without weights that have the same labels, and the same predicted ones, are drawn as one pattern: where
    there are fewer patterns than samples, their numbers are sooner drawn.
    """
    if folds.y_pred is None:
        raise ValueError("the set holds no predicted labels")
    true, pred = folds.y_true, folds.y_pred
    cells = np.concatenate((true & pred, ~true & pred, true & ~pred), axis=1)  # no true negatives
    if folds.weight is None:
        patterns, numbers = np.unique(np.packbits(cells, axis=1), axis=0, return_counts=True)
        if len(patterns) * folds.folds * PATTERN_COST <= len(folds):
            each = np.unpackbits(patterns, axis=1, count=cells.shape[1])
            yield from drawn_patterns(folds, each.astype(np.float64), numbers, bootstrap)
            return
    yield from drawn_rows(folds, cells, bootstrap)


def drawn_patterns(folds: FoldSet, cells: Floats, numbers: NDArray[np.int64], bootstrap: Bootstrap) -> Iterator[Counts]:
    """As `drawn_label_sets`, from the cells that samples of each pattern add to, and the number of such samples."""
    rng = np.random.default_rng(bootstrap.seed)
    k, c, sizes = folds.folds, len(folds.classes), folds.summed(None).astype(np.int64)
    for size in replicate_blocks(bootstrap, k * max(len(numbers), 3 * c)):
        drawn = rng.multinomial(sizes, numbers / numbers.sum(), size=(size, k))
        found = (drawn @ cells).reshape(size, k, 3, c)
        total = sizes[:, None].astype(np.float64)
        yield Counts(np.stack((*np.moveaxis(found, 2, 0), total - found.sum(axis=2))), "multilabel")


def drawn_rows(folds: FoldSet, cells: NDArray[np.bool_], bootstrap: Bootstrap) -> Iterator[Counts]:
    """As `drawn_label_sets`, one sample after the other, from the cells that each adds to."""
    rng = np.random.default_rng(bootstrap.seed)
    k, c, n = folds.folds, len(folds.classes), len(folds)
    weight = np.ones(n) if folds.weight is None else folds.weight
    row, hit = np.nonzero(cells)
    hits = np.bincount(row, minlength=n)
    first = np.cumsum(hits) - hits
    sizes = folds.summed(None).astype(np.int64)
    for size in replicate_blocks(bootstrap, max(n, len(hit))):
        fold = np.repeat(np.arange(size * k), np.tile(sizes, size))
        taken = rng.integers(0, n, len(fold))
        total = np.bincount(fold, weight[taken], size * k).reshape(size, k, 1)
        own = hits[taken]
        place = np.arange(int(own.sum())) + np.repeat(first[taken] - np.cumsum(own) + own, own)
        where = np.repeat(fold, own) * (3 * c) + hit[place]
        found = np.bincount(where, weight[row[place]], size * k * 3 * c).reshape(size, k, 3, c)
        yield Counts(np.stack((*np.moveaxis(found, 2, 0), total - found.sum(axis=2))), "multilabel")
