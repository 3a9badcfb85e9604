import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder import files
from builder.errors import OutputNotWritten, UsageError
from builder.files import open_atomic, write_atomic
from builder.packs.project import find_project
from builder.packs.releases.package import open_package
from builder.packs.scaffold import make_pack_id, write_project
from builder.usecases.check_pack import check_packs


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    target = tmp_path / "out" / "a.pdf"
    write_atomic(target, b"old")

    def interrupted() -> None:
        with open_atomic(target) as stream:
            stream.write(b"half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_bytes() == b"old"
    assert [path.name for path in target.parent.iterdir()] == ["a.pdf"]


def test_a_target_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputNotWritten) as caught:
        write_atomic(tmp_path / "file" / "a.pdf", b"x")
    assert caught.value.remedy
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_project_is_found_from_deep_inside(tmp_path: Path) -> None:
    deep = tmp_path / "cards" / "mygame" / "fighter"
    deep.mkdir(parents=True)
    assert find_project(deep).root == tmp_path
    assert find_project(deep / "x.yaml").list_packs() == ("mygame",)


def test_outside_a_project_the_remedy_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_project(tmp_path)
    assert "squadpress new" in caught.value.remedy


def test_a_new_project_passes_its_own_check(tmp_path: Path) -> None:
    pack, files = write_project(tmp_path / "My Game 2")
    assert pack == "my-game-2"
    assert all((tmp_path / "My Game 2" / path).is_file() for path in files)
    assert check_packs(find_project(tmp_path / "My Game 2"), None) == ()
    assert not any(
        b"__pack__" in path.read_bytes()
        for path in (tmp_path / "My Game 2").rglob("*")
        if path.is_file()
    )


def test_an_empty_folder_may_be_filled_from_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mygame").mkdir()
    monkeypatch.chdir(tmp_path / "mygame")
    assert write_project(Path())[0] == "mygame"
    assert Path("cards/mygame/pack.yaml").is_file()


def test_a_new_project_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear")
    with pytest.raises(UsageError):
        write_project(tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["diary.txt"]
    with pytest.raises(UsageError):
        make_pack_id(Path("/★"))


def test_a_pipe_is_written_into_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomic(pipe, b"whole")
        assert os.read(reader, 10) == b"whole"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_what_stands_among_devices_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "DEVICES", frozenset({tmp_path}))
    target = tmp_path / "target"
    target.write_bytes(b"before")
    (tmp_path / "stdout").symlink_to(target)
    write_atomic(tmp_path / "stdout", b"after")
    assert (tmp_path / "stdout").is_symlink()
    assert target.read_bytes() == b"after"


def test_leftovers_of_ended_processes_are_removed_after_an_hour(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    hour = files.MIN_LEFTOVER_SECONDS
    ages = {
        f".cards.pdf.{ended.pid}-abcdefgh.part": hour + 60,
        ".cards.pdf.abc_efg8.part": hour + 60,  # written before names held the process
        f".order.{ended.pid}-folder00.part": hour + 60,
        f".young.pdf.{ended.pid}-abcdefgh.part": hour - 60,
        f".own.pdf.{os.getpid()}-abcdefgh.part": hour + 60,
        "novel.part": hour + 60,
        ".notes.part": hour + 60,
    }
    for name, age in ages.items():
        path = tmp_path / name
        path.write_text("half")
        if "folder" in name:
            path.unlink()
            path.mkdir()
            (path / "new").touch()
        os.utime(path, (time.time() - age,) * 2)
    files.write_atomic(tmp_path / "cards.pdf", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == {"cards.pdf", *list(ages)[3:]}


def test_a_draft_names_its_process(tmp_path: Path) -> None:
    with files.open_atomic(tmp_path / "cards.pdf"), open_package(tmp_path / "order"):
        drafts = [
            path for path in tmp_path.iterdir() if files.DRAFT_NAME.fullmatch(path.name)
        ]
        assert len(drafts) == 2
        assert all(f".{os.getpid()}-" in path.name for path in drafts)


def test_drafts_of_several_files_have_names_that_nobody_else_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts: list[str] = []
    replace = Path.replace

    def note_draft(draft: Path, target: Path) -> Path:
        if target == tmp_path / "cards.csv":
            drafts.append(draft.name)
        return replace(draft, target)

    monkeypatch.setattr(Path, "replace", note_draft)
    for _turn in range(2):
        files.write_files({tmp_path / "cards.csv": b"a,b"})
    assert len(set(drafts)) == len(drafts) == 2
    # A draft with this name is removed by `remove_leftovers` if its process is killed.
    assert all(files.DRAFT_NAME.fullmatch(name) for name in drafts)
    assert [path.name for path in tmp_path.iterdir()] == ["cards.csv"]


def test_writing_several_files_removes_stale_drafts(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale = tmp_path / f".box.csv.{ended.pid}-abcdefgh.part"
    stale.write_bytes(b"half")
    os.utime(stale, (time.time() - files.MIN_LEFTOVER_SECONDS - 60,) * 2)
    (tmp_path / ".cards.csv.draft").write_bytes(b"half")
    (tmp_path / ".notes.draft").write_bytes(b"mine")
    files.write_files({tmp_path / "cards.csv": b"a,b"})
    assert {path.name for path in tmp_path.iterdir()} == {"cards.csv", ".notes.draft"}


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_write_of_several_files_is_undone(
    interruption: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in ("a.yaml", "b.yaml", "new.yaml")]
    for path in paths[:2]:
        path.write_bytes(b"old")
    replace = Path.replace

    def replace_until_last(draft: Path, target: Path) -> Path:
        if target == paths[2]:
            raise interruption
        return replace(draft, target)

    monkeypatch.setattr(Path, "replace", replace_until_last)
    with pytest.raises(interruption):
        files.write_files(dict.fromkeys(paths, b"new"))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a.yaml": b"old",
        "b.yaml": b"old",
    }
