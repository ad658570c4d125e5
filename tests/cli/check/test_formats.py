"""The formats for other tools, with the real engine: paths, notebooks, unreadable files, and where they are written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cvlint.output.findings.formats import format_names

FOR_TOOLS = format_names(lambda one: not one.on_terminal and one.name != "json")
FROM_ROOT = format_names(lambda one: one.relative_paths)
ODD = "a b/ü%,:;[1]`x`.py"


def notebook_of(source: str) -> str:
    lines = source.splitlines(keepends=True)
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Folds\n", "print(np.mean(scores))"]},
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": lines[:4]},
        {"cell_type": "code", "execution_count": 2, "metadata": {}, "outputs": [], "source": lines[4:]},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


@pytest.fixture
def project(tmp_path: Path, faulty: Path) -> Path:
    """A repository with a fault in a script, in one with an odd name and in a notebook, and with a broken file."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ODD).parent.mkdir()
    (tmp_path / ODD).write_text(faulty.read_text())
    (tmp_path / "n.ipynb").write_text(notebook_of(faulty.read_text()))
    (tmp_path / "old.py").write_text("x = 1\nf1_score(\n")
    return tmp_path


def paths_in(rendered: str, style: str) -> set[str]:
    match style:
        case "jsonl":
            objects = [json.loads(line) for line in rendered.splitlines()]
            return {one.get("error", one)["path"] for one in objects}
        case "gitlab":
            return {issue["location"]["path"] for issue in json.loads(rendered)}
        case "junit":
            return {str(suite.get("name")) for suite in ElementTree.fromstring(rendered)}
        case _:
            return {name for name in ("train.py", ODD, "n.ipynb", "old.py") if name in rendered}


@pytest.mark.parametrize("style", FOR_TOOLS)
def test_a_format_holds_everything_and_is_the_same_wherever_it_goes(run: Any, project: Path, style: str) -> None:
    result = run("check", "--ignore-errors", "--format", style)
    assert (result.exit_code, result.stderr) == (1, "")
    assert run("check", "--ignore-errors", "--format", style, "--output", "report").output == ""
    assert (project / "report").read_text(encoding="utf-8") == result.stdout
    if style in ("jsonl", "gitlab", "junit", "markdown"):
        assert paths_in(result.stdout, style) == {"train.py", ODD, "n.ipynb", "old.py"}


@pytest.mark.parametrize("style", FROM_ROOT)
def test_paths_start_from_the_working_directory(run: Any, project: Path, style: str) -> None:
    expected = run("check", "--format", style, "train.py", "n.ipynb").stdout
    assert run("check", "--format", style, str(project / "train.py"), f"../{project.name}/n.ipynb").stdout == expected
    assert str(project) not in expected


@pytest.mark.parametrize("style", FOR_TOOLS)
def test_nothing_found(run: Any, tmp_path: Path, style: str) -> None:
    result = run("check", "--format", style)
    assert (result.exit_code, result.stderr) == (0, "")
    match style:
        case "jsonl" | "github":
            assert result.stdout == ""
        case "gitlab":
            assert json.loads(result.stdout) == []
        case "sarif":
            assert json.loads(result.stdout)["runs"][0]["results"] == []
        case "junit":
            assert ElementTree.fromstring(result.stdout).get("failures") == "0"
        case _:
            assert "No faults found in 0 files." in result.stdout


def test_a_notebooks_fault_is_in_a_line_of_its_json(run: Any, project: Path) -> None:
    (issue,) = json.loads(run("check", "--format", "gitlab", "n.ipynb").stdout)
    line = (project / "n.ipynb").read_text().splitlines()[issue["location"]["lines"]["begin"] - 1]
    assert line.strip() == r'"print(np.mean(scores))\n"'
    assert issue["description"].startswith("In cell 2, line 5: F1 is averaged")
    (result,) = json.loads(run("check", "--format", "sarif", "n.ipynb").stdout)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": issue["location"]["lines"]["begin"], "endLine": issue["location"]["lines"]["end"]}
    annotation = run("check", "--format", "github", "n.ipynb").stdout
    assert annotation.startswith(f"::error file=n.ipynb,line={region['startLine']},endLine={region['endLine']},title=")


@pytest.mark.parametrize("style", ["gitlab", "github", "markdown"])
def test_standard_input_is_known_by_its_name(run: Any, project: Path, style: str) -> None:
    content = (project / "n.ipynb").read_bytes()
    expected = run("check", "--format", style, "n.ipynb").stdout
    (project / "n.ipynb").unlink()
    for name in ("n.ipynb", "./n.ipynb", str(project / "n.ipynb")):
        assert run("check", "--format", style, "-", "--stdin-filename", name, input=content).stdout == expected


def test_the_rules_of_a_sarif_log_are_those_that_were_checked(run: Any, project: Path) -> None:
    (log,) = json.loads(run("check", "--format", "sarif", "--select", "CVL1").stdout)["runs"]
    codes = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert "CVL101" in codes and all(code.startswith("CVL1") for code in codes)
    assert {codes[result["ruleIndex"]] for result in log["results"]} == {"CVL101"}
    assert {result["ruleId"] for result in log["results"]} == {"CVL101"}
    (result,) = log["results"]  # the three files hold copies
    places = [place.get("properties", {}).get("fingerprint") for place in result["relatedLocations"]]
    prints = {result["partialFingerprints"]["cvlint/v1"], *places} - {None}
    assert len(prints) == result["occurrenceCount"] == 3


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
@pytest.mark.parametrize("style", FOR_TOOLS)
def test_a_name_that_is_no_utf_8(process: Any, tmp_path: Path, faulty: Path, style: str) -> None:
    try:
        os.rename(os.fsencode(faulty), os.fsencode(tmp_path) + b"/\xff\n.py")
    except OSError:
        pytest.skip("this file system takes no such name")
    result = process("check", "--format", style)
    assert (result.returncode, result.stderr) == (1, "")
    assert process("check", "--format", style, "--output", "report").returncode == 1
    assert (tmp_path / "report").read_text(encoding="utf-8") == result.stdout
