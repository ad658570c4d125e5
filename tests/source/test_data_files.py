"""The script that writes a file of data is found by the text of the scripts around the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.source.links import data_files
from cvlint.source.links.data_files import DataWriters
from cvlint.source.links.import_closure import ImportClosure
from cvlint.source.links.importers import Importers
from cvlint.source.links.script_text import ScriptText

WRITES = 'table.to_csv("out/rows.csv")\n'
READS = 'table = pd.read_csv("../out/rows.csv")\n'


def project(folder: Path, **files: str) -> None:
    (folder / ".git").mkdir()
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)


def writer(folder: Path, reader: str = "read.py", name: str = "rows.csv") -> str | None:
    found = DataWriters().find(str(folder / reader), name)
    return None if found is None else Path(found).relative_to(folder).as_posix()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (WRITES, {"rows.csv"}),
        ('OUT = "a/rows.csv"\nnp.save(OUT, X)\n', {"rows.csv"}),
        ('self.out = join(folder, "model.pkl")\n    pickle.dump(model, open(self.out, "wb"))\n', {"model.pkl"}),
        ('with open(f"{folder}/scores.txt", "a") as f:\n', {"scores.txt"}),
        ('"out = \\"rows.csv\\"\\n",\n "table.to_csv(out)\\n",', {"rows.csv"}),
        ('table.to_csv(\n    "out/rows.csv",\n)\n', {"rows.csv"}),
        ('"table.to_csv(\\n",\n    "    \'out/rows.csv\'\\n",', {"rows.csv"}),
        ('table = pd.read_csv(\n    "out/rows.csv",\n)\n', set()),
        (READS, set()),
        ('data = pd.read_csv("raw.csv")\ndata.to_csv("rows.csv")\n', {"rows.csv"}),
        ('table.to_csv(f"{folder}/{name}_rows.csv")\nnp.save("fold%02d.npy" % i, X)\n', {"*_rows.csv", "fold*.npy"}),
        ('LABELS = "labels.csv"\nnp.save("x.npy", X)\n', {"x.npy"}),
        ('table.to_csv("rows.csv")' + " " * 1_000, set()),
        ('table.to_csv("out/Train+Test(1).csv")\n', {"Train+Test(1).csv"}),
        ('np.save(f"out/X_{kind}", X)\nnp.savez("out/parts", a=X)\n', {"X_*.npy", "parts.npz"}),
    ],
)
def test_names_that_a_script_seems_to_write(text: str, names: set[str]) -> None:
    assert ScriptText(text.encode()).written == {name.encode() for name in names}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('OUT = "out/rows.csv"\n', {"OUT": {"rows.csv"}}),
        ("class Paths:\n    rows: str = join(ROOT, 'rows.csv')\n", {"rows": {"rows.csv"}}),
        (
            'P = {"a": "x/one.csv",\n     "b": f"x/{n}.csv"}\n',
            {"a": {"one.csv"}, "b": {"*.csv"}},
        ),
        ('parser.add_argument("-o", "--out-file", type=str, default="rows.csv")\n', {"out_file": {"rows.csv"}}),
        ('def run(rows, path="m.pkl"):\n', {"path": {"m.pkl"}}),
        ('def run(rows, path):\n    ...\n\nrun(X, "m.pkl")\n', {"rows": {"m.pkl"}, "path": {"m.pkl"}}),
        ('table = pd.read_csv("rows.csv")\n', {}),
    ],
)
def test_the_words_that_stand_for_paths(text: str, named: dict[str, set[str]]) -> None:
    known = {word: {name.encode() for name in names} for word, names in named.items()}
    assert {word.decode(): names for word, names in ScriptText(text.encode()).named.items()} == known


def test_a_call_gives_a_path_to_the_line_that_writes() -> None:
    text = "def save(rows, path):\n    rows.to_csv(path)\n\ndef run(it):\n    save(it, ARGS.out)\n\nrun(RAW)\n"
    assert {b"path", b"out", b"it", b"RAW"} <= ScriptText(text.encode()).words
    assert not ScriptText(b"print(path)").words


@pytest.mark.parametrize(
    ("writes", "named"),
    [
        ("from places import ROWS\ntable.to_csv(ROWS)\n", {"places": 'ROWS = "out/rows.csv"\n'}),
        ('import places\ntable.to_csv(places.OUT["rows"])\n', {"places": 'OUT = {"rows": "out/rows.csv"}\n'}),
        ('add_argument("--rows-out", default="rows.csv")\ntable.to_csv(args.rows_out)\n', {}),
        ('def run(path):\n    table.to_csv(path)\n\nrun("rows.csv")\n', {}),
    ],
)
def test_a_path_that_has_another_name(tmp_path: Path, writes: str, named: dict[str, str]) -> None:
    project(tmp_path, prepare=writes, read=READS, plot="from places import OTHER\nsave(OTHER)\n", **named)
    assert writer(tmp_path) == "prepare.py"
    (tmp_path / "sure.py").write_text(WRITES)
    assert writer(tmp_path) == "sure.py"  # what surely writes the file comes first


def test_the_reader_of_a_named_path_is_not_its_writer(tmp_path: Path) -> None:
    known = 'IN = {"rows": "rows.csv"}\n'
    project(tmp_path, read=known + 'table = pd.read_csv(IN["rows"])\ntable.mean().to_csv(OUT["rows"])\n')
    assert writer(tmp_path) is None


def test_the_nearest_script_counts(tmp_path: Path) -> None:
    project(tmp_path, far__prepare=WRITES, a__read=READS, a__b__prepare=WRITES)
    assert writer(tmp_path, "a/read.py") == "a/b/prepare.py"
    assert writer(tmp_path, "c/read.py") is None  # both are equally far
    (tmp_path / "a/b/prepare.py").unlink()
    assert writer(tmp_path, "a/read.py") == "far/prepare.py"


@pytest.mark.parametrize(
    ("written", "name", "found"),
    [
        ("{kind}_rows.csv", "train_rows.csv", True),
        ("{kind}_rows.csv", "*_rows.csv", True),
        ("train_rows.csv", "*_rows.csv", True),
        ("{kind}_rows.csv", "train_columns.csv", False),
        ("{kind}_rows.csv", "_rows.csv", False),  # the blank stands for something
        ("{kind}.csv", "train.csv", False),  # it may be any file
        ("train.csv", "*.csv", False),
    ],
)
def test_names_with_blanks(tmp_path: Path, written: str, name: str, found: bool) -> None:
    project(tmp_path, prepare=f'table.to_csv(f"out/{written}")\n', read="")
    assert writer(tmp_path, name=name) == ("prepare.py" if found else None)


def test_a_script_reads_what_it_writes_itself(tmp_path: Path) -> None:
    project(tmp_path, read=READS + WRITES)
    assert writer(tmp_path) == "read.py"


def test_several_scripts_write_it(tmp_path: Path) -> None:
    project(tmp_path, prepare=WRITES, read=READS + WRITES)
    assert writer(tmp_path) is None


def test_the_search_ends_at_the_root_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "prepare.py").write_text(WRITES)
    inner = tmp_path / "inner"
    inner.mkdir()
    project(inner, read=READS)
    assert writer(inner) is None


def test_without_a_root_the_checked_folder_is_the_project(tmp_path: Path) -> None:
    for name, text in (("data/prepare.py", WRITES), ("src/read.py", READS)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    reader, found = str(tmp_path / "src/read.py"), str(tmp_path / "data/prepare.py")
    assert DataWriters().find(reader, "rows.csv") is None
    assert DataWriters().find(reader, "rows.csv", (str(tmp_path),)) == found


def test_a_folder_with_too_much_in_it_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, prepare=WRITES, near__prepare=WRITES, near__read=READS, far__read=READS)
    assert writer(tmp_path, "far/read.py") is None  # there are two
    for number in range(3):
        (tmp_path / f"script{number}.py").write_text("")
    monkeypatch.setattr(data_files, "MOST_SCRIPTS", 3)
    assert writer(tmp_path, "near/read.py") == "near/prepare.py"
    (tmp_path / "near/prepare.py").unlink()
    assert writer(tmp_path, "near/read.py") is None  # the folder above has five scripts


def test_a_virtual_environment_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, prepare=WRITES, near__read=READS, env__lib__one=WRITES, env__lib__two="", env__lib__three="")
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    monkeypatch.setattr(data_files, "MOST_SCRIPTS", 3)
    assert writer(tmp_path, "near/read.py") == "prepare.py"


def test_a_name_that_no_file_can_have_is_written_by_no_script(tmp_path: Path) -> None:
    project(tmp_path, prepare=WRITES, read="")
    assert writer(tmp_path, name="rows\ud800.csv") is None


def test_readers_of_names_with_blanks_count_as_importers(tmp_path: Path) -> None:
    project(
        tmp_path, prepare='np.save(f"fold{i}.npy", X)\n', train='np.load("fold1.npy")\n', other='np.load("x.npy")\n'
    )
    files = [tmp_path / f"{name}.py" for name in ("prepare", "train", "other")]
    assert [path.stem for path in Importers(files).of(files[0])] == ["train"]
    assert ImportClosure(map(str, files[:2])).is_complete(str(files[0]))
    assert not ImportClosure([str(files[0]), str(files[2])]).is_complete(str(files[0]))


def test_readers_count_as_importers(tmp_path: Path) -> None:
    project(tmp_path, prepare=WRITES, encode=READS + 'table.to_csv("rows2.csv")\n', train='pd.read_csv("rows2.csv")\n')
    files = [tmp_path / f"{name}.py" for name in ("prepare", "encode", "train")]
    assert [path.stem for path in Importers(files).of(files[0])] == ["encode", "train"]
    assert ImportClosure(map(str, files)).is_complete(str(files[0]))
    assert not ImportClosure(map(str, files[:2])).is_complete(str(files[0]))
