"""Code actions: an editor offers to fix a finding, or to ignore it with a comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from lsprotocol import types

from cvlint.findings.finding import Finding
from cvlint.server.changes import Change, apply_change
from cvlint.server.checking import Outcome
from cvlint.server.texts.documents import Document, unit_texts
from cvlint.server.texts.positions import PositionMapper, text_edits

FIX_ALL = "source.fixAll.cvlint"
MOST_FINDINGS = 10
"""How many findings of a range get actions, because each fix costs an analysis."""

KINDS = [types.CodeActionKind.QuickFix, FIX_ALL]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """The change that an action makes in a document, and the fingerprints of its findings."""

    uri: str
    change: Change
    fingerprints: tuple[str, ...]

    def to_data(self) -> dict[str, object]:
        """The request as JSON, which the editor keeps until the user chooses the action."""
        return {"uri": self.uri, "change": self.change, "fingerprints": list(self.fingerprints)}


def parse_request(data: object) -> ActionRequest | None:
    """The request in the data of an action that the editor sends back; None if it is not one of cvlint's."""
    match data:
        case {"uri": str(uri), "change": str(change), "fingerprints": [*fingerprints]} if change in get_args(Change):
            return ActionRequest(uri, cast(Change, change), tuple(map(str, fingerprints)))
        case _:
            return None


def is_requested(kind: str, only: Sequence[str] | None) -> bool:
    """Whether an editor that wants only some kinds of actions wants this one; the empty kind means all kinds."""
    return only is None or any(one in (types.CodeActionKind.Empty, kind) or kind.startswith(one + ".") for one in only)


def offered_actions(
    outcome: Outcome, found: Sequence[tuple[Finding, types.Diagnostic]], only: Sequence[str] | None
) -> list[types.CodeAction]:
    """The actions for findings, without their edits yet.

    Parameters
    ----------
    outcome : Outcome
        The outcome of the check of their document.
    found : sequence of Finding and Diagnostic
        The findings in the range that the editor sends.
    only : sequence of str or None
        The kinds of actions that the editor wants; None for all. To fix all findings takes long, so the editor must
        name that kind.
    """
    actions: list[types.CodeAction] = []
    if is_requested(types.CodeActionKind.QuickFix, only):
        actions += [action for finding, shown in found[:MOST_FINDINGS] for action in _at(outcome, finding, shown)]
    named = [one for one in only or () if one]
    if is_requested(FIX_ALL, named):
        here = tuple(f.fingerprint for f in outcome.findings if f.location.path == outcome.document.name)
        if here:
            request = ActionRequest(outcome.document.uri, "fix", here)
            actions.append(types.CodeAction("Fix all that cvlint can fix safely", FIX_ALL, data=request.to_data()))
    return actions


def _at(outcome: Outcome, finding: Finding, shown: types.Diagnostic) -> Iterator[types.CodeAction]:
    """The actions for one finding: a fix if a new check confirms it, and comments if there is a place for them."""
    name, document, options, importers = finding.rule, outcome.document, outcome.options, outcome.beside
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
        if (change == "fix-unsafe" and fixed) or apply_change(change, document, options, (finding,), importers) is None:
            continue
        fixed = fixed or change == "fix"
        yield types.CodeAction(
            title,
            types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=True if change == "fix" else None,
            data=ActionRequest(document.uri, change, (finding.fingerprint,)).to_data(),
        )


def workspace_edit(
    request: ActionRequest, outcome: Outcome, found: Iterable[Finding], positions: PositionMapper, versioned: bool
) -> types.WorkspaceEdit | None:
    """The edits of an action; None if there is nothing to edit, or if its findings are gone."""
    findings = tuple(finding for finding in found if finding.fingerprint in request.fingerprints)
    document, options = outcome.document, outcome.options
    if not findings or options is None:
        return None
    new = apply_change(request.change, document, options, findings, outcome.beside)
    if new is None:
        return None
    edits = _edits(document, new, positions)
    if not versioned:
        return types.WorkspaceEdit(changes={uri: made for uri, _, made in edits})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), made)
            for uri, version, made in edits
        ]
    )


def _edits(
    document: Document, new: bytes, positions: PositionMapper
) -> list[tuple[str, int | None, list[types.TextEdit]]]:
    texts = zip(document.units, unit_texts(document, document.data), unit_texts(document, new), strict=True)
    edits = [(unit.uri, unit.version, text_edits(old, text, positions.codec)) for unit, old, text in texts]
    return [(uri, version, made) for uri, version, made in edits if made]
