"""Two compared experiments as text, Markdown and JSON."""

from __future__ import annotations

from typing import Any

from cvlint.output.evaluation.json_document import document
from cvlint.output.evaluation.recomputed import markdown_table, share, signed
from cvlint.output.evaluation.text_table import aligned
from cvlint.output.shared.locations import printable
from cvlint.output.shared.strangers_text import harmless_line, harmless_markdown
from cvlint.runtime.comparison.results import Compared, Difference, PairedTest
from cvlint.runtime.intervals.bootstrap import Interval

STAYS = {True: "shown", False: "not shown", None: ""}
OTHER_TRAINING = (
    "With other training data there is no interval: one cross-validation does not show how far its result hangs on "
    "them (Bengio & Grandvalet 2004). Whether the difference is shown is told cautiously (Nadeau & Bengio 2003)."
)


def render_text(found: Compared) -> str:
    """The sentence first, then the tables, and what the tests assume."""
    lines = [found.sentence, "", about(found), *(f"warning: {note}" for note in found.notes), ""]
    lines += aligned(difference_table(found))
    lines += ["", *reasons(found)] if reasons(found) else []
    lines += ["", *aligned([["test", "of", "result"], *test_rows(found)], left=lambda column, cell: True)]
    lines += ["", "What the tests assume:"]
    lines += [f"- {title} ({reference}): {assumptions}" for title, reference, assumptions in sources(found)]
    return "".join(map(harmless_line, lines))


def about(found: Compared) -> str:
    """A sentence about the data."""
    parts = [f"{found.samples:,} samples"]
    parts += [f"{found.positives:,} of them positive"] if found.positives is not None else []
    parts += [f"{found.folds} folds"]
    parts += [f"{found.repeats} repetitions"] if found.repeats > 1 else []
    parts += [f"{found.groups:,} groups, drawn whole"] if found.groups is not None else []
    by = "sample_id" if found.matched_by == "sample_id" else "the order of their rows"
    return f"{', '.join(parts)}; matched by {by}. Each difference is {found.names[1]} − {found.names[0]}."


def difference_table(found: Compared) -> list[list[str]]:
    """The table of differences."""
    level = next((f"{d.interval.level:.0%}" for d in found.differences if d.interval), "95%")
    rows = [["aggregate", *found.names, "difference", f"{level} interval", "by", "with other training", ""]]
    for one in found.differences:
        rows.append(
            [
                one.label,
                share(one.first),
                share(one.second),
                signed(one.value),
                between(one.interval),
                one.method,
                STAYS[one.stays],
                "decides" if one.name == found.measure else "",
            ]
        )
    return rows


def right_table(found: Compared) -> list[list[str]]:
    """The table of the aggregates to report, for the report."""
    head, *rows = difference_table(found)
    right = {one.label for one in found.differences if one.right}
    return [row[:-1] for row in (head, *rows) if row is head or row[0] in right]


def between(interval: Interval | None) -> str:
    """The interval of a difference as text."""
    return "" if interval is None else f"{signed(interval.low)} to {signed(interval.high)}"


def reasons(found: Compared) -> list[str]:
    """Sentences that say why values or intervals are missing, and what stands in the place of one."""
    missing: dict[tuple[str, str], list[str]] = {}
    for one in found.differences:
        if one.why:
            what = "interval" if one.value == one.value else "difference"
            missing.setdefault((what, one.why), []).append(one.label)
    said = [f"No {what} of {', '.join(labels)}: {why}." for (what, why), labels in missing.items()]
    return [*said, OTHER_TRAINING] if any(one.stays is not None for one in found.differences) else said


def test_rows(found: Compared) -> list[list[str]]:
    """The rows of the table of tests."""
    return [[test.title, test.measure, test.result or f"not computed: {test.why}"] for test in found.tests]


def sources(found: Compared) -> list[tuple[str, str, str]]:
    """The name of each test, where it is from, and what it assumes."""
    return list(dict.fromkeys((test.title, test.reference, test.assumptions) for test in found.tests))


def render_markdown(found: Compared) -> str:
    """The same as Markdown."""
    parts = [f"**{printable(found.sentence)}**", printable(about(found))]
    parts += ["\n".join(f"- {printable(note)}" for note in found.notes)] if found.notes else []
    parts.append(markdown_table([[printable(cell) for cell in row] for row in difference_table(found)]))
    parts += reasons(found)
    rows = [["test", "of", "result"], *test_rows(found)]
    parts.append(markdown_table([[printable(cell) for cell in row] for row in rows]))
    parts.append(
        "\n".join(f"- {title} ({reference}): {assumptions}" for title, reference, assumptions in sources(found))
    )
    return harmless_markdown("\n\n".join(parts) + "\n")


def render_json(found: Compared) -> str:
    """The same for programs."""
    return document(as_object(found))


RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}


def as_object(found: Compared) -> dict[str, Any]:
    """The comparison for JSON."""
    needed = found.needed
    return {
        "names": list(found.names),
        "verdict": found.verdict,
        "sentence": found.sentence,
        "measure": found.measure,
        "needed": None if needed is None else {"what": needed.what, "now": needed.now, "number": needed.number},
        "samples": found.samples,
        "positives": found.positives,
        "folds": found.folds,
        "repeats": found.repeats,
        "groups": found.groups,
        "matched_by": found.matched_by,
        "aggregates": {one.name: difference_object(one) for one in found.differences},
        "tests": [test_object(test) for test in found.tests],
        "warnings": list(found.notes),
    }


def difference_object(one: Difference) -> dict[str, Any]:
    """One aggregate of both."""
    return {
        "first": one.first,
        "second": one.second,
        "difference": one.value,
        "ci": None if one.interval is None else [one.interval.low, one.interval.high],
        "shown_with_other_training": one.stays,
        "standard_error": one.error,
        "method": one.method or None,
        "why": one.why or None,
    }


def test_object(test: PairedTest) -> dict[str, Any]:
    """One test."""
    return {
        "name": test.name,
        "title": test.title,
        "measure": test.measure,
        "values": test.values or None,
        "why": test.why or None,
        "reference": test.reference,
        "assumptions": test.assumptions,
    }
