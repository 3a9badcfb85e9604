"""All parts of a card are distributed over faces, in order and without loss."""

from __future__ import annotations

from hypothesis import given, strategies as st

from builder.imported.card import Boxes, CardTable, ImportedCard, TableRow, TitledText
from builder.imported.columns import ColumnNames
from builder.imported.pages import (
    CardPage,
    FaceArea,
    count_box_rows,
    lay_out_card,
    measure_qr_code,
)

AREA = FaceArea(width=55, front_height=42, back_height=48)
NAMES = ColumnNames({})

words = st.text("abc de.", min_size=1, max_size=300).filter(
    lambda text: text.strip(" .")
)
passages = st.builds(TitledText, st.text("abc", min_size=1, max_size=12), words)
rows = st.lists(
    st.builds(
        TableRow, st.text("abc", min_size=1, max_size=20), st.just(("1", "2", "3"))
    ),
    min_size=1,
    max_size=9,
)
tables = st.builds(
    CardTable, st.text("ab", max_size=8), st.just(("A", "B", "C")), rows.map(tuple)
)
cards = st.builds(
    ImportedCard,
    name=st.just("Card"),
    stats=st.lists(tables, max_size=2).map(tuple),
    tables=st.lists(tables, max_size=4).map(tuple),
    passages=st.lists(passages, max_size=8).map(tuple),
)


def read_rows(pages: list[CardPage], attribute: str) -> list[TableRow]:
    found: list[TableRow] = []
    for page in pages:
        for face in (page.front, page.back):
            for table in getattr(face, attribute):
                found += table.rows
    return found


def read_words(texts: list[TitledText]) -> list[str]:
    return " ".join(f"{passage.title} {passage.text}" for passage in texts).split()


@given(cards)
def test_everything_is_printed_once_and_in_order(card: ImportedCard) -> None:
    pages = lay_out_card(card, AREA, NAMES)
    for attribute in ("stats", "tables"):
        expected = [row for table in getattr(card, attribute) for row in table.rows]
        assert read_rows(pages, attribute) == expected
    printed = [
        passage
        for page in pages
        for face in (page.front, page.back)
        for passage in face.passages
    ]
    assert read_words(printed) == read_words(list(card.passages))


@given(cards)
def test_only_the_last_card_of_paper_may_have_an_empty_back(card: ImportedCard) -> None:
    pages = lay_out_card(card, AREA, NAMES)
    assert not any(page.back.is_empty for page in pages[:-1])


def test_a_short_card_has_no_back() -> None:
    (page,) = lay_out_card(
        ImportedCard("A", passages=(TitledText("T", "Short."),)), AREA, NAMES
    )
    assert page.back.is_empty


def test_a_long_text_continues_on_the_back() -> None:
    text = " ".join(f"Sentence number {index}." for index in range(40))
    (page,) = lay_out_card(
        ImportedCard("A", passages=(TitledText("T", text),)), AREA, NAMES
    )
    assert page.front.passages[0].text.startswith("Sentence number 0.")
    assert page.back.passages[-1].text.endswith("Sentence number 39.")
    assert page.back.passages[0].title == ""


def test_a_table_that_fits_on_a_face_is_not_split() -> None:
    def make_table(title: str) -> CardTable:
        rows = tuple(
            TableRow(f"{title} {number}", ("1", "2", "3")) for number in range(6)
        )
        return CardTable(title, ("A", "B", "C"), rows)

    card = ImportedCard("A", tables=(make_table("Guns"), make_table("Blades")))
    (page,) = lay_out_card(card, AREA, NAMES)
    assert [table.title for table in page.front.tables] == ["Guns"]
    assert [table.title for table in page.back.tables] == ["Blades"]


def test_a_table_is_split_if_it_would_need_another_face() -> None:
    rows = tuple(TableRow(f"Gun {number}", ("1", "2", "3")) for number in range(16))
    card = ImportedCard("A", tables=(CardTable("Guns", ("A", "B", "C"), rows),))
    (page,) = lay_out_card(card, AREA, NAMES)
    assert read_rows([page], "tables") == list(rows)
    assert not page.front.is_empty
    assert not page.back.is_empty


def test_bold_words_that_are_split_stay_bold() -> None:
    text = "**" + " ".join(f"Sentence number {index}." for index in range(40)) + "**"
    (page,) = lay_out_card(
        ImportedCard("A", passages=(TitledText("T", text),)), AREA, NAMES
    )
    for face in (page.front, page.back):
        assert face.passages[0].text.startswith("**")
        assert face.passages[0].text.endswith("**")


def test_keywords_of_many_lines_are_a_text() -> None:
    (page,) = lay_out_card(ImportedCard("A", keywords=("Word",) * 4), AREA, NAMES)
    assert page.keyword_lines == 1
    pages = lay_out_card(ImportedCard("A", keywords=("Word",) * 200), AREA, NAMES)
    assert pages[0].keyword_lines == 0
    assert pages[0].front.passages[0].text.startswith("Word, Word")


def test_boxes_need_as_many_rows_as_their_models() -> None:
    assert count_box_rows(Boxes(1, 3), AREA) == 1
    assert count_box_rows(Boxes(20, 2), AREA) == 4
    # With more than 60 boxes, each model has one wide box.
    assert count_box_rows(Boxes(20, 12), AREA) == 5


def test_a_longer_code_is_larger() -> None:
    assert (
        measure_qr_code("x" * 20)
        < measure_qr_code("x" * 200)
        < measure_qr_code("x" * 800)
        < 40
    )
