"""Thresholds and their optimism as text and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.evaluation.json_document import of_experiments
from cvlint.output.evaluation.recomputed import share, signed, whole
from cvlint.output.evaluation.text_table import aligned
from cvlint.output.shared.locations import printable
from cvlint.output.shared.strangers_text import harmless_text
from cvlint.output.shared.styled_text import Piece
from cvlint.runtime.intervals.bootstrap import NOT_ASKED, Interval
from cvlint.runtime.thresholds.best_threshold import BestThreshold, optimal_probability
from cvlint.runtime.thresholds.calibration import Calibration
from cvlint.runtime.thresholds.label_thresholds import Deployed, ExperimentThresholds, LabelThresholds
from cvlint.runtime.thresholds.optimism import WAYS, FoldChoice, Optimism, Way
from cvlint.runtime.thresholds.shortest_threshold import downwards, shortest_between

NAMES: dict[Way, str] = {
    "nested": "the other folds (nested)",
    "rule": "{rule} of the other folds",
    "own": "each test fold itself",
    "pooled": "all folds together",
}
SHOWN = 10  # names of labels shown in a sentence


def pieces(results: Sequence[ExperimentThresholds]) -> Iterator[Piece]:
    """All results as pieces of text with styles."""
    return (piece._replace(text=harmless_text(piece.text)) for piece in raw_pieces(results))


def raw_pieces(results: Sequence[ExperimentThresholds]) -> Iterator[Piece]:
    """The pieces with names as strangers wrote them."""
    for number, found in enumerate(results):
        if number:
            yield Piece("\n")
        if title(found):
            yield Piece(f"{title(found)}\n\n", "strong")
        yield from (binary(found) if found.kind == "binary" else several(found))


def title(found: ExperimentThresholds) -> str:
    """Which experiment and repetition a result is of; empty when there is only one."""
    parts = [f"experiment {found.experiment}"] if found.experiment != "" else []
    parts += [f"repeat {found.repeat}"] if found.repeat != "" else []
    line = printable(", ".join(parts))
    return line[:1].upper() + line[1:]


def binary(found: ExperimentThresholds) -> Iterator[Piece]:
    """The thresholds of a binary task, which has one class."""
    (label,) = found.labels
    if positive := positive_sentence(found.classes):
        yield Piece(f"{positive}\n\n")
    yield from styled_table(ways_table(label, found.beta))
    for reason in missing_intervals(label, found.beta):
        yield Piece(f"{reason}\n", "faint")
    yield Piece("\n")
    yield from styled_table(fold_table(label.optimism.rows))
    for line in sentences(label, found.beta):
        yield Piece(f"\n{line}\n")


def ways_table(label: LabelThresholds, beta: float) -> list[list[str]]:
    """F with thresholds chosen in each way; the one to report comes first."""
    o = label.optimism
    level = next((f"{i.level:.0%}" for i in o.intervals.values() if isinstance(i, Interval)), "95%")
    between = f"{level} interval"
    rows = [["threshold chosen on", "threshold", measure(beta), between, "difference", between]]
    for way, name in NAMES.items():
        if way == "rule" and label.calibration is None:
            continue
        interval = o.intervals[way]
        shown = span(interval) if isinstance(interval, Interval) else ""
        nested = way == "nested" and not math.isnan(o.f[way])
        last = ["report this", ""] if nested else [difference(o.gain(way)), shown]
        rows.append([name.format(rule=rule(beta)), chosen(label, way), share(o.f[way]), shown if nested else "", *last])
    return rows


def missing_intervals(label: LabelThresholds, beta: float) -> Iterator[str]:
    """Sentences that say why rows of the table have no interval, unless the user wants none."""
    o = label.optimism
    for way, why in o.intervals.items():
        shown = way != "rule" or label.calibration is not None
        if isinstance(why, str) and shown and why != NOT_ASKED and not math.isnan(o.f[way]):
            yield f"No interval of {NAMES[way].format(rule=rule(beta))}: {why}."


def chosen(label: LabelThresholds, way: Way) -> str:
    """The threshold chosen in a way, or the range of the folds' thresholds."""
    rows = label.optimism.rows
    match way:
        case "pooled":
            return of_best(label.optimism.pooled)
        case "own":
            values = [(row.own.threshold, row.own.next_score) for row in rows]
        case "nested":
            values = [(row.nested, row.nested_next_score) for row in rows]
        case "rule":
            values = [(row.rule, row.rule_next_score) for row in rows]
    ends = [shortest(*end) for end in (min(values), max(values))]
    return ends[0] if ends[0] == ends[1] else " – ".join(ends)


