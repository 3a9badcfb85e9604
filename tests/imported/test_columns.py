"""Tables of any columns fit any card: columns are cut, become notes, or are split."""

from __future__ import annotations

from hypothesis import given, strategies as st

from builder.imported.card import CardTable, TableRow
from builder.imported.columns import ColumnNames, fit_stat_table, fit_table
from builder.imported.measure import count_lines, measure_longest_word, measure_text

NAMES = ColumnNames({"toughness": "T"}, unlabelled=("keywords",))
NARROW_EM = 20.0


def make_table(*values: str, columns: tuple[str, ...] = ()) -> CardTable:
    columns = columns or tuple(f"Column {index}" for index in range(len(values)))
    return CardTable("Weapons", columns, (TableRow("Long rifle", values, 2),))


def test_a_table_that_fits_stays_as_it_is() -> None:
    table = make_table("1", "2", "3", columns=("A", "B", "C"))
    assert fit_table(table, 60, NAMES) == table


def test_a_wide_column_becomes_a_note() -> None:
    table = make_table("1", "Blast, Heavy, Rapid fire, Long", columns=("A", "Keywords"))
    (row,) = fit_table(table, NARROW_EM, NAMES).rows
    assert (row.values, row.note) == (("1",), "Blast, Heavy, Rapid fire, Long")


def test_notes_name_their_column_and_leave_out_empty_values() -> None:
    columns = ("A", "First long column", "Second long column")
    table = make_table("1", "-", "A value of some words", columns=columns)
    (row,) = fit_table(table, NARROW_EM, NAMES).rows
    assert row.note == "Second long column: A value of some words"


def test_names_of_columns_are_short_or_cut() -> None:
    table = make_table("1", "2", columns=("Toughness", "Leadership"))
    (part,) = fit_stat_table(table, 6, NAMES)
    assert part.columns[0] == "T"
    assert part.columns[1].endswith(".")
    assert "Leadership".startswith(part.columns[1].removesuffix("."))


def test_names_of_columns_are_cut_where_the_values_leave_too_little_width() -> None:
    """The names alone would fit. Columns of equal widths would break "Range" within the word."""
    values = ('36"', "D6", "3+", "9", "−3", "3")
    table = CardTable(
        "Weapons",
        ("Range", "A", "BS", "S", "AP", "D"),
        (TableRow("Furnace cannon", values, 2),),
    )
    fitted = fit_table(table, 18, NAMES)
    assert fitted.columns == ("Ran.", "A", "BS", "S", "AP", "D")
    assert not fitted.is_tight


def test_numbers_in_names_of_columns_are_not_cut() -> None:
    columns = ("Type", "Size", "Skill", "S (+0)", "M (+2)", "L (+4)", "E (+6)", "Armor")
    values = ("BM", "4", "4", "5", "5", "2", "0", "10")
    for width in (12, 14, 16, 20):
        parts = list(fit_stat_table(make_table(*values, columns=columns), width, NAMES))
        headers = [column for part in parts for column in part.columns]
        assert {"S (+0)", "M (+2)", "L (+4)", "E (+6)"} <= set(headers)
        for part in parts:
            assert (
                sum(measure_longest_word(column) + 0.5 for column in part.columns)
                <= width
            )


def test_many_stats_are_split_over_several_tables() -> None:
    parts = list(fit_stat_table(make_table(*["10+"] * 14), 22, NAMES))
    assert len(parts) == 2
    assert [len(part.columns) for part in parts] == [7, 7]


def test_columns_are_sorted_by_the_theme() -> None:
    names = ColumnNames({}, order=("b", "a"))
    table = make_table("1", "2", columns=("A", "B"))
    assert fit_table(table, 60, names).columns == ("B", "A")


values = st.text("ab 1+", max_size=20)
rows = st.lists(values, min_size=11, max_size=11).map(tuple)
tables = st.lists(rows, min_size=1, max_size=4).map(
    lambda all_rows: CardTable(
        "Weapons",
        tuple(f"Name {index}" for index in range(11)),
        tuple(TableRow(f"Row {index}", row) for index, row in enumerate(all_rows)),
    )
)


@given(tables, st.floats(16, 60))
def test_no_value_is_lost(table: CardTable, width: float) -> None:
    fitted = fit_table(table, width, NAMES)
    stats = list(fit_stat_table(table, width, NAMES))
    for index, row in enumerate(table.rows):
        printed = [*fitted.rows[index].values, fitted.rows[index].note]
        stat_rows = [part.rows[index] for part in stats]
        printed_stats = [
            *(text for each in stat_rows for text in (*each.values, each.note))
        ]
        for value in row.values:
            assert value.strip() in " ".join(printed)
            assert value.strip() in " ".join(printed_stats)


@given(st.text("ab ", min_size=1, max_size=300), st.floats(5, 50))
def test_estimated_lines_hold_the_whole_text(text: str, width: float) -> None:
    lines = count_lines(text, width)
    assert lines >= 1
    assert lines * width + 1 >= sum(map(measure_text, text.split()))
    assert measure_longest_word(text) <= measure_text(text)
