"""Rosters of other programs are read into one tree, whatever their format."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given, strategies as st

from builder.errors import InputUnreadable
from builder.interchange import elements
from builder.interchange.reading import is_foreign_roster, read_foreign_roster
from tests.interchange.systems import SYSTEMS, WRITERS, make_skirmish, write_xml


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_formats_give_the_same_tree(system: str) -> None:
    roster = SYSTEMS[system]()
    trees = [read_foreign_roster(write(roster)) for write in WRITERS.values()]
    for tree in trees[1:]:
        assert tree == trees[0]


@pytest.mark.parametrize("writer", WRITERS)
def test_formats_are_recognised_by_content(writer: str) -> None:
    assert is_foreign_roster(WRITERS[writer](make_skirmish()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"pack: foxes\nentries: []\n",
        b"id;name\n1;A\n",
        b'{"cards": []}',
        b"\x89PNG\r\n",
        b"<html></html>",
    ],
)
def test_other_files_are_not_recognised(data: bytes) -> None:
    assert not is_foreign_roster(data)
    with pytest.raises(InputUnreadable):
        read_foreign_roster(data)


def test_the_tree_holds_what_the_file_says() -> None:
    roster = read_foreign_roster(write_xml(make_skirmish()))
    assert (roster.name, roster.game_system_id) == ("Harbour patrol", "system-Lamps and Fog")
    assert [cost.value for cost in roster.costs] == [68]
    captain = roster.forces[0].selections[1]
    assert (captain.name, captain.custom_name, captain.notes) == (
        "Lamp captain",
        "Old Wick",
        "Paint the lantern.",
    )
    assert captain.profiles[0].characteristics == {
        "Move": '6"',
        "Nerve": "4+",
        "Guard": "3",
        "Wounds": "12",
    }
    assert captain.rules[0].text.startswith("Once a turn, this model may **hold**")
    assert captain.categories[0].is_primary
    assert not roster.unknown_elements


def test_unknown_elements_are_counted() -> None:
    data = write_xml(make_skirmish()).replace(
        b"<profiles>", b"<secrets><secret/></secrets><profiles>", 2
    )
    roster = read_foreign_roster(data)
    assert roster.unknown_elements == {"selection/secrets": 2}
    assert len(list(roster.walk_selections())) == 9


def test_numbers_missing_containers_and_nulls_are_accepted() -> None:
    roster = {
        "id": 12,
        "name": "Bare",
        "costs": None,
        "forces": [
            {
                "id": 1,
                "name": "F",
                "selections": [{"name": "A", "id": 7, "number": 2.0}, {"name": "B"}],
            }
        ],
    }
    tree = read_foreign_roster(json.dumps({"roster": roster}).encode())
    first, second = tree.forces[0].selections
    assert (first.id, first.number, second.number, tree.costs) == ("7", 2, 1, ())


def test_containers_as_objects_are_accepted() -> None:
    selections = {"selection": {"name": "A", "costs": {"cost": [{"name": "pts", "value": "5.0"}]}}}
    roster = {"forces": {"force": {"name": "F", "selections": selections}}}
    tree = read_foreign_roster(json.dumps({"roster": roster}).encode())
    assert tree.forces[0].selections[0].costs[0].value == 5


def test_entities_and_document_types_are_refused() -> None:
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE r '
        b"[<!ENTITY a "
        b'"aaaa"><!ENTITY b '
        b'"&a;&a;&a;">]><roster '
        b'name="&b;"/>'
    )
    with pytest.raises(InputUnreadable, match="document type"):
        read_foreign_roster(bomb)
    outside = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="r">&x;</roster>'
    with pytest.raises(InputUnreadable, match="document type"):
        read_foreign_roster(outside)


def test_a_zip_bomb_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.ros", b"<roster>" + b" " * 5_000_000)
    with pytest.raises(InputUnreadable, match="unpacks to more"):
        read_foreign_roster(stream.getvalue())


def test_deep_files_are_refused() -> None:
    deep = '{"forces": [{"selections": [' * 150 + "]}]}" * 150
    with pytest.raises(InputUnreadable, match="nested too deeply"):
        read_foreign_roster(deep.encode())
    with pytest.raises(InputUnreadable):
        read_foreign_roster(b'{"forces":[' + b"[" * 100_000)


def test_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "MAX_ELEMENTS", 20)
    with pytest.raises(InputUnreadable, match="too many elements"):
        read_foreign_roster(write_xml(make_skirmish()))


def test_catalogues_are_named_as_such() -> None:
    with pytest.raises(InputUnreadable, match="catalogue"):
        read_foreign_roster(b"<catalogue/>")


@given(
    cut=st.integers(0, 3_000),
    flip=st.binary(min_size=1, max_size=8),
    writer=st.sampled_from(sorted(WRITERS)),
)
def test_damaged_files_are_read_or_refused(cut: int, flip: bytes, writer: str) -> None:
    data = WRITERS[writer](make_skirmish())
    at = cut % len(data)
    for damaged in (data[:at], data[:at] + flip + data[at + len(flip) :]):
        try:
            read_foreign_roster(damaged)
        except InputUnreadable:
            continue
