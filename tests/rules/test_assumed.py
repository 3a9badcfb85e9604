"""A choice with one possible value goes without saying.

A condition may ask what the chosen item is like.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.rules import Where
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.roster.resolve import make_test_selection
from builder.rules.checker import RosterChecker
from builder.rules.evaluate import Evaluator
from builder.rules.names import Names
from builder.rules.query import (
    compile_condition,
    find_choices,
    find_path_choices,
    is_static,
    keep_static_part,
)
from builder.rules.wording import format_condition
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.minimal_repair import explain_illegal_roster
from tests.cli.every_pack import ROOT

AUTOMATIC = Where.model_validate({"weapons.{choice.ranged-weapon}.auto": True})


@cache
def game() -> Pack:
    pack = load_pack(Project(ROOT), "worldofwar").pack
    assert pack is not None
    return pack


def choices(card: str, **chosen: str) -> dict[str, str]:
    """Return what is chosen for a model in the end; `_` stands for `-` in names."""
    written = {name.replace("_", "-"): value for name, value in chosen.items()}
    roster = Roster.model_validate(
        {"pack": "worldofwar", "entries": [{"card": card, "choices": written}]}
    )
    return dict(RosterChecker(game()).resolve_roster(roster).entries[0].choices)


@pytest.mark.parametrize(
    ("card", "trait", "assumed"),
    [
        ("smelter", "poison-4", {"ranged-weapon": "lance"}),  # one ranged weapon
        ("sapper", "poison-4", {}),  # two
        ("hookhand", "poison-4", {}),  # none
        ("sapper", "rending", {"melee-weapon": "shiv"}),
        (
            "hookhand",
            "punching",
            {"melee-weapon": "hooks"},
        ),  # one weapon of either sort
        ("smelter", "punching", {}),  # one of each sort: both are possible
        ("smelter", "eye-dust", {}),  # nobody asks
    ],
)
def test_a_needed_choice_with_one_value_is_made(
    card: str, trait: str, assumed: dict[str, str]
) -> None:
    assert choices(card, trait=trait) == {"trait": trait, **assumed}


def test_what_is_written_stays() -> None:
    written = {"trait": "punching", "ranged-weapon": "pistol"}
    assert choices("foreman", trait="punching", ranged_weapon="pistol") == written
    assert (
        choices("foreman", trait="rending", melee_weapon="nothing")["melee-weapon"]
        == "nothing"
    )


def test_bearer_and_tied_lines_see_the_assumed_choice() -> None:
    entry = {
        "card": "cantor",
        "choices": {"trait": "poison-4"},
        "attachments": [{"card": "power-warp-spear"}],
    }
    squad = RosterChecker(game()).resolve_roster(
        Roster.model_validate({"pack": "worldofwar", "entries": [entry]})
    )
    assert squad.attachments[0].host is squad.entries[0]
    assert squad.entries[0].choices["ranged-weapon"] == "pistol"
    assert squad.list_attachments(squad.entries[0]) == squad.attachments


@pytest.mark.parametrize(
    ("card", "chosen", "passes"),
    [
        ("spitter", "hose", True),
        ("sapper", "pistol", False),
        ("spitter", None, False),
        ("spitter", "gone", False),
    ],
)
def test_a_condition_asks_the_chosen_item(
    card: str, chosen: str | None, passes: bool
) -> None:
    pick = make_test_selection(
        game().cards[card], choices={"ranged-weapon": chosen} if chosen else {}
    )
    assert compile_condition(AUTOMATIC)(pick, None) == passes


def test_such_a_condition_depends_on_the_choice() -> None:
    assert find_path_choices("weapons.{choice.ranged-weapon}.auto") == (
        "ranged-weapon",
    )
    assert find_choices(AUTOMATIC) == ("ranged-weapon",)
    assert not is_static(AUTOMATIC)
    assert keep_static_part(AUTOMATIC) == Where()
    assert (
        format_condition(AUTOMATIC, Names(game(), "en"))
        == "(Chosen ranged weapon, auto = true)"
    )
    domains = Evaluator(game()).domains
    assert domains.find_value_groups("ranged-weapon", card=game().cards["sapper"]) == (
        ("charge",),
        ("pistol",),
    )


def squad_of(trait: str, card: str, **chosen: str) -> Roster:
    """Return a legal squad but for the ranged specialist of these choices."""
    provost = {
        "leader": "leader-duellist",
        "leader-roll": "1",
        "speciality": "specialist-melee",
        "trait": "weapon-master",
    }
    ranged = {"speciality": "specialist-ranged", "trait": trait, **chosen}
    deck = (
        "short-dash ranging-shot hold-the-line last-ditch "
        "desperate-rush "
        "litany-of-fire ash-shroud iron-faith"
        " alarm-bell brand thrown-glove own-example handful-of-sand steady-burst cut-off"
    )
    dirty = {"speciality": "specialist-dirty", "trait": "intimidation"}
    entries = [
        {"card": "iron-widow", "count": 2},
        {"card": "provost", "choices": provost},
        {"card": "deacon", "choices": dirty},
        {"card": card, "choices": ranged},
    ]
    cards = [{"card": name} for name in deck.split()]
    return Roster.model_validate(
        {"pack": "worldofwar", "entries": entries, "deck": cards}
    )


@pytest.mark.parametrize(
    ("trait", "card", "broken"),
    [
        ("rifled-barrel", "brazier-bearer", {"rifled-barrel-weapon"}),
        ("rifled-barrel", "smelter", set()),
        ("heavy-specialist", "smelter", {"heavy-specialist-weapon"}),
        ("heavy-specialist", "nail-gunner", set()),
        ("gunsight", "brazier-bearer", set()),
        ("gunsight", "ember-brother", {"chosen-weapon"}),
    ],
)
def test_a_trait_is_refused_on_a_weapon_that_its_text_excludes(
    trait: str, card: str, broken: set[str]
) -> None:
    """The weapon is not written where the model has but one."""
    assert (
        RosterChecker(game()).check(squad_of(trait, card), repaired=False).broken
        == broken
    )


def test_the_solver_knows_assumed_choices_and_chosen_items() -> None:
    checker = RosterChecker(game())
    found = explain_illegal_roster(checker, squad_of("rifled-barrel", "brazier-bearer"))
    assert found.repairs
    assert all(
        checker.check(item.solved.roster, repaired=False).legal
        for item in found.repairs
    )
    assert found.repairs[0].changes == 1
    given = squad_of("gunsight", "smelter")
    completed = find_completions(checker, given, SquadRequest()).squads[0]
    assert not completed.removals
    assert not completed.choices
    assert checker.check(completed.roster, repaired=False).legal


def test_a_pack_that_needs_no_choice_leaves_squads_alone() -> None:
    declared = game().manifest.roster.choices
    optional = {
        name: choice.model_copy(update={"needed": None})
        for name, choice in declared.items()
    }
    form = game().manifest.roster.model_copy(update={"choices": optional})
    plain = replace(
        game(), manifest=game().manifest.model_copy(update={"roster": form})
    )
    assert RosterChecker(plain).check(
        squad_of("gunsight", "smelter"), repaired=False
    ).broken == {"chosen-weapon"}
