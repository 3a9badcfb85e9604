"""Sealing: hidden cards stay hidden, and each way of cheating is detected."""

from __future__ import annotations

import copy as copies
import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from builder.model.base import Json
from builder.model.roster import Roster
from builder.usecases.roster.sealing import (
    SCHEME,
    compute_commitment,
    format_fingerprint,
    hash_public_part,
    list_secrets,
    make_public_part,
    seal_squad,
    verify_disclosure,
)
from builder.usecases.roster.verdict import simplify_roster
from tests.rules.orchard import pack as orchard
from tests.rules.strategies import rosters

SQUAD = Roster.model_validate(
    {
        "pack": "orchard",
        "params": {"size": 30},
        "entries": [
            {"card": "fox", "attachments": [{"card": "knife"}, {"card": "cloak"}]},
            {"card": "cub", "attachments": [{"card": "knife"}]},
            {"card": "owl"},
        ],
        "deck": [{"card": "ambush"}],
    }
)
OTHER_SQUAD = SQUAD.model_copy(
    update={"entries": (*SQUAD.entries[:2], SQUAD.entries[0])}
)


class Game:
    """A sealed squad, as both players hold it."""

    def __init__(self, roster: Roster = SQUAD) -> None:
        self.roster = roster
        self.public: dict[str, Json] = {
            "format": 2,
            "scheme": SCHEME,
            "data": "d" * 64,
            "legal": True,
            "roster": make_public_part(roster),
        }
        theirs, self.salts = seal_squad(self.public, roster)
        self.copy: dict[str, Any] = copies.deepcopy(theirs)

    def open(self, *names: str) -> dict[str, Any]:
        """Return the honest disclosure."""
        values = list_secrets(self.roster)
        opened: dict[str, Any] = {
            name: {"salt": self.salts[name], "value": values[name]} for name in names
        }
        if "whole" in opened:
            opened["whole"]["salts"] = dict(self.salts)
        return {"format": 2, "public": hash_public_part(self.public), "opened": opened}

    def wrong(self, proof: dict[str, Any]) -> list[str]:
        """Why each secret of a disclosure is refused."""
        secrets = verify_disclosure(self.copy, json.loads(json.dumps(proof)))
        return [
            item.flaw + (f": {item.places}" if item.places else "") for item in secrets
        ]


@given(rosters(orchard()))
def test_everything_that_is_sealed_can_be_revealed_alone_and_together(
    roster: Roster,
) -> None:
    game = Game(roster)
    for name in list_secrets(roster):
        assert game.wrong(game.open(name)) == [""]
    assert set(game.wrong(game.open(*list_secrets(roster)))) == {""}


@given(rosters(orchard()), st.data())
def test_any_change_of_what_the_copy_shows_refuses_every_secret(
    roster: Roster, data: st.DataObject
) -> None:
    game = Game(roster)
    names = list(list_secrets(roster))
    spoil: Callable[[dict[str, Any]], Any] = data.draw(
        st.sampled_from(
            [
                lambda copy: copy.update(data="e" * 64),
                lambda copy: copy.update(legal=False),
                lambda copy: copy["roster"].update(name="another"),
                lambda copy: copy["roster"].update(params={"size": 99}),
                lambda copy: (
                    copy["roster"].setdefault("entries", []).append({"card": "owl"})
                ),
            ]
        )
    )
    spoil(game.copy)
    assert "" not in game.wrong(game.open(*names))
    assert set(game.wrong(game.open(*names))) <= {
        "seal-open",
        "seal-copy",
        "seal-names",
    }


def test_a_model_swapped_in_the_copy_is_found_by_one_card() -> None:
    game = Game()
    game.copy["roster"]["entries"][2]["card"] = "bear"
    assert game.wrong(game.open("#1.1")) == ["seal-open"]
    lie = game.open("#1.1")
    lie["public"] = hash_public_part(
        game.copy
    )  # and whoever lies about it gains nothing
    assert game.wrong(lie) == ["seal-other"]


def _other_card(opened: dict[str, Any]) -> None:
    opened["#1.1"]["value"] = {"card": "axe"}


def _other_slot(opened: dict[str, Any]) -> None:
    opened["#1.1"]["value"]["slot"] = "hand"


def _nothing(opened: dict[str, Any]) -> None:
    opened["#1.1"]["value"] = None


def _other_salt(opened: dict[str, Any]) -> None:
    opened["#1.1"]["salt"] = "0" * 64


def _cut_salt(opened: dict[str, Any]) -> None:
    opened["#1.1"]["salt"] = opened["#1.1"]["salt"][:-2]


def _no_salt(opened: dict[str, Any]) -> None:
    del opened["#1.1"]["salt"]


def _no_map(opened: dict[str, Any]) -> None:
    opened["#1.1"] = "knife"


def _another_bearer(opened: dict[str, Any]) -> None:
    opened["#3.1"] = opened.pop("#1.1")


def _another_place(opened: dict[str, Any]) -> None:
    opened["#1.3"] = opened.pop("#1.1")


def _no_place(opened: dict[str, Any]) -> None:
    opened["#9.1"] = opened.pop("#1.1")


