"""Single files of 5 MB, the longest that a check reads: each growing program, padded to it, and other long files."""

from __future__ import annotations

import json
from collections.abc import Callable

from cvlint.source.file_bytes import MAX_SOURCE
from cvlint.source.parsing import reason_not_to_parse
from tests.fuzz.growing import FOLDS, HEAD, PATTERNS, Files

MOST = MAX_SOURCE - 10_000

Texts = Callable[[int], str]


def many_functions(size: int) -> str:
    """Small functions that nothing calls."""
    return HEAD + "".join(
        f"def score_of_{i}(model, X, y):\n    return f1_score(y, model.predict(X))\n" for i in range(size)
    )


def many_methods(size: int) -> str:
    """Classes of a few methods."""
    one = "class Trainer{0}:\n    def __init__(self):\n        self.scores = []\n    def run(self, X, y):\n"
    one += "        self.scores.append(f1_score(y, self.m.predict(X)))\n"
    return HEAD + "".join(one.format(i) for i in range(size))


def many_texts(size: int) -> str:
    """Texts, each of which is bound to a name of its own."""
    return HEAD + "".join(f"text_{i} = 'the_value_of_the_text_with_the_number_{i}'\n" for i in range(size))


def many_imports(size: int) -> str:
    """Imports of modules that are not there."""
    return HEAD + "".join(f"from package_{i % 99}.module_{i} import name_{i} as other_name_{i}\n" for i in range(size))


def deep_dicts(size: int) -> str:
    """Dicts in dicts, many levels deep, again and again."""
    one = "{'key_of_the_configuration': " * 60 + "f1" + "}" * 60
    return HEAD + "".join(f"settings_{i} = {one}\n" for i in range(size // 60 + 1))


def deep_lists(size: int) -> str:
    """Lists in lists, many levels deep, again and again."""
    return HEAD + "".join(f"nested_{i} = {'[' * 60}f1{']' * 60}\n" for i in range(size // 60 + 1))


def many_measures(size: int) -> str:
    """Measures, each of which is bound to a name of its own."""
    return HEAD + "".join(f"f1_of_{i} = f1_score(y_true, y_pred_{i})\n" for i in range(size))


def many_folds(size: int) -> str:
    """Loops over folds, each of which ends in a finding."""
    loop = FOLDS.replace("f1 = ", "scores_{0}.append(").rstrip() + ")\n"
    return HEAD + "".join(f"scores_{i} = []\n{loop.format(i)}print(np.mean(scores_{i}))\n" for i in range(size))


def f_strings(size: int) -> str:
    """Long f-strings of few fields."""
    return HEAD + "".join(f"print(f'{'the measure is ' * 30}{{f1}} {i}')\n" for i in range(size))


def one_line(size: int) -> str:
    """All statements stand in one line."""
    return HEAD + "; ".join(f"s_{i} = f1_score(y_true, y_pred_{i})" for i in range(size)) + "\n"


def one_text(size: int) -> str:
    """One text of many lines."""
    return HEAD + 'text = """' + "a line of an ordinary text without any code\n" * size + '"""\n'


def many_comments(size: int) -> str:
    """Long comments."""
    return HEAD + f"# {'as long as it is ' * 20}\n" * size


def many_integers(size: int) -> str:
    """A literal of long numbers."""
    return HEAD + "data = [\n" + "    1234567890123456789012,\n" * size + "]\nprint(np.mean(data))\n"


def no_statements(size: int) -> str:
    """Empty lines."""
    return HEAD + "\n" * size


OTHERS: tuple[Texts, ...] = (
    many_functions, many_methods, many_texts, many_imports, deep_dicts, deep_lists, many_measures, many_folds,
    f_strings, one_line, one_text, many_comments, many_integers, no_statements,
)  # fmt: skip


def first_file(pattern: Callable[[int], Files]) -> Texts:
    """The file of a growing program that is checked."""
    return lambda size: next(iter(pattern(size).values()))


SHAPES: dict[str, Texts] = {
    **{pattern.__name__: first_file(pattern) for pattern in PATTERNS},
    **{text.__name__: text for text in OTHERS},
}


def is_read(text: str) -> bool:
    """Whether a check reads a text of this length."""
    return len(text) < MOST and reason_not_to_parse(text) is None


def longest(shape: Texts) -> str:
    """The longest program of a shape that is read, as far as halving finds it."""
    least, most = 64, 128  # some shapes are the same at all sizes below
    while is_read(text := shape(most)) and most < MOST and text != shape(least):
        least, most = most, 2 * most
    while most - least > least // 50 + 1:
        middle = (least + most) // 2
        least, most = (middle, most) if is_read(shape(middle)) else (least, middle)
    return shape(least)


def padded(text: str) -> str:
    """The text and a comment: the work that an analysis may do grows with the length."""
    return f"{text}#{'x' * (MOST - len(text))}\n"


def too_long(shape: Texts) -> str:
    """A text of 5 MB of a shape, whether it is read or not."""
    small = shape(1_000)
    text = shape(950 * MOST // len(small))
    return text if MOST // 2 < len(text) < MAX_SOURCE else padded(small)


def notebook(text: str) -> str:
    """The text as a notebook of cells of ten lines, which is less than 5 MB long."""
    lines = [f"{line}\n" for line in text.split("\n")]
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": lines[first : first + 10],
        }
        for first in range(0, len(lines), 10)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def data_notebook() -> str:
    """A notebook of 5 MB that holds empty lists."""
    return json.dumps({"cells": [{"cell_type": "code", "source": "", "outputs": [[]] * (MOST // 5)}]})[:MOST]
