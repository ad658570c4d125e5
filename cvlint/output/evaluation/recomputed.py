"""Recomputed aggregates as text, Markdown and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.evaluation.json_document import document, of_experiments
from cvlint.output.evaluation.text_table import aligned
from cvlint.output.shared.strangers_text import harmless_markdown, harmless_text
from cvlint.output.shared.styled_text import Piece
from cvlint.runtime.aggregates.registry import ALWAYS, FAMILIES
from cvlint.runtime.aggregates.repetitions import MEANING, Repetitions, over_repetitions
from cvlint.runtime.aggregates.reported_match import Match
from cvlint.runtime.aggregates.results import Aggregate, FoldRow, Recomputed
from cvlint.runtime.intervals.bootstrap import NOT_ASKED

COUNTED = ("fold", "samples", "positives", "tp", "fp", "fn", "tn", "precision", "recall", "f", "auc")
WHOLE = ("samples", "positives", "tp", "fp", "fn", "tn")

Results = Sequence[tuple[Recomputed, Sequence[Match]]]


def pieces(results: Results) -> Iterator[Piece]:
    """All results as pieces of text with styles."""
    return (piece._replace(text=harmless_text(piece.text)) for piece in raw_pieces(results))


def raw_pieces(results: Results) -> Iterator[Piece]:
    """The pieces with names as strangers wrote them."""
    for number, (found, matches) in enumerate(results):
        if number:
            yield Piece("\n")
        if title(found):
            yield Piece(f"{title(found)}\n\n", "strong")
        if positive := positive_sentence(found.classes):
            yield Piece(f"{positive}\n\n")
        yield from _table(aggregate_table(found), ["" if not a.right else "strong" for a in found.aggregates])
        for reason in reasons(found):
            yield Piece(f"{reason}\n", "faint")
        yield Piece("\n")
        yield from _table(fold_table(found.rows), ["" for _ in found.rows])
        if found.anomalies:
            yield Piece("\n")
        for anomaly in found.anomalies:
            yield Piece("warning: ", "warning")
            yield Piece(f"{anomaly.message}\n")
        if matches:
            yield Piece("\n")
        for found_match in matches:
            yield Piece(f"{verdict(found_match, found)}\n", "strong")
    for repetitions in over_repetitions([found for found, _ in results]):
        yield Piece(f"\n{repetitions_title(repetitions)}\n\n", "strong")
        yield from _table(repetitions_table(repetitions), ["strong" for _ in repetitions.aggregates])
        yield Piece(f"{MEANING}\n", "faint")


def title(found: Recomputed) -> str:
    """The experiment and repetition of a result, its average over classes and its beta, unless they are the usual."""
    parts = [f"experiment {found.experiment}"] if found.experiment != "" else []
    parts += [f"repeat {found.repeat}"] if found.repeat != "" else []
    parts += [f"{found.average} average over classes"] if found.average != "binary" else []
    parts += [f"beta {found.beta:g}"] if found.beta != 1 else []
    line = ", ".join(parts)
    return line[:1].upper() + line[1:]


def repetitions_title(found: Repetitions) -> str:
    """The title of the table over the repetitions of an experiment."""
    of = "" if found.experiment == "" else f" of experiment {found.experiment}"
    return f"Over the {found.number} repetitions{of}"


def repetitions_table(found: Repetitions) -> list[list[str]]:
    """The table of the aggregates to report, over the repetitions."""
    rows = [["aggregate", "mean", "lowest to highest", "deviation", "advice"]]
    for a in found.aggregates:
        known = a.mean == a.mean
        span = f"{a.low:.4f}–{a.high:.4f}" if known else ""
        says = "report this" if known else "undefined in a repetition"
        rows.append([a.label, share(a.mean), span, f"{a.deviation:.4f}" if known else "", says])
    return rows


def aggregate_table(found: Recomputed) -> list[list[str]]:
    """The table of aggregates, each with its difference from the one to report of its family."""
    rightly = {a.family: a for a in found.aggregates if a.right}
    level = next((f"{a.interval.level:.0%}" for a in found.aggregates if a.interval), "95%")
    rows = [["aggregate", "value", f"{level} interval", "difference", "bias", "what it is"]]
    for a in found.aggregates:
        meaning = f"{a.meaning}; {a.note}" if a.note else a.meaning
        rows.append([a.label, share(a.value), between(a), compared_with(rightly[a.family], a), percent(a), meaning])
    return rows


def compared_with(right: Aggregate, a: Aggregate) -> str:
    """The difference of an aggregate from the one to report of its family; empty where one of them is undefined."""
    if a is right:
        return "" if a.value != a.value or a.vacuous else "report this"
    return signed(a.value - right.value)


def percent(aggregate: Aggregate) -> str:
    """The expected bias, with only the digits that its standard error allows."""
    bias, error = aggregate.expected_bias, aggregate.expected_bias_error
    return "–" if bias is None or error is None else relative(bias, error)


def relative(bias: float, error: float) -> str:
    """A relative bias in percent; two standard errors are at most half a unit of its last digit."""
    places = 1 if error <= 0.00025 else 0
    sure = "" if error <= 0.0025 else "≈ "
    shown = f"{100 * bias:+.{places}f}"
    return f"{sure}{shown if float(shown) else shown[1:]} %".replace("-", "−")


def reasons(found: Recomputed) -> list[str]:
    """Sentences that say why values, intervals or expected biases of F are missing, unless the user wants none."""
    missing: dict[str, list[str]] = {}
    for a in found.aggregates:
        if "value" in a.why:
            missing.setdefault(f"No value{{}}: {a.why['value']}.", []).append(a.label)
        if a.family == "f" and "expected_bias" in a.why:
            missing.setdefault(f"No expected bias{{}}: {a.why['expected_bias']}.", []).append(a.label)
        if a.why.get("interval", NOT_ASKED) != NOT_ASKED and "value" not in a.why:
            missing.setdefault(f"No interval{{}}: {a.why['interval']}.", []).append(a.label)
    every = [[a.label for a in found.aggregates if a.family == "f"], [a.label for a in found.aggregates]]
    return [text.format("" if who in every else f" of {', '.join(who)}") for text, who in missing.items()]


def between(aggregate: Aggregate) -> str:
    """A confidence interval as text."""
    found = aggregate.interval
    return "" if found is None else f"{found.low:.3f}–{found.high:.3f}"


def fold_table(rows: Sequence[FoldRow]) -> list[list[str]]:
    """The table of folds, without the columns that are unknown for all folds."""
    known = [name for name in COUNTED if any(getattr(row, name) is not None for row in rows)]
    table = [["F" if name == "f" else name.upper() if len(name) == 2 or name == "auc" else name for name in known]]
    for row in rows:
        table.append([figure(name, getattr(row, name)) for name in known])
    return table


def figure(name: str, value: Any) -> str:
    """One cell of the table of folds."""
    if name == "fold":
        return str(value)
    if value is None:
        return ""
    if name in WHOLE:  # sums of weights may not be whole numbers
        return f"{value:.0f}" if float(value).is_integer() else f"{value:.6g}"
    return share(value)


def share(value: float) -> str:
    """A value from 0 to 1, or "undefined"."""
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def signed(value: float) -> str:
    """A difference with its sign."""
    rounded = round(value, 4) + 0.0  # -0.0 is 0
    return "" if math.isnan(value) else f"{rounded:+.4f}".replace("-", "−")


def verdict(found: Match, result: Recomputed) -> str:
    """A sentence that says which aggregate a reported number is."""
    reported = found.reported
    right = next((a for a in result.aggregates if a.family == reported.family and a.right), None)
    if right is None:
        return f"Reported {reported.text}: the data allow no aggregate of this measure."
    if not found.aggregates:
        return f"Reported {reported.text}: no aggregate rounds to it; {right.label} is {share(right.value)}."
    *others, last = (a.label for a in found.aggregates)
    is_it = f"it may be {', '.join(others)} or {last}" if others else f"it is {last}"
    right_one = "" if right in found.aggregates else f"; {right.label} is {share(right.value)}"
    return f"Reported {reported.text}: {is_it}{right_one}."


def _table(rows: list[list[str]], styles: Sequence[str]) -> Iterator[Piece]:
    last = len(rows[0]) - 1
    lines = aligned(rows, left=lambda column, cell: column == 0 or (column == last and not is_figure(cell)))
    for line, style in zip(lines, ("faint", *styles), strict=True):
        yield Piece(f"{line}\n", style)  # type: ignore[arg-type]


def is_figure(cell: str) -> bool:
    """Whether a cell has a number, or the heading of a column of numbers."""
    return cell in ("undefined", "AUC", "F", "recall") or cell.replace(".", "").isdigit()


def render_markdown(results: Results) -> str:
    """All results as Markdown."""
    parts = []
    for found, matches in results:
        if title(found):
            parts.append(f"## {title(found)}")
        parts += [positive_sentence(found.classes)] if found.classes else []
        parts.append(markdown_table(aggregate_table(found)))
        parts += reasons(found)
        parts.append(markdown_table(fold_table(found.rows)))
        parts += ["\n".join(f"- {a.message}" for a in found.anomalies)] if found.anomalies else []
        parts += [f"**{verdict(m, found)}**" for m in matches]
    for repetitions in over_repetitions([found for found, _ in results]):
        parts += [f"## {repetitions_title(repetitions)}", markdown_table(repetitions_table(repetitions)), MEANING]
    return harmless_markdown("\n\n".join(parts) + "\n")


def markdown_table(rows: list[list[str]]) -> str:
    """A Markdown table with the first row as its header."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def render_json(results: Results) -> str:
    """All results as JSON: one as a single object, several in a list; unknown values are null."""
    objects = [as_object(found, matches) for found, matches in results]
    repetitions = over_repetitions([found for found, _ in results])
    if not repetitions:
        return of_experiments(objects)
    return document({"experiments": objects, "repetitions": [repetitions_object(one) for one in repetitions]})


