"""A list of a squad is read back, whatever people did to it on the way.

What is not understood is named.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from builder.errors import UsageError
from builder.model.card import Migration, MigrationType
from builder.model.pack import Pack
from builder.packs.exchange import encode_token as pack_token
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.check_roster import CheckedRoster
from builder.usecases.roster.reading import (
    MAX_LIST_LINES,
    read_card_list,
    read_roster_text,
    read_squad,
)
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.share import format_text
from tests.house.source import ROOT

SQUADS = sorted(ROOT.glob("cards/*/rosters/legal-*.yaml"))
VARGA = ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml"


@pytest.fixture(scope="module")
def packs() -> PackFiles:
    return PackFiles(Project(ROOT))


@pytest.fixture(scope="module")
def games(packs: PackFiles) -> list[Pack]:
    return [
        pack
        for name in packs.list_packs()
        if (pack := packs.load_pack(name).pack) is not None
    ]


def check_text(packs: PackFiles, squad: str, lang: str) -> CheckedRoster:
    (checked_squad,) = check_roster_files(packs.project, [ROOT / squad], lang)
    return checked_squad


@pytest.mark.parametrize(
    "squad", SQUADS, ids=lambda path: f"{path.parts[-3]}-{path.stem}"
)
def test_a_list_says_all_of_a_squad(
    packs: PackFiles, games: list[Pack], squad: str
) -> None:
    for lang, markdown in (("ru", False), ("en", True)):
        checked_squad = check_text(packs, squad, lang)
        text = format_text(checked_squad, markdown)
        read_result = read_card_list(games, text)
        assert read_result.unread == ()
        assert checked_squad.checker is not None
        second_squad = replace(
            checked_squad,
            roster=read_result.roster,
            squad=checked_squad.checker.resolve_roster(read_result.roster),
        )
        assert format_text(second_squad, markdown) == text


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("×", "x"),
        lambda text: text.replace("  + ", "• "),
        lambda text: "\n".join(
            line.partition(" (")[0]
            for line in text.splitlines()
            if "Controller" not in line
        ),
        lambda text: text.replace("\n", "\r\n\r\n").upper(),
    ],
    ids=[
        "another times sign",
        "other signs before a line",
        "no costs",
        "capitals and empty lines",
    ],
)
def test_what_people_do_to_a_list_does_not_matter(
    packs: PackFiles, games: list[Pack], spoil: object
) -> None:
    checked_squad = check_text(packs, str(VARGA), "en")
    assert checked_squad.roster is not None
    assert callable(spoil)
    read_result = read_card_list(games, spoil(format_text(checked_squad)))
    cards = [
        (entry.card, entry.count, len(entry.attachments))
        for entry in read_result.roster.entries
    ]
    expected_cards = [
        (entry.card, entry.count, len(entry.attachments))
        for entry in checked_squad.roster.entries
    ]
    assert [card for card in expected_cards if card in cards] == cards
    assert len(cards) >= len(expected_cards) - 2


def test_lines_that_are_not_understood_are_named(
    packs: PackFiles, games: list[Pack]
) -> None:
    text = format_text(check_text(packs, str(VARGA), "en"))
    read_result = read_card_list(
        games,
        text.replace("Squad size: 30", "Squad size: many") + "Dragon (12)\n0× Hunter\n",
    )
    assert read_result.unread == ("Squad size: many", "Dragon (12)", "0× Hunter")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nobody",
        "SQP9.abc",
        "{}",
        "[]",
        "pack: nowhere\n",
        "Hunter\n" * (MAX_LIST_LINES + 1),
        "x" * 300_000,
    ],
)
def test_what_is_no_squad_is_refused(packs: PackFiles, text: str) -> None:
    with pytest.raises(UsageError):
        read_squad(packs, text)


def test_json_is_read_in_any_form_that_json_has(packs: PackFiles) -> None:
    squad = {
        "pack": "hydrophilia",
        "name": "Tide \U0001f600",
        "entries": [{"card": "varga"}],
    }
    texts = [
        json.dumps(squad, **form)
        for form in ({}, {"indent": "\t"}, {"ensure_ascii": False, "indent": "\t"})
    ]
    texts += ["\ufeff\n" + texts[0], "\t" + texts[1]]
    assert {read_squad(packs, text).roster.name for text in texts} == {squad["name"]}
    assert read_roster_text(packs, texts[-1], "squad.json").roster.name == squad["name"]
    deep = '"entries":' + "[" * 900 + "]" * 900
    for wrong_text in ('\t"name": "a",\n\t"name": "b"', '"name": "\\ud83d"', deep):
        with pytest.raises(UsageError):
            read_squad(packs, '{"pack": "hydrophilia",\n' + wrong_text + "}")


def test_many_copies_of_what_is_carried_are_not_read(games: list[Pack]) -> None:
    read_result = read_card_list(
        games, "Hydrophilia\nEngineer Varga\n+ 999x Welding Set\n"
    )
    assert read_result.unread == ("+ 999x Welding Set",)


OLD_ID = """pack: hydrophilia
name: Falcons
size: 30
mode: competitive
entries:
  - captain-davis
  - {card: dispatcher, id: desk}
  - {card: falcon, count: 2, controller: desk}
