"""A pack's files reach another machine as they are, or not at all."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from builder.render.cluster.remote import KEPT, AssetBundle, unpack
from builder.render.jobs import Places
from builder.render.shared_store import open_store
from builder.render.workers import EngineSetup


@pytest.fixture
def places(tmp_path):
    for name, text in {
        "templates/pack.css": ".a {}",
        "templates/art/near.svg": "<svg/>",
        "templates/front.html.j2": "not sent",
        "base/face.css": ".b {}",
        "data/art/deep/far.svg": "<svg></svg>",
        "data/card.yaml": "not sent",
        "secret.txt": "not sent",
        "kept/z/icons.ttf": "font",
        "kept/a/0123.ttf": "another",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "templates/art/link.svg").symlink_to(tmp_path / "secret.txt")
    return Places(
        tmp_path / "templates", tmp_path / "base", tmp_path / "data", tmp_path / "cache", tmp_path
    )


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path / "store"))


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_what_faces_draw_on_arrives_and_nothing_else(places, store, tmp_path):
    own = (tmp_path / "kept/z/icons.ttf", tmp_path / "kept/a/0123.ttf")
    sent = AssetBundle(EngineSetup(places, own))
    sent.send(store)
    there = unpack(store, sent.name, tmp_path / "there")
    assert contents(there.places.project) == {
        "templates/pack.css": ".a {}",
        "templates/art/near.svg": "<svg/>",
        "base/face.css": ".b {}",
        "data/art/deep/far.svg": "<svg></svg>",
        "fonts/000/icons.ttf": "font",
        "fonts/001/0123.ttf": "another",
    }
    assert [path.read_text() for path in there.fonts] == ["font", "another"]
    assert (there.places.data / "art/deep/far.svg").is_file()


def test_what_was_unpacked_is_not_fetched_again(places, store, tmp_path):
    sent = AssetBundle(EngineSetup(places))
    sent.send(store)
    first = unpack(store, sent.name, tmp_path / "there")
    assert first.fonts == ()
    for path in (tmp_path / "store").glob("*/*"):
        path.unlink()
    assert unpack(store, sent.name, tmp_path / "there") == first


def test_what_is_absent_or_damaged_is_sent_again(places, store, tmp_path):
    sent = AssetBundle(EngineSetup(places))
    assert unpack(store, sent.name, tmp_path / "there") is None
    sent.send(store)
    for path in (tmp_path / "store").glob("*/*"):
        path.write_bytes(path.read_bytes()[:-1])
        assert unpack(store, sent.name, tmp_path / "there") is None
        assert not list((tmp_path / "there").iterdir())
        sent.send(store, again=True)
    assert unpack(store, sent.name, tmp_path / "there").places.base.is_dir()


def test_of_an_edited_pack_only_the_edited_file_is_sent_and_fetched(places, store, tmp_path):
    AssetBundle(EngineSetup(places)).send(store)
    unpack(store, AssetBundle(EngineSetup(places)).name, tmp_path / "there")
    for path in (tmp_path / "store").glob("assets/*"):
        path.write_bytes(b"not looked at")
    (tmp_path / "base/face.css").write_text(".c {}")
    edited = AssetBundle(EngineSetup(places))
    edited.send(store)
    there = unpack(store, edited.name, tmp_path / "there")
    assert (there.places.base / "face.css").read_text() == ".c {}"
    assert (there.places.templates / "pack.css").read_text() == ".a {}"


def test_names_that_lead_out_of_their_folder_are_not_written(store, tmp_path):
    sly = f"assets/{sha256(b'sly').hexdigest()}"
    store.write(sly, b"sly")
    listed = json.dumps({"in.css": sly, "../../out.css": sly, "../../../out.css": sly}).encode()
    bundle = f"bundles/{sha256(listed).hexdigest()}"
    store.write(bundle, listed)
    assert unpack(store, bundle, tmp_path / "there" / "deep") is not None
    assert list(tmp_path.rglob("in.css"))
    assert not list(tmp_path.rglob("out.css"))


def test_what_lies_under_the_address_of_another_file_is_not_taken(places, store, tmp_path):
    sent = AssetBundle(EngineSetup(places))
    sent.send(store)
    store.write(f"assets/{sha256(b'.a {}').hexdigest()}", b".a { color: red }")
    assert unpack(store, sent.name, tmp_path / "there") is None
    sent.send(store, again=True)
    store.write(
        sent.name, json.dumps({"base/face.css": f"assets/{sha256(b'.a {}').hexdigest()}"}).encode()
    )
    assert unpack(store, sent.name, tmp_path / "there") is None


def test_old_bundles_are_forgotten(places, store, tmp_path):
    for number in range(KEPT + 2):
        (tmp_path / "base/face.css").write_text(f".b {{order: {number}}}")
        sent = AssetBundle(EngineSetup(places))
        sent.send(store)
        unpack(store, sent.name, tmp_path / "there")
    kept = [path.name for path in (tmp_path / "there").iterdir()]
    assert len(kept) == KEPT
    assert sent.name[-32:] in kept
