"""``cvlint compare`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import invoke

run = partial(invoke, "compare", "--replicates", "500")
COLUMNS = ("fold", "sample_id", "y_true", "y_pred", "y_score")


def rows(signal: float, seed: int, n: int = 300) -> list[list[object]]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 4 == 0
    score = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + signal * y - 1))), 6)
    return [[i // 4 % 5, f"s{i}", int(y[i]), int(score[i] > 0.4), score[i]] for i in range(n)]


def written(path: Path, lines: list[list[object]], header: tuple[str, ...] = COLUMNS) -> str:
    path.write_text("\n".join([",".join(header), *(",".join(map(str, line)) for line in lines)]) + "\n")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """A weak classifier, another one, and a strong one whose rows are shuffled."""
    strong = [rows(3.0, 3)[i] for i in np.random.default_rng(0).permutation(300)]
    each = {"weak": rows(0.6, 1), "other": rows(0.6, 2), "strong": strong}
    weak, other, best = (written(tmp_path / f"{name}.csv", lines) for name, lines in each.items())
    return weak, other, best


def test_the_first_sentence(files: tuple[str, str, str]) -> None:
    weak, other, strong = files
    status, text, _ = run(weak, strong)
    assert status == 0
    assert text.startswith("strong.csv is better than weak.csv: F_tp,fp is 0.")
    assert run(strong, weak)[1].startswith("weak.csv is worse than strong.csv: ")
    first = run(weak, other)[1].splitlines()[0]
    assert first.startswith("These data show no difference between weak.csv and other.csv: ")
    assert "positives are needed; here there are 75." in first
    assert run(weak, weak)[1].splitlines()[0].endswith("predict the same for every sample.")


def test_json(files: tuple[str, str, str]) -> None:
    weak, _, strong = files
    found = json.loads(run(weak, strong, "--format", "json")[1])
    assert (found["version"], found["verdict"], found["measure"]) == (1, "better", "f_tpfp")
    assert (found["samples"], found["positives"], found["folds"], found["repeats"]) == (300, 75, 5, 1)
    low, high = found["aggregates"]["f_tpfp"]["ci"]
    assert 0 < low < found["aggregates"]["f_tpfp"]["difference"] < high
    assert found["aggregates"]["auc_avg"]["method"] == "DeLong"
    names = [test["name"] for test in found["tests"]]
    assert set(names) == {"mcnemar", "corrected-t", "bayesian-t", "delong"}
    for test in found["tests"]:
        assert test["reference"] and test["assumptions"] and test["values"]
    bayes = next(test for test in found["tests"] if test["name"] == "bayesian-t")["values"]
    assert bayes["p_first"] + bayes["p_equal"] + bayes["p_second"] == pytest.approx(1)
    assert found["needed"] is None


def test_needed_and_other_measures(files: tuple[str, str, str]) -> None:
    weak, other, _ = files
    found = json.loads(run(weak, other, "--format", "json", "--measure", "auc_merge", "--k", "10")[1])
    assert found["measure"] == "auc_merge"
    assert found["needed"]["what"] == "positives" and found["needed"]["now"] == 75
    one = found["aggregates"]["auc_merge"]
    ratio = (1.959964 + 0.841621) * one["standard_error"] / one["difference"]
    assert found["needed"]["number"] == pytest.approx(75 * ratio**2, rel=1e-4, abs=1)
    assert "p_at_k_avg" in found["aggregates"]


def test_an_undefined_difference_has_a_reason(files: tuple[str, str, str]) -> None:
    out = run(*files[:2], "--k", "301", "--replicates", "50")[1]
    assert "No difference of P@301_avg: no fold has 301 samples." in out
    assert "No difference of P@301_merge: there are fewer than 301 samples." in out


def test_markdown(files: tuple[str, str, str]) -> None:
    text = run(files[0], files[2], "--format", "markdown")[1]
    assert text.startswith("**strong.csv is better than weak.csv: ")
    assert "| F_tp,fp | " in text
    assert "Nadeau & Bengio 2003" in text


def test_the_same_seed_gives_the_same_text(files: tuple[str, str, str]) -> None:
    assert run(*files[:2], "--seed", "3") == run(*files[:2], "--seed", "3")
    assert run(*files[:2], "--seed", "3") != run(*files[:2], "--seed", "4")


def test_two_experiments_of_one_capture(tmp_path: Path) -> None:
    lines = [["one", *line] for line in rows(0.6, 1)] + [["two", *line] for line in rows(3.0, 3)]
    path = written(tmp_path / "both.csv", lines, ("experiment", *COLUMNS))
    assert run(path)[1].startswith("two is better than one: ")
    assert run(path, "--first", "two", "--second", "one")[1].startswith("one is worse than two: ")
    status, out, error = run(path, "--first", "three")
    assert (status, out) == (2, "")
    assert "has no experiment 'three'" in error
    third = written(tmp_path / "three.csv", [*lines, *(["3", *line] for line in rows(1, 4))], ("experiment", *COLUMNS))
    assert "three.csv holds 3 experiments (one, two, 3)" in run(third)[2]
    assert run(third, "--second", "3", "--first", "one")[0] == 0


def test_groups_are_drawn_whole(tmp_path: Path) -> None:
    header = (*COLUMNS, "group")
    each = []
    for name, (signal, seed) in {"a": (0.6, 1), "b": (0.9, 2)}.items():
        fourfold = [[*line, i // 5] for i, line in enumerate(rows(signal, seed))]  # folds change every 4 samples
        each.append(written(tmp_path / f"{name}.csv", fourfold, header))
    found = json.loads(run(*each, "--format", "json")[1])
    assert found["groups"] == 60
    assert found["aggregates"]["f_tpfp"]["method"] == "cluster bootstrap"
    assert "groups are in more than one test fold" in found["warnings"][0]
    assert next(test for test in found["tests"] if test["name"] == "mcnemar")["values"] is None


def faults(folder: Path) -> dict[str, tuple[list[str], str]]:
    good = rows(0.6, 1)
    bare = [[line[0], *line[2:]] for line in good]
    names = ("fold", "y_true", "y_pred", "y_score")
    a, b = written(folder / "a.csv", good), written(folder / "bare.csv", bare, names)

    def other(name: str, lines: list[list[object]], header: tuple[str, ...] = COLUMNS) -> list[str]:
        return [a, written(folder / f"{name}.csv", lines, header)]

    def changed(column: int, value: object, row: int = 7) -> list[list[object]]:
        return [[*line[:column], value, *line[column + 1 :]] if i == row else line for i, line in enumerate(good)]

    mixed = written(folder / "mixed.csv", bare[::-1], names)
    grouped = [[*line, "" if i == 5 else f"g{i % 40}"] for i, line in enumerate(good)]
    return {
        "one": ([a], "a.csv holds one experiment, and a comparison needs two"),
        "sizes": (other("short", good[:-1]), "a.csv has 300 samples and short.csv has 299"),
        "twice": (other("twice", changed(1, "s6")), "twice.csv: sample 's6' occurs twice"),
        "renamed": (other("renamed", changed(1, "x")), "sample 's7' is in a.csv and not in renamed.csv"),
        "folds": (other("folds", changed(0, 4)), "sample 's7' has another fold in folds.csv than in a.csv"),
        "labels": (
            other("labels", changed(3, 2)),
            "labels.csv: y_score has 1 column, and there are 3 labels (2 only in y_pred, first in row 9)",
        ),
        "NaN": (other("nan", changed(4, "nan")), "nan.csv, row 9, column y_score"),
        "group": (other("group", grouped, (*COLUMNS, "group")), "group.csv, row 7, column group: there is no value."),
        "shuffled": (
            [b, mixed],
            "sample 1 in the order of the file has another",
        ),
        "counts": (other("counts", [[1, 2, 3, 4]], ("fold", "tp", "fp", "fn")), "counts.csv holds counts only"),
        "measure": ([*other("good", good), "--measure", "f9"], "the measure 'f9' cannot be compared here"),
        "rope": ([*other("good", good), "--rope", "2"], "The option --rope cannot be '2'"),
        "absent": ([a, str(folder / "none.csv")], "none.csv cannot be read"),
    }


CASES = ["NaN", "absent", "counts", "folds", "group", "labels", "measure", "one", "renamed", "rope", "shuffled"]


@pytest.mark.parametrize("case", [*CASES, "sizes", "twice"])
def test_bad_input_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    arguments, sentence = faults(tmp_path)[case]
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    status, out, error = run(*arguments)
    assert (status, out) == (2, "")
    assert sentence in error
    assert error.startswith("cvlint: ") and error.rstrip().endswith((".", "?"))
    assert "Traceback" not in error
    assert sorted(tmp_path.iterdir()) == before
