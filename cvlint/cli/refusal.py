"""The sentences said when a command cannot do what was asked: what is wrong, what is valid, what is nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click

from cvlint.naming import nearest

Callback = Callable[[click.Context, click.Parameter, str | None], str | None]


class Refusal(click.ClickException):
    """Raised where a command cannot go on; becomes one sentence on standard error and exit status 2.

    Parameters
    ----------
    problem : str
        What is wrong, without a full stop.
    valid : str
        What would be right, or nothing.
    given : str
        The word that was not understood.
    choices : iterable of str
        The words that would have been understood; the nearest to `given` is proposed.
    """

    exit_code = 2

    def __init__(self, problem: str, valid: str = "", given: str = "", choices: Iterable[str] = ()) -> None:
        meant = nearest(given, choices) if given else None
        question = f"did you mean '{meant}'?" if meant else ""
        self.sentence = "; ".join(part for part in (problem, valid, question) if part)
        if not meant:
            self.sentence += "."
        super().__init__(self.sentence)


def refused(error: Exception, named: str = "") -> Refusal:
    """The refusal of data or options that an error speaks of; a sentence begins with a capital, unless with a name."""
    text = str(error).rstrip(".")
    return Refusal(text if named and text.startswith(named) else text[:1].upper() + text[1:])


def reworded(error: click.ClickException) -> Refusal:
    """Turn an error of click into a whole sentence of ours."""
    match error:
        case Refusal():
            return error
        case click.NoSuchOption(option_name=name, ctx=context) if context is not None:
            options = _options(context)
            valid = f"the options of `{context.command_path}` are {', '.join(options)}"
            return Refusal(f"There is no option '{name}'", valid, name, options)
        case click.MissingParameter(param=click.Option(opts=[option, *_])):
            return Refusal(f"The option {option} is missing")
        case click.MissingParameter(param=param) if param is not None:
            return Refusal(f"The argument {(param.name or '').upper()} is missing")
        case _:
            return Refusal(error.format_message().rstrip("."))


def _options(context: click.Context) -> list[str]:
    params: Sequence[click.Parameter] = context.command.get_params(context)
    names = [option for param in params if isinstance(param, click.Option) for option in param.opts]
    return sorted(name for name in names if name.startswith("--"))


def one_of(choices: Sequence[str]) -> Callback:
    """Make the check of an option whose value is one of a few words."""

    def check(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is None or value in choices:
            return value
        valid = f"valid are {', '.join(choices)}"
        raise Refusal(f"The option {param.opts[0]} cannot be '{value}'", valid, value, choices)

    return check


def whole_number(context: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Check an option whose value is a whole number, not below zero."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    raise Refusal(f"The option {param.opts[0]} cannot be '{value}'", "valid is a whole number, 0 or more")
