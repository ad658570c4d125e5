"""The options of the bootstrap, which draws confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.options.validation import whole_number

if TYPE_CHECKING:
    from cvlint.runtime.intervals.bootstrap import Bootstrap, ClassSizes


def bootstrap_options(command: Any) -> Any:
    """Add the options about the bootstrap to a command."""
    replicates = click.option(
        "--replicates",
        default="2000",
        callback=whole_number,
        metavar="N",
        help="How many sets of samples the bootstrap draws for intervals; 0: no intervals; default: 2000.",
    )
    return replicates(seed_option(command))


def seed_option(command: Any) -> Any:
    """Add the option about the random numbers to a command."""
    return click.option(
        "--seed",
        default="0",
        callback=whole_number,
        metavar="N",
        help="The seed of the random numbers; default: 0.",
    )(command)


def bootstrap_of(replicates: int, seed: int, class_sizes: ClassSizes = "fixed") -> Bootstrap | None:
    """The bootstrap that the options choose; None if they choose none."""
    from cvlint.runtime.intervals.bootstrap import Bootstrap

    return Bootstrap(replicates, seed=seed, class_sizes=class_sizes) if replicates else None