@pytest.mark.parametrize(
    "cheat",
    [
        _other_card,
        _other_slot,
        _nothing,
        _other_salt,
        _cut_salt,
        _no_salt,
        _no_map,
        _another_bearer,
        _another_place,
        _no_place,
    ],
    ids=lambda function: function.__name__,
)
def test_a_disclosure_that_was_tampered_with_is_refused(
    cheat: Callable[[dict[str, Any]], None],
) -> None:
    game = Game()
    proof = game.open("#1.1")
    cheat(proof["opened"])
    assert all(game.wrong(proof))


def test_seals_exchanged_in_the_copy_are_found() -> None:
    game = Game()
    seals = game.copy["seals"]
    seals["#1.1"], seals["#2.1"] = seals["#2.1"], seals["#1.1"]  # both are knives
    assert all(game.wrong(game.open("#1.1", "#2.1")))


def test_a_seal_copied_to_another_model_does_not_open_there() -> None:
    game = Game()
    game.copy["seals"]["#3.1"] = game.copy["seals"]["#1.1"]
    proof = game.open("#1.1")
    proof["opened"]["#3.1"] = proof["opened"].pop("#1.1")
    assert game.wrong(proof) == ["seal-other"]


def test_another_squad_with_the_same_models_does_not_pass_as_the_whole() -> None:
    game, later = Game(), Game()
    later.roster = SQUAD.model_copy(update={"deck": ()})
    assert later.salts != game.salts
    forged = game.open("whole")
    forged["opened"]["whole"]["value"] = simplify_roster(later.roster)
    assert game.wrong(forged) == ["seal-other"]


def _resealed(game: Game, name: str, value: Json) -> dict[str, Any]:
    """Return the sealer himself puts another commitment into the copy before he hands it over."""
    game.copy["seals"][name] = compute_commitment(
        hash_public_part(game.copy), name, game.salts[name], value
    )
    proof = game.open(name)
    proof["opened"][name]["value"] = value
    return proof


def test_a_sealer_whose_parts_contradict_his_whole_is_found_at_the_latest_by_the_whole() -> (
    None
):
    game = Game()
    assert game.wrong(_resealed(game, "#1.1", {"card": "axe"})) == [""]
    assert game.wrong(game.open("whole")) == ["seal-parts: #1.1"]


def test_a_card_sealed_in_a_place_that_the_whole_leaves_empty_is_found() -> None:
    game = Game()
    _resealed(game, "#3.2", {"card": "axe"})
    assert "#3.2" in game.wrong(game.open("whole"))[0]


def test_a_whole_with_other_models_than_the_copy_shows_is_found_though_it_is_sealed() -> (
    None
):
    game = Game()
    game.roster = OTHER_SQUAD
    seal = compute_commitment(
        hash_public_part(game.copy),
        "whole",
        game.salts["whole"],
        simplify_roster(OTHER_SQUAD),
    )
    game.copy["seals"]["whole"] = seal
    assert game.wrong(game.open("whole")) == ["seal-models"]


@pytest.mark.parametrize("name", ["#1.1", "#1.4", "deck.1"])
def test_a_seal_too_many_or_too_few_is_found_by_the_whole(name: str) -> None:
    fewer, more = Game(), Game()
    del fewer.copy["seals"][name]
    more.copy["seals"]["#1.9"] = "0" * 64
    assert fewer.wrong(fewer.open("whole")) == ["seal-names"]
    assert more.wrong(more.open("whole")) == ["seal-names"]


@pytest.mark.parametrize("salts", [None, 3, {}, {"#1.1": 3}])
def test_the_whole_needs_the_salts_of_its_parts(salts: object) -> None:
    game = Game()
    proof = game.open("whole")
    proof["opened"]["whole"]["salts"] = salts
    assert game.wrong(proof) != [""]


def test_a_copy_that_was_exchanged_has_another_fingerprint() -> None:
    game = Game()
    before = format_fingerprint(game.copy)
    _resealed(game, "#1.1", {"card": "axe"})
    assert format_fingerprint(game.copy) != before


def test_the_copy_does_not_tell_what_or_how_much_is_carried() -> None:
    bare = SQUAD.model_copy(
        update={
            "deck": (),
            "entries": tuple(
                entry.model_copy(update={"attachments": ()}) for entry in SQUAD.entries
            ),
        }
    )
    full, empty = Game(), Game(bare)
    assert full.copy["seals"].keys() == empty.copy["seals"].keys()
    assert hash_public_part(full.copy) == hash_public_part(empty.copy)
    for word in ("knife", "cloak", "ambush"):
        assert word not in json.dumps(full.copy)


def test_nothing_can_be_guessed_and_equal_cards_look_different() -> None:
    game = Game()
    seals = [*game.copy["seals"].values(), *Game().copy["seals"].values()]
    assert len(set(seals)) == len(seals)
    assert {len(bytes.fromhex(salt)) for salt in game.salts.values()} == {32}
    assert len(set(game.salts.values())) == len(game.salts)
    guesses = product(("", "0" * 64), list_secrets(SQUAD).items())
    digest = hash_public_part(game.copy)
    assert not {
        compute_commitment(digest, name, salt, value) for salt, (name, value) in guesses
    } & set(seals)
