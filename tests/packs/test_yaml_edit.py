"""Editing a card's text changes its three places and not one byte besides."""

from __future__ import annotations

from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from builder.errors import InputUnreadable
from builder.model.base import DataPath, Json
from builder.model.card import ChangeType, HistoryEntry
from builder.packs.pack_files import bump_revision
from builder.packs.yaml.editing import YamlText, format_flow
from builder.packs.yaml.reading import parse_document
from tests.house.source import ROOT
from tests.packs.yaml_documents import (
    DocumentWriter,
    change_one_place,
    change_value,
    keeps_comment,
    make_map,
)

NOTE = {"ru": "Стоимость: 3, была 2.", "en": "It's #1"}
BUMP = HistoryEntry(
    revision=1, released=date(2026, 12, 24), type=ChangeType.BALANCE, note=NOTE
)
CARDS = sorted(
    path
    for folder in ("cards", "tests/toys")
    for path in (ROOT / folder).rglob("*.yaml")
    if "\nrevision:" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_every_card_file_is_edited_and_otherwise_byte_equal(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    edited, revision = bump_revision(text, path.name, BUMP)
    changed = touched(text, edited)
    assert f"\nrevision: {revision - 1}\n" in text
    assert all(line.startswith(("revision: ", "released: ")) for line in changed[0])
    assert len(changed[0]) == 2
    assert len(changed[1]) in (3, 4)


def touched(old: str, new: str) -> tuple[list[str], list[str]]:
    """Return the lines that are gone and those that are new."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    codes = [
        code
        for code in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if code[0] != "equal"
    ]
    return [line for c in codes for line in before[c[1] : c[2]]], [
        line for c in codes for line in after[c[3] : c[4]]
    ]


HEAD = "revision: 1\nreleased: 2026-01-01\n"
ODD = {
    "comments": (
        f"# head\nid: x\n{HEAD}history: # all\n  - {{revision: 1}}  # one\n\n# tail\nspeed: 4\n"
    ),
    "commented scalars": "revision: 1 # first\nreleased: 2026-01-01 # day\nhistory: [] # none\n",
    "block items": (
        f"{HEAD}history:\n- revision: 1\n  note:\n    ru: >-\n      Раз\n      два\n\n# tail\n"
    ),
    "windows": "\ufeffid: x\r\nrevision: 1\r\nreleased: '2026-01-01'\r\nhistory:\r\n  - {revision: 1}\r\nspeed: 4\r\n",
    "no last line break": f"id: x\nspeed: 4\n{HEAD}history:\n  - {{revision: 1}}",
    "no history": "id: x\nreleased: 2026-01-01\nrevision: 1\nspeed: 4\n",
    "one line": "{id: x, revision: 1, released: 2026-01-01, speed: 4}",
    "flow list": f"{HEAD}history: [\n  {{revision: 1}},\n]\n",
    "empty list": f"{HEAD}history: []\n",
    "indented": "  id: x\n  revision: 1\n  released: 2026-01-01\n  speed: 4\n",
    "quoted comma": f'{HEAD}history:\n  - {{revision: 1, note: {{ru: "а, {{б}} #в"}}}} # {{\n',
}


@pytest.mark.parametrize("name", ODD)
def test_odd_layouts_survive(name: str) -> None:
    edited, revision = bump_revision(ODD[name], "x.yaml", BUMP)
    assert revision == 2
    rest = edited.replace("2026-12-24", "2026-01-01").replace(
        "revision: 2", "revision: 1"
    )
    matcher = SequenceMatcher(None, ODD[name], rest, autojunk=False)
    gone = [
        ODD[name][one[1] : one[2]]
        for one in matcher.get_opcodes()
        if one[0] in ("delete", "replace")
    ]
    assert "".join(gone).strip() in ("", "[]")  # an empty list goes on below


def test_a_text_that_cannot_be_edited_is_refused() -> None:
    with pytest.raises(InputUnreadable, match="no revision"):
        bump_revision("id: x\nreleased: 2026-01-01\n", "x.yaml", BUMP)
    with pytest.raises(InputUnreadable, match="not edited"):
        bump_revision("id: [x\n", "x.yaml", BUMP)
    shared = "id: x\nrevision: &r 1\nspeed: *r\nreleased: 2026-01-01\n"
    with pytest.raises(InputUnreadable):
        bump_revision(shared, "x.yaml", BUMP)


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        (
            "b: |\n  One.\n  Two.\nc: 2\n",
            "One.\n\nThree: 3\n",
            "b: |\n  One.\n\n  Three: 3\nc: 2\n",
        ),
        (
            "b: >-\n    One\n    two.\nc: 2\n",
            "Two.\nThree.",
            "b: >-\n    Two.\n\n    Three.\nc: 2\n",
        ),
        (
            "b: |\n  One.\n\n# costs\nc: 2\n",
            "Two.\n",
            "b: |\n  Two.\n\n# costs\nc: 2\n",
        ),
        ("b: |+\n  One.\n\nc: 2\n", "Two.\n", "b: |+\n  Two.\nc: 2\n"),
        ("b: >-\n  One.\nc: 2\n", "  far in\nand on", 'b: "  far in\\nand on"\nc: 2\n'),
    ],
)
def test_a_text_in_a_block_stays_in_its_block_where_it_can(
    old: str, text: str, new: str
) -> None:
    edit = YamlText(old, "f")
    edit.set_scalar(("b",), text)
    assert (edit.text, edit.read_scalar(("b",))) == (new, text)


@given(
    st.lists(
        st.text(alphabet="aЖ1 .,()!?;:/«»—-+%#&*'\"[]{}|>@`\\\n", max_size=8),
        max_size=3,
    )
)
def test_any_text_is_written_so_that_it_is_read_back(texts: list[str]) -> None:
    value = {
        "texts": {f"k{index}": text for index, text in enumerate(texts)},
        "list": [*texts],
    }
    text = YamlText("id: a\n", "a.yaml")
    text.set_entry((), "v", value)
    document, wrong = parse_document(text.text, "a.yaml")
    assert document is not None, wrong
    assert document.value == {"id": "a", "v": value}
    text.set_entry((), "cost", 1)


@pytest.mark.parametrize("told", ["Feuer?", "Wer? Ich", "ja, nein?"])
def test_a_question_can_be_written_into_brackets(told: str) -> None:
    text = YamlText(f"name: {format_flow({'de': told})}\n", "a.yaml")
    text.set_entry((), "cost", 1)
    assert text.text.endswith("\ncost: 1\n")


@pytest.mark.parametrize(
    "before",
    [
        "cards:\n  - {card: a, copies: 1}  # one\nend: 1\n",
        "cards:\n  - card: a\n    copies: 1\nend: 1\n",
        "cards: [{card: a, copies: 1}]\nend: 1\n",
        "cards: []\nend: 1\n",
        "end: 1\n",
    ],
)
def test_many_items_are_added_as_one_after_the_other(before: str) -> None:
    items: list[Json] = [{"card": name, "copies": 2} for name in "bcd"]
    one_by_one, at_once = YamlText(before, "a.yaml"), YamlText(before, "a.yaml")
    for item in items:
        one_by_one.append_item(("cards",), item)
    at_once.append_items(("cards",), items)
    assert at_once.text == one_by_one.text


FAR = "f" * 130
"""A text after which a value starts beyond the last column."""


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        (f'a: [{FAR}, "5"]\n', [FAR, "6"], f'a: [{FAR}, "6"]\n'),
        (f"a: {{n: {FAR}, b: c}}\n", {"n": FAR, "b": "d"}, f"a: {{n: {FAR}, b: d}}\n"),
        (f"a: {{n: {FAR[:100]}, b: c}}\n", {"n": FAR[:100], "b": FAR}, None),
        ("a: [b,]\n", [], "a: []\n"),
        ("a: [b, c, d]\n", ["e"], "a: [e]\n"),
        ("a: {b: 1, c: 2}\n", {"d": 3}, "a: {d: 3}\n"),
        ("a:\n  b: 1\n  c: 2\n", {"d": 3}, "a:\n  d: 3\n"),
        ("a: [{b: {}}]\n", [{"b": {"c": 1}}], "a: [{b: {c: 1}}]\n"),
        ("a: [{b: 1, c: 2}]\n", [{"c": 3}], "a: [{c: 3}]\n"),
        ("a: [b: 1, c]\n", [{"b": 1, "d": 2}, "c"], "a: [{b: 1, d: 2}, c]\n"),
        ("a: {b, c: 1}\n", {"b": "x", "c": 1}, "a: {b: x, c: 1}\n"),
        ("a: {b: , c: 1}\n", {"b": "x", "c": 1}, None),
        ("a:\n  -\n  - b\n", ["x", "b"], "a:\n  - x\n  - b\n"),
        ("a: # all\n  - b\n", {"c": 1}, "a: {c: 1} # all\n"),
        ("a: [\n  b, # one\n  c, # two\n]\n", ["b"], "a: [\n  b, # one\n  # two\n]\n"),
        ("a:\n  - - b\n    - c\n", [["b"]], "a:\n  - - b\n"),
        ("a:\n  - b: 1\n", [{"b": 1}, {}], "a:\n  - b: 1\n  - {}\n"),
    ],
)
def test_values_in_brackets_and_blocks_are_changed(
    before: str, new: Json, after: str | None
) -> None:
    document, _findings = parse_document(before, "a.yaml")
    assert document is not None
    edit = YamlText(before, "a.yaml")
    edit.change_value((), document.value, {"a": new})
    changed_document, findings = parse_document(edit.text, "a.yaml")
    assert changed_document is not None, findings
    assert changed_document.value == {"a": new}
    assert after is None or edit.text == after


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("- - b\n  - c\n", (0, 0), "- - c\n"),
        ("- - b\n", (0, 0), "- []\n"),
        ("- b # -\n# -\n- c\n", (1,), "- b # -\n# -\n"),
        ("- b\n", (0,), "[]\n"),
        ("a: # all\n  - b\n", ("a", 0), "a: [] # all\n"),
    ],
)
def test_items_are_removed_from_lists_in_lists(
    before: str, path: DataPath, after: str
) -> None:
    edit = YamlText(before, "a.yaml")
    edit.remove_item(path)
    assert edit.text == after


def test_the_last_key_of_a_map_leaves_an_empty_map() -> None:
    edit = YamlText("a: # all\n  b: 1\n", "a.yaml")
    edit.drop_key(("a", "b"))
    assert edit.text == "a: {} # all\n"
    edit.drop_key(("a",))
    edit.set_entry((), "c", 1)
    assert edit.text.startswith("{c: 1}")


def test_blank_lines_of_a_kept_text_stay() -> None:
    edit = YamlText("a: |+\n  One.\n\n", "a.yaml")
    edit.set_entry((), "b", 1)
    assert edit.text == "a: |+\n  One.\n\nb: 1\n"


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_any_changes_of_any_document_give_the_new_value(seed: int) -> None:
    random = Random(seed)
    value: Json = make_map(random, 3)
    writer = DocumentWriter(random)
    edit = YamlText(writer.write(value), "a.yaml")
    comments = dict(writer.paths_by_comment)
    for _change in range(random.randrange(1, 4)):
        if random.random() < 0.5:
            new = change_value(random, value)
            edit.change_value((), value, new)
            comments = {
                comment: path
                for comment, path in comments.items()
                if keeps_comment(value, new, path)
            }
        else:
            new = change_one_place(random, value, edit)
            comments = {}
        document, findings = parse_document(edit.text, "a.yaml")
        assert document is not None, (edit.text, findings)
        assert document.value == new, edit.text
        assert not [comment for comment in comments if comment not in edit.text], (
            edit.text
        )
        value = new