def repetitions_object(found: Repetitions) -> dict[str, Any]:
    """The aggregates to report of one experiment, over its repetitions."""
    of = {a.name: {"mean": a.mean, "low": a.low, "high": a.high, "deviation": a.deviation} for a in found.aggregates}
    return {"experiment": found.experiment, "repetitions": found.number, "aggregates": of}


def as_object(found: Recomputed, matches: Sequence[Match]) -> dict[str, Any]:
    """One result; it lists every aggregate of the registry, with the reason where it is unknown."""
    known = {a.name: aggregate_object(a) for a in found.aggregates}
    lacking = {"value": None, "ci": None, "expected_bias": None, "expected_bias_error": None, "note": None}
    aggregates = {
        name: known.pop(name, {**lacking, "why": FAMILIES[family].lacking}) for name, family in ALWAYS.items()
    }
    odd: dict[Any, list[str]] = {}
    for anomaly in found.anomalies:
        odd.setdefault(anomaly.fold, []).append(anomaly.kind)
    return {
        "experiment": found.experiment,
        "repeat": found.repeat,
        "average": found.average,
        "beta": found.beta,
        "folds": len(found.rows),
        "samples": in_all([row.samples for row in found.rows]),
        "positives": in_all([row.positives for row in found.rows]),
        "aggregates": aggregates | known,
        "per_fold": [fold_object(row, odd.get(row.fold, [])) for row in found.rows],
        "anomalies": [asdict(anomaly) for anomaly in found.anomalies],
        "reported": [reported_object(match) for match in matches],
    }


