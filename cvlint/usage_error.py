"""The sentence said when what was asked cannot be done: what is wrong, what is valid, what is nearest."""

from __future__ import annotations

from collections.abc import Iterable

from cvlint.rules.names import nearest


class Refusal(Exception):
    """Raised where what was asked cannot be done; at the command line one sentence and exit status 2.

    Parameters
    ----------
    problem : str
        What is wrong, without a full stop.
    valid : str
        What would be right, or nothing.
    given : str
        The word that was not understood.
    choices : iterable of str
        The words that would have been understood; the nearest to `given` is proposed.
    """

    def __init__(self, problem: str, valid: str = "", given: str = "", choices: Iterable[str] = ()) -> None:
        meant = nearest(given, choices) if given else None
        question = f"did you mean '{meant}'?" if meant else ""
        self.sentence = "; ".join(part for part in (problem, valid, question) if part)
        if not meant:
            self.sentence += "."
        super().__init__(self.sentence)


def refused(error: Exception, named: str = "") -> Refusal:
    """The refusal of data or options that an error speaks of; a sentence begins with a capital, unless with a name."""
    text = str(error).rstrip(".")
    return Refusal(text if named and text.startswith(named) else text[:1].upper() + text[1:])
