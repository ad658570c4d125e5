"""Settings of the site. Build it strictly with ``sphinx-build -nW --keep-going docs build/site``.

The build uses no network, and it fails where a page of the site would load anything from elsewhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import write_pages  # noqa: E402

from cvlint import __version__  # noqa: E402

project = "cvlint"
author = "cvlint developers"
project_copyright = "cvlint developers, MIT license"
version = release = __version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
nitpicky = True
smartquotes = False  # they would make one dash of the two that begin an option
myst_heading_anchors = 3  # so that links to headings are checked, too

html_theme = "furo"
html_title = f"cvlint {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False

LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|object|embed)\b[^>]*?\b(?:src|data)=[\"']((?:https?:)?//[^\"']*)"
    r"|<link\b(?=[^>]*\brel=[\"'](?:stylesheet|preload|preconnect|icon|shortcut icon)[\"'])"
    r"[^>]*?\bhref=[\"']((?:https?:)?//[^\"']*)",
    re.IGNORECASE,
)
"""What a browser loads by itself; a link that a reader may follow is no such thing."""
STYLED = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]*)", re.IGNORECASE)


def loaded_from_elsewhere(site: Path) -> list[str]:
    """Name what the pages, styles and pictures of a built site would load from other hosts, and where."""
    found = []
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".svg"):
            text = path.read_text(encoding="utf-8")
            hits = [next(filter(None, hit)) for hit in LOADED.findall(text)] + STYLED.findall(text)
            found += [f"{path.relative_to(site)}: {hit}" for hit in hits]
    return found


def refuse_foreign_resources(app: Sphinx, exception: Exception | None) -> None:
    """Fail the build where the site would load something from elsewhere."""
    if exception is None and app.builder.format == "html" and (found := loaded_from_elsewhere(Path(app.outdir))):
        raise ExtensionError("The site would load from elsewhere:\n" + "\n".join(found))


def make_code_reachable(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let readers without a mouse scroll long lines: a block of code can have the focus."""
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the generated pages before anything is read, and look at the site when it is built."""
    write_pages(HERE)
    app.connect("html-page-context", make_code_reachable)
    app.connect("build-finished", refuse_foreign_resources)
    return {"parallel_read_safe": True}
