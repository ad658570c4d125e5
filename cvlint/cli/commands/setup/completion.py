"""``cvlint completion``: a script that makes a shell complete commands, options, rules and file names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from cvlint.cli.console.terminal import write
from cvlint.usage_error import UsageError

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_CVLINT_COMPLETE"
"""The shell sets it when it wants completions; click makes the name from that of the command."""


@click.command("completion")
@click.argument("shell", metavar="|".join(SHELLS))
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete what you type after cvlint.

    For bash, put this line into ~/.bashrc: eval "$(cvlint completion bash)". For zsh, put the same line with zsh into
    ~/.zshrc. For fish, run: cvlint completion fish > ~/.config/fish/completions/cvlint.fish.
    """
    script_class = get_completion_class(shell) if shell in SHELLS else None
    if script_class is None:
        valid = f"valid are {', '.join(SHELLS)}"
        raise UsageError(f"There is no completion for the shell '{shell}'", valid, shell, SHELLS)
    script = script_class(context.find_root().command, {}, "cvlint", VARIABLE)
    # Not `script.source()`, which looks for bash on this machine: the script may be for another machine.
    write(script.source_template % script.source_vars())
