"""``cvlint clean``: remove the results that earlier checks have kept."""

from __future__ import annotations

import click

from cvlint.cli.console.terminal import print_problem, write
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError
from cvlint.workspace.cache.folder import cache_folder


@click.command("clean")
@click.option("--cache-dir", metavar="FOLDER", help="The folder to clean; by default your folder for caches.")
@click.help_option("-h", "--help")
def command(cache_dir: str | None) -> None:
    """Remove the results that `cvlint check` keeps, and nothing else; the next check analyses all files again."""
    folder = cache_folder(cache_dir, print_problem)
    try:
        count, size = folder.clean()
    except OSError as error:
        raise UsageError(f"The cache folder '{folder.path}' cannot be cleaned: {error.strerror}") from error
    files = "1 file" if count == 1 else f"{count} files"
    write(printable(f"Removed {files} ({size / 1e6:.1f} MB) from '{folder.path}'.") + "\n")
