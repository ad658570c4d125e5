"""Counter-examples of choosing: the best of many settings, models or thresholds, and the threshold of a rare label."""

from __future__ import annotations

import numpy as np

from cvlint.runtime.examples.example_table import CounterExample, shown_rows, whole
from cvlint.runtime.measures.counts import Counts, Floats, f_from_counts
from cvlint.runtime.simulation.simulated_cv import shared

SAMPLES, POSITIVES, FOLDS = 200, 20, 10
TRIED = (1, 10, 50, 200)  # settings or models
SHOWN = 50  # of them, in the conclusion
REPETITIONS = 200
TEST_SIZES = (50, 100, 200, 500, 1_000)
PREVALENCE = 0.1
LABEL_SAMPLES = 10_000
LABEL_POSITIVES = (5_000, 1_000, 100, 10)


def search_best_f() -> CounterExample:
    """The best F_avg of settings that are all equally good, against F_tp,fp of that setting on fresh data.

    See Forman & Scholz 2010, section 2.3; Lipton, Elkan & Naryanaswamy 2014, section 8.
    """
    found = [best_of_equals(count, FOLDS) for count in TRIED]
    return CounterExample(
        f"Parameter settings whose scores are uniformly random and cut at 0.5, each cross-validated on {SAMPLES} "
        f"samples with {POSITIVES} positives in {FOLDS} folds (means of {REPETITIONS} searches).",
        ("settings tried", "best F_avg", "F_tp,fp of the best on fresh data"),
        shown_rows(TRIED, found),
        f"The best of {TRIED[-1]} settings has F_avg {found[-1][0]:.2f}; on fresh data it has F_tp,fp "
        f"{found[-1][1]:.2f}, as any other. A single setting has F_avg {found[0][0]:.2f}: the search reports its own "
        "luck.",
    )


def max_over_test() -> CounterExample:
    """The best F of models that are all the same, on the test part it was chosen on and on fresh data.

    See Lipton, Elkan & Naryanaswamy 2014, section 8; Kapoor & Narayanan 2023, L1.4.
    """
    found = dict(zip(TRIED, (best_of_equals(count, 1) for count in TRIED), strict=True))
    best, fresh = found[SHOWN]
    return CounterExample(
        f"Models (epochs, seeds) that all guess, tested on the same {SAMPLES} samples with {POSITIVES} positives "
        f"(means of {REPETITIONS} repetitions).",
        ("models", "best F on the test part", "F of that model on fresh data"),
        shown_rows(found, found.values()),
        f"The best of {SHOWN} models has F {best:.2f} on the test part that it was chosen on, and {fresh:.2f} on fresh "
        f"data, as all of them have: it looks {best / fresh - 1:.0%} better than it is.",
    )


def best_of_equals(tried: int, folds: int) -> tuple[float, float]:
    """The best mean of the folds' F among ``tried`` guessing models, and F of the chosen on fresh data; means."""
    rng = np.random.default_rng(0)
    mean = guesses(rng, tried, folds).f().mean(axis=0).reshape(REPETITIONS, tried)
    fresh = guesses(rng, 1, folds).summed().f()  # whichever is chosen: on fresh data it guesses again
    return float(mean.max(axis=1).mean()), float(fresh.mean())


def guesses(rng: np.random.Generator, tried: int, folds: int) -> Counts:
    """Counts of models that call each sample positive by a coin, (folds, repetitions times models)."""
    positives = np.array(shared(POSITIVES, folds))[:, None]
    negatives = np.array(shared(SAMPLES - POSITIVES, folds))[:, None]
    shape = (folds, REPETITIONS * tried)
    tp, fp = (rng.binomial(trials, 0.5, size=shape).astype(np.float64) for trials in (positives, negatives))
    return Counts(np.stack((tp, fp, positives - tp, negatives - fp)))


