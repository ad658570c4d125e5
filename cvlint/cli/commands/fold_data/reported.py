"""``cvlint reported``: which aggregate a printed F can be, for readers who have only the paper."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.terminal import write
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import is_whole_number, whole_number
from cvlint.output.evaluation.json_document import document
from cvlint.output.evaluation.possible_verdicts import as_object
from cvlint.records import dataclass, replace
from cvlint.usage_error import UsageError, as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.consistency.confusion_tables import FoldSizes

FORMATS = ("text", "json")


def list_of_counts(context: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Check that the value of an option is a list of whole numbers with commas between them."""
    if value is None:
        return None
    counts = [count.strip() for count in value.split(",")]
    if all(map(is_whole_number, counts)):
        return tuple(map(int, counts))
    raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", "valid are whole numbers, such as 3,4,4,4")


@dataclass(frozen=True, slots=True)
class SizeOptions:
    """The numbers of samples in the test data; each field is an option."""

    positives: int | None
    negatives: int | None
    folds: int | None
    unstratified: bool
    fold_positives: tuple[int, ...] | None
    fold_negatives: tuple[int, ...] | None

    def completed(self) -> SizeOptions:
        """The options with the sums of the folds, if only the folds are given; refuses one number without the other."""
        given = self
        folds = (self.fold_positives, self.fold_negatives)
        if None not in folds and self.positives is self.negatives is None:
            given = replace(self, positives=sum(folds[0] or ()), negatives=sum(folds[1] or ()))
        if (given.positives is None) != (given.negatives is None):
            raise UsageError("The numbers of positives and of negatives are needed together")
        return given

    def fold_sizes(self) -> FoldSizes | None:
        """The sizes of the folds that the options give; None if they give none."""
        from cvlint.runtime.consistency.confusion_tables import FoldSizes

        if (self.fold_positives is None) != (self.fold_negatives is None):
            raise UsageError("The options --fold-positives and --fold-negatives are needed together")
        if self.fold_positives is not None and self.fold_negatives is not None:
            if self.folds is not None or self.unstratified:
                raise UsageError("The sizes of the folds are given: leave out --folds and --unstratified")
            if (self.positives, self.negatives) != (sum(self.fold_positives), sum(self.fold_negatives)):
                raise UsageError(
                    "The positives and negatives of the folds do not add up to --positives and --negatives"
                )
            return FoldSizes.listed(self.fold_positives, self.fold_negatives)
        if self.folds is None:
            if self.unstratified:
                raise UsageError("The option --unstratified needs --folds, the number of folds")
            return None
        if self.positives is None or self.negatives is None:
            raise UsageError("The option --folds needs --positives and --negatives")
        make = FoldSizes.unstratified if self.unstratified else FoldSizes.stratified
        return make(self.positives, self.negatives, self.folds)


@click.command("reported")
@click.option("--f1", "f", required=True, metavar="F", help="The printed F, with all its digits.")
@click.option("--precision", metavar="P", help="The printed precision.")
@click.option("--recall", metavar="R", help="The printed recall.")
@click.option("--accuracy", metavar="A", help="The printed accuracy.")
@click.option("--specificity", metavar="S", help="The printed specificity.")
@click.option("--balanced-accuracy", metavar="B", help="The printed balanced accuracy.")
@click.option("--auc", metavar="A", help="The printed area under the ROC curve: is it AUC_avg or AUC_merge?")
@click.option("--positives", callback=whole_number, metavar="N", help="The number of positives in the test data.")
@click.option("--negatives", callback=whole_number, metavar="N", help="The number of negatives in the test data.")
@click.option("--folds", callback=whole_number, metavar="K", help="The number of stratified folds.")
@click.option(
    "--unstratified", is_flag=True, help="The folds are not stratified: a fold may hold any number of positives."
)
@click.option(
    "--fold-positives", callback=list_of_counts, metavar="N,N,…", help="The number of positives in each fold, if known."
)
@click.option(
    "--fold-negatives", callback=list_of_counts, metavar="N,N,…", help="The number of negatives in each fold, if known."
)
@click.option("--beta", default="1", metavar="B", help="The weight of recall in F; default: 1.")
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(
    f: str,
    precision: str | None,
    recall: str | None,
    accuracy: str | None,
    specificity: str | None,
    balanced_accuracy: str | None,
    auc: str | None,
    beta: str,
    form: str,
    **sizes: Any,
) -> None:
    """Say which aggregates of F (or AUC) the printed values can be, and which are impossible.

    With the numbers of positives and negatives, the command searches all tables of counts for F_tp,fp. With the folds,
    too, it searches the tables of every fold for the means: F_pr,re and F_avg over all folds, where an undefined
    precision, recall or F is 0, and F~pr,re and F~avg over the folds in which precision and recall are defined. A
    verdict "impossible" names what was considered.
    """
    from cvlint.runtime.aggregates.registry import LABELS
    from cvlint.runtime.consistency.possible_aggregates import verdicts
    from cvlint.runtime.consistency.reported_values import Claim, Printed
    from cvlint.runtime.errors import FoldDataError

    test_data = SizeOptions(**sizes).completed()
    given = {"precision": precision, "recall": recall, "accuracy": accuracy, "specificity": specificity}
    given |= {"balanced_accuracy": balanced_accuracy, "auc": auc}
    try:
        printed = {
            name: Printed.of(text, f"--{name.replace('_', '-')}") for name, text in given.items() if text is not None
        }
        sizes_of_folds = test_data.fold_sizes()
        claim = Claim(
            Printed.of(f, "--f1"),
            **printed,
            positives=test_data.positives,
            negatives=test_data.negatives,
            beta=parse_beta(beta),
            sizes=sizes_of_folds,
        )
        found = verdicts(claim)
    except FoldDataError as error:
        about_option = ValueError(f"The option {error}") if str(error).startswith("--") else error
        raise as_usage_error(about_option) from None
    if form == "json":
        write(document({"verdicts": [as_object(v) for v in found]}))
        return
    width = max(len(LABELS[v.name]) for v in found)
    lines = (f"{LABELS[v.name]:{width}}  {'possible' if v.possible else 'impossible':11} {v.reason}" for v in found)
    write("\n".join(lines) + "\n")


def parse_beta(text: str) -> Fraction:
    """The value of ``--beta``."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0:
        raise UsageError(f"The option --beta cannot be '{text}'", "valid is a number, 0 or more")
    return value
