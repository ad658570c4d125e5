"""What all tests share: an environment in which nothing of the machine's own settings shows."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

FOREIGN = ("PYTHONPATH", "FORCE_COLOR", "NO_COLOR")
"""Variables that change what cvlint prints, or which cvlint it is; also the beginnings of their names."""

Environment = Callable[..., dict[str, str]]

FAULTY = """\
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

scores = []
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.mean(scores))
"""

# How fast a test is depends on what else the machine does, and is not what is tested.
settings.register_profile("cvlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cvlint")


@pytest.fixture(scope="session")
def clean_environment() -> Environment:
    """Make the variables for a process of a test: those of this process without foreign ones, and some more."""

    def environment(*foreign: str, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith((*FOREIGN, *foreign))}
        return {**kept, **more}

    return environment


@pytest.fixture(autouse=True)
def no_colour_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there are colours is for the tests to say."""
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
