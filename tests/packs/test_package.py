from __future__ import annotations

import zipfile
from contextlib import suppress

import pytest

from builder.errors import OutputNotWritten
from builder.packs.releases.package import SUMS, open_package


def fill(target, **files):
    with open_package(target) as box:
        for name, data in files.items():
            box.write_file(f"{name}.txt", data)
        box.write_sums()
    return box.changed


def test_a_new_package_replaces_the_old_one_whole(tmp_path):
    assert fill(tmp_path / "order", a=b"1", b=b"2")
    assert fill(tmp_path / "order", a=b"1")
    assert {path.name for path in (tmp_path / "order").iterdir()} == {"a.txt", SUMS}
    assert [path.name for path in tmp_path.iterdir()] == ["order"]


def test_the_same_package_is_left_as_it_is(tmp_path):
    for name in ("order", "order.zip"):
        assert fill(tmp_path / name, a=b"1")
        assert not fill(tmp_path / name, a=b"1")


def test_a_failure_leaves_the_old_package(tmp_path):
    fill(tmp_path / "order", a=b"1")
    with suppress(RuntimeError), open_package(tmp_path / "order") as box:
        box.write_file("a.txt", b"2")
        raise RuntimeError
    assert (tmp_path / "order" / "a.txt").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["order"]


def test_files_of_someone_elses_in_the_folder_stay(tmp_path):
    (tmp_path / "order").mkdir()
    (tmp_path / "order" / "thesis.txt").write_text("years of work")
    fill(tmp_path / "order", a=b"1")
    with pytest.raises(OutputNotWritten):
        fill(tmp_path / "order", thesis=b"1")
    assert (tmp_path / "order" / "thesis.txt").read_text() == "years of work"
    assert {path.name for path in (tmp_path / "order").iterdir()} == {
        "a.txt",
        SUMS,
        "thesis.txt",
    }


def test_an_archive_has_the_same_bytes_each_time(tmp_path):
    fill(tmp_path / "one.zip", a=b"1", b=b"2")
    fill(tmp_path / "two.zip", a=b"1", b=b"2")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert zipfile.ZipFile(tmp_path / "one.zip").namelist() == [SUMS, "a.txt", "b.txt"]


def test_two_files_of_one_name_are_a_mistake(tmp_path):
    with open_package(tmp_path / "order") as box:
        box.write_file("a", b"1")
        with pytest.raises(ValueError, match="two files"):
            box.write_file("a", b"2")
