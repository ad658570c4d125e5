"""Run ``cvlint check`` with the values of its options, whoever has read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cvlint.cli.check.plan import plan_check
from cvlint.cli.options.check_arguments import CheckArguments, refuse_contradictions
from cvlint.records import replace


def run_check(given: Mapping[str, Any]) -> int:
    """Run the check, and return its exit status.

    Parameters
    ----------
    given : mapping of str to object
        The paths, and the values of `CHECK_OPTIONS`.
    """
    values = dict(given)
    values["style"] = values.pop("output_format") or values["style"]
    arguments = CheckArguments(**values)
    refuse_contradictions(arguments)
    if arguments.verbose:
        arguments = replace(arguments, style="full")
    if arguments.watch:
        from cvlint.cli.check.watch import watch

        return watch(arguments)
    if not arguments.writes:
        return plan_check(arguments).carry_out()
    from cvlint.cli.check.rewriting import project_locks

    with project_locks(arguments):
        return plan_check(arguments).carry_out()
