"""The prefilter agrees with a plain search, and is fast."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.prefilter import Prefilter

WORDS = """
f1_score fbeta_score precision_score recall_score roc_auc_score average_precision cross_val_score f1 auc recall roc
cross_validate GridSearchCV classification_report precision_recall_curve roc_curve KFold train_test_split fit_resample
fit_sample torchmetrics fmeasure f_measure precision SMOTE Scaler compile learning_curve optuna fscore Youden
"""
NEEDLES = WORDS.split()


@given(st.lists(st.text("abAB", max_size=3)), st.text("abAB", max_size=20))
def test_finds_what_a_plain_search_finds(needles: list[str], text: str) -> None:
    expected = any(needle.lower() in text.lower() for needle in needles)
    assert Prefilter(needles).may_hold(text.encode()) == expected


def test_case_and_encoding_do_not_matter() -> None:
    assert Prefilter(["F1_Score"]).may_hold(b"\xff\xfe from x import f1_SCORE")
    assert not Prefilter(NEEDLES).may_hold(b"\x00 nothing here")
    assert not Prefilter([]).may_hold(b"x")


def test_speed() -> None:
    data = b"    return self.value + other.method(argument, 3)  # a comment on it\n" * 15_000
    prefilter = Prefilter(NEEDLES)
    start = time.perf_counter()
    assert not prefilter.may_hold(data)
    assert time.perf_counter() - start < 0.1  # about 5 ms; generous for busy machines
