"""A store of faces: what was put there comes back as it was, or not at all."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from builder.errors import InputUnreadable, OutputNotWritten, ToolMissing, UsageError
from builder.findings import Finding, Location, Severity
from builder.render import shared_store as module
from builder.render.cluster.scheduler import Cluster
from builder.render.jobs import BlockFact, FaceFacts, FaceHtml
from builder.render.keys import describe_environment
from builder.render.shared_store import make_address, open_store
from builder.render.sheets.record import FontUse, PdfObject, Record

FACE = FaceHtml(
    "k" * 64,
    "<p>Reed</p>",
    "spirit/reed front [en]",
    "reed",
    "reed.yaml",
    "front.html.j2",
    {"card:b": "1"},
)
NEAR = Finding(
    "render/unsafe", "near", "move it", Severity.WARNING, Location("front.html.j2", 3)
)
FACTS = FaceFacts(
    FACE.key, FACE.label, (BlockFact("text", 1, 7.5, 0.9),), (NEAR,), {"card:b": "1"}
)
RECORD = Record(
    (0, 0, 10, 20),
    b"q Q",
    b"<<>>",
    (PdfObject(b"<<>>", b"\x00"),),
    {"AAAAAA": FontUse("f", {3: 5}, {3: "ы"})},
)
STORED = (FACTS, RECORD)


@pytest.fixture(params=["folder", "file", "memory"])
def store(request, tmp_path):
    places = {
        "folder": str(tmp_path / "s"),
        "file": (tmp_path / "s").as_uri(),
        "memory": f"memory://{tmp_path.name}",
    }
    return open_store(places[request.param])


def test_a_face_comes_back_as_it_was(store):
    assert store.get(FACE) is None
    store.store_face(FACE, *STORED)
    assert store.get(FACE) == STORED
    assert store.get_all([FACE, replace(FACE, key="other")]) == {FACE.key: STORED}


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data[:90] + b"?" + data[91:],
        lambda data: data + b" ",
    ],
    ids=["short", "empty", "changed", "long"],
)
def test_a_damaged_face_counts_as_absent_and_is_written_over(store, damage):
    store.store_face(FACE, *STORED)
    path = f"{store.root}/{make_address(FACE)}"
    store.system.pipe_file(path, damage(store.system.cat_file(path)))
    assert store.get(FACE) is None
    store.store_face(FACE, *STORED)
    assert store.get(FACE) == STORED


def test_another_face_at_its_address_is_not_taken_for_it(store):
    store.store_face(FACE, replace(FACTS, key="x"), RECORD)
    assert store.get(FACE) is None


@pytest.mark.parametrize(
    "change",
    [
        {"key": "j"},
        {"html": "<p>Rush</p>"},
        {"deps": {"card:b": "2"}},
        {"file": "x"},
        {"template": "x"},
    ],
    ids=str,
)
def test_whatever_shapes_a_face_has_its_part_in_the_address(change):
    assert make_address(replace(FACE, **change)) != make_address(FACE)


def test_another_version_of_a_library_leads_to_another_address(monkeypatch):
    before = make_address(FACE)
    monkeypatch.setattr(
        module,
        "describe_environment",
        lambda engine: {**describe_environment(engine), "pango": "1.0.0"},
    )
    assert make_address(FACE) != before


def test_machines_are_distinguished_by_what_sets_faces(tmp_path):
    here = describe_environment()
    assert {"squadpress", "weasyprint", "pango", "harfbuzz", "fonts"} <= here.keys()
    assert "-" not in here.values()
    there = {**here, "pango": "1.0.0"}
    there.pop("zlib")
    cluster = Cluster("tcp://here:8786", open_store(str(tmp_path)))
    cluster._admit_worker("tcp://like:1", here)
    assert cluster.findings == []
    cluster._admit_worker("tcp://other:1", there)
    (told,) = cluster.findings
    assert (
        f"pango is 1.0.0 on the worker and {here['pango']} on this computer; "
        f"zlib is - on the worker and {here['zlib']} on this computer" in told.message
    )


def test_a_file_of_a_folder_is_whole_or_absent(tmp_path, monkeypatch):
    store = open_store(str(tmp_path))
    store.write_file("a/b", b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.system, "pipe_file", full)
    with pytest.raises(OutputNotWritten, match="No space left"):
        store.write_file("a/b", b"new")
    assert store.read_file("a/b") == b"old"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


def test_what_is_written_over_leaves_nothing_beside(store):
    store.write_file("a/b", b"old")
    store.write_file("a/b", b"new")
    assert store.read_file("a/b") == b"new"
    assert len(store.system.find(store.root)) == 1


@pytest.mark.parametrize(
    ("place", "error", "told"),
    [
        ("nope://user:secret@host/x", UsageError, "nope://...@host"),
        ("file://host/x", UsageError, "not a folder of this machine"),
        ("s3://bucket/x", ToolMissing, "needs a library"),
    ],
)
def test_a_place_that_is_no_store_is_refused(place, error, told, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(error, match=told) as raised:
        open_store(place)
    assert "secret" not in raised.value.message


def test_a_place_that_cannot_be_read_is_said(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputUnreadable, match="cannot be read"):
        open_store(str(tmp_path / "file")).get(FACE)
    with pytest.raises(OutputNotWritten, match="cannot be written"):
        open_store(str(tmp_path / "file")).store_face(FACE, *STORED)


def test_an_error_without_a_text_is_named_by_its_type(tmp_path, monkeypatch):
    store = open_store(str(tmp_path))

    def fail(*_args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(store.system), "cat_file", fail)
    with pytest.raises(InputUnreadable, match="RuntimeError"):
        store.read_file("faces/a")
