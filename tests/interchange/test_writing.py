"""Files of other programs are written again as they were read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from lxml import etree

from builder.errors import InputUnreadable
from builder.interchange.document import ForeignDocument, read_document
from builder.interchange.edits import EntryEdit, ListEditor, list_selections
from builder.interchange.reading import interpret_roster, read_foreign_roster
from builder.interchange.writing import write_new_recruit, write_ros, write_rosz
from tests.interchange.foreign_rosters import ROSTERS
from tests.interchange.systems import SYSTEMS, WRITERS, make_skirmish, write_xml

FORMATS = {
    "ros": write_ros,
    "rosz": lambda document: write_rosz(document, "list"),
    "newrecruit": write_new_recruit,
}


def list_nodes(data: bytes) -> list[Any]:
    """Return everything in an XML file: names, attributes and texts."""
    nodes = []
    for node in etree.fromstring(data).iter():
        parent = node.getparent()
        texts = [node.text or "", *(child.tail or "" for child in node)]
        nodes.append(
            (
                None if parent is None else parent.tag,
                node.tag,
                sorted(node.attrib.items()),
                "".join(texts).strip(),
            )
        )
    return sorted(nodes, key=repr)


def decode_json(data: bytes) -> Any:
    """Return the JSON value of a file or a link."""
    document = read_document(data)
    return json.loads(write_new_recruit(document))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_format_can_be_written_as_every_other(
    system: str, writer: str, form: str
) -> None:
    data = WRITERS[writer](SYSTEMS[system]())
    written = FORMATS[form](read_document(data))
    assert read_foreign_roster(written) == read_foreign_roster(data)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    roster=ROSTERS,
    writer=st.sampled_from(sorted(WRITERS)),
    form=st.sampled_from(sorted(FORMATS)),
)
def test_any_roster_survives_any_way(
    roster: dict[str, Any], writer: str, form: str
) -> None:
    data = WRITERS[writer](roster)
    written = FORMATS[form](read_document(data))
    assert read_foreign_roster(written) == read_foreign_roster(data)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(roster=ROSTERS)
def test_the_same_format_keeps_every_element_and_value(roster: dict[str, Any]) -> None:
    data = write_xml(roster).replace(
        b"<profiles>", b'<odd x="1"><y/> z</odd><profiles>'
    )
    assert list_nodes(write_ros(read_document(data))) == list_nodes(data)
    for writer in ("new-recruit", "list-forge"):
        value = json.loads(WRITERS[writer](roster))
        value["roster"]["odd"] = [None, True, 1.5, "", [{"a": []}], {"b": {}}, 10**20]
        value["around"] = {"kept": 1}
        assert decode_json(json.dumps(value).encode()) == value


def test_numbers_and_truth_values_have_types_in_json() -> None:
    value = json.loads(write_new_recruit(read_document(write_xml(make_skirmish()))))
    roster = value["roster"]
    assert roster["costs"] == [{"name": "pts", "typeId": "points", "value": 68}]
    captain = roster["forces"][0]["selections"][1]
    assert (captain["number"], captain["customNotes"]) == (1, "Paint the lantern.")
    assert captain["categories"][0]["primary"] is True
    assert captain["profiles"][0]["characteristics"][0] == {
        "name": "Move",
        "typeId": "column-Move",
        "$text": '6"',
    }


def read_edited(document: ForeignDocument, *edits: EntryEdit) -> Any:
    """Return the meaning of a list after edits."""
    editor = ListEditor(document.root)
    for edit in edits:
        assert editor.apply_edit(edit)
    return interpret_roster(document.complete_root)


@pytest.mark.parametrize("writer", WRITERS)
def test_names_notes_and_counts_are_changed(writer: str) -> None:
    document = read_document(WRITERS[writer](make_skirmish()))
    guards = ["selection-Street guard"] * 2
    roster = read_edited(
        document,
        EntryEdit(["selection-Lamp captain"], 1, "Wick", "Varnish."),
        EntryEdit(guards, 1),
        EntryEdit(["selection-Fog hound"], 3, "", "Three dogs."),
    )
    selections = roster.forces[0].selections
    assert [selection.name for selection in selections] == [
        "Scenario size",
        "Lamp captain",
        "Street guard",
        "Fog hound",
        "Fog hound",
        "Fog hound",
    ]
    assert (selections[1].custom_name, selections[1].notes) == ("Wick", "Varnish.")
    assert [selection.notes for selection in selections[3:]] == ["Three dogs."] * 3
    assert len({selection.id for selection in selections}) == 6
    assert roster.costs[0].value == 68 - 12 + 2 * 9
    again = read_foreign_roster(write_ros(document))
    assert again == roster


def test_removed_notes_and_names_leave_nothing_behind() -> None:
    document = read_document(write_xml(make_skirmish()))
    read_edited(document, EntryEdit(["selection-Lamp captain"], 1, "", ""))
    written = write_ros(document)
    assert b"customName" not in written
    assert b"customNotes" not in written


def test_notes_of_parts_stay_where_they_are() -> None:
    value = make_skirmish()
    captain = value["forces"][0]["selections"][1]
    captain["selections"][0]["customNotes"] = "Sharpen it."
    document = read_document(write_xml(value))
    edit = EntryEdit(["selection-Lamp captain"], 1, None, "Paint it.\nSharpen it.")
    selection = read_edited(document, edit).forces[0].selections[1]
    assert (selection.notes, selection.selections[0].notes) == (
        "Paint it.",
        "Sharpen it.",
    )


def test_an_edit_of_an_unknown_selection_is_refused() -> None:
    editor = ListEditor(read_document(write_xml(make_skirmish())).root)
    assert not editor.apply_edit(EntryEdit(["nobody"], 1))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(roster=ROSTERS, counts=st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_any_selection_can_be_copied_and_removed(
    roster: dict[str, Any], counts: list[int]
) -> None:
    document = read_document(write_xml(roster))
    tree = read_foreign_roster(write_xml(roster))
    editor = ListEditor(document.root)
    for selection, count in zip(tree.walk_selections(), counts, strict=False):
        editor.apply_edit(EntryEdit([selection.id], count))
    written = write_ros(document)
    numbers = len(list(list_selections(document.root)))
    assert len(list(read_foreign_roster(written).walk_selections())) == numbers


def test_selections_without_ids_have_their_number() -> None:
    value = make_skirmish()
    for selection in value["forces"][0]["selections"]:
        del selection["id"]
    document = read_document(write_xml(value))
    hound = interpret_roster(document.root).forces[0].selections[-1]
    assert hound.id.startswith("#")
    roster = read_edited(document, EntryEdit([hound.id], 1, "Rex"))
    assert roster.forces[0].selections[-1].custom_name == "Rex"


@pytest.mark.parametrize("namespace", ["a {b", "", "a b", "{", "\u0001", "[", "%"])
def test_any_namespace_of_json_can_be_written_as_xml(namespace: str) -> None:
    value = {
        "roster": {
            "xmlns": namespace,
            "forces": [{f"{{{namespace}}}a": {"b": 1}, "{:}b": 1}],
        }
    }
    data = write_ros(read_document(json.dumps(value).encode()))
    assert read_document(data).root.name == "roster"


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_allow_are_refused(number: str) -> None:
    with pytest.raises(InputUnreadable, match="not valid JSON"):
        read_document(b'{"roster": {"forces": [], "cost": %s}}' % number.encode())


def test_names_that_xml_does_not_allow_are_written() -> None:
    value = {
        "forces": [{"$odd key": 1, "9": {"a b": "x\u0001"}, "{": "}", "é": 2}],
        "name": "R",
    }
    document = read_document(json.dumps(value).encode())
    written = read_document(write_ros(document))
    (force,) = written.root.list_in("forces")
    assert force.get_attribute("_odd_key") == "1"
    assert json.loads(write_new_recruit(document)) == value