def threshold_on_test() -> CounterExample:
    """F at the threshold that maximises it on the test part, there and on fresh data, of random scores.

    See Lipton, Elkan & Naryanaswamy 2014, section 8 (the winner's curse) and theorem 2.
    """
    found = {n: at_best_threshold(n) for n in TEST_SIZES}
    n = TEST_SIZES[1]
    test, fresh = found[n]
    last = TEST_SIZES[-1]
    return CounterExample(
        f"Random scores of data with {PREVALENCE:.0%} positives; the threshold with the best F1 on the test part is "
        f"also used on fresh data of the same size (means of {REPETITIONS} repetitions).",
        ("test samples", "F1 on the test part", "F1 on fresh data"),
        tuple((*whole(size), *(f"{f:.3f}" for f in pair)) for size, pair in found.items()),
        f"Of {n} samples, the best threshold promises F1 {test:.3f} and keeps {fresh:.3f}: a winner's curse of "
        f"{test - fresh:.3f}; of {last:,} it is still {found[last][0] - found[last][1]:.3f}, from scores that know "
        "nothing.",
    )


def at_best_threshold(samples: int) -> tuple[float, float]:
    """F1 of random scores at the threshold that is best on a test part, there and on fresh data; means."""
    rng = np.random.default_rng(0)
    positives = round(PREVALENCE * samples)
    tp, score = hits_and_scores(rng, samples, positives)
    f = f_over_thresholds(tp, positives)
    best = f.argmax(axis=1)
    every = np.arange(REPETITIONS)
    fresh_tp, fresh_score = hits_and_scores(rng, samples, positives)
    predicted = (fresh_score >= score[every, best][:, None]).sum(axis=1)
    fresh = np.where(predicted > 0, f_over_thresholds(fresh_tp, positives)[every, predicted - 1], 0.0)
    return float(f.max(axis=1).mean()), float(fresh.mean())


def hits_and_scores(rng: np.random.Generator, samples: int, positives: int) -> tuple[Floats, Floats]:
    """True positives among the 1, 2, … highest random scores, and these scores: (repetitions, samples) each."""
    score = -np.sort(-rng.random((REPETITIONS, samples)), axis=1)
    truth = rng.permuted(np.tile(np.arange(samples) < positives, (REPETITIONS, 1)), axis=1)
    return truth.cumsum(axis=1).astype(np.float64), score


def f_over_thresholds(tp: Floats, positives: int) -> Floats:
    """F1 when the 1, 2, … highest scores are predicted positive, of the true positives among them."""
    return f_from_counts(tp, np.arange(1, tp.shape[1] + 1) - tp, positives - tp)


def per_label_f_threshold() -> CounterExample:
    """What maximises the expected F1 of a label whose scores know nothing.

    F1 is linear in the true positives when the numbers of positives and of predictions are fixed, so that its
    expectation is F1 of the expected counts.

    See Lipton, Elkan & Naryanaswamy 2014, sections 5 and 6, theorem 2 and figure 6.
    """
    predicted = np.arange(1, LABEL_SAMPLES + 1)
    rows, best = [], {}
    for positives in LABEL_POSITIVES:
        tp = predicted * (positives / LABEL_SAMPLES)
        f = f_from_counts(tp, predicted - tp, positives - tp)
        place = int(f.argmax())
        best[positives] = (int(predicted[place]), 1 - tp[place] / predicted[place], float(f[place]))
        cells = (f"{value:.4f}" for value in (f[place], f[positives - 1]))
        rows.append((*whole(positives, predicted[place], predicted[place] - tp[place]), *cells))
    rare = LABEL_POSITIVES[-2]
    count, wrong, f_rare = best[rare]
    return CounterExample(
        f"Labels of {LABEL_SAMPLES:,} samples whose scores know nothing, each with the threshold that is best for its "
        "expected F1.",
        ("positives", "predicted positive", "of them wrong", "best E(F1)", "E(F1), predicted as often as it occurs"),
        tuple(rows),
        f"A label with {rare} positives has its best expected F1, {f_rare:.4f}, where {count:,} of {LABEL_SAMPLES:,} "
        f"samples are predicted positive; {wrong:.0%} of these predictions are wrong, and macro-F does not show it.",
    )
