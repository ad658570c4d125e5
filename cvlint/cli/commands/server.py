"""``cvlint server``: the language server for editors."""

from __future__ import annotations

import sys

import click

from cvlint.usage_error import UsageError

NEEDED = ("pygls", "lsprotocol")
CUT_OFF = 1


@click.command("server")
@click.option("--stdio", is_flag=True, help="Talk over standard input and output; there is no other way.")
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, stdio: bool) -> None:
    """Show findings in an editor: a language server, which editors start themselves.

    It needs the extra `cvlint[lsp]`. Exit status: 0 if the editor ended it as the protocol asks, 1 if the connection
    was closed before, 2 if it could not begin.
    """
    try:
        from cvlint.server.server import make_server
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in NEEDED:
            raise
        problem = "The command `cvlint server` needs pygls, version 2 or newer, which is not installed"
        raise UsageError(problem, "install cvlint[lsp]") from None
    if sys.stdin.isatty():
        click.echo("cvlint: waiting for an editor on standard input; end with Ctrl-C.", err=True)
    server = make_server()
    server.start_io()
    context.exit(0 if server.session.stopped else CUT_OFF)