"""
OLD_NAME = """Hydrophilia
Captain Davis (7)
Dispatcher (3)
2x Falcon (6)
"""


def test_renamed_ids_are_followed_and_reported_in_every_form(packs: PackFiles) -> None:
    remark = (
        "falcon was renamed to gyrfalcon on 2026-11-15; the squad uses the new card"
    )
    roster = read_roster_text(packs, OLD_ID, "old.yaml").roster
    token = pack_token(
        {"r": {"pack": "hydrophilia", "entries": [{"card": "falcon"}]}, "d": "0" * 12}
    )
    for read_result in (
        read_squad(packs, OLD_ID),
        read_roster_text(packs, OLD_ID, "old.yaml"),
        read_squad(packs, token),
    ):
        assert "gyrfalcon" in [entry.card for entry in read_result.roster.entries]
        assert "falcon" not in [entry.card for entry in read_result.roster.entries]
        assert remark in read_result.remarks
    assert roster.entries[2].links == {"controller": "desk"}


def test_a_squad_of_the_release_that_has_the_old_id_stays_as_it_is(
    packs: PackFiles,
) -> None:
    read_result = read_squad(packs, OLD_ID + "version: 1.0.0\n")
    assert [entry.card for entry in read_result.roster.entries] == [
        "captain-davis",
        "dispatcher",
        "falcon",
    ]
    assert read_result.remarks == ()


def test_former_names_are_understood_and_reported(
    packs: PackFiles, games: list[Pack]
) -> None:
    read_result = read_squad(packs, OLD_NAME, games)
    assert [(entry.card, entry.count) for entry in read_result.roster.entries] == [
        ("captain-davis", 1),
        ("dispatcher", 1),
        ("gyrfalcon", 2),
    ]
    assert read_result.remarks == ("Falcon is now called Gyrfalcon",)
    assert read_result.unread == ()
    only_former = read_squad(packs, "2x Falcon", games)
    assert [(entry.card, entry.count) for entry in only_former.roster.entries] == [
        ("gyrfalcon", 2)
    ]


def test_a_name_that_no_release_had_is_still_not_understood(
    packs: PackFiles, games: list[Pack]
) -> None:
    assert read_squad(packs, OLD_NAME + "Phoenix (9)\n", games).unread == (
        "Phoenix (9)",
    )


def test_a_split_and_a_removed_card_are_reported(
    packs: PackFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = date(2026, 11, 20)
    steps = (
        Migration(
            old="wolf",
            new=("dispatcher", "gyrfalcon"),
            type=MigrationType.SPLIT,
            date=day,
        ),
        Migration(old="lynx", type=MigrationType.DELETE, date=day),
    )
    monkeypatch.setattr(
        "builder.packs.releases.folders.Releases.load_migrations",
        lambda _self: (steps, ()),
    )
    read_result = read_squad(packs, "pack: hydrophilia\nentries: [wolf, lynx]\n")
    assert [entry.card for entry in read_result.roster.entries] == ["wolf", "lynx"]
    assert read_result.remarks == (
        "wolf was split into dispatcher, gyrfalcon on 2026-11-20: choose one of them",
        "lynx was removed from the game on 2026-11-20: remove it from the squad",
    )
