from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # the tests of the page share report_data.py

KINDS = ("counts", "binary with findings", "several", "multiclass", "multilabel")


@pytest.fixture(params=KINDS)
def page(request: pytest.FixtureRequest) -> str:
    """Each kind of page, made once."""
    from report_data import made

    return made(request.param)
