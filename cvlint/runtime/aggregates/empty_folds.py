"""The probability that some fold holds no positives."""

from __future__ import annotations

from math import comb


def p_some_fold_without_positives(samples: int, positives: int, folds: int) -> float:
    """Probability that at least one fold of an unstratified random split holds no positives.

    Parameters
    ----------
    samples
        Number of samples, at least ``folds``.
    positives
        Number of positives among them, from 0 to ``samples``.
    folds
        Number of folds, at least 2; their sizes differ by at most one sample.

    Returns
    -------
    float
        The exact probability, rounded once, to a float; 1.0 without positives.

    Raises
    ------
    ValueError
        When the numbers are out of range.

    Notes
    -----
    By inclusion and exclusion over the sets of folds without positives: a set of folds with ``s`` samples has none with
    the probability C(samples - s, positives) / C(samples, positives).

    References
    ----------
    Forman & Scholz 2010, section 5 and figure 9.
    """
    if not (2 <= folds <= samples and 0 <= positives <= samples):
        raise ValueError(f"{samples} samples, {positives} positives and {folds} folds cannot be a cross-validation.")
    size, larger = divmod(samples, folds)
    total = 0
    for a in range(larger + 1):
        for b in range(folds - larger + 1):
            left = samples - a * (size + 1) - b * size
            if a + b and left >= positives:
                sign = 1 if (a + b) % 2 else -1
                total += sign * comb(larger, a) * comb(folds - larger, b) * comb(left, positives)
    return total / comb(samples, positives)  # of whole numbers of any size this is rounded once
