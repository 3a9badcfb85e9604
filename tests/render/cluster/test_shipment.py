"""A pack's files reach another machine as they are, or it says which do not."""

from __future__ import annotations

import pytest

from builder.render.cluster.blobs import open_blobs
from builder.render.cluster.shipment import KEPT, Lacking, pack_up, unpack
from builder.render.jobs import Places


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
    return Places(tmp_path / "templates", tmp_path / "base", tmp_path / "data", tmp_path / "cache", tmp_path)


@pytest.fixture
def blobs(tmp_path):
    return open_blobs(str(tmp_path / "store"))


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_what_faces_draw_on_arrives_and_nothing_else(places, blobs, tmp_path):
    own = (tmp_path / "kept/z/icons.ttf", tmp_path / "kept/a/0123.ttf")
    sent = pack_up(places, own)
    sent.send(blobs)
    there, fonts = unpack(blobs, sent.hash, tmp_path / "there")
    assert contents(there.project) == {
        "templates/pack.css": ".a {}",
        "templates/art/near.svg": "<svg/>",
        "base/face.css": ".b {}",
        "data/art/deep/far.svg": "<svg></svg>",
        "fonts/000/icons.ttf": "font",
        "fonts/001/0123.ttf": "another",
    }
    assert [path.read_text() for path in fonts] == ["font", "another"]
    assert (there.data / "art/deep/far.svg").is_file()


def test_what_was_unpacked_is_not_fetched_again(places, blobs, tmp_path):
    sent = pack_up(places, ())
    sent.send(blobs)
    first = unpack(blobs, sent.hash, tmp_path / "there")
    assert first[1] == ()
    for path in (tmp_path / "store").rglob("*.*"):
        path.unlink()
    assert unpack(blobs, sent.hash, tmp_path / "there") == first


def test_files_that_are_absent_or_damaged_are_named_and_sent_again(places, blobs, tmp_path):
    sent = pack_up(places, ())
    with pytest.raises(Lacking) as lacking:
        unpack(blobs, sent.hash, tmp_path / "there")
    assert lacking.value.names == (f"shipments/{sent.hash}.json",)
    sent.send(blobs)
    stored = sorted((tmp_path / "store/files").rglob("*/*"))
    stored[0].write_bytes(b"damaged")
    stored[1].unlink()
    with pytest.raises(Lacking) as lacking:
        unpack(blobs, sent.hash, tmp_path / "there")
    assert sorted(lacking.value.names) == [path.relative_to(tmp_path / "store").as_posix() for path in stored[:2]]
    assert not list((tmp_path / "there").glob(sent.hash[:32]))
    sent.send(blobs, again=lacking.value.names)
    assert unpack(blobs, sent.hash, tmp_path / "there")[0].base.is_dir()


def test_a_list_that_leads_out_of_its_folder_writes_nothing(places, blobs, tmp_path):
    sent = pack_up(places, ())
    sly = type(sent)({"../../out.css": tmp_path / "secret.txt"}, {"../../out.css": sent.digests["base/face.css"]})
    sent.send(blobs)
    sly.send(blobs, again=())
    with pytest.raises(Lacking):
        unpack(blobs, sly.hash, tmp_path / "there" / "deep")
    assert not (tmp_path / "there" / "out.css").exists()


def test_old_shipments_are_forgotten(places, blobs, tmp_path):
    for number in range(KEPT + 2):
        (tmp_path / "base/face.css").write_text(f".b {{order: {number}}}")
        sent = pack_up(places, ())
        sent.send(blobs)
        unpack(blobs, sent.hash, tmp_path / "there")
    kept = [path.name for path in (tmp_path / "there").iterdir()]
    assert len(kept) == KEPT
    assert sent.hash[:32] in kept
