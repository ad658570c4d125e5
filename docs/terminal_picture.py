"""Draw what ``cvlint check fixtures/experiments`` prints on a terminal: ``python docs/terminal_picture.py``.

It runs the command, and writes ``docs/_static/terminal.svg``, which README and the site show. The picture uses fonts
of the reader's machine only and loads nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "_static" / "terminal.svg"
COMMAND = ("check", "fixtures/experiments")
COLUMNS = 84

# What rich writes by default, without its fonts, which a browser would fetch, and with a name for those who hear it.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>The command cvlint check fixtures/experiments and the two findings that it prints</title>
<style>
.{unique_id}-matrix {{
    font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def output() -> str:
    """What the command prints, with the codes of its colours."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"FORCE_COLOR": "1", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "cvlint", *COMMAND]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    if done.returncode != 1:
        raise SystemExit(f"The check ended with status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def drawn(printed: str) -> str:
    """A picture of a terminal in which the command was typed."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "bold green"), f"cvlint {' '.join(COMMAND)}"))
    console.print(Text.from_ansi(printed))
    svg = console.export_svg(title="cvlint", theme=MONOKAI, code_format=FORMAT, unique_id="cvlint")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(output()), encoding="utf-8", newline="\n")
