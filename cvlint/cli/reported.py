"""``cvlint reported``: which aggregate a printed F can be, for a reader who has only the paper."""

from __future__ import annotations

import json
from fractions import Fraction

import click

from cvlint.cli.refusal import Refusal, one_of, whole_number
from cvlint.cli.terminal import write

FORMATS = ("text", "json")


@click.command("reported")
@click.option("--f1", "f", required=True, metavar="F", help="The printed F, with the digits it is printed with.")
@click.option("--precision", metavar="P", help="The printed precision.")
@click.option("--recall", metavar="R", help="The printed recall.")
@click.option("--accuracy", metavar="A", help="The printed accuracy.")
@click.option(
    "--positives", callback=lambda c, p, v: v and whole_number(c, p, v), metavar="N", help="In the test data."
)
@click.option(
    "--negatives", callback=lambda c, p, v: v and whole_number(c, p, v), metavar="N", help="In the test data."
)
@click.option("--beta", default="1", metavar="B", help="The weight of recall in F (1).")
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@click.help_option("-h", "--help")
def command(
    f: str,
    precision: str | None,
    recall: str | None,
    accuracy: str | None,
    positives: int | None,
    negatives: int | None,
    beta: str,
    form: str,
) -> None:
    """Say which aggregate of F printed values can be, and which is impossible."""
    from cvlint.runtime.aggregates import F_LABELS
    from cvlint.runtime.consistency import Claim, Printed, verdicts
    from cvlint.runtime.faults import FoldDataError

    if (positives is None) != (negatives is None):
        raise Refusal("The numbers of positives and of negatives are needed together")
    given = {"precision": precision, "recall": recall, "accuracy": accuracy}
    try:
        printed = {name: Printed.of(text, f"--{name}") for name, text in given.items() if text is not None}
        claim = Claim(Printed.of(f, "--f1"), **printed, positives=positives, negatives=negatives, beta=number(beta))
        found = verdicts(claim)
    except FoldDataError as error:
        text = str(error).rstrip(".")
        raise Refusal(text[:1].upper() + text[1:] if not text.startswith("--") else f"The option {text}") from None
    if form == "json":
        rows = [{"aggregate": v.name, "possible": v.possible, "reason": v.reason} for v in found]
        write(json.dumps({"version": 1, "verdicts": rows}, indent=2) + "\n")
        return
    lines = (f"{F_LABELS[v.name]:8} {'possible' if v.possible else 'impossible':11} {v.reason}" for v in found)
    write("\n".join(lines) + "\n")


def number(text: str) -> Fraction:
    """The value of ``--beta``."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0:
        raise Refusal(f"The option --beta cannot be '{text}'", "valid is a number, 0 or more")
    return value
