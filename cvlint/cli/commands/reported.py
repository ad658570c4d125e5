"""``cvlint reported``: which aggregate a printed F can be, for a reader who has only the paper."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import write
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.output.evaluation.json_document import document
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.runtime.consistency.confusion_tables import FoldSizes
    from cvlint.runtime.consistency.reported_values import Verdict

FORMATS = ("text", "json")


def list_of_counts(context: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Check an option whose value is whole numbers with commas between them."""
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return tuple(map(int, parts))
    raise Refusal(f"The option {param.opts[0]} cannot be '{value}'", "valid are whole numbers, such as 3,4,4,4")


@click.command("reported")
@click.option("--f1", "f", required=True, metavar="F", help="The printed F, with the digits it is printed with.")
@click.option("--precision", metavar="P", help="The printed precision.")
@click.option("--recall", metavar="R", help="The printed recall.")
@click.option("--accuracy", metavar="A", help="The printed accuracy.")
@click.option("--specificity", metavar="S", help="The printed specificity.")
@click.option("--balanced-accuracy", metavar="B", help="The printed balanced accuracy.")
@click.option("--auc", metavar="A", help="The printed area under the ROC curve; judged as AUC_avg and AUC_merge.")
@click.option("--positives", callback=whole_number, metavar="N", help="In the test data.")
@click.option("--negatives", callback=whole_number, metavar="N", help="In the test data.")
@click.option("--folds", callback=whole_number, metavar="K", help="Stratified folds.")
@click.option("--unstratified", is_flag=True, help="The positives may be in the folds in any way.")
@click.option("--fold-positives", callback=list_of_counts, metavar="N,N,…", help="In each fold, where known.")
@click.option("--fold-negatives", callback=list_of_counts, metavar="N,N,…", help="In each fold, where known.")
@click.option("--beta", default="1", metavar="B", help="The weight of recall in F (1).")
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@click.help_option("-h", "--help")
def command(
    f: str,
    precision: str | None,
    recall: str | None,
    accuracy: str | None,
    specificity: str | None,
    balanced_accuracy: str | None,
    auc: str | None,
    positives: int | None,
    negatives: int | None,
    folds: int | None,
    unstratified: bool,
    fold_positives: tuple[int, ...] | None,
    fold_negatives: tuple[int, ...] | None,
    beta: str,
    form: str,
) -> None:
    """Say which aggregate of F (or AUC) printed values can be, and which is impossible.

    With the numbers of positives and negatives all tables of counts are searched for F_tp,fp. With the folds, too, the
    tables of every fold are searched for the means: an undefined precision, recall or F of a fold counts as 0 there.
    """
    from cvlint.runtime.aggregates.registry import LABELS
    from cvlint.runtime.consistency.possible_aggregates import verdicts
    from cvlint.runtime.consistency.reported_values import Claim, Printed
    from cvlint.runtime.errors import FoldDataError

    if fold_positives is not None and fold_negatives is not None and positives is negatives is None:
        positives, negatives = sum(fold_positives), sum(fold_negatives)
    if (positives is None) != (negatives is None):
        raise Refusal("The numbers of positives and of negatives are needed together")
    given = {"precision": precision, "recall": recall, "accuracy": accuracy, "specificity": specificity}
    given |= {"balanced_accuracy": balanced_accuracy, "auc": auc}
    try:
        printed = {
            name: Printed.of(text, f"--{name.replace('_', '-')}") for name, text in given.items() if text is not None
        }
        sizes = fold_sizes(positives, negatives, folds, unstratified, fold_positives, fold_negatives)
        claim = Claim(
            Printed.of(f, "--f1"), **printed, positives=positives, negatives=negatives, beta=number(beta), sizes=sizes
        )
        found = verdicts(claim)
    except FoldDataError as error:
        text = str(error).rstrip(".")
        raise Refusal(text[:1].upper() + text[1:] if not text.startswith("--") else f"The option {text}") from None
    if form == "json":
        write(document({"verdicts": [as_json(v) for v in found]}))
        return
    width = max(len(LABELS[v.name]) for v in found)
    lines = (f"{LABELS[v.name]:{width}}  {'possible' if v.possible else 'impossible':11} {v.reason}" for v in found)
    write("\n".join(lines) + "\n")


def as_json(verdict: Verdict) -> dict[str, object]:
    """A verdict for programs: an example is a table of counts for each fold, or one of all."""
    names = ("positives", "negatives", "tp", "fp")
    return {
        "aggregate": verdict.name,
        "possible": verdict.possible,
        "proved": verdict.proved,
        "reason": verdict.reason,
        "example": [dict(zip(names, table, strict=True)) for table in verdict.example],
    }


def fold_sizes(
    positives: int | None,
    negatives: int | None,
    folds: int | None,
    unstratified: bool,
    fold_positives: tuple[int, ...] | None,
    fold_negatives: tuple[int, ...] | None,
) -> FoldSizes | None:
    """The sizes of the folds, as far as they are told; None where nothing is told of them."""
    from cvlint.runtime.consistency.confusion_tables import FoldSizes

    if (fold_positives is None) != (fold_negatives is None):
        raise Refusal("The options --fold-positives and --fold-negatives are needed together")
    if fold_positives is not None and fold_negatives is not None:
        if folds is not None or unstratified:
            raise Refusal("The sizes of the folds are given: leave out --folds and --unstratified")
        if (positives, negatives) != (sum(fold_positives), sum(fold_negatives)):
            raise Refusal("The positives and negatives of the folds do not add up to --positives and --negatives")
        return FoldSizes.listed(fold_positives, fold_negatives)
    if folds is None:
        if unstratified:
            raise Refusal("The option --unstratified needs --folds, the number of folds")
        return None
    if positives is None or negatives is None:
        raise Refusal("The option --folds needs --positives and --negatives")
    make = FoldSizes.unstratified if unstratified else FoldSizes.stratified
    return make(positives, negatives, folds)


def number(text: str) -> Fraction:
    """The value of ``--beta``."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0:
        raise Refusal(f"The option --beta cannot be '{text}'", "valid is a number, 0 or more")
    return value
