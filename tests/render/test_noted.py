"""Facts that are noted of many faces are found again, and what is damaged is read from the faces themselves."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from builder.errors import OutputNotWritten
from builder.findings import Finding, Severity
from builder.render import cache as module
from builder.render.cache import FaceCache
from builder.render.jobs import BlockFact, FaceFacts, FaceJob
from builder.render.noted import Noted
from builder.render.renderer import Faces
from builder.render.sheets.record import Record


def facts(number: int) -> FaceFacts:
    key = sha256(bytes([number])).hexdigest()
    finding = Finding("render/unsafe", Severity.WARNING, f"lïne\n{number}")
    return FaceFacts(key, f"spirit/{number} front [en]", (BlockFact("text", 1, 7.5, 0.9),), (finding,), {"file:a": "b"})


FACES = [facts(number) for number in range(9)]
KEYS = [each.key for each in FACES]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FaceCache:
    monkeypatch.setattr(module, "MANY", 1)
    cache = FaceCache(tmp_path)
    for each in FACES:
        cache.put(each, Record((0.0, 0.0, 9.0, 9.0), b"", b""))
    return cache


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The faces that were read themselves."""
    asked: list[str] = []
    read = module._facts_of
    monkeypatch.setattr(module, "_facts_of", lambda place: (asked.append(Path(place).stem), read(place))[1])
    return asked


def test_what_is_noted_is_found_without_its_face(kept: FaceCache, unread: list[str]) -> None:
    kept.note("all", KEYS)
    unread.clear()
    again = FaceCache(kept.folder.parent)
    again.recall("all")
    assert [again.facts(key) for key in KEYS] == FACES
    assert unread == []
    assert [again.facts(key, noted=False) for key in KEYS] == FACES


def test_more_faces_are_noted_without_reading_those_that_are(kept: FaceCache, unread: list[str]) -> None:
    kept.note("all", KEYS[:5])
    unread.clear()
    kept.note("all", KEYS[3:])
    assert sorted(unread) == sorted(KEYS[5:])
    unread.clear()
    assert [kept.facts(key) for key in KEYS] == FACES
    assert sorted(unread) == sorted(KEYS[:3])


def test_a_few_new_faces_are_not_noted(kept: FaceCache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.note("all", KEYS[:5])
    before = kept._notes("all").read_bytes()
    monkeypatch.setattr(module, "MANY", 5)
    kept.note("all", KEYS)
    assert kept._notes("all").read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [],
        lambda lines: [b"junk\n"],
        lambda lines: [b'{"key": {}}'],
        lambda lines: [lines[0], b"\xff\n", b"\n", *lines[1:]],
        lambda lines: lines[::-1],
        lambda lines: [line[: len(line) // 2] + b"\n" for line in lines],
        lambda lines: [line[:70] + b"[]\n" for line in lines],
        lambda lines: [line[:20] + b"0" * 44 + lines[0][64:] for line in lines],
        lambda lines: [b"-" + line for line in lines],
        lambda lines: [*lines[:-1], lines[-1][:-9]],
    ],
)
def test_damaged_notes_are_made_up_for_by_the_faces(kept: FaceCache, damage) -> None:
    kept.note("all", KEYS)
    path = kept._notes("all")
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))
    again = FaceCache(kept.folder.parent)
    again.recall("all")
    assert [again.facts(key) for key in KEYS] == FACES


def test_a_face_that_is_gone_is_not_known(kept: FaceCache) -> None:
    kept.note("all", KEYS)
    Path(kept._place(KEYS[0])).unlink()
    assert kept.facts(KEYS[0]) is None


def test_notes_take_up_a_few_bytes_a_face(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"".join(b"%064x {}\n" % (number << 192) for number in range(1000)))
    noted = Noted(path)
    assert noted.line(f"{500 << 192:064x}") == b"{}"
    assert sum(len(each) * each.itemsize for each in (noted._heads, noted._starts)) == 16 * 1000 + 8


def test_facts_of_set_faces_are_read_when_they_are_asked_for(kept: FaceCache, unread: list[str]) -> None:
    jobs = {FaceJob("spirit", "front", "en", card=str(number)): key for number, key in enumerate(KEYS)}
    faces = Faces(jobs, kept)
    assert (list(faces), unread) == (list(jobs), [])
    assert list(faces.values()) == FACES
    Path(kept._place(KEYS[0])).unlink()
    with pytest.raises(OutputNotWritten, match="gone"):
        next(iter(faces.values()))
