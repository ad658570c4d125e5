"""Whose check starts next, if more documents wait than may be checked at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import NamedTuple


class _Waiting(NamedTuple):
    """A document that waits; the greatest is next."""

    is_quick: bool
    number: int
    called: asyncio.Future[None]


class Turns:
    """Turns of documents: first those whose last check was quick, then the one that came last.

    The user looks at the document that was opened or edited last. There are ``spare`` more turns for quick documents
    alone, so that others do not keep them waiting.
    """

    def __init__(self, places: int, spare: int = 1) -> None:
        self.places = places
        self.spare = spare
        self.taken = 0
        self.waiting: list[_Waiting] = []

    @contextlib.asynccontextmanager
    async def turn(self, is_quick: bool, number: int) -> AsyncIterator[None]:
        """Wait for a turn; it ends with the block. The greater the number of a document, the later it came."""
        if self.is_full(is_quick):
            await self._called(is_quick, number)
        else:
            self.taken += 1
        try:
            yield
        finally:
            self._end()

    def is_full(self, is_quick: bool) -> bool:
        """Whether a document would have to wait."""
        return self.taken >= self.places + (self.spare if is_quick else 0)

    async def _called(self, is_quick: bool, number: int) -> None:
        """Wait until a turn ends; its place is taken by whoever is called."""
        waiting = _Waiting(is_quick, number, asyncio.get_running_loop().create_future())
        self.waiting.append(waiting)
        try:
            await waiting.called
        except asyncio.CancelledError:
            if waiting.called.cancelled():
                self.waiting = [one for one in self.waiting if one is not waiting]
            else:  # it was called just before
                self._end()
            raise

    def _end(self) -> None:
        self.taken -= 1
        self.waiting = [one for one in self.waiting if not one.called.cancelled()]
        if self.waiting and not self.is_full((following := max(self.waiting, key=lambda one: one[:2])).is_quick):
            self.waiting.remove(following)
            self.taken += 1
            following.called.set_result(None)
