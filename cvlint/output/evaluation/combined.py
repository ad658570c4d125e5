"""Boolean combinations of classifiers as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.evaluation.json_document import document
from cvlint.output.shared.strangers_text import harmless_line
from cvlint.records import dataclass
from cvlint.runtime.combination.cross_validated_combination import HeldOutResult, Method
from cvlint.runtime.combination.paired_experiments import SameSamples
from cvlint.runtime.combination.roc_hull import Combination, RocHull


@dataclass(frozen=True, slots=True, eq=False)
class CombineReport:
    """The content of ``cvlint combine``: samples, P(+) and alpha of F, hulls on all folds, and F on left-out folds."""

    samples: SameSamples
    prevalence: float
    alpha: float
    hulls: tuple[RocHull, ...]
    results: Sequence[HeldOutResult]

    @property
    def best(self) -> Combination:
        """The combination that is best on all folds."""
        return self.hulls[-1].best(self.prevalence, self.alpha)


def render_text(found: CombineReport) -> str:
    """Tables of the gains and of the combinations, with sentences."""
    samples, best = found.samples, found.best
    positive = positive_sentence(samples.classes)
    lines = [
        f"{len(samples.scores)} classifiers ({', '.join(samples.scores)}), {len(samples.y_true)} samples, "
        f"{len(samples.fold_names)} folds; F at P(+) = {found.prevalence:.4g}, alpha = {found.alpha:g}.",
        *([positive] if positive else []),
        "",
        "Each fold was left out once: chosen on the other folds, then measured on it, counts summed.",
        "",
        *held_out_table(found.results),
        "",
        verdict(found.results),
        "",
        f"Chosen on all folds, {label(Method(len(found.hulls) - 1))}: {best}",
        f"On these folds its F is {best.f(found.prevalence, found.alpha):.4f}, TPR {best.tpr:.4f}, FPR {best.fpr:.4f}; "
        "expect the F of the folds left out, not this.",
        "",
        *combination_table(found.hulls[-1].combinations(found.alpha)),
    ]
    return "".join(map(harmless_line, lines))


def held_out_table(results: Sequence[HeldOutResult]) -> list[str]:
    """The F of each way to choose a rule, on the folds that it chooses on and on those left out."""
    labels = [label(result.method) for result in results]
    width = max(map(len, labels))
    rows = [f"{'':{width}}  F where chosen  F left out  optimism"]
    for name, result in zip(labels, results, strict=True):
        optimism = f"{result.optimism:+.4f}".replace("-", "−")
        rows.append(f"{name:{width}}  {result.chosen_f:14.4f}  {result.held_out_f:10.4f}  {optimism:>8}")
    return rows


def label(method: Method) -> str:
    """The name of a way to choose."""
    match method:
        case Method(mean=True):
            return "mean of scores"
        case Method(iterations=0):
            return "best classifier"
        case Method(iterations=1):
            return "1 iteration"
        case _:
            return f"{method.iterations} iterations"


def verdict(results: Sequence[HeldOutResult]) -> str:
    """Whether combining was better than the best classifier and than the mean of scores, in a sentence."""
    combined = [o for o in results if o.method.iterations]
    if not combined:
        return "Nothing was combined: --iterations is 0."
    last = combined[-1]
    rival = max((o for o in results if not o.method.iterations), key=lambda o: o.held_out_f)
    gain = last.held_out_f - rival.held_out_f
    if gain <= 0:
        return (
            f"Left out, the combination has F {last.held_out_f:.4f} and the {label(rival.method)} "
            f"{rival.held_out_f:.4f}: nothing is gained by combining."
        )
    return (
        f"Left out, the combination has F {last.held_out_f:.4f}, {gain:.4f} more than the {label(rival.method)}; "
        f"where it was chosen the gain looked like {last.chosen_f - rival.chosen_f:.4f}."
    )


def combination_table(combinations: Sequence[Combination]) -> list[str]:
    """The best combination in each interval of P(+)."""
    rows = ["best at P(+)        TPR     FPR  rule"]
    for c in combinations:
        where = f"{c.best_from:.4f}–{c.best_to:.4f}"
        rows.append(f"{where:15}  {c.tpr:.4f}  {c.fpr:.4f}  {c}")
    return rows


def render_json(found: CombineReport) -> str:
    """The same for programs, with the rules as texts and as trees."""
    samples = found.samples
    return document(
        {
            "classifiers": list(samples.scores),
            "samples": len(samples.y_true),
            "positives": int(samples.y_true.sum()),
            "folds": len(samples.fold_names),
            "prevalence": found.prevalence,
            "alpha": found.alpha,
            "iterations": len(found.hulls) - 1,
            "held_out": [held_out_object(found, result) for result in found.results],
            "best": found.best.as_object(),
            "envelope": [c.as_object() for c in found.hulls[-1].combinations(found.alpha)],
        }
    )


def held_out_object(found: CombineReport, result: HeldOutResult) -> dict[str, Any]:
    """One way to choose, with the rule chosen without each fold."""
    folds = zip(found.samples.fold_names, result.rules, strict=True)
    return {
        "method": label(result.method),
        "iterations": result.method.iterations,
        "chosen_f": result.chosen_f,
        "held_out_f": result.held_out_f,
        "optimism": result.optimism,
        "rules": [{"left_out": name, "text": str(rule)} for name, rule in folds],
    }
