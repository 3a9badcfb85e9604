"""Demands of future games on the rule language: small packs with rosters on both sides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from builder.model.pack import Manifest, Pack
from builder.model.roster import Roster
from builder.model.rules import RuleSet
from builder.rules.checker import RosterChecker
from tests.rules.orchard import SIZE, card
from tests.rules.slowly import slowly

FREE = {"name": {"en": "x"}, "free": True}
MANIFEST: dict[str, Any] = {
    "id": "demands",
    "name": {"en": "Demands"},
    "languages": {"source": "en"},
    "roster": {
        "params": {
            "size": {"name": {"en": "Points"}, "type": "integer", "default": 200},
            "team": {
                "name": {"en": "Team"},
                "type": "choice",
                "choices": ["guards", "boys"],
                "default": "guards",
            },
            "stage": {
                "name": {"en": "Stage"},
                "type": "choice",
                "choices": ["roster", "fight"],
                "default": "fight",
            },
        },
        "choices": dict.fromkeys(
            ("role", "table", "trait", "order", "company", "squad", "drawn", "chapter"),
            FREE,
        ),
        "links": {
            "carrier": {"name": {"en": "Carrier"}},
            "machine": {"name": {"en": "Machine"}},
        },
    },
    "kinds": {
        "model": {"name": {"en": "Model"}, "role": "entry", "size": SIZE},
        "item": {"name": {"en": "Item"}, "role": "attachment", "size": SIZE},
        "plan": {"name": {"en": "Plan"}, "role": "deck", "size": SIZE},
    },
}


@dataclass(frozen=True)
class Case:
    """A demand: rules and cards, legal rosters, and rosters with the one rule each breaks."""

    rules: list[dict[str, Any]]
    cards: list[dict[str, Any]]
    keep: list[dict[str, Any]]
    broken: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def limit(name: str, **parts: Any) -> dict[str, Any]:
    return {"id": name, "type": "limit", "measure": "count", **parts}


def model(name: str, **parts: Any) -> dict[str, Any]:
    return {"id": name, "kind": "model", "name": name, **parts}


def lines(*entries: Any, deck: Any = (), **params: Any) -> dict[str, Any]:
    full = [{"card": entry} if isinstance(entry, str) else entry for entry in entries]
    return {
        "entries": full,
        "deck": [{"card": name} for name in deck],
        "params": params,
    }


def line(
    name: str,
    count: int = 1,
    items: tuple[Any, ...] = (),
    links: Any = None,
    **choices: str,
) -> dict[str, Any]:
    carried = [{"card": item} if isinstance(item, str) else item for item in items]
    return {
        "card": name,
        "count": count,
        "attachments": carried,
        "choices": choices,
        "links": links or {},
    }


PLANS = [
    *(
        {"id": f"common-{n}", "kind": "plan", "name": f"C{n}", "group": "common"}
        for n in range(6)
    ),
    *(
        {"id": f"side-{n}", "kind": "plan", "name": f"S{n}", "group": "side"}
        for n in range(5)
    ),
    {
        "id": "chapter-plan",
        "kind": "plan",
        "name": "CP",
        "group": "side",
        "chapter": "drakes",
    },
    *(
        {
            "id": f"lead-{n}",
            "kind": "plan",
            "name": f"L{n}",
            "group": "own",
            "leads": True,
        }
        for n in range(3)
    ),
    {
        "id": "axe-plan",
        "kind": "plan",
        "name": "A",
        "group": "own",
        "leads": True,
        "trait": "axe",
    },
    *(
        {
            "id": f"brawl-{n}",
            "kind": "plan",
            "name": f"B{n}",
            "group": "own",
            "table": "brawl",
        }
        for n in range(2)
    ),
]
DECK = (
    *(f"common-{n}" for n in range(5)),
    *(f"side-{n}" for n in range(5)),
    "lead-0",
    "lead-1",
    "lead-2",
)
LEADER, BRAWLER = (
    line("trooper", role="leader", trait="axe"),
    line("trooper", role="special", table="brawl"),
)

CASES: dict[str, Case] = {
    "a deck of exactly fifteen in three parts, personal plans only with their owner": Case(
        rules=[
            limit("fifteen", select={"from": "deck"}, exactly=15),
            limit(
                "common",
                select={"from": "deck", "where": {"group": "common"}},
                exactly=5,
            ),
            limit("side", select={"from": "deck", "where": {"group": "side"}}, max=5),
            limit("leads", select={"from": "deck", "where": {"leads": True}}, min=1),
            limit("once", select={"from": "deck"}, per="field name", max=1),
            {
                "id": "trait",
                "type": "requires",
                "select": {"from": "deck", "where": {"trait": {"exists": True}}},
                "needs": {
                    "where": {
                        "choice.role": "leader",
                        "choice.trait": {"eq": {"other": "trait"}},
                    }
                },
            },
            {
                "id": "table",
                "type": "requires",
                "select": {"from": "deck", "where": {"table": {"exists": True}}},
                "needs": {"where": {"choice.table": {"eq": {"other": "table"}}}},
            },
            {
                "id": "chapter",
                "type": "requires",
                "select": {"from": "deck", "where": {"chapter": {"exists": True}}},
                "needs": {"where": {"choice.chapter": {"eq": {"other": "chapter"}}}},
            },
            limit(
                "all-of-it",
                when={"exists": {"from": "deck", "where": {"chapter": "drakes"}}},
                select={"where": {"choice.chapter": {"ne": "drakes"}}},
                max=0,
            ),
        ],
        cards=[model("trooper"), *PLANS],
        keep=[lines(LEADER, BRAWLER, deck=(*DECK, "brawl-0", "axe-plan"))],
        broken=[
            ("fifteen", lines(LEADER, BRAWLER, deck=(*DECK, "brawl-0"))),
            (
                "trait",
                lines(
                    line("trooper", role="leader", trait="eye"),
                    BRAWLER,
                    deck=(*DECK, "brawl-0", "axe-plan"),
                ),
            ),
            ("table", lines(LEADER, deck=(*DECK, "brawl-0", "axe-plan"))),
            ("once", lines(LEADER, BRAWLER, deck=(*DECK, "brawl-0", "brawl-0"))),
            (
                "all-of-it",
                lines(
                    {**LEADER, "choices": {**LEADER["choices"], "chapter": "drakes"}},
                    BRAWLER,
                    deck=(*DECK[:9], *DECK[10:], "chapter-plan", "brawl-0", "axe-plan"),
                ),
            ),
        ],
    ),
    (
        "roles chosen in the roster: one leader, "
        "specialists of different tables, a "
        "marksman's weapon"
    ): Case(
        rules=[
            limit("models", min=2, max=20),
            limit(
                "banned",
                select={"where": {"keywords": {"has_any": ["tank", "bike"]}}},
                max=0,
            ),
            limit("wounds", select={"where": {"wounds": {"gt": 3}}}, max=0),
            limit("tough", select={"where": {"toughness": 6}}, max=2),
            limit("leader", select={"where": {"choice.role": "leader"}}, exactly=1),
            limit(
                "no-beast",
                select={
                    "where": {
                        "choice.role": {"exists": True},
                        "keywords": {"has": "beast"},
                    }
                },
                max=0,
            ),
            limit(
                "tables",
                select={"where": {"choice.role": "special"}},
                per="choice table",
                max=1,
            ),
            limit(
                "rifle",
                per="entry",
                min=1,
                select={
                    "from": "attachments",
                    "bearer": {"choice.table": "marksman"},
                    "where": {"aimed": True, "strength": {"le": 7}},
                },
            ),
        ],
        cards=[
            model("man", wounds=1, toughness=4),
            model("giant", wounds=3, toughness=6),
            model("ogre", wounds=4),
            model("hound", keywords=["beast"]),
            model("bike", keywords=["bike"]),
            {
                "id": "rifle",
                "kind": "item",
                "name": "Rifle",
                "aimed": True,
                "strength": 5,
            },
            {
                "id": "cannon",
                "kind": "item",
                "name": "Cannon",
                "aimed": True,
                "strength": 9,
            },
        ],
        keep=[
            lines(
                line("man", role="leader"),
                line("man", items=("rifle",), role="special", table="marksman"),
                line("man", role="special", table="brawl"),
                line("giant", 2),
            )
        ],
        broken=[
            ("models", lines(line("man", role="leader"))),
            ("banned", lines(line("man", role="leader"), "bike")),
            ("wounds", lines(line("man", role="leader"), "ogre")),
            ("tough", lines(line("man", role="leader"), line("giant", 3))),
            ("leader", lines("man", "man")),
            ("no-beast", lines(line("man"), line("hound", role="leader"))),
            (
                "tables",
                lines(
                    line("man", role="leader"),
                    line("man", 2, role="special", table="brawl"),
                ),
            ),
            (
                "rifle",
                lines(
                    line("man", role="leader"),
                    line("man", role="special", table="marksman"),
                ),
            ),
            (
                "rifle",
                lines(
                    line("man", role="leader"),
                    line("man", items=("cannon",), role="special", table="marksman"),
                ),
            ),
        ],
    ),
    (
        "a team by its list: one leader, specialists once each, so many troopers, drawn from "
        "a roster of twenty"
    ): Case(
        rules=[
            limit(
                "leader",
                select={"where": {"keywords": {"has": "boss"}, "choice.drawn": "yes"}},
                exactly=1,
                when={"params": {"stage": "fight"}},
            ),
            limit(
                "specials",
                select={
                    "where": {"keywords": {"has": "special"}, "choice.drawn": "yes"}
                },
                per="card",
                max=1,
                when={"params": {"stage": "fight"}},
            ),
            limit(
                "troopers",
                select={
                    "where": {"keywords": {"has": "trooper"}, "choice.drawn": "yes"}
                },
                max={"table": {"guards": 3, "boys": 5}, "by": "team"},
                when={"params": {"stage": "fight"}},
            ),
            limit(
                "own",
                select={"where": {"team": {"exists": True, "ne": "guards"}}},
                max=0,
                when={"params": {"team": "guards"}},
            ),
            limit(
                "one-order",
                select={"where": {}},
                measure={"distinct": "choice.order"},
                max=1,
            ),
            limit("twenty", max=20),
        ],
        cards=[
            model("chief", keywords=["boss"], team="guards"),
            model("medic", keywords=["special"], team="guards"),
            model("guard", keywords=["trooper"], team="guards"),
            model("ork", keywords=["trooper"], team="boys"),
        ],
        keep=[
            lines(
                line("chief", drawn="yes", order="iron"),
                line("medic", drawn="yes", order="iron"),
                "medic",
                line("guard", 3, drawn="yes"),
                line("guard", 9),
            ),
            lines("chief", "chief", stage="roster"),
        ],
        broken=[
            ("leader", lines(line("guard", drawn="yes"), "chief")),
            (
                "specials",
                lines(line("chief", drawn="yes"), line("medic", 2, drawn="yes")),
            ),
            (
                "troopers",
                lines(line("chief", drawn="yes"), line("guard", 4, drawn="yes")),
            ),
            ("own", lines(line("chief", drawn="yes"), "ork")),
            (
                "one-order",
                lines(
                    line("chief", drawn="yes", order="iron"),
                    line("guard", order="gold"),
                ),
            ),
            ("twenty", lines(line("chief", drawn="yes"), line("guard", 20))),
        ],
    ),
    "armies by points and weight, crews in machines, room in transports, squads of five": Case(
        rules=[
            limit(
                "points",
                select={"from": "all"},
                measure={"sum": "cost"},
                max={"param": "size"},
            ),
            limit(
                "heavy",
                select={"where": {"weight": "heavy"}},
                max={"one_per": {"each": 100, "of": "size"}},
            ),
            {
                "id": "crew",
                "type": "link",
                "select": {"where": {"keywords": {"has": "pilot"}}},
                "link": "machine",
                "target": {"seats": {"exists": True}},
                "required": "always",
                "capacity": "seats",
            },
            {
                "id": "room",
                "type": "link",
                "select": {"where": {"keywords": {"has": "foot"}}},
                "link": "carrier",
                "target": {"room": {"exists": True}},
                "required": "never",
                "capacity": "room",
                "load": "bulk",
            },
            limit(
                "fives",
                select={"where": {"keywords": {"has": "foot"}}},
                per="choice squad",
                exactly=5,
            ),
        ],
        cards=[
            model("walker", cost=60, weight="heavy", seats=1),
            model("truck", cost=20, weight="light", seats=2, room=6),
            model("pilot", keywords=["pilot"], cost=5),
            model("rifleman", keywords=["foot"], cost=2),
            model("mortar", keywords=["foot"], cost=4, bulk=2),
        ],
        keep=[
            lines(
                "walker",
                line("pilot", links={"machine": "walker"}),
                "truck",
                line("pilot", 2, links={"machine": "truck"}),
                line("rifleman", 4, links={"carrier": "truck"}, squad="a"),
                line("mortar", links={"carrier": "truck"}, squad="a"),
                line("rifleman", 5, squad="b"),
            ),
        ],
        broken=[
            ("points", lines(line("walker", 2), line("truck", 5))),
            ("heavy", lines(line("walker", 2), size=150)),
            ("crew", lines("walker", "pilot")),
            ("crew", lines("walker", line("pilot", 2, links={"machine": "walker"}))),
            (
                "room",
                lines(
                    "truck", line("mortar", 5, links={"carrier": "truck"}, squad="a")
                ),
            ),
            ("fives", lines(line("rifleman", 4, squad="a"))),
        ],
    ),
    "companies with one commander, loners in none, two hands, at most two heavy things": Case(
        rules=[
            limit(
                "commander",
                per="choice company",
                groups={"choice.company": {"exists": True}},
                exactly=1,
                select={"where": {"keywords": {"has": "captain"}}},
            ),
            limit(
                "loner",
                select={
                    "where": {
                        "keywords": {"has": "loner"},
                        "choice.company": {"exists": True},
                    }
                },
                max=0,
            ),
            {
                "id": "hands",
                "type": "slots",
                "select": {"from": "attachments"},
                "slots": "hands",
                "size": "hands",
            },
            limit(
                "heavy",
                per="entry",
                select={"from": "attachments", "where": {"traits": {"has": "heavy"}}},
                max=2,
            ),
        ],
        cards=[
            model("captain", keywords=["captain"], hands=2),
            model("sellsword", hands=2),
            model("giant", hands=4),
            model("hermit", keywords=["loner"], hands=2),
            {
                "id": "sword",
                "kind": "item",
                "name": "Sword",
                "hands": 1,
                "traits": {"heavy": 1},
            },
            {
                "id": "spear",
                "kind": "item",
                "name": "Spear",
                "hands": 2,
                "traits": {"slow": 2},
            },
        ],
        keep=[
            lines(
                line("captain", items=("sword", "sword"), company="red"),
                line("sellsword", 3, items=("spear",), company="red"),
                line("hermit"),
            )
        ],
        broken=[
            ("commander", lines(line("sellsword", company="red"))),
            ("commander", lines(line("captain", 2, company="red"))),
            (
                "loner",
                lines(line("captain", company="red"), line("hermit", company="red")),
            ),
            ("hands", lines(line("captain", items=("spear", "sword"), company="red"))),
            ("heavy", lines(line("giant", items=("sword", "sword", "sword")))),
        ],
    ),
}


def checker(case: Case) -> RosterChecker:
    rules = [
        {"title": {"en": rule["id"]}, "source": "§", **rule} for rule in case.rules
    ]
    cards = {one["id"]: card(one) for one in case.cards}
    return RosterChecker(
        Pack(
            Manifest.model_validate(MANIFEST),
            rules=RuleSet.model_validate({"rules": rules}),
            cards=cards,
        )
    )


@pytest.mark.parametrize("name", CASES)
def test_the_language_can_say_it(name: str) -> None:
    case = CASES[name]
    judged = checker(case)
    for value in case.keep:
        verdict = judged.check(Roster.model_validate({"pack": "demands", **value}))
        assert verdict.legal, verdict
    for rule, value in case.broken:
        roster = Roster.model_validate({"pack": "demands", **value})
        assert judged.check(roster, repaired=False) == slowly(judged, roster)
        assert judged.check(roster).broken == {rule}, judged.check(roster)
