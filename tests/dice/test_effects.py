"""What the numbers of an attack do not count is listed: no more and no less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from builder.dice.attack_stats import Attack
from builder.dice.effects import find_uncounted_effects
from builder.model.base import Json
from builder.model.stats import StatsFile
from tests.dice.test_stats_packs import attack, loaded


def uncounted(pack: str, one: Attack) -> list[str]:
    return [effect.id for effect in find_uncounted_effects(one, loaded(pack)[1])]


@pytest.mark.parametrize(
    ("pack", "form", "card", "path", "left_out"),
    [
        (
            "killteam",
            "Shooting",
            "oath-wallgun",
            "ranged.solid",
            ["rest"],
        ),  # Punch-through and Piercing count
        (
            "killteam",
            "Shooting",
            "guard-sergeant",
            "ranged.pistol",
            ["wr-hot", "roll-call"],
        ),  # range does not matter
        ("killteam", "Fighting", "guard-sergeant", "melee.sabre", ["roll-call"]),
        (
            "hydrophilia",
            "Direct and area attacks",
            "captain-davis",
            "attacks.revolver",
            ["shoulder"],
        ),
        (
            "zod",
            "Weapons of machines",
            "mastodon",
            "weapons.great-harpoon",
            ["harpoon-line", "winch", "close-kill"],
        ),
        (
            "worldofwar",
            "Shooting",
            "boiler-gunner",
            "weapons.indirect",
            ["blast", "lob"],
        ),
    ],
)
def test_rules_of_the_packs(
    pack: str, form: str, card: str, path: str, left_out: list[str]
) -> None:
    assert uncounted(pack, attack(pack, form, card, path)) == left_out


@pytest.mark.parametrize(
    ("form", "weapon", "choices", "left_out"),
    [
        ("Shooting", "pistol", {"trait": "gunsight", "ranged-weapon": "pistol"}, []),
        (
            "Shooting",
            "charge",
            {"trait": "gunsight", "ranged-weapon": "pistol"},
            ["blast"],
        ),  # it is another weapon's
        (
            "Shooting",
            "pistol",
            {"trait": "masterwork", "ranged-weapon": "pistol"},
            ["masterwork"],
        ),
        (
            "Melee",
            "shiv",
            {"trait": "masterwork", "ranged-weapon": "pistol"},
            [],
        ),  # not about melee
        ("Melee", "shiv", {"trait": "rampage"}, ["rampage"]),
        ("Melee", "shiv", {"trait": "hatred"}, []),
        ("Shooting", "pistol", {"trait": "swiftness"}, []),  # not about attacks
        ("Shooting", "pistol", {"leader": "leader-hunter", "leader-roll": "1"}, []),
        (
            "Shooting",
            "pistol",
            {"leader": "leader-hunter", "leader-roll": "3"},
            ["leader-hunter"],
        ),  # not counted
        (
            "Shooting",
            "pistol",
            {"leader": "leader-hunter"},
            ["leader-hunter"],
        ),  # not rolled yet
    ],
)
def test_choices_count_as_far_as_a_form_asks_them(
    form: str, weapon: str, choices: Mapping[str, str], left_out: list[str]
) -> None:
    one = attack("worldofwar", form, "sapper", f"weapons.{weapon}", choices=choices)
    assert [name for name in uncounted("worldofwar", one) if name != "fuse"] == left_out


def test_a_carried_card_is_listed_where_its_kind_is_named() -> None:
    pack, _stats = loaded("hydrophilia")
    revolver = attack(
        "hydrophilia", "Direct and area attacks", "captain-davis", "attacks.revolver"
    )
    badge = next(card for card in pack.cards.values() if card.kind == "equipment")
    laden = replace(revolver, other_attachments=(badge, pack.cards["themis"]))
    assert uncounted("hydrophilia", laden) == ["shoulder", badge.id]


@pytest.mark.parametrize(
    ("rules", "listed"),
    [
        ({"sharp": {}, "dull": {}}, ["dull"]),
        (["sharp", "dull"], ["dull"]),
        ([], []),
        (None, []),
        (False, []),
    ],
)
def test_maps_and_lists_of_rules(rules: Json, listed: list[str]) -> None:
    """The form tests `sharp` as a key and as an item."""
    text = {
        "effects": [{"attack": "rules"}],
        "attacks": [
            {
                "from": "attacks",
                "ways": [
                    {
                        "damage": [
                            {
                                "dice": {
                                    "count": {
                                        "cases": [
                                            {
                                                "where": {"rules": {"has": "sharp"}},
                                                "value": 2,
                                            },
                                            {
                                                "where": {
                                                    "rules.sharp": {"exists": True}
                                                },
                                                "value": 2,
                                            },
                                        ],
                                        "otherwise": 1,
                                    }
                                }
                            }
                        ]
                    }
                ],
            }
        ],
    }
    stats = StatsFile.model_validate(text)
    card = next(iter(loaded("hydrophilia")[0].cards.values()))
    one = Attack(stats.attacks[0], {"rules": rules}, card, "attacks.x")
    assert [effect.id for effect in find_uncounted_effects(one, stats)] == listed