def fold_table(rows: Sequence[FoldChoice]) -> list[list[str]]:
    """Each fold with its own best threshold and that of the other folds."""
    table = [["fold", "samples", "positives", "own threshold", "F there", "threshold of the others", "F there"]]
    for row in rows:
        sizes = [f"{whole(size):.6g}" for size in (row.samples, row.positives)]
        others = [shortest(row.nested, row.nested_next_score), share(row.nested_f)]
        table.append([printable(str(row.fold)), *sizes, of_best(row.own), share(row.own.f), *others])
    return table


def sentences(label: LabelThresholds, beta: float) -> Iterator[str]:
    """Sentences that explain the thresholds of one class."""
    f, o = measure(beta), label.optimism
    if not label.positives:
        yield f"There are no positives: {f} is 0 at every threshold."
        return
    if math.isnan(o.f["nested"]):
        yield (
            f"There is one fold, and the threshold was chosen on the samples it is measured on: {f} is "
            f"{share(o.pooled.f)}, too high by an unknown amount; at least two folds are needed to know it."
        )
    elif o.gain("own") > 0:
        interval = o.intervals["own"]
        sure = f" ({interval.level:.0%} interval {span(interval)})" if isinstance(interval, Interval) else ""
        yield (
            f"Choosing the threshold on the test fold itself makes {f} look {o.gain('own'):.4f} higher than it is with "
            f"one chosen on the other folds{sure}."
        )
    yield noise_sentence(label, f)
    yield calibration_sentence(label, beta)
    if label.deployed is not None:
        yield from deployed_sentences(label.deployed, o.pooled, beta)


def noise_sentence(label: LabelThresholds, f: str) -> str:
    """A sentence about whether the threshold is noise."""
    verdict = "The threshold is noise: the" if label.noise else "The"
    nested = label.optimism.f["nested"]
    kept = "" if math.isnan(nested) else f", and {share(nested)} with thresholds of the other folds"
    chance = ""
    if not math.isnan(label.chance):
        chance = f" Scores that know nothing reach the best with p {probability(label.chance)}."
    return (
        f"{verdict} best {f} is {share(label.optimism.pooled.f)}{kept}; calling all samples positive gives "
        f"{share(label.all_positive_f)}.{chance}"
    )


def calibration_sentence(label: LabelThresholds, beta: float) -> str:
    """A sentence about whether the scores look calibrated, and whether the rule for calibrated scores fits."""
    c = label.calibration
    if c is None:
        return (
            f"The scores are not from 0 to 1, so they are no probabilities and the rule {rule(beta)} does not apply; "
            "the likelihood-ratio rule has the best threshold above."
        )
    match c.plausible:
        case None:
            looks = "are all 0 or 1 and right, so no test can say whether they are calibrated ("
        case plausible:
            verb = "look" if plausible else "are not"
            looks = f"{verb} calibrated (by Spiegelhalter's test and one of the mean p {probability(c.p)}; "
    verdict = "there are no other folds to compare that with"
    if not math.isnan(label.optimism.f["nested"]):
        worse = "no worse" if label.rule_fits else "worse"
        verdict = f"on these samples it is {worse} than thresholds chosen on other folds"
    threshold = f"{rule(beta)} = {optimal_probability(c.best.f, beta):.4f}"
    return (
        f"The scores {looks}mean {share(c.mean_score)}, prevalence {share(c.prevalence)}). The threshold {threshold} "
        f"gives {measure(beta)} {share(c.rule.f)}, {c.loss:.4f} less than the best on the same samples; {verdict}."
    )


def deployed_sentences(there: Deployed, pooled: BestThreshold, beta: float) -> Iterator[str]:
    """The thresholds at another prevalence."""
    f = measure(beta)
    by_rule = ""
    if there.rule is not None:
        by_rule = f" The rule {rule(beta)}, with the scores corrected for that, gives {share(there.rule.f)}."
    yield (
        f"At prevalence {there.prevalence:g}, with the same TPR and FPR, the best threshold is {of_best(there.best)} "
        f"with {f} {share(there.best.f)}; the one that is best on these folds, {of_best(pooled)}, would give "
        f"{share(there.kept.f)}.{by_rule}"
    )


