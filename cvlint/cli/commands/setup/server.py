"""``cvlint server``: the language server for editors."""

from __future__ import annotations

import io
import sys

import click

from cvlint.cli.console.signals import end_at_once_on_signals
from cvlint.cli.options.extras import importing_extra

LIBRARIES = ("pygls", "lsprotocol")
DISCONNECTED = 1


@click.command("server")
@click.option("--stdio", is_flag=True, help="Talk over standard input and output, which the server always does.")
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, stdio: bool) -> None:
    """Start the language server, which shows findings in an editor; editors start it themselves.

    It needs the extra `cvlint[lsp]`.

    Exit status: 0 if the editor ends the server as the protocol says, 1 if the editor closes the connection before
    that, 2 if the server cannot start.
    """
    with importing_extra("lsp", LIBRARIES, "cvlint server"):
        from cvlint.server.protocol import Input
        from cvlint.server.server import make_server
    if sys.stdin.isatty():
        click.echo("cvlint: waiting for an editor on standard input; Ctrl+C ends the server.", err=True)
    server = make_server()
    end_at_once_on_signals(server.session.end_processes)
    try:
        server.start_io(Input(io.FileIO(0, closefd=False)))
    finally:
        server.session.end_processes()
    context.exit(0 if server.session.stopped else DISCONNECTED)
