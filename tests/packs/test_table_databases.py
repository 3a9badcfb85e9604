"""Cells as databases and web tables export them."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.model.table import ColumnRule
from builder.packs.tables.card_kinds import guess_kinds
from builder.packs.tables.cell_values import AllowedTypes, read_value
from builder.packs.tables.inference import GuessedColumn
from builder.packs.tables.markup import read_markup
from builder.packs.tables.numbers import find_thousands_separator
from builder.packs.tables.reader import read_tables
from builder.usecases.tables.stand_in_icons import list_texts


def guess(folder: Path, text: str) -> tuple[dict[str, GuessedColumn], list[str]]:
    (folder / "cards.csv").write_text(text, "utf-8")
    tables, _findings = read_tables(folder / "cards.csv")
    (kind,) = guess_kinds(tables, "cards")
    messages = [str(finding.message) for finding in kind.findings]
    return {column.head: column for column in kind.columns}, messages


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        (["1,234", "12,500", "900"], ","),
        (["1,234", "9"], ","),
        (["1.234", "12.500"], "."),
        (["1.234", "9"], ""),
        (["0,125", "0,250"], ""),
        (["1,5", "1,234"], ""),
        (["1,234.50", "3"], ""),
        (["2", "3"], ""),
    ],
)
def test_signs_of_thousands_are_found_by_all_cells_of_a_column(
    texts: list[str], sign: str
) -> None:
    assert find_thousands_separator(texts) == sign


def test_thousands_are_read_as_whole_numbers_and_reported(tmp_path: Path) -> None:
    columns, messages = guess(
        tmp_path, 'Name,HP,Cost\nFox,"1,234","2,000"\nOwl,900,"1,500"\n'
    )
    assert messages == ["signs of thousands were removed in: HP (,), Cost (,)"]
    assert columns["HP"].schema["type"] == "integer"
    assert columns["Cost"].rule.field == "cost"
    for text, value in (("1,234", 1234), ("900", 900), ("1,5", 1.5)):
        allowed = AllowedTypes(("number", "integer"))
        assert read_value(text, allowed, columns["HP"].rule) == value


def test_lists_in_brackets_are_lists(tmp_path: Path) -> None:
    columns, _messages = guess(
        tmp_path,
        'Name,Tags,Habitats\nFox,"[""Swift"", ""beast""]","[""wood""]"\n'
        'Owl,"[""Swift""]","[""wood"", ""barn""]"\n',
    )
    assert dict(columns["Tags"].rule.values) == {"Swift": "swift", "beast": "beast"}
    tags = read_value(
        '["beast", "Swift"]', AllowedTypes(("array",)), columns["Tags"].rule
    )
    assert tags == ["beast", "swift"]
    assert columns["Habitats"].sort == "list"
    habitats = read_value(
        '["wood", "barn"]', AllowedTypes(("array",)), ColumnRule(field="x")
    )
    assert habitats == ["wood", "barn"]


def test_links_are_printed_as_their_words() -> None:
    assert (
        read_markup("See [the map](https://example.org/map) first.")
        == "See the map first."
    )
    assert read_markup("Roll [d6](two) dice.") == "Roll [d6](two) dice."


def test_checkboxes_need_no_icons(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("Name,Done\nFox,☑\nOwl,☐\nCub,⚔\n", "utf-8")
    (table,), _findings = read_tables(tmp_path / "cards.csv")
    assert list_texts(table) == ["Fox", "Owl", "Cub", "⚔"]
