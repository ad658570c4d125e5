"""The exit status of a command: errors become status 2 and one sentence on standard error, never a traceback alone."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from cvlint.cli.console.signals import exit_on_signals
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
        except (click.Abort, KeyboardInterrupt):
            end.status = INTERRUPTED
        except UsageError as error:
            end.status = _report(error)
        except click.ClickException as error:
            end.status = _report(_from_click(error))
        except Exception:  # a fault of cvlint must not look like the status of a check that found something
            if not handler.number:  # else the signal came where Python makes a RuntimeError of what is raised
                traceback.print_exc()
                end.status = _report(
                    UsageError("This is a fault of cvlint itself; please report it with the lines above")
                )


def _report(error: UsageError) -> int:
    from cvlint.output.shared.locations import printable

    click.echo(f"cvlint: {printable(error.sentence)}", err=True)  # it may quote a config that somebody else wrote
    return CANNOT_RUN


def _from_click(error: click.ClickException) -> UsageError:
    """Say an error of click in a whole sentence."""
    match error:
        case click.NoSuchOption(option_name=name, ctx=context) if context is not None:
            options = _options(context)
            valid = f"`{context.command_path} --help` explains the options"
            return UsageError(f"There is no option '{name}'", valid, name, options)
        case click.MissingParameter(param=click.Option(opts=[option, *_])):
            return UsageError(f"The option {option} is missing")
        case click.MissingParameter(param=param) if param is not None:
            return UsageError(f"The argument {(param.name or '').upper()} is missing")
        case _:
            return UsageError(error.format_message().rstrip("."))


def _options(context: click.Context) -> list[str]:
    params: Sequence[click.Parameter] = context.command.get_params(context)
    names = [option for param in params if isinstance(param, click.Option) for option in param.opts]
    return sorted(name for name in names if name.startswith("--"))
