"""Turns: who is called next, and that no turn is lost when somebody stops waiting."""

from __future__ import annotations

import asyncio

from cvlint.server.turns import Turns


async def take(turns: Turns, name: str, taken: list[str], ends: asyncio.Event, is_quick: bool, number: int) -> None:
    async with turns.turn(is_quick, number):
        taken.append(name)
        await ends.wait()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_quick_documents_are_first_and_then_the_last_that_came() -> None:
    async def run() -> None:
        turns, taken = Turns(1), list[str]()
        ends = {name: asyncio.Event() for name in ("one", "two", "three", "quick", "quicker")}
        waiting = [
            asyncio.ensure_future(take(turns, name, taken, end, name.startswith("quick"), number))
            for number, (name, end) in enumerate(ends.items())
        ]
        await settle()
        assert taken == ["one", "quick"], "one turn more is for quick documents alone"
        ends["one"].set()
        await settle()
        assert taken == ["one", "quick", "quicker"]
        for name in ("quick", "quicker", "three", "two"):
            ends[name].set()
            await settle()
        assert taken == ["one", "quick", "quicker", "three", "two"]
        await asyncio.gather(*waiting)
        assert turns.taken == 0 and not turns.is_full(False)

    asyncio.run(run())


def test_no_turn_is_lost_when_somebody_stops_waiting() -> None:
    async def run() -> None:
        turns, taken = Turns(1, 0), list[str]()
        ends = {name: asyncio.Event() for name in ("one", "two", "three", "four")}
        one, two, three, four = (
            asyncio.ensure_future(take(turns, name, taken, end, False, number))
            for number, (name, end) in enumerate(ends.items())
        )
        await settle()
        ends["one"].set()
        await asyncio.sleep(0)  # "one" ends and calls "four", which is cancelled before it notices
        four.cancel()
        three.cancel()
        await settle()
        assert taken == ["one", "two"]
        assert turns.is_full(True)
        ends["two"].set()
        await asyncio.gather(one, two, three, four, return_exceptions=True)
        assert turns.taken == 0 and not turns.waiting

    asyncio.run(run())
