"""Marks in tables that were made for other programs."""

import pytest
from hypothesis import given, strategies as st

from builder.model.markup import parse_and_check
from builder.packs.tables.markup import (
    has_marks,
    read_cell_markup,
    read_markup,
    read_row_markup,
)
from builder.packs.tables.sheet import EMPTY_CELL, make_cell, make_row


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        (r"Draw a card.\nThen discard one.", "Draw a card.\nThen discard one."),
        (r"Draw. \n Discard.", "Draw.\nDiscard."),
        ("Draw a card.%nDiscard one.", "Draw a card.\nDiscard one."),
        ("Win 50%now", "Win 50%now"),
        ("Loses 5 %n", "Loses 5 %n"),
        ("<b>Action</b>: draw.", "**Action**: draw."),
        ("<B>Action: </B>draw.", "**Action:** draw."),
        ("<i>Once</i> and <em>again</em>", "*Once* and *again*"),
        ("<i>Once <b>more</b></i>", "*Once **more***"),
        ("<b>one<br>two</b>", "**one**\n**two**"),
        ("**Action**: draw.", "**Action**: draw."),
        ("Either:<ul><li>draw</li><li>pass</li></ul>", "Either:\n• draw\n• pass"),
        ("Either:\n- draw\n- pass", "Either:\n• draw\n• pass"),
        ("* draw\n* pass", "• draw\n• pass"),
        ("- 2 strength", "- 2 strength"),
        ("a<br/>b<BR>c", "a\nb\nc"),
        ("<p>One.</p><p>Two.</p>", "One.\nTwo."),
        ('<span style="color: red">Fire</span> &amp; ice', "Fire & ice"),
        ("Tom &amp; Co", "Tom & Co"),
        ("Souffl&eacute; &#9733; &#x2605;", "Soufflé ★ ★"),
        ("R&D; &unknown; a&b", "R&D; &unknown; a&b"),
        ("I <3 you, <name>!", "I <3 you, <name>!"),
        (r"art\new.png", r"art\new.png"),
        ("2 < 3 > 1", "2 < 3 > 1"),
        ("<b></b>", ""),
    ],
)
def test_marks_become_markup(text, markup):
    assert read_markup(text) == markup


def test_a_text_that_has_no_styles_has_no_stars():
    cell = read_cell_markup(make_cell(r"<b>Bog</b> Witch\nElder"))
    assert (cell.text, cell.markup) == ("Bog Witch\nElder", "**Bog** Witch\nElder")


def test_rows_are_read_and_other_cells_stay():
    rows = (make_row(1, ["Name", "Rules"]), make_row(2, ["Fox", "<i>Quick</i>"]))
    read_rows = read_row_markup(rows)
    assert read_rows[0] is rows[0]
    assert [cell.markup for cell in read_rows[1].cells] == ["Fox", "*Quick*"]
    assert read_cell_markup(EMPTY_CELL) is EMPTY_CELL


@given(st.text(st.sampled_from("ab<>/\\n%*-+ &;1\n"), max_size=40))
def test_reading_twice_changes_nothing_that_has_no_marks(text):
    read_text = read_markup(text)
    assert read_text == read_text.strip()
    if not has_marks(text):
        assert read_text == text.strip()


@given(st.lists(st.text("abc XYZ", min_size=1, max_size=8), min_size=1, max_size=4))
def test_tags_make_markup_without_mistakes(words):
    text = " ".join(f"<b>{word}</b> and <i>{word}</i>" for word in words)
    assert parse_and_check(read_markup(text)).errors == ()
