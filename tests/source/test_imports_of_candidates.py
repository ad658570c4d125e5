"""Files that import a module which may hold a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.source.prefilter import imported_words, importers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "from package.scores import (\n    one,\n    two,\n)\n",
            {"package", "scores", "one", "two", "from", "import"},
        ),
        ("    import scores as s\n", {"import", "scores", "as", "s"}),
        ('  "from scores import one\\n",\n', {"from", "scores", "import", "one", "n"}),
        ("scores = 1  # import nothing\n", set()),
    ],
    ids=["several lines", "indented", "notebook", "none"],
)
def test_words_of_import_statements(text: str, expected: set[str]) -> None:
    assert imported_words(text.encode()) == expected


def test_importers_lie_near_the_module() -> None:
    module = Path("project/package/scores.py")
    words = {
        Path("project/main.py"): {"package", "scores"},
        Path("project/scripts/run.py"): {"scores"},
        Path("project/other.py"): {"numpy"},
        Path("elsewhere/deep/main.py"): {"scores"},
    }
    assert importers(words, [module]) == [Path("project/main.py"), Path("project/scripts/run.py")]
