"""What an editor offers at a finding: to fix it, or to ignore it by a comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from lsprotocol import types

from cvlint.findings.finding import Finding
from cvlint.server.changes import Change, changed
from cvlint.server.checking import Outcome
from cvlint.server.documents import Document, texts_of
from cvlint.server.places import Places, text_edits

FIX_ALL = "source.fixAll.cvlint"
MOST_FINDINGS = 10
"""How many findings of a range get actions: each fix costs an analysis, and who asks about more wants one of them."""

KINDS = [types.CodeActionKind.QuickFix, FIX_ALL]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an action stands for: a change of a document because of some findings, known by their fingerprints."""

    uri: str
    change: Change
    fingerprints: tuple[str, ...]

    def written(self) -> dict[str, object]:
        """As the editor keeps it until the action is chosen."""
        return {"uri": self.uri, "change": self.change, "fingerprints": list(self.fingerprints)}


def read_asked(data: object) -> Asked | None:
    """What the editor gives back of an action; None if it is none of ours."""
    match data:
        case {"uri": str(uri), "change": str(change), "fingerprints": [*prints]} if change in get_args(Change):
            return Asked(uri, cast(Change, change), tuple(map(str, prints)))
        case _:
            return None


def is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether the editor asks for a kind of actions: for that kind, one above it, or for all; the empty one is all."""
    return only is None or any(one in (types.CodeActionKind.Empty, kind) or kind.startswith(one + ".") for one in only)


def offers(
    outcome: Outcome, found: Sequence[tuple[Finding, types.Diagnostic]], only: Sequence[str] | None
) -> list[types.CodeAction]:
    """The actions for findings, still without their edits.

    Parameters
    ----------
    outcome : Outcome
        Of the document that the findings are in.
    found : sequence of Finding and Diagnostic
        The findings at the place that the editor asks about.
    only : sequence of str or None
        The kinds of actions that it asks for. To fix all takes long, so that it is offered only by name.
    """
    made: list[types.CodeAction] = []
    if is_wanted(types.CodeActionKind.QuickFix, only):
        made += [action for finding, shown in found[:MOST_FINDINGS] for action in _at(outcome, finding, shown)]
    named = [one for one in only or () if one]
    if is_wanted(FIX_ALL, named):
        here = tuple(f.fingerprint for f in outcome.findings if f.location.path == outcome.document.name)
        asked = Asked(outcome.document.uri, "fix", here)
        made += [types.CodeAction("Fix all that cvlint can fix safely", FIX_ALL, data=asked.written())] if here else []
    return made


def _at(outcome: Outcome, finding: Finding, shown: types.Diagnostic) -> Iterator[types.CodeAction]:
    """The actions for one finding: a fix if there is one that holds, and comments where they can stand."""
    name, document, options, beside = finding.rule, outcome.document, outcome.options, outcome.beside
    titles: dict[Change, str] = {
        "fix": f"Fix {name}",
        "fix-unsafe": f"Fix {name} (changes the reported number)",
        "ignore": f"Ignore {name} here",
        "ignore-file": f"Ignore {name} in this file",
    }
    if options is None:
        return
    fixed = False
    for change, title in titles.items():
        if (change == "fix-unsafe" and fixed) or changed(change, document, options, (finding,), beside) is None:
            continue
        fixed = fixed or change == "fix"
        yield types.CodeAction(
            title,
            types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=True if change == "fix" else None,
            data=Asked(document.uri, change, (finding.fingerprint,)).written(),
        )


def edit_of(
    asked: Asked, outcome: Outcome, found: Iterable[Finding], places: Places, versioned: bool
) -> types.WorkspaceEdit | None:
    """The edits of an action; None where there is nothing to edit, or where its findings are not among those found."""
    findings = tuple(finding for finding in found if finding.fingerprint in asked.fingerprints)
    document, options = outcome.document, outcome.options
    if not findings or options is None:
        return None
    new = changed(asked.change, document, options, findings, outcome.beside)
    if new is None:
        return None
    edits = _edits(document, new, places)
    if not versioned:
        return types.WorkspaceEdit(changes={uri: made for uri, _, made in edits})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), made)
            for uri, version, made in edits
        ]
    )


def _edits(document: Document, new: bytes, places: Places) -> list[tuple[str, int | None, list[types.TextEdit]]]:
    texts = zip(document.parts, texts_of(document, document.data), texts_of(document, new), strict=True)
    made = [(part.uri, part.version, text_edits(old, text, places.codec)) for part, old, text in texts]
    return [one for one in made if one[2]]
