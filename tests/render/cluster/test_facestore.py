"""A store of faces: what was put there comes back as it was, or not at all."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import pytest

from builder.errors import InputUnreadable, OutputNotWritten, ToolMissing, UsageError
from builder.findings import Finding, Location, Severity
from builder.render.cluster import facestore
from builder.render.cluster.blobs import Folder, open_blobs
from builder.render.cluster.facestore import FaceStore, Stored, address
from builder.render.cluster.likeness import differences, likeness
from builder.render.jobs import BlockFact, FaceFacts, FaceHtml
from builder.render.sheets.record import FontUse, Loose, Record

FACE = FaceHtml(
    "k" * 64, "<p>Reed</p>", "spirit/reed front [en]", "reed", "reed.yaml", "front.html.j2", {"card:b": "1"}
)
NEAR = Finding("render/unsafe", "near", "move it", Severity.WARNING, Location("front.html.j2", 3))
FACTS = FaceFacts(FACE.key, FACE.label, (BlockFact("text", 1, 7.5, 0.9),), (NEAR,), {"card:b": "1"})
RECORD = Record((0, 0, 10, 20), b"q Q", b"<<>>", (Loose(b"<<>>", b"\x00"),), {"AAAAAA": FontUse("f", {3: 5}, {3: "ы"})})
STORED = Stored(FACTS, RECORD)


@pytest.fixture(params=["folder", "file", "memory"])
def store(request, tmp_path):
    places = {"folder": str(tmp_path / "s"), "file": (tmp_path / "s").as_uri(), "memory": f"memory://{tmp_path.name}"}
    return FaceStore.at(places[request.param])


def test_a_face_comes_back_as_it_was(store):
    assert store.get(FACE) is None
    store.put(FACE, STORED)
    assert store.get(FACE) == STORED
    assert store.get_all([FACE, replace(FACE, key="other")]) == {FACE.key: STORED}


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-1], lambda data: b"", lambda data: data[:90] + b"?" + data[91:], lambda data: data + b" "],
    ids=["short", "empty", "changed", "long"],
)
def test_a_damaged_face_counts_as_absent_and_is_written_over(store, damage):
    store.put(FACE, STORED)
    store.blobs.write(address(FACE), damage(store.blobs.read(address(FACE))))
    assert store.get(FACE) is None
    store.put(FACE, STORED)
    assert store.get(FACE) == STORED


def test_another_face_at_its_address_is_not_taken_for_it(store):
    store.put(FACE, Stored(replace(FACTS, key="x"), RECORD))
    assert store.get(FACE) is None


@pytest.mark.parametrize(
    "change",
    [{"key": "j"}, {"html": "<p>Rush</p>"}, {"deps": {"card:b": "2"}}, {"file": "x"}, {"template": "x"}],
    ids=str,
)
def test_whatever_shapes_a_face_has_its_part_in_the_address(change):
    assert address(replace(FACE, **change)) != address(FACE)


def test_another_version_of_a_library_leads_to_another_address(monkeypatch):
    before = address(FACE)
    monkeypatch.setattr(facestore, "likeness", lambda: {**likeness(), "pango": "1.0.0"})
    assert address(FACE) != before


def test_machines_are_told_apart_by_what_sets_faces():
    here = likeness()
    assert {"squadpress", "weasyprint", "pango", "harfbuzz", "fonts"} <= here.keys()
    assert "-" not in here.values()
    there = {**here, "pango": "1.0.0"}
    there.pop("zlib")
    assert differences(here, here) == ()
    assert differences(here, there) == (
        f"pango 1.0.0 there, {here['pango']} here",
        f"zlib - there, {here['zlib']} here",
    )


def test_a_file_of_a_folder_is_whole_or_absent(tmp_path, monkeypatch):
    blobs = Folder(tmp_path)
    blobs.write("a/b", b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OutputNotWritten, match="No space left"):
        blobs.write("a/b", b"new")
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "a").iterdir()] == [("b", b"old")]


def test_a_store_that_renames_what_it_wrote_leaves_nothing_beside(tmp_path, monkeypatch):
    monkeypatch.setattr("builder.render.cluster.blobs.WHOLE", frozenset())
    blobs = open_blobs(f"memory://{tmp_path.name}")
    blobs.write("a/b", b"old")
    blobs.write("a/b", b"new")
    assert blobs.read("a/b") == b"new"
    assert len(blobs.system.find(blobs.root)) == 1


@pytest.mark.parametrize(
    ("place", "error", "told"),
    [
        ("nope://user:secret@host/x", UsageError, "nope://...@host"),
        ("file://host/x", UsageError, "no folder of this machine"),
        ("s3://bucket/x", ToolMissing, "needs a library"),
    ],
)
def test_a_place_that_is_no_store_is_refused(place, error, told, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(error, match=told) as raised:
        open_blobs(place)
    assert "secret" not in raised.value.message


def test_a_place_that_cannot_be_read_is_said(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputUnreadable, match="cannot be read"):
        FaceStore.at(str(tmp_path / "file")).get(FACE)
    with pytest.raises(OutputNotWritten, match="cannot be written"):
        FaceStore.at(str(tmp_path / "file")).put(FACE, STORED)


def test_a_url_without_fsspec_is_told_which_extra_is_missing(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "fsspec"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ToolMissing) as raised:
        open_blobs("memory://faces")
    assert "squadpress[cluster]" in raised.value.remedy
