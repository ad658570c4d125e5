"""``cvlint simulate``: the bias and spread of each aggregate of F in a cross-validation of a given size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import write
from cvlint.cli.options.aggregates import beta_option
from cvlint.cli.options.bootstrap import seed_option
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.usage_error import UsageError, as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.simulation.simulated_cv import Setting

FORMATS = ("text", "json", "csv")
FIGURES = ("4", "5", "6", "7", "8", "all")


@click.command("simulate")
@click.option(
    "--samples",
    "--n",
    "samples",
    default="1000",
    callback=whole_number,
    metavar="N",
    help="The number of samples; default: 1000.",
)
@click.option(
    "--positives", default="10", callback=whole_number, metavar="N", help="The number of positives; default: 10."
)
@click.option("--folds", default="10", callback=whole_number, metavar="K", help="The number of folds; default: 10.")
@click.option("--f", "f", type=float, default=0.8, metavar="F", help="The true precision and recall; default: 0.8.")
@click.option("--precision", type=float, metavar="P", help="The true precision, if it is not F.")
@click.option("--recall", type=float, metavar="R", help="The true recall, if it is not F.")
@beta_option
@click.option("--unstratified", is_flag=True, help="Put the positives into the folds at random.")
@click.option(
    "--trials",
    default="1000",
    callback=whole_number,
    metavar="N",
    help="Also give the probability that one of N splits has a fold without positives; default: 1000.",
)
@click.option(
    "--auc", type=float, metavar="A", help="The true AUC of each fold's model: compare AUC_avg and AUC_merge."
)
@click.option(
    "--shift",
    type=float,
    default=1.0,
    metavar="S",
    help="The standard deviation of the shifts between the scores of different folds; default: 1.",
)
@click.option(
    "--repetitions",
    default="100000",
    callback=whole_number,
    metavar="N",
    help="How many cross-validations to simulate; default: 100000.",
)
@seed_option
@click.option(
    "--figure",
    callback=one_of(FIGURES),
    metavar="|".join(FIGURES),
    help="Print the data of a figure of Forman and Scholz, as CSV.",
)
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(
    samples: int,
    positives: int,
    folds: int,
    f: float,
    precision: float | None,
    recall: float | None,
    beta: float,
    unstratified: bool,
    trials: int,
    auc: float | None,
    shift: float,
    repetitions: int,
    seed: int,
    figure: str | None,
    form: str,
) -> None:
    """Simulate a cross-validation and show the bias and spread of each aggregate of F."""
    from cvlint.output.evaluation import simulated
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.simulation.exact_expectations import expected_auc
    from cvlint.runtime.simulation.monte_carlo import simulate
    from cvlint.runtime.simulation.paper_figures import bars, points
    from cvlint.runtime.simulation.simulated_cv import Setting

    if repetitions < 2:
        raise UsageError(f"The option --repetitions cannot be '{repetitions}'", "valid is a whole number, 2 or more")
    if figure is not None:
        drawn = [n for n in map(int, FIGURES[:-1]) if n != 4] if figure == "all" else [int(figure)]
        rows = (point for n in drawn for point in points(n, repetitions, seed))
        match figure:
            case "4":
                write(simulated.render_bars(bars(repetitions, seed)))
            case "all":
                write(simulated.render_figures(bars(repetitions, seed), rows))
            case _:
                write(simulated.render_csv(rows))
        return
    try:
        p, r = (f if value is None else value for value in (precision, recall))
        setting = Setting(samples, positives, folds, p, r, not unstratified, beta)
        outcomes = simulate(setting, repetitions, seed)
        aucs = None if auc is None else expected_auc(setting, auc, shift)
    except FoldDataError as error:
        raise as_usage_error(error) from None
    one, many = empty_fold_chances(setting, trials)
    if form == "json":
        extra = {"p_fold_without_positives": one, "p_in_any_trial": many, "trials": float(trials)}
        extra |= {} if aucs is None else {"auc_avg": aucs[0], "auc_merge": aucs[1]}
        write(simulated.render_json(setting, outcomes, extra))
    elif form == "csv":
        write(simulated.render_csv(("", setting, outcome) for outcome in outcomes))
    else:
        notes = [
            f"Without stratification some fold has no positives with probability {one:.4g}; "
            f"in at least one of {trials} trials, {many:.4g}."
        ]
        if aucs is not None:
            notes.append(
                f"AUC {aucs[0]:.4g} in each fold, the folds' scores shifted by a spread of {shift:g}: "
                f"AUC_avg is {aucs[0]:.4f} and AUC_merge {aucs[1]:.4f}, expected exactly."
            )
        write(simulated.render_text(setting, outcomes, notes))


def empty_fold_chances(setting: Setting, trials: int) -> tuple[float, float]:
    """The probability of a fold without positives in one unstratified split, and in any of several."""
    import math

    from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives

    one = p_some_fold_without_positives(setting.samples, setting.positives, setting.folds)
    return one, -math.expm1(trials * math.log1p(-one)) if one < 1 else 1.0
