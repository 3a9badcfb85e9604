"""Line ends that Git converted on Windows: the error names the cause and the fix.

New packs prevent it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from builder.errata.release import Release
from builder.errata.snapshot import hash_data, is_converted
from builder.errors import InputUnreadable
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import SUMS
from builder.packs.releases.publication import Publication
from builder.packs.scaffold import list_pack_files, write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.tables.new_pack import PackRequest, make_pack
from tests.errata.states import fox, state

DAY = date(2026, 3, 1)


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    (tmp_path / "cards" / "woods").mkdir(parents=True)
    releases = Releases(Project(tmp_path), "woods")
    releases.write_release(state(fox()), "1.0.0", Release("1.0.0", DAY, DAY), None)
    releases.write_release(state(fox()), "1.1.0", Release("1.1.0", DAY, DAY), "1.0.0")
    return releases


def convert(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def test_a_converted_part_is_reported_with_cause_and_fix(releases: Releases) -> None:
    part = releases.folder / "1.0.0" / "cards.json"
    convert(part)
    for findings in (
        releases.load_state("1.0.0")[1],
        releases.find_damage(thorough=True),
    ):
        (finding,) = findings
        assert finding.code == "release/line-ends"
        assert finding.location.file == "cards/woods/releases/1.0.0/cards.json"
        assert "CRLF" in finding.message
        assert ".gitattributes" in finding.hint
        assert "git checkout" in finding.hint


def test_a_converted_manifest_is_reported_with_its_cause(releases: Releases) -> None:
    convert(releases.folder / "1.0.0" / "manifest.json")
    assert [finding.code for finding in releases.find_damage()] == ["release/line-ends"]


def test_a_part_that_is_converted_and_edited_is_altered(releases: Releases) -> None:
    part = releases.folder / "1.0.0" / "cards.json"
    convert(part)
    part.write_bytes(part.read_bytes().replace(b"fox", b"cat"))
    assert "release/altered" in [
        finding.code for finding in releases.find_damage(thorough=True)
    ]


def test_bytes_without_crlf_are_never_converted() -> None:
    assert is_converted(b"a\r\n", hash_data(b"a\n"))
    assert not is_converted(b"a\n", hash_data(b"a\n"))
    assert not is_converted(b"b\r\n", hash_data(b"a\n"))


def test_a_converted_publication_names_the_cause(tmp_path: Path) -> None:
    (tmp_path / "v1").mkdir()
    index = tmp_path / "v1" / "index.json"
    index.write_bytes(b'{\n "pack": "woods"\n}\n')
    (tmp_path / SUMS).write_text(f"{hash_data(index.read_bytes())}  v1/index.json\n")
    assert Publication(tmp_path).index.pack == "woods"
    convert(index)
    with pytest.raises(InputUnreadable) as caught:
        Publication(tmp_path)
    assert "CRLF" in caught.value.message
    assert ".gitattributes" in caught.value.remedy


def write_small_game(folder: Path) -> None:
    write_project(folder)


def write_layout(folder: Path) -> None:
    write_project(folder, list_pack_files({"": "mini"}, ["en"], None))


def write_table(folder: Path) -> None:
    table = folder.parent / "cards.csv"
    table.write_text("Name,Points\nFox,3\n", encoding="utf-8")
    write_project(
        folder,
        iter(make_pack(PackRequest(folder, TableRequest((table,), lang="en"))).files),
    )


@pytest.mark.parametrize("write", [write_small_game, write_layout, write_table])
def test_git_on_windows_leaves_a_new_pack_as_it_is(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    folder = tmp_path / "woods"
    write(folder)
    release = folder / "cards" / "woods" / "releases" / "1.0.0" / "cards.json"
    release.parent.mkdir(parents=True)
    release.write_bytes(
        b"{\r\n}\n"
    )  # bytes that Git would change if it took them for text
    (folder / "cards" / "woods" / ".pack.yaml.x1.part").touch()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    git = [
        "git",
        "-C",
        str(folder),
        "-c",
        "core.autocrlf=true",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
    ]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Add pack"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout
    tracked = [folder / name for name in listed.split("\0") if name]
    assert len(tracked) == len(before) - 1  # the leftover is ignored
    for path in tracked:
        path.unlink()
    subprocess.run([*git, "checkout", "--", "."], check=True, capture_output=True)
    assert {path: path.read_bytes() for path in tracked} == {
        path: before[path] for path in tracked
    }
