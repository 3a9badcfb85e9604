"""Rosters of other programs are read into one tree, whatever their format."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import re
import zipfile
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st
from tblib import pickling_support

from builder.errors import InputUnreadable
from builder.interchange import elements, writing
from builder.interchange.document import read_document
from builder.interchange.reading import is_foreign_roster, read_foreign_roster
from builder.interchange.xml_elements import read_xml
from tests.interchange.systems import (
    NAMESPACE,
    SYSTEMS,
    WRITERS,
    cost,
    make_skirmish,
    write_link,
    write_new_recruit,
    write_xml,
)


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
    assert (roster.name, roster.game_system_id) == (
        "Harbour patrol",
        "system-Lamps and Fog",
    )
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
    assert captain.categories == ("Leader", "Faction: Lamplighters", "Human")
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
    selections = {
        "selection": {"name": "A", "costs": {"cost": [{"name": "pts", "value": "5.0"}]}}
    }
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


@pytest.mark.parametrize("form", [b"a://%s!", b"%s!", b"a://%s b", b"%s://", b"a%s"])
def test_a_broken_link_takes_linear_time(form: bytes) -> None:
    def measure(count: int) -> float:
        data = form % (b"H4sI" * count)
        times = []
        for _repetition in range(5):
            start = process_time()
            is_foreign_roster(data)
            times.append(process_time() - start)
        return min(times)

    assert measure(10_000) <= 20 * max(measure(1_000), 1e-5)


def test_deep_files_are_refused() -> None:
    deep = '{"forces": [{"selections": [' * 150 + "]}]}" * 150
    with pytest.raises(InputUnreadable, match="nested too deeply"):
        read_foreign_roster(deep.encode())
    with pytest.raises(InputUnreadable):
        read_foreign_roster(b'{"forces":[' + b"[" * 100_000)


def test_every_allowed_depth_can_be_read_and_written() -> None:
    for depth in range(elements.MAX_DEPTH - 4, elements.MAX_DEPTH + 45):
        data = (
            b"<roster><forces>"
            + b"<a>" * depth
            + b"</a>" * depth
            + b"</forces></roster>"
        )
        try:
            document = read_document(data)
        except InputUnreadable:
            continue
        assert writing.write_ros(document)
        assert writing.write_new_recruit(document)


def test_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "MAX_ELEMENTS", 20)
    with pytest.raises(InputUnreadable, match="too many elements"):
        read_foreign_roster(write_xml(make_skirmish()))


def test_catalogues_are_named_as_such() -> None:
    with pytest.raises(InputUnreadable, match="catalogue"):
        read_foreign_roster(b"<catalogue/>")


VARIATIONS = {
    "a byte-order mark": lambda: b"\xef\xbb\xbf" + write_xml(make_skirmish()),
    "UTF-16": lambda: (
        write_xml(make_skirmish()).decode().replace("UTF-8", "UTF-16").encode("utf-16")
    ),
    "UTF-16 without a mark": lambda: (
        write_xml(make_skirmish())
        .decode()
        .replace("UTF-8", "UTF-16LE")
        .encode("utf-16-le")
    ),
    "JSON in UTF-16": lambda: (
        write_new_recruit(make_skirmish()).decode().encode("utf-16")
    ),
    "JSON with a mark": lambda: b"\xef\xbb\xbf" + write_new_recruit(make_skirmish()),
    "JSON without the key roster": lambda: json.dumps(make_skirmish()).encode(),
    "JSON in a list": lambda: json.dumps(
        [{"data": {"roster": make_skirmish()}}]
    ).encode(),
    "no namespace": lambda: write_xml(make_skirmish()).replace(NAMESPACE.encode(), b""),
    "a prefix": lambda: re.sub(
        rb"<(/?)(\w)", rb"<\1b:\2", write_xml(make_skirmish())
    ).replace(b"xmlns=", b"xmlns:b="),
    "an old namespace": lambda: write_xml(make_skirmish()).replace(
        b"/schema/rosterSchema", b"/schema/roster1_15"
    ),
    "a link of the app": lambda: write_link(make_skirmish()).replace(
        b"https://example.org/#/listforge/", b"listforge://import?data="
    ),
    "only the end of a link": lambda: write_link(make_skirmish()).rpartition(
        b"/listforge/"
    )[2],
    "a quoted link": lambda: quote(write_link(make_skirmish()), ":/#").encode() + b"\n",
    "gzip": lambda: gzip.compress(write_new_recruit(make_skirmish())),
}


@pytest.mark.parametrize("variation", VARIATIONS)
def test_variations_of_the_formats_give_the_same_tree(variation: str) -> None:
    data = VARIATIONS[variation]()
    assert is_foreign_roster(data)
    assert read_foreign_roster(data) == read_foreign_roster(write_xml(make_skirmish()))


def test_single_items_without_a_list_are_read() -> None:
    unit = {"name": "A", "costs": {"name": "pts", "value": 3}, "rule": {"name": "R"}}
    for forces in ({"name": "F", "selections": unit}, {"name": "F", "selection": unit}):
        tree = read_foreign_roster(json.dumps({"roster": {"forces": forces}}).encode())
        (selection,) = tree.forces[0].selections
        assert (selection.name, selection.costs[0].value) == ("A", 3)
        assert selection.rules[0].name == "R"
        assert not tree.unknown_elements


def test_files_of_the_first_version_have_costs_as_attributes() -> None:
    data = (
        b'<roster points="70.0" pointsLimit="100" name="R"><forces><force><selections>'
        b'<selection name="A" number="2" points="70.0" type="model"><profiles>'
        b'<profile profileTypeName="Model"><characteristics><characteristic name="M" value="6"/>'
        b"</characteristics></profile></profiles></selection></selections></force></forces></roster>"
    )
    tree = read_foreign_roster(data)
    (selection,) = tree.forces[0].selections
    assert (tree.costs[0].value, tree.cost_limits[0].value) == (70, 100)
    assert (selection.number, selection.costs[0].value) == (2, 70)
    assert selection.profiles[0].type_name == "Model"
    assert selection.profiles[0].characteristics == {"M": "6"}


@pytest.mark.parametrize(
    ("text", "number", "is_reported"),
    [
        ("2", 2, False),
        ("2.0", 2, False),
        ("0", 0, False),
        ("", 1, False),
        ("NaN", 1, True),
        ("abc", 1, True),
        ("1e30", 1, True),
        ("-3", 1, True),
        ("2.6", 3, True),
        ("inf", 1, True),
    ],
)
def test_counts_that_cannot_be_read_are_reported(
    text: str, number: int, is_reported: bool
) -> None:
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["number"] = text
    tree = read_foreign_roster(write_xml(roster))
    assert tree.forces[0].selections[-1].number == number
    reported = [f"Fog hound: the number {text!r} is not a count. {number} is used."]
    assert list(tree.problems) == (reported if is_reported else [])


def test_names_of_costs_are_kept() -> None:
    costs = [cost(5, " PL", "power"), cost(40, "pts"), cost(3, "", "")]
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["costs"] = costs
    for write in WRITERS.values():
        selection = read_foreign_roster(write(roster)).forces[0].selections[-1]
        names = [(cost.name, cost.value) for cost in selection.costs]
        assert names == [("PL", 5), ("pts", 40), ("", 3)]


@given(
    positions=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    inserted=st.sampled_from(
        [
            b"",
            b"<",
            b">",
            b'"',
            b"{",
            b"}",
            b"[",
            b"null",
            b"-1",
            b"NaN",
            b"\0",
            b"\xff",
            b"&a;",
        ]
    ),
    removed_count=st.integers(0, 60),
    system=st.sampled_from(sorted(SYSTEMS)),
    writer=st.sampled_from(sorted(WRITERS)),
)
def test_changed_files_are_read_or_refused(
    positions: list[float],
    inserted: bytes,
    removed_count: int,
    system: str,
    writer: str,
) -> None:
    data = WRITERS[writer](SYSTEMS[system]())
    for position in positions:
        at = int(position * len(data))
        data = data[:at] + inserted + data[at + removed_count :]
    is_foreign_roster(data)
    try:
        read_foreign_roster(data)
    except InputUnreadable:
        return


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda values: (
        st.lists(values, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "forces",
                    "selections",
                    "selection",
                    "costs",
                    "profiles",
                    "$text",
                    "name",
                ]
            )
            | st.text(max_size=4),
            values,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(forces=JSON_VALUES, selections=JSON_VALUES)
def test_any_json_is_read_or_refused(forces: object, selections: object) -> None:
    for value in (
        {"roster": {"forces": forces}},
        {"forces": [{"selections": selections, "rules": forces}]},
        forces,
    ):
        try:
            read_foreign_roster(json.dumps(value).encode())
        except InputUnreadable:
            continue


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


def test_an_error_of_xml_can_be_sent_to_another_process() -> None:
    pickling_support.install()  # as dask does: errors are sent with their causes
    with pytest.raises(InputUnreadable) as caught:
        read_xml(b"<roster")
    assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message
