"""Themes: order of keywords, phases, short names; and the themes of the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from builder.imported.cardmaker import make_imported_list
from builder.imported.theme import KeywordGroups, Theme, sort_keywords
from builder.interchange.reading import read_foreign_roster
from builder.usecases.imports.pack_files import load_import_names
from builder.usecases.imports.themes import (
    DEFAULT_THEME,
    choose_theme,
    list_themes,
    load_theme,
    make_theme,
)
from tests.interchange.systems import make_skirmish, write_xml


def test_keywords_of_the_theme_come_first() -> None:
    groups = KeywordGroups(first=("Leader", "Beast"), omitted=("Hidden",))
    assert sort_keywords(["Human", "beast", "Hidden", "Leader"], groups) == [
        "Leader",
        "beast",
        "Human",
    ]


def test_a_phase_is_found_at_the_start_of_a_text() -> None:
    theme = Theme(name="T", phases={"dusk": "#000000", "night": "#111111"})
    assert theme.find_phase("Night: it hunts.") == 2
    assert theme.find_phase("Tonight it hunts.") == 0
    assert theme.find_phase("x" * 100 + " night") == 0


def test_there_are_eight_themes_for_game_systems() -> None:
    themes = {name: load_theme(name) for name in list_themes()}
    with_systems = [theme for theme in themes.values() if theme.systems]
    assert len(with_systems) == 8
    systems = [system for theme in with_systems for system in theme.systems]
    assert len(systems) == len(set(systems))
    for system in systems:
        assert system in choose_theme(system).systems
    assert choose_theme("unknown") == themes[DEFAULT_THEME]


@pytest.mark.parametrize("name", list_themes())
def test_texts_of_a_theme_have_enough_contrast(name: str) -> None:
    theme = load_theme(name)
    for text, background in (
        ("ink", "paper"),
        ("muted", "panel"),
        ("on-accent", "accent"),
    ):
        assert measure_contrast(theme.colours[text], theme.colours[background]) > 4.5
    assert measure_contrast(theme.colours["accent"], theme.colours["paper"]) > 4.5


def measure_contrast(first: str, second: str) -> float:
    lighter, darker = sorted(
        (measure_luminance(first), measure_luminance(second)), reverse=True
    )
    return (lighter + 0.05) / (darker + 0.05)


def measure_luminance(colour: str) -> float:
    parts = []
    for start in (1, 3, 5):
        value = int(colour[start : start + 2], 16) / 255
        parts.append(
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        )
    red, green, blue = parts
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", list_themes())
def test_a_new_theme_prints_a_list_as_before(tmp_path: Path, name: str) -> None:
    """Only its name and the game system differ from the theme that the list has without it."""
    roster = read_foreign_roster(write_xml(make_skirmish()))
    (system_id, *_others) = load_theme(name).systems or (roster.game_system_id,)
    imported = make_imported_list(roster, load_import_names())
    imported = replace(imported, system_id=system_id)
    path = tmp_path / "own.yaml"
    path.write_text(make_theme(imported), "utf-8")
    theme = load_theme(str(path))
    usual_theme = choose_theme(system_id)
    assert theme.systems == (system_id,)
    for key in ("column_order", "short_names", "box_columns", "keywords", "phases"):
        assert getattr(theme, key) == getattr(usual_theme, key)
    assert theme.format_css_variables() == usual_theme.format_css_variables()


def test_examples_of_a_new_theme_are_valid(tmp_path: Path) -> None:
    roster = read_foreign_roster(write_xml(make_skirmish()))
    text = make_theme(make_imported_list(roster, load_import_names()))
    examples = [line[4:] for line in text.splitlines() if line.startswith("#   ")]
    path = tmp_path / "own.yaml"
    path.write_text("name: Own\n" + "\n".join(examples) + "\n", "utf-8")
    theme = load_theme(str(path))
    assert theme.column_order == ("Move", "Nerve")
    assert theme.short_names == {"Nerve": "Ner."}
    assert theme.keywords.first == ("Leader", "Lamplighters")
    assert len(theme.phases) == 1


def test_wrong_themes_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no theme 'stel'"):
        load_theme("stel")
    path = tmp_path / "own.yaml"
    for text in ("name: X\ncolours: {accent: red}\n", "name: X\nodd: 1\n", "a: ["):
        path.write_text(text, "utf-8")
        with pytest.raises(InputUnreadable, match=r"own\.yaml"):
            load_theme(str(path))
    with pytest.raises(InputUnreadable, match="cannot be read"):
        load_theme(str(tmp_path / "missing.yaml"))
