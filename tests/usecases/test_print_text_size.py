"""The size of texts on printed lists: as large as the cards permit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builder.imported.card import ImportedList
from builder.imported.pages import FaceContent
from builder.usecases.build.build_options import BuildResult
from builder.usecases.imports import print_list as print_list_module
from builder.usecases.imports.pack_files import (
    FORMATS,
    PaperCard,
    PrintDesign,
    clean_list,
    list_paper_cards,
)
from builder.usecases.imports.print_list import (
    DEFAULT_TEXT_SIZE_PT,
    PrintOptions,
    build_list,
    choose_text_size,
    parse_list,
)
from builder.usecases.imports.themes import choose_theme
from tests.interchange.systems import SYSTEMS, make_skirmish, write_xml

THEME = choose_theme("", None)


def count_faces(imported: ImportedList, size: str, text_size: float) -> int:
    """Return the number of printed faces."""
    design = PrintDesign(replace(FORMATS[size], text_size=text_size), THEME)
    pages = [card.page for card in list_paper_cards(imported, design, "en")]
    return len(pages) + sum(page.back != FaceContent() for page in pages)


def read_system(system: str) -> ImportedList:
    """Return the list of an invented game."""
    return clean_list(parse_list(write_xml(SYSTEMS[system]()), Path("list.ros")))


@pytest.mark.parametrize("size", FORMATS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_larger_text_never_adds_a_face(system: str, size: str) -> None:
    imported = read_system(system)
    text_size = choose_text_size(imported, FORMATS[size], THEME)
    faces = count_faces(imported, size, text_size)
    assert faces <= count_faces(imported, size, DEFAULT_TEXT_SIZE_PT)


def test_short_texts_are_larger() -> None:
    imported = clean_list(parse_list(write_xml(make_skirmish()), Path("list.ros")))
    assert choose_text_size(imported, FORMATS["a6"], THEME) == 10.5


def test_long_texts_stay_small() -> None:
    long_rule = "Every word of this rule is printed on the card of the unit. " * 14
    data = write_xml(make_skirmish()).replace(b"see through fog.", long_rule.encode())
    imported = clean_list(parse_list(data, Path("list.ros")))
    sizes = {choose_text_size(imported, FORMATS[size], THEME) for size in FORMATS}
    assert min(sizes) < 9


def test_larger_text_that_needs_further_cards_becomes_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_all_cards(findings: object, cards: Sequence[PaperCard]) -> set[int]:
        return {card.index for card in cards}

    monkeypatch.setattr(
        print_list_module, "_build_cards", lambda *_arguments: BuildResult()
    )
    monkeypatch.setattr(print_list_module, "_find_full_cards", find_all_cards)
    for text_size, expected_size in ((None, "7.5pt"), (10.5, "10.5pt")):
        folder = tmp_path / expected_size
        options = PrintOptions(format="63x88", text_size=text_size)
        build_list(read_system("skirmish"), folder, options)
        (css,) = folder.glob("templates/*/pack.css")
        assert f"font-size: {expected_size} }}" in css.read_text("utf-8")
