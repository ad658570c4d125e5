"""What an analysis of a file read beside the file: the other files that it opened, and the imports that it looked up.

As long as both stay the same, so does the result of the analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Lookup = tuple[str, str, int]
"""The absolute path of the file with the import, the dotted name of the module, and the number of leading dots."""

UNREADABLE = ""
"""Stands in for the digest of a file that could not be read."""

UNKNOWN = "unknown"
"""Stands in for the digest of a text that came from elsewhere, such as an editor; no file has this digest."""


@dataclass(frozen=True, slots=True)
class AnalysisInputs:
    """The files and look-ups on which the result of an analysis depends, apart from the analysed file itself."""

    opened: Mapping[str, str] = field(default_factory=dict)
    """The digests of the opened files, by absolute path."""
    lookups: Mapping[Lookup, str | None] = field(default_factory=dict)
    """The file that each look-up found; None where it found none, so that a new file can change the answer."""
