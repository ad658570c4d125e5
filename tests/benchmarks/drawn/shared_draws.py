"""Draws that the averages of one experiment share: `cvlint` draws anew for each, and from one seed always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cvlint.runtime.comparison import paired_bootstrap
from cvlint.runtime.intervals import count_bootstrap

kept: dict[str, list[Any] | str] = {}


def shared(draw: Callable[..., Iterator[Any] | str]) -> Callable[..., Iterator[Any] | str]:
    """The same draws, as often as they are asked for until `kept` is cleared."""

    def drawn(*given: Any) -> Iterator[Any] | str:
        if draw.__name__ not in kept:
            found = draw(*given)
            kept[draw.__name__] = found if isinstance(found, str) else list(found)
        once = kept[draw.__name__]
        return once if isinstance(once, str) else iter(once)

    return drawn


def share_draws() -> None:
    """Let the averages share what is drawn one by one, and what is drawn for pairs. `kept` is that of one experiment."""
    count_bootstrap.drawn_counts = shared(count_bootstrap.drawn_counts)  # type: ignore[assignment]
    for name in ("drawn_for_folds", "drawn_cells"):
        setattr(paired_bootstrap, name, shared(getattr(paired_bootstrap, name)))
