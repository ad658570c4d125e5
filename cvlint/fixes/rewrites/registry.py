"""The registry of rewrites: which functions propose fixes for which rule.

A rewrite looks at the expression that a finding points to, and proposes edits if it knows the shape of the code. To add
one, write a module with a function of the type `Rewrite`, and add a row to `REWRITES`. A rewrite need not be certain
that its proposal is right: `cvlint.fixes.fixer` checks the new text again, and makes only the fixes that this check
confirms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import libcst as cst

from cvlint.findings.finding import Finding
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.syntax import Code
from cvlint.fixes.rewrites.cross_validation import mean_of_ranking, pooled_f
from cvlint.fixes.rewrites.fold_loops import pooled_f_in_loop
from cvlint.fixes.rewrites.hard_labels import scores_for_labels
from cvlint.fixes.rewrites.learned_on_all import fitted_on_training
from cvlint.fixes.rewrites.macro_f import macro_f_by_class
from cvlint.fixes.rewrites.stratified_splitter import stratified_splitter
from cvlint.fixes.rewrites.unguarded import guarded_division
from cvlint.records import replace

Rewrite = Callable[[Code, cst.BaseExpression], Iterator[Proposal]]
"""Proposes edits for the expression at which a finding is reported, the best first."""

REWRITES: Mapping[str, Sequence[Rewrite]] = MappingProxyType(
    {
        "mean-of-fold-f": (pooled_f, pooled_f_in_loop),
        "auc-merge": (mean_of_ranking,),
        "ranking-merge": (mean_of_ranking,),
        "auc-hard-labels": (scores_for_labels,),
        "unstratified-folds": (stratified_splitter,),
        "unguarded-f": (guarded_division,),
        "macro-f-of-means": (macro_f_by_class,),
        "preprocess-before-split": (fitted_on_training,),
    }
)
"""The rewrites of each rule that has any, by the name of the rule."""


def proposals(code: Code, finding: Finding) -> Iterator[Proposal]:
    """Propose what to write instead of a fault, the best first; nothing if no rewrite knows the shape of the code."""
    place = code.expression(finding.location)
    if place is None:
        return
    for rewrite in REWRITES.get(finding.rule, ()):
        for proposal in rewrite(code, place):
            edits = [_in_strings(code, edit) for edit in proposal.edits]
            if None not in edits:
                yield replace(proposal, edits=tuple(edit for edit in edits if edit is not None))


def _in_strings(code: Code, edit: Edit) -> Edit | None:
    """Adapt an edit to the f-string around it.

    Python before 3.12 cannot read the quotes of an f-string inside its own expressions, so the edit uses the other
    kind; None if that is impossible.
    """
    quotes = {quote[0] for quote in code.strings(edit)}
    if not quotes:
        return edit
    text = edit.text if "'" in edit.text or '"' not in quotes else edit.text.replace('"', "'")
    return None if "\n" in text or "\\" in text or any(quote in text for quote in quotes) else replace(edit, text=text)
