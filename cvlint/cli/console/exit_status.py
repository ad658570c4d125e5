"""The exit status of a command: errors become status 2 and one sentence on standard error, never a traceback alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cvlint.cli.console.signals import exit_on_signals
from cvlint.records import dataclass
from cvlint.usage_error import UsageError

CANNOT_RUN = 2
INTERRUPTED = 130


@dataclass(slots=True)
class ExitStatus:
    """How a command ended."""

    status: int = 0


@contextmanager
def exit_status() -> Iterator[ExitStatus]:
    """Run a command in this context: it may set the status, which is 2 after an error and 130 after Ctrl+C."""
    end = ExitStatus()
    with exit_on_signals() as handler:
        try:
            yield end
        except KeyboardInterrupt:
            end.status = INTERRUPTED
        except UsageError as error:
            end.status = _report(error)
        except Exception as error:
            known = _of_click(error)
            if known is not None:
                end.status = known
            elif isinstance(error.__cause__, KeyboardInterrupt):  # see below: it came while a class was defined
                end.status = INTERRUPTED
            elif not handler.number:  # else the signal came where Python makes a RuntimeError of what is raised
                # A fault of cvlint must not look like the status of a check that found something.
                import traceback

                traceback.print_exc()
                end.status = _report(
                    UsageError("This is a fault of cvlint itself; please report it with the lines above")
                )


def _of_click(error: Exception) -> int | None:
    """The status after an error of click; None for any other error."""
    if "click" not in sys.modules:
        return None
    import click

    from cvlint.cli.console.click_errors import from_click

    if isinstance(error, click.Abort):
        return INTERRUPTED
    return _report(from_click(error)) if isinstance(error, click.ClickException) else None


def _report(error: UsageError) -> int:
    from cvlint.cli.console.terminal import print_problem

    print_problem(f"cvlint: {error.sentence}")  # it may quote a config that somebody else wrote
    return CANNOT_RUN
