"""Which cards a save touches and which of them are shown: on a toy pack as it is read."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.packs.loading import CachedCard, load_pack
from builder.packs.project import Project
from builder.usecases.watch.watched_files import (
    SavedParts,
    choose_shown_cards,
    find_saved_parts,
    list_texts_by_file,
)
from tests.usecases.toy import toy_project

PACK = "lanterns"
WICK = "cards/lanterns/spirit/old-wick.yaml"
GERMAN = "cards/lanterns/i18n/de/spirit/old-wick.yaml"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedPack:
    return load_pack(Project(toy_project(tmp_path_factory.mktemp("toy"))), PACK)


@pytest.fixture(scope="module")
def pack(loaded: LoadedPack) -> Pack:
    assert loaded.pack is not None
    return loaded.pack


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (WICK, SavedParts(texts=(("old-wick", None),))),
        (GERMAN, SavedParts(texts=(("old-wick", "de"),))),
        ("templates/lanterns/spirit/card.css", SavedParts(kinds=frozenset({"spirit"}))),
        (
            "templates/lanterns/charm/front.html.j2",
            SavedParts(kinds=frozenset({"charm"})),
        ),
        ("schemas/lanterns/charm.schema.json", SavedParts(kinds=frozenset({"charm"}))),
        ("templates/lanterns/pack.css", SavedParts(everything=True)),
        ("templates/lanterns/icons/wick.svg", SavedParts(everything=True)),
        ("templates/lanterns/fonts/hand.ttf", SavedParts(everything=True)),
        ("cards/lanterns/vocabulary.yaml", SavedParts(everything=True)),
        ("cards/lanterns/pack.yaml", SavedParts(everything=True)),
        ("cards/lanterns/art/marsh.png", SavedParts(everything=True)),
        ("cards/lanterns/rules.yaml", SavedParts()),
        ("cards/lanterns/rosters/marsh-walk.yaml", SavedParts()),
        ("templates/base/face.css", SavedParts(everything=True)),
        ("/usr/lib/program/data/templates/base/face.css", SavedParts(everything=True)),
        ("templates/another/pack.css", SavedParts()),
        ("schemas/core/card.schema.json", SavedParts()),
    ],
)
def test_a_file_touches_what_is_drawn_from_it(
    loaded: LoadedPack, pack: Pack, path: str, expected: SavedParts
) -> None:
    assert (
        find_saved_parts([path], PACK, pack.manifest.kinds, list_texts_by_file(loaded))
        == expected
    )


def test_a_file_that_cannot_be_read_still_belongs_to_its_card(
    loaded: LoadedPack, pack: Pack
) -> None:
    broken = replace(
        loaded,
        documents={
            card: file for card, file in loaded.documents.items() if card != "old-wick"
        },
    )
    texts_by_file = list_texts_by_file(broken, list_texts_by_file(loaded))
    assert find_saved_parts([WICK], PACK, pack.manifest.kinds, texts_by_file).texts == (
        ("old-wick", None),
    )


def test_an_edited_card_comes_in_the_language_that_was_edited(pack: Pack) -> None:
    assert choose_shown_cards(
        SavedParts(texts=(("old-wick", None),)), (), pack, ()
    ) == (("old-wick", "en"),)
    assert choose_shown_cards(
        SavedParts(texts=(("old-wick", "de"),)), (), pack, ()
    ) == (("old-wick", "de"),)


def test_an_edited_card_comes_in_all_languages_asked_for_and_no_other(
    pack: Pack,
) -> None:
    pictures_of_languages = (("old-wick", "en"), ("old-wick", "de"))
    assert (
        choose_shown_cards(
            SavedParts(texts=(("old-wick", None),)), (), pack, ("en", "de")
        )
        == pictures_of_languages
    )
    assert (
        choose_shown_cards(SavedParts(texts=(("old-wick", "de"),)), (), pack, ("en",))
        == ()
    )


def test_a_restyled_kind_sets_the_cards_in_sight_or_else_one_of_the_kind(
    pack: Pack,
) -> None:
    shown_cards = (("old-wick", "de"), ("amber-brooch", "en"))
    assert choose_shown_cards(
        SavedParts(kinds=frozenset({"spirit"})), shown_cards, pack, ()
    ) == (("old-wick", "de"),)
    ((card, lang),) = choose_shown_cards(
        SavedParts(kinds=frozenset({"spirit"})), shown_cards[1:], pack, ()
    )
    assert (pack.cards[card].kind, lang) == ("spirit", "en")


def test_what_all_cards_share_sets_only_what_is_in_sight(pack: Pack) -> None:
    shown_cards = (("old-wick", "de"), ("amber-brooch", "en"))
    assert (
        choose_shown_cards(SavedParts(everything=True), shown_cards, pack, ())
        == shown_cards
    )
    assert choose_shown_cards(SavedParts(), shown_cards, pack, ()) == ()


def test_the_watch_looks_at_saved_files_only(tmp_path: Path) -> None:
    from builder.usecases.watch.watched_files import WatchedFiles

    folder = toy_project(tmp_path)
    files = WatchedFiles(Project(folder), PACK)
    assert files.wait_for_save() == ()
    (folder / WICK).write_text(
        (folder / WICK).read_text("utf-8") + "# a note\n", encoding="utf-8"
    )
    (folder / "cards/lanterns/spirit/.old-wick.yaml.swp").write_text(
        "", encoding="utf-8"
    )
    (folder / "cards/lanterns/rosters/marsh-walk.yaml").write_text("", encoding="utf-8")
    (folder / GERMAN).unlink()
    assert files.wait_for_save() == (GERMAN, WICK)
    assert files.wait_for_save() == ()
    assert files.list_latest_files()[0] == WICK


def test_a_deleted_card_is_no_longer_held(tmp_path: Path) -> None:
    project, loaded_cards = Project(toy_project(tmp_path)), dict[Path, CachedCard]()
    os.utime(tmp_path / WICK)
    time.sleep(0.1)  # what was saved just now is not held
    load_pack(project, PACK, loaded_cards)
    assert tmp_path / WICK in loaded_cards
    (tmp_path / WICK).unlink()
    load_pack(project, PACK, loaded_cards)
    assert tmp_path / WICK not in loaded_cards
    assert loaded_cards
