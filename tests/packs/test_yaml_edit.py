"""Editing a card's text changes its three places and not one byte besides."""

from __future__ import annotations

from datetime import date
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from builder.errors import InputUnreadable
from builder.model.base import Json
from builder.model.card import ChangeType, HistoryEntry
from builder.packs.pack_files import bump_revision
from builder.packs.yaml.editing import YamlText, format_flow
from builder.packs.yaml.reading import parse_document
from tests.house.source import ROOT

NOTE = {"ru": "Стоимость: 3, была 2.", "en": "It's #1"}
BUMP = HistoryEntry(revision=1, released=date(2026, 12, 24), type=ChangeType.BALANCE, note=NOTE)
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
    rest = edited.replace("2026-12-24", "2026-01-01").replace("revision: 2", "revision: 1")
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
        ("b: |\n  One.\n\n# costs\nc: 2\n", "Two.\n", "b: |\n  Two.\n\n# costs\nc: 2\n"),
        ("b: |+\n  One.\n\nc: 2\n", "Two.\n", "b: |+\n  Two.\nc: 2\n"),
        ("b: >-\n  One.\nc: 2\n", "  far in\nand on", 'b: "  far in\\nand on"\nc: 2\n'),
    ],
)
def test_a_text_in_a_block_stays_in_its_block_where_it_can(old: str, text: str, new: str) -> None:
    edit = YamlText(old, "f")
    edit.set_scalar(("b",), text)
    assert (edit.text, edit.read_scalar(("b",))) == (new, text)


@given(st.lists(st.text(alphabet="aЖ1 .,()!?;:/«»—-+%#&*'\"[]{}|>@`\\\n", max_size=8), max_size=3))
def test_any_text_is_written_so_that_it_is_read_back(texts: list[str]) -> None:
    value = {"texts": {f"k{index}": text for index, text in enumerate(texts)}, "list": [*texts]}
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
