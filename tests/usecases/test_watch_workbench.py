"""The page of `watch` lists all cards with states, and the selected one with blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.render.jobs import Places
from builder.usecases.watch.face_blocks import FaceTemplate, list_fields
from builder.usecases.watch.pack_watch import PackWatch
from builder.usecases.watch.watch_view import format_page_fragment
from tests.program import run
from tests.usecases.toy import edit, toy_project

QUILL = "cards/lanterns/charm/heron-quill.yaml"
LONG = "A text that is far too long for its box. " * 40


def start_watch(folder: Path) -> PackWatch:
    pack_watch = PackWatch(Project(folder), "lanterns")
    pack_watch.start_watch([])
    pack_watch.check_pack()
    return pack_watch


def list_states(pack_watch: PackWatch) -> dict[str, str]:
    """Lay all cards out, and return their states."""
    while pack_watch.check_next_cards() is not None:
        pass
    return {row.card: row.state for row in pack_watch.check_pack().rows}


def test_all_cards_are_listed_and_checked_while_nothing_is_saved(
    tmp_path: Path,
) -> None:
    pack_watch = start_watch(toy_project(tmp_path))
    assert {row.state for row in pack_watch.check_pack().rows} == {"unchecked"}
    states = list_states(pack_watch)
    assert len(states) == 7
    assert set(states.values()) == {"good"}


def test_a_pack_that_never_fitted_opens_and_shows_drafts(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    edit(folder / QUILL, "Subtract 1 from", f"{LONG}Subtract 1 from")
    pack_watch = start_watch(folder)
    assert list_states(pack_watch)["heron-quill"] == "draft"
    view = pack_watch.select_card("heron-quill")
    assert [(card.lang, card.draft, card.stale) for card in view.cards] == [
        ("en", True, False),
        ("de", False, False),
    ]
    assert "render/overflow" in format_page_fragment(view, "en")


def test_a_selected_card_is_shown_in_all_languages_with_its_blocks(
    tmp_path: Path,
) -> None:
    pack_watch = start_watch(toy_project(tmp_path))
    view = pack_watch.select_card("heron-quill")
    assert [card.lang for card in view.cards] == ["en", "de"]
    front, back_picture = view.cards[0].pictures
    assert (front.side, back_picture.side) == ("front", "back")
    (block,) = [block for block in front.blocks if block.name == "effect"]
    assert block.template == "templates/lanterns/charm/front.html.j2"
    assert (block.line, block.field) == (2, "effect")
    html = format_page_fragment(view, "en")
    assert (
        'data-place="effect · templates/lanterns/charm/front.html.j2:2 · effect"'
        in html
    )
    assert pack_watch.select_card("no-such-card") == view


def test_the_sheets_show_the_whole_set_until_something_is_saved(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    edit(folder / QUILL, "Subtract 1 from", f"{LONG}Subtract 1 from")
    pack_watch = start_watch(folder)
    view = pack_watch.show_sheets()
    assert view.sheets is not None
    # The first product: 6 spirits and 7 charms, both sides of 2 sizes.
    assert len(view.sheets.pictures) == 4
    assert all(
        digest in pack_watch.pictures
        for digest, _width, _height in view.sheets.pictures
    )
    sides = {(width, height) for _digest, width, height in view.sheets.pictures}
    assert sides == {(794, 1123), (1123, 794)}
    html = format_page_fragment(view, "en")
    assert html.count('alt="sheet, page') == 4
    assert pack_watch.select_card("heron-quill").sheets == view.sheets
    assert pack_watch.show_saved_files([QUILL]).sheets is None


FRONT = """{% from "parts.j2" import foot, plain_part, row %}
<div class="fit fit-body body">
  {{ card.get("rules") | rich }} {{ card.uses }} <div>{{ card["flavour"] }}</div>
</div>
<div class="foot">{{ foot(card.worn, block="foot") }}</div>
<p>{{ plain_part(card.cost) }}</p>
<p>{{ row({"speed": card.get("speed"), "health": card.health}) }}</p>
<b data-block="legend">{{ card.one }}</b>
<b data-block="legend">{{ card.abilities.values() }}</b>
"""
PARTS = """{% macro foot(word, block="") %}<i data-block="{{ block }}">{{ word }}</i>{% endmacro %}
{% macro plain_part(word) %}<i data-block="cost">{{ word }}</i>{% endmacro %}
{% macro row(words, block="stats") %}<i data-block="{{ block }}">{{ words }}</i>{% endmacro %}
"""


@pytest.mark.parametrize(
    ("block", "number", "line", "fields"),
    [
        ("body", 0, 2, ["rules", "uses", "flavour"]),
        ("foot", 0, 5, ["worn"]),
        ("cost", 0, 6, ["cost"]),
        ("stats", 0, 7, ["speed", "health"]),
        ("legend", 0, 8, ["one"]),
        ("legend", 1, 9, ["abilities"]),
    ],
)
def test_a_block_has_the_line_and_the_fields_of_its_own_expression(
    block: str, number: int, line: int, fields: list[str], tmp_path: Path
) -> None:
    (tmp_path / "parts.j2").write_text(PARTS, "utf-8")
    template = FaceTemplate(
        FRONT, Places(tmp_path, tmp_path, tmp_path, tmp_path, tmp_path)
    )
    source = template.find_block(block, number)
    assert source is not None
    assert (source.line, list_fields(source.text)) == (line, fields)
    assert template.find_block("nowhere", 0) is None


def test_an_error_in_a_file_marks_its_card(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    edit(folder / QUILL, "waft}.", "wft}.")
    states = list_states(start_watch(folder))
    assert states["heron-quill"] == "error"
    assert states["willow-flute"] == "good"


def test_an_edited_table_is_imported_again(tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text(
        "Name,Cost,Rules\nNight Warden,6,Moves again.\nWick Boy,2,Lights.\n", "utf-8"
    )
    assert run(tmp_path, "new", "mygame", "--from", "cards.csv").returncode == 0
    folder = tmp_path / "mygame"
    pack_watch = PackWatch(Project(folder), "mygame")
    copy = folder / "cards.csv"
    pack_watch.start_watch([])
    assert pack_watch.import_edited_tables() is False
    copy.write_text(table.read_text("utf-8").replace("Warden,6", "Warden,7"), "utf-8")
    pack_watch.import_edited_tables()
    (card,) = (folder / "cards/mygame").glob("**/night-warden.yaml")
    assert "cost: 7" in card.read_text("utf-8")
    copy.write_text(
        table.read_text("utf-8").replace("Warden,6", "Warden,many\x00"), "utf-8"
    )
    pack_watch.import_edited_tables()
    assert "cost: 7" in card.read_text("utf-8")