def several(found: ExperimentThresholds) -> Iterator[Piece]:
    """The thresholds of several labels, and their mean."""
    f = measure(found.beta)
    rows = [["label", "positives", "threshold", f, "own folds", "nested", "all positive", "chance", ""]]
    for label in found.labels:
        values = [share(label.optimism.f[way]) for way in ("pooled", "own", "nested")]
        chance = "" if math.isnan(label.chance) else f"{label.chance:.3f}"
        name, size = printable(str(label.label)), f"{whole(label.positives):.6g}"
        last = [share(label.all_positive_f), chance, "noise" if label.noise else ""]
        rows.append([name, size, of_best(label.optimism.pooled), *values, *last])
    means = [share(found.macro(way)) for way in ("pooled", "own", "nested")]
    rows.append(["macro mean", "", "", *means, "", "", ""])
    yield from styled_table(rows, last="strong")
    noise = [printable(str(label.label)) for label in found.labels if label.noise]
    named = ", ".join(noise[:SHOWN]) + (", …" if len(noise) > SHOWN else "")
    yield Piece(
        f"\n{f} and its threshold are the best on all folds together; own folds: each test fold at the threshold that "
        "is best on it; nested: at the one that is best on the other folds, which is what to report. Chance is the "
        "probability that scores that know nothing reach this F.\n"
    )
    if noise:
        yield Piece(
            f"\nThe thresholds of {len(noise)} of {len(found.labels)} labels are noise: chance explains their F, or on "
            f"other folds it is no higher than when all is called positive ({named}).\n",
            "warning",
        )


def measure(beta: float) -> str:
    """The name of F_beta: "F1", "F0.5"."""
    return f"F{beta:g}"


def rule(beta: float) -> str:
    """The formula of the rule for calibrated scores: "F*/2"."""
    return f"F*/{1 + beta**2:.6g}"


def of_best(best: BestThreshold) -> str:
    """A best threshold with few digits."""
    return shortest(best.threshold, best.next_score)


def shortest(threshold: float, next_score: float) -> str:
    """A threshold as text, with as few digits as leave its decisions the same."""
    if not math.isfinite(threshold):
        return "unknown" if math.isnan(threshold) else "none"
    value, digits = shortest_between(next_score, threshold, downwards)
    return f"{value:.{max(digits, 4)}g}"


def probability(p: float) -> str:
    """A p-value with its sign."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def span(interval: Interval) -> str:
    """The two ends of an interval."""
    return f"{difference(interval.low)} to {difference(interval.high)}".replace("+", "")


def difference(value: float) -> str:
    """A difference with its sign; one that rounds to zero is not negative."""
    return signed(round(value, 4) + 0.0)


def styled_table(rows: Sequence[Sequence[str]], last: str = "") -> Iterator[Piece]:
    """A table with a faint header, whose last row may have a style."""
    for number, line in enumerate(aligned(rows)):
        style = "faint" if number == 0 else last if number == len(rows) - 1 else ""
        yield Piece(f"{line}\n", style)  # type: ignore[arg-type]


def render_json(results: Sequence[ExperimentThresholds]) -> str:
    """All results as JSON: one as a single object, several in a list; unknown and infinite values are null."""
    return of_experiments([experiment_object(found) for found in results])


def experiment_object(found: ExperimentThresholds) -> dict[str, Any]:
    """One experiment."""
    several_labels = found.kind != "binary"
    return {
        "experiment": found.experiment,
        "repeat": found.repeat,
        "kind": found.kind,
        "beta": found.beta,
        "macro_f": {way: found.macro(way) for way in WAYS} if several_labels else None,
        "labels": [label_object(label, found.beta) for label in found.labels],
    }


def label_object(label: LabelThresholds, beta: float) -> dict[str, Any]:
    """One label."""
    return {
        "label": label.label,
        "samples": whole(label.samples),
        "positives": whole(label.positives),
        "best": asdict(label.optimism.pooled),
        "f": label.optimism.f,
        "intervals": intervals_object(label.optimism),
        "optimism": {way: label.optimism.gain(way) for way in ("own", "pooled")},
        "all_positive_f": label.all_positive_f,
        "chance": label.chance,
        "noise": label.noise,
        "rule_fits": label.rule_fits,
        "calibration": None if label.calibration is None else calibration_object(label.calibration, beta),
        "deployed": None if label.deployed is None else asdict(label.deployed),
        "folds": [asdict(row) for row in label.optimism.rows],
    }


def intervals_object(found: Optimism) -> dict[str, Any]:
    """The interval of the nested F and those of the differences from it, or why there are none."""
    return {
        way: {"ci": [i.low, i.high], "why": None} if isinstance(i, Interval) else {"ci": None, "why": i}
        for way, i in found.intervals.items()
    }


def calibration_object(found: Calibration, beta: float) -> dict[str, Any]:
    """The calibration and the rule."""
    return {
        "rule_threshold": optimal_probability(found.best.f, beta),
        "rule_f": found.rule.f,
        "loss": found.loss,
        "mean_score": found.mean_score,
        "prevalence": found.prevalence,
        "z": found.z,
        "z_mean": found.z_mean,
        "p": found.p,
        "plausible": found.plausible,
    }
