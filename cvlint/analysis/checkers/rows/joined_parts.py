"""What was learned from training and test rows, which were put together for it or taken apart before.

``StandardScaler().fit(np.vstack([x_train, x_test]))``, ``(x_test - everything.mean(0)) / everything.std(0)``. A measure
of a model proves which rows are the test part. Event ``fit`` (CVL303, ``of="both"``).
"""

from __future__ import annotations

from cvlint.analysis.domain.rows import Learned, ModelFit, RowSet, covers, frame_of, is_of_hold_out, place_of
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState


def record_learned_of_both(state: AnalysisState, fit: ModelFit) -> None:
    """A model is fitted to rows and measured on others, and both hold what was learned from them together."""
    for one in fit.measured:
        if one.relation != "other" or not one.is_counted:
            continue
        for learned in sorted(one.learned & fit.learned, key=place_of):
            whole = frame_of(learned.rows)
            is_of_both = (whole.is_union or learned in state.rows.applied_to) and all(
                is_taken_from(whole, part) for part in (fit.rows, one.rows)
            )
            if is_of_both and not learned.of_categories and not learned.of_chance:
                record_of_both(state, learned, (fit.step, one.step, *one.computed))


def record_of_both(state: AnalysisState, learned: Learned, trace: Trace) -> None:
    """The event of what was learned of both parts, unless it was told before."""
    if any(event.node is learned.step.node for event in (*state.leaks.values(), *state.events)):
        return
    place = learned.step
    by = learned.by if learned.by_hand else f"{learned.by} is fitted to"
    facts = {"how": "learned", "by": by, "split": "hold-out", "of": "both", "rows": "more"}
    facts["done"] = learned.by_hand or "fitted"
    state.record(Event("fit", place.source, place.node, Measure("unknown"), trace=trace, note=place.note, facts=facts))


def is_taken_from(whole: RowSet, part: RowSet) -> bool:
    """Whether rows are a part of others, and none that a split into folds made: folds may only choose a model."""
    above = [rows for rows in part.ancestors() if covers(whole, rows)]
    apart = whole.found is not part.found and covers(whole, part)
    return apart and not any(rows.role in ("train", "test") and not is_of_hold_out(rows) for rows in above)


def as_whole_frames(one: RowSet, other: RowSet) -> tuple[RowSet, RowSet]:
    """Two sets, of which one may be a column of a frame that was split: a column has all its rows."""
    one, other = one.found, other.found
    frames = frame_of(one), frame_of(other)
    columns = [frame for rows, frame in zip((one, other), frames, strict=True) if rows is not frame]
    if len(columns) == 1 and is_split(columns[0]):
        return frames
    return one, other


def is_split(rows: RowSet) -> bool:
    """Whether rows were split into a training and a test part: what holds them is no dict."""
    return any(part.role in ("train", "test") for part in rows.parts.values())
