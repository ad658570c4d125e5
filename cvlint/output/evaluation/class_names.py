"""A sentence that names the positive label."""

from __future__ import annotations

from cvlint.output.shared.locations import printable
from cvlint.runtime.data.labels import Label


def positive_sentence(classes: tuple[Label, Label] | None) -> str:
    """A sentence that says which of two labels is positive; empty for labels like 0 and 1.

    Parameters
    ----------
    classes
        The negative and the positive label, as `cvlint.runtime.data.foldset.FoldSet.unclear_classes` gives them.
    """
    if classes is None:
        return ""
    negative, positive = (f"'{printable(str(label))}'" for label in classes)
    rest = "all others are" if str(classes[0]) == f"not {classes[1]}" else f"{negative} is"
    return f"The positive label is {positive}, and {rest} negative; --positive names another."
