"""Draws that the averages of one experiment share: `cvlint` draws anew for each, and from one seed always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cvlint.runtime.comparison import paired_bootstrap
from cvlint.runtime.intervals import count_bootstrap

kept: dict[object, list[Any] | str] = {}


def shared(draw: Callable[..., Iterator[Any] | str]) -> Callable[..., Iterator[Any] | str]:
    """The same draws, as often as they are asked for until `kept` is cleared."""

    def drawn(*given: Any) -> Iterator[Any] | str:
        sets = given[0] if isinstance(given[0], list) else []
        key = draw.__name__, *(one.folds for one in sets)  # the folds are one where their sums are drawn
        if key not in kept:
            found = draw(*given)
            kept[key] = found if isinstance(found, str) else list(found)
        once = kept[key]
        return once if isinstance(once, str) else iter(once)

    return drawn


def share_draws() -> None:
    """Let the averages share what is drawn one by one, or for pairs. `kept` is that of one experiment."""
    count_bootstrap.drawn_counts = shared(count_bootstrap.drawn_counts)  # type: ignore[assignment]
    for name in ("drawn_for_folds", "drawn_cells"):
        setattr(paired_bootstrap, name, shared(getattr(paired_bootstrap, name)))
