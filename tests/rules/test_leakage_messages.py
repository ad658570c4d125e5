"""A message about leakage names the data, and says what is done to them: scaled, imputed, encoded or clipped."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

RULE = "preprocess-before-split"
HEAD = """\
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

df = pd.read_csv("patients.csv")
y = df["label"]
"""
TAIL = """
X_train, X_test, y_train, y_test = train_test_split(X, y)
print(f1_score(y_test, LogisticRegression().fit(X_train, y_train).predict(X_test)))
"""
DEF = "def standardise(v):\n    return (v - v.mean(0)) / v.std(0)\n"
RATES = "rates = df.groupby('city')['label'].mean().reset_index().rename(columns={'label': 'rate'})\n"
ON_ITSELF = 'df["age"].quantile(0.99)'


def told(text: str) -> str:
    """What the one finding says of the data."""
    options = CheckOptions(frozenset({RULE}))
    (finding,) = check_bytes((HEAD + dedent(text) + TAIL).encode(), Path("a.py"), "a.py", options).findings
    found = re.fullmatch(r"Data leakage: (.+) statistics of the whole data set before the split\.?", finding.message)
    assert found is not None, finding.message
    return found[1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DEF + "X = df.apply(standardise)", "df is scaled with"),
        ("standardise = lambda v: (v - v.mean()) / v.std()\nX = df.apply(standardise)", "df is scaled with"),
        ("X = df.apply(lambda v: (v - v.mean()) / v.std())", "df is scaled with"),
        (DEF + "X = standardise(np.log(df))", "df is scaled with"),
        (DEF + "X = standardise(np.load('X.npy'))", "v is scaled with"),
        (DEF + "df['age'] = standardise(df['age'])\nX = df", "df is scaled with"),
        ("X = df.sub(df.mean()).div(df.std())", "df is scaled with"),
        ("X = df.fillna(df.median())", "df is imputed with"),
        ("df.loc[df['age'].isna(), 'age'] = df['age'].mean()\nX = df", "df is imputed with"),
        ("df['age'] = np.where(df['age'].isna(), df['age'].mean(), df['age'])\nX = df", "df is imputed with"),
        ("df['city'] = df['city'].map(df.groupby('city')['label'].mean())\nX = df[['city']]", "df is encoded with"),
        (RATES + "df = df.merge(rates, on='city')\nX = df[['rate', 'age']]", "df is encoded with"),
        (f"df['age'] = df['age'].clip(upper={ON_ITSELF})\nX = df", "df is clipped by"),
        (f"df.loc[df['age'] > {ON_ITSELF}, 'age'] = {ON_ITSELF}\nX = df", "df is clipped by"),
        (f"df['age'] = df['age'].mask(df['age'] > {ON_ITSELF}, {ON_ITSELF})\nX = df", "df is clipped by"),
        (f"df['age'] = np.where(df['age'] > {ON_ITSELF}, {ON_ITSELF}, df['age'])\nX = df", "df is clipped by"),
    ],
)
def test_what_is_done_to_which_data(text: str, says: str) -> None:
    assert told(text) == says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("train_x = df\ntrain_x = train_x.fillna(train_x.mean())", "train_x is imputed with statistics of"),
        ("train_x = df\ntrain_x = StandardScaler().fit_transform(train_x)", "StandardScaler is fitted to"),
    ],
)
def test_training_data_are_not_called_the_whole_data_set(text: str, says: str) -> None:
    code = f"{HEAD}from sklearn.preprocessing import StandardScaler\n{text}\nX = train_x{TAIL}"
    (finding,) = check_bytes(code.encode(), Path("a.py"), "a.py", CheckOptions(frozenset({RULE}))).findings
    assert finding.message.startswith(f"Data leakage: {says} all the training data before they are split")
