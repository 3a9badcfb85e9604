"""Columns in several languages are read as translations, and the language of the table is guessed."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from builder.usecases.tables.table_import import TableOptions
from tests.usecases.table_cards import read_cards


def begin(folder: Path, text: str, lang: str = "") -> tuple[NewPack, Project]:
    (folder / "cards.csv").write_text(text, "utf-8")
    tables = TableRequest((folder / "cards.csv",), lang=lang)
    with patch.object(new_pack, "fit_design"):
        pack = make_pack(PackRequest(folder / "game", tables))
    write_project(folder / "game", iter(pack.files))
    return pack, Project(folder / "game")


def read_card(project: Project, card_id: str, lang: str) -> tuple[str, dict[str, str]]:
    pack = PackFiles(project).load_pack("game").whole
    texts = pack.translations.get(lang, {}).get(card_id, {})
    return pack.cards[card_id].name, {path: text.text for path, text in texts.items()}


@pytest.mark.parametrize(
    ("rows", "card_id", "source", "lang", "name", "texts"),
    [
        (
            "Название,Name,Правила,Rules,Цена\nЛиса,Fox,Бежит.,Runs.,3\nЦапля,Heron,Видит.,Sees.,4\n",
            "lisa", "ru", "en", "Лиса", {"name": "Fox", "pravila": "Runs."},
        ),
        (
            "Name,Nom,Rules,Règles\nFox,Renard,Runs fast.,Court vite.\n",
            "fox", "en", "fr", "Fox", {"name": "Renard", "rules": "Court vite."},
        ),
        (
            "Name,Имя,Vigour,Сила духа\nFox,Лиса,strong,сильная\nOwl,Сова,weak,слабая\n",
            "fox", "en", "ru", "Fox", {"name": "Лиса", "vigour": "сильная"},
        ),
        (
            "Name,Name_fr,Rules,Rules [de],Rules@ru\nFox,Renard,Runs.,Rennt.,"
            "Лиса бежит быстро и хитро.\n",
            "fox", "en", "ru", "Fox", {"rules": "Лиса бежит быстро и хитро."},
        ),
        (
            "Name,Rules,Name (ru),Rules (ru)\nFox,Runs.,Лиса,Лиса бежит быстро.\n",
            "fox", "en", "ru", "Fox", {"name": "Лиса", "rules": "Лиса бежит быстро."},
        ),
        ("Name (ru),Cost\nЛиса,3\n", "lisa", "ru", "en", "Лиса", {}),
    ],
)  # fmt: skip
def test_columns_of_other_languages_are_translations(  # noqa: PLR0913
    rows: str, card_id: str, source: str, lang: str, name: str, texts: dict[str, str],
    tmp_path: Path,
) -> None:  # fmt: skip
    _pack, project = begin(tmp_path, rows)
    assert (
        PackFiles(project).load_pack("game").whole.manifest.languages.source == source
    )
    assert read_card(project, card_id, lang) == (name, texts)
    second_import = import_tables(
        project, "game", TableRequest((tmp_path / "cards.csv",)), TableOptions()
    )
    assert (
        second_import.files,
        [item.message for item in second_import.findings if item.hint],
    ) == ({}, [])


def test_the_language_of_the_table_decides_which_column_is_the_translation(
    tmp_path: Path,
) -> None:
    _pack, project = begin(tmp_path, "Название,Name\nЛиса,Fox\n", lang="en")
    assert read_card(project, "fox", "ru") == ("Fox", {"name": "Лиса"})


def test_the_guess_is_reported(tmp_path: Path) -> None:
    pack, _project = begin(tmp_path, "Name,Nom,Cost\nFox,Renard,3\n")
    assert [str(finding.message) for finding in pack.findings] == [
        "columns are read as translations: Nom -> Name (fr)"
    ]
    assert "Nom -> name@fr" in str(pack.summary[0])


@pytest.mark.parametrize(
    "rows",
    [
        "Name,Titel,Text\nFuchs,Der Schlaue,Rennt.\n",  # both names are German
        "Name,Nombre\nFox,3\nOwl,4\n",  # a number is no translation
        "Name,Title\nFox,The Sly\n",
    ],
)
def test_other_columns_stay_fields(rows: str, tmp_path: Path) -> None:
    _pack, project = begin(tmp_path, rows)
    manifest = PackFiles(project).load_pack("game").whole.manifest
    assert len(manifest.languages.all) == 1


def test_the_names_of_columns_count_for_the_language(tmp_path: Path) -> None:
    _pack, project = begin(tmp_path, "Nom,Effet,Coût\nRenard,Il court.,2\n")
    assert PackFiles(project).load_pack("game").whole.manifest.languages.source == "fr"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Wenn der Fuchs rennt, ist er nicht zu fassen.", "de"),
        ("Le renard est dans la forêt avec les autres.", "fr"),
        ("When the fox runs, it is fast and you may not catch it.", "en"),
        ("Лиса бежит.", "ru"),
        ("Fuchs", "en"),
    ],
)
def test_the_language_is_guessed_from_frequent_words(
    text: str, lang: str, tmp_path: Path
) -> None:
    _pack, project = begin(tmp_path, f"Nr;Name;Text\n1;Fox;{text}\n")
    assert PackFiles(project).load_pack("game").whole.manifest.languages.source == lang


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "Name,Название,Имя,Rules\nSun,Солнце,Ярило,Shine\nMoon,Луна,Селена,Glow\n",
            {"name": "Sun", "name@ru": "Солнце", "imya": "Ярило"},
        ),
        (
            "Name,Name (ru),Название,Rules\nSun,Солнце,Ярило,Shine\nMoon,Луна,Селена,Glow\n",
            {"name": "Sun", "name@ru": "Солнце", "nazvanie": "Ярило"},
        ),
        (
            "Name,Rules,Name@ru,Title@ru,Title\nSun,Shine,Солнце,Ярило,Hot\nMoon,Glow,Луна,Да,No\n",
            {"name@ru": "Солнце", "title": "Hot", "title@ru": "Ярило"},
        ),
        (
            "Name,Name (ru),Name (ru),Rules\nSun,Солнце,Ярило,Shine\nMoon,Луна,Селена,Glow\n",
            {"name": "Sun", "name@ru": "Солнце", "name-2-ru": "Ярило"},
        ),
        (
            "Rules,Правила,Creature,Существо\nRuns fast.,Бежит.,Sun,Солнце\nSees.,Видит.,Owl,Сова\n",
            {"name": "Sun", "name@ru": "Солнце", "rules@ru": "Бежит."},
        ),
        (
            "Name,Effect,Эффект,Cost\nSun,Runs.,Бежит.,3\n,Jumps.,Прыгает.,\nOwl,Sees.,Видит.,4\n",
            {"effect": ["Runs.", "Jumps."], "effect.0@ru": "Бежит.", "effect.1@ru": "Прыгает."},
        ),
        (
            "Name,Released,Release date\nSun,2024-01-01,2024-02-02\nOwl,2024-01-01,2024-03-02\n",
            {"name": "Sun", "release-date": "2024-02-02"},
        ),
        (
            "Name,Kind,Rules,Правила\nFox,beast,Runs.,Бежит.\nSun,star,,Светит.\n",
            {"name": "Sun", "pravila": "Светит."},
        ),
    ],
)  # fmt: skip
def test_no_column_replaces_another(
    rows: str, expected: dict[str, object], tmp_path: Path
) -> None:
    pack, _project = begin(tmp_path, rows)
    card = read_cards(pack)["sun"]
    assert {key: card.get(key) for key in expected} == expected


def test_only_used_translations_are_reported(tmp_path: Path) -> None:
    pack, _project = begin(tmp_path, "Name,Название,Имя,Cost\nSun,Солнце,Ярило,1\n")
    assert "columns are read as translations: Название -> Name (ru)" in [
        str(finding.message) for finding in pack.findings
    ]
