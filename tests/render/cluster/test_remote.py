"""A pack's files reach another machine as they are, or not at all."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from zipfile import ZipFile

import pytest

from builder.render.cluster.remote import MAX_BUNDLES, send_bundle, unpack_bundle
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
        tmp_path / "templates",
        tmp_path / "base",
        tmp_path / "data",
        tmp_path / "cache",
        tmp_path,
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
    fonts = (tmp_path / "kept/z/icons.ttf", tmp_path / "kept/a/0123.ttf")
    bundle = send_bundle(EngineSetup(places, fonts), store)
    setup = unpack_bundle(store, bundle, tmp_path / "there")
    assert contents(setup.places.project) == {
        "templates/pack.css": ".a {}",
        "templates/art/near.svg": "<svg/>",
        "base/face.css": ".b {}",
        "data/art/deep/far.svg": "<svg></svg>",
        "fonts/000/icons.ttf": "font",
        "fonts/001/0123.ttf": "another",
    }
    assert [path.read_text() for path in setup.fonts] == ["font", "another"]
    assert (setup.places.data / "art/deep/far.svg").is_file()


def test_an_unpacked_bundle_is_not_fetched_again(places, store, tmp_path):
    bundle = send_bundle(EngineSetup(places), store)
    first = unpack_bundle(store, bundle, tmp_path / "there")
    assert first.fonts == ()
    for path in (tmp_path / "store").glob("*/*"):
        path.unlink()
    assert unpack_bundle(store, bundle, tmp_path / "there") == first


def test_a_bundle_that_is_there_is_not_written_again(places, store, tmp_path):
    bundle = send_bundle(EngineSetup(places), store)
    written_at = (tmp_path / "store" / bundle).stat().st_mtime_ns
    assert send_bundle(EngineSetup(places), store) == bundle
    assert (tmp_path / "store" / bundle).stat().st_mtime_ns == written_at


def test_a_missing_or_truncated_bundle_is_sent_again(places, store, tmp_path):
    bundle = send_bundle(EngineSetup(places), store)
    path = tmp_path / "store" / bundle
    for damage in (path.unlink, lambda: path.write_bytes(path.read_bytes()[:-1])):
        damage()
        assert unpack_bundle(store, bundle, tmp_path / "there") is None
        assert not list((tmp_path / "there").iterdir())
        assert send_bundle(EngineSetup(places), store) == bundle
    assert unpack_bundle(store, bundle, tmp_path / "there").places.base.is_dir()


def test_a_bundle_with_other_bytes_is_not_taken(places, store, tmp_path):
    bundle = send_bundle(EngineSetup(places), store)
    path = tmp_path / "store" / bundle
    path.write_bytes(path.read_bytes().replace(b".a {}", b".z {}"))
    assert unpack_bundle(store, bundle, tmp_path / "there") is None


def test_names_that_lead_out_of_their_folder_are_not_written_outside(store, tmp_path):
    archive = BytesIO()
    with ZipFile(archive, "w") as out:
        for name in ("base/in.css", "../../out.css", "/../../../out.css"):
            out.writestr(name, "sly")
    data = archive.getvalue()
    bundle = f"bundles/{sha256(data).hexdigest()}"
    (tmp_path / "store/bundles").mkdir(parents=True)
    (tmp_path / "store" / bundle).write_bytes(data)
    home = tmp_path / "there" / "deep"
    assert unpack_bundle(store, bundle, home) is not None
    assert list(home.rglob("in.css"))
    assert all(path.is_relative_to(home) for path in tmp_path.rglob("out.css"))


def test_old_bundles_are_removed(places, store, tmp_path):
    for number in range(MAX_BUNDLES + 2):
        (tmp_path / "base/face.css").write_text(f".b {{order: {number}}}")
        bundle = send_bundle(EngineSetup(places), store)
        unpack_bundle(store, bundle, tmp_path / "there")
    names = [path.name for path in (tmp_path / "there").iterdir()]
    assert len(names) == MAX_BUNDLES
    assert bundle.removeprefix("bundles/") in names
