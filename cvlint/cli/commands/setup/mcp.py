"""``cvlint mcp``: the server for AI assistants."""

from __future__ import annotations

import os
import sys

import click

from cvlint.cli.console.signals import end_at_once_on_signals
from cvlint.cli.options.extras import importing_extra

LIBRARIES = ("mcp", "pydantic", "anyio")


@click.command("mcp")
@click.option("--root", default=".", metavar="FOLDER", help="The folder whose files may be read; default: this folder.")
@click.help_option("-h", "--help")
def command(root: str) -> None:
    """Answer AI assistants by the Model Context Protocol; assistants start it themselves.

    It checks texts and files, explains rules, recomputes fold data, and says which aggregate a printed number is. It
    runs nothing, writes nothing, and reads no file outside of FOLDER. It talks over standard input and output, and
    needs the extra `cvlint[mcp]`.
    """
    from cvlint.assistant.confined_folder import ConfinedFolder
    from cvlint.filesystem.regular_file import read_only_below

    with importing_extra("mcp", LIBRARIES, "cvlint mcp"):
        from cvlint.assistant.mcp_server import make_server
    folder = ConfinedFolder.at(root)
    read_only_below(str(folder.root))
    os.chdir(folder.root)
    if sys.stdin.isatty():
        click.echo("cvlint: waiting for an assistant on standard input; Ctrl+C ends the server.", err=True)
    end_at_once_on_signals()
    make_server(folder).run("stdio")