def aggregate_object(a: Aggregate) -> dict[str, Any]:
    """One aggregate."""
    ci = None if a.interval is None else [a.interval.low, a.interval.high]
    reasons = [a.why["value"]] if "value" in a.why else [f"no {what}: {reason}" for what, reason in a.why.items()]
    return {
        "value": a.value,
        "ci": ci,
        "expected_bias": a.expected_bias,
        "expected_bias_error": a.expected_bias_error,
        "why": "; ".join(reasons) or None,
        "note": a.note or None,
    }


def fold_object(row: FoldRow, anomalies: list[str]) -> dict[str, Any]:
    """One fold; its counts are whole numbers unless they are sums of weights."""
    values = asdict(row)
    counts = {name: None if values[name] is None else whole(values[name]) for name in WHOLE}
    return values | counts | {"anomalies": anomalies}


def in_all(values: Sequence[float | None]) -> float | None:
    """The sum of some counts, as a whole number if it is one; None where one of them is unknown."""
    known = [value for value in values if value is not None]
    return whole(sum(known)) if len(known) == len(values) else None


def whole(value: float) -> float:
    """A count as a whole number, if it is one."""
    return int(value) if float(value).is_integer() else value


def reported_object(match: Match) -> dict[str, Any]:
    """A published number, and the aggregates that round to it."""
    name = match.reported.text.partition("=")[0].strip()
    return {"name": name, "value": match.reported.value, "matches": [a.name for a in match.aggregates]}
