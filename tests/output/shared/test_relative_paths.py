from __future__ import annotations

import dataclasses
import os.path
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.findings.finding import Report
from cvlint.output.shared.relative_paths import from_folder, path_from_folder

HERE = PurePosixPath("/home/lab/project")


@pytest.mark.skipif(os.path.sep != "/", reason="paths of this system look otherwise")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("train.py", "train.py"),
        ("./a/../train.py", "train.py"),
        ("/home/lab/project/a b/train.py", "a b/train.py"),
        ("../project/train.py", "train.py"),
        ("../other/train.py", "/home/lab/other/train.py"),
        ("/tmp/x.py", "/tmp/x.py"),
        ("<stdin>", "<stdin>"),
    ],
)
def test_paths(path: str, expected: str) -> None:
    assert path_from_folder(path, HERE) == expected


@given(st.lists(st.sampled_from(["..", ".", "a", "project", "lab", "x.py"]), min_size=1).map("/".join))
def test_the_relative_path_names_the_same_file(path: str) -> None:
    moved = path_from_folder(path, HERE)
    assert os.path.normpath(HERE / moved) == os.path.normpath(HERE / path)
    assert ".." not in moved.split("/")


def test_all_paths_of_a_report_become_relative(report: Report) -> None:
    below = HERE / "src"
    moved = from_folder(report, below)
    assert moved == report

    def away(text: str) -> str:
        return str(below / text)

    far = dataclasses.replace(
        report,
        findings=tuple(
            dataclasses.replace(
                finding,
                location=dataclasses.replace(finding.location, path=away(finding.location.path)),
                trace=tuple(
                    dataclasses.replace(
                        step, location=dataclasses.replace(step.location, path=away(step.location.path))
                    )
                    for step in finding.trace
                ),
            )
            for finding in report.findings
        ),
        errors=tuple(dataclasses.replace(error, path=away(error.path)) for error in report.errors),
    )
    assert far != report
    assert from_folder(far, below) == report
