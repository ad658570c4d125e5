"""The entry that lets JupyterLab start the language server: jupyter-lsp finds it in the installed packages."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def server_spec(manager: object) -> dict[str, dict[str, object]]:
    """How to start the server; nothing where the packages of the extra ``lsp`` are missing.

    Parameters
    ----------
    manager : LanguageServerManagerAPI
        The manager of jupyter-lsp that asks; it hands its settings over, of which none is needed.
    """
    if find_spec("pygls") is None:
        return {}
    return {
        "cvlint": {
            "argv": [sys.executable, "-m", "cvlint", "server"],
            "display_name": "cvlint",
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/python"],
            "requires_documents_on_disk": False,  # the server reads the text that the editor sends
            "version": 2,
        }
    }
