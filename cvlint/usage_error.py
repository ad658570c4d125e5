"""The error of a user: an option, a config or a file that cvlint cannot use, said in one sentence.

It is the lowest layer of the package: every other module may raise a `UsageError`, and this one imports none of them.
"""

from __future__ import annotations

from collections.abc import Iterable


class UsageError(Exception):
    """Cvlint cannot do what the user wants; the command line prints the sentence and exits with status 2.

    Parameters
    ----------
    problem : str
        What is wrong, without a full stop.
    valid : str
        What would be right, or nothing.
    given : str
        The word that cvlint does not know.
    choices : iterable of str
        The words that it knows; the sentence proposes the one most like `given`.
    """

    def __init__(self, problem: str, valid: str = "", given: str = "", choices: Iterable[str] = ()) -> None:
        meant = closest_choice(given, choices) if given else None
        question = f"did you mean '{meant}'?" if meant else ""
        if question:  # what was probably meant comes before what else there is
            more = f" {valid[:1].upper()}{valid[1:]}." if valid else ""
            self.sentence = f"{problem}; {question}{more}"
        else:
            self.sentence = "; ".join(part for part in (problem, valid) if part)
            self.sentence += "" if self.sentence.endswith("?") else "."
        super().__init__(self.sentence)


def as_usage_error(error: Exception, file: str = "") -> UsageError:
    """Turn an error about data or options into a usage error.

    Its sentence begins with a capital letter, unless it begins with the name of the file.
    """
    text = str(error).rstrip(".")
    return UsageError(text if file and text.startswith(file) else text[:1].upper() + text[1:])


def closest_choice(given: str, choices: Iterable[str]) -> str | None:
    """Find the choice that is spelled most like a word; upper and lower case are the same."""
    import difflib  # only errors need it, and cvlint must start quickly

    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None
