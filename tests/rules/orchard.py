"""A small invented game built in Python, with every form of rule.

Gardeners, kites that need a holder, baskets.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from builder.model.card import Card
from builder.model.pack import CostSteps, Manifest, Pack, Vocabulary
from builder.model.roster import Roster
from builder.model.rules import RuleSet

SIZE = {"width": 63, "height": 88}
MANIFEST = Manifest.model_validate(
    {
        "id": "orchard",
        "name": {"en": "Orchard", "ru": "Сад"},
        "languages": {"source": "en", "translations": ["ru"]},
        "roster": {
            "params": {
                "size": {
                    "name": {"en": "Points", "ru": "Очки"},
                    "type": "integer",
                    "default": 30,
                    "min": 1,
                },
                "mode": {
                    "name": {"en": "Mode", "ru": "Вид"},
                    "type": "choice",
                    "choices": ["fair", "feast"],
                    "default": "fair",
                },
            },
            "choices": {
                "job": {
                    "name": {"en": "Job", "ru": "Дело"},
                    "values": {
                        "picker": {"en": "Picker"},
                        "cook": {"en": "Cook"},
                        "head": {"en": "Head"},
                    },
                },
                "crew": {"name": {"en": "Crew", "ru": "Бригада"}, "free": True},
            },
            "links": {"holder": {"name": {"en": "Holder", "ru": "Держатель"}}},
        },
        "kinds": {
            "person": {"name": {"en": "Person"}, "role": "entry", "size": SIZE},
            "basket": {
                "name": {"en": "Basket"},
                "plural": {"en": "Baskets"},
                "role": "attachment",
                "size": SIZE,
            },
            "recipe": {"name": {"en": "Recipe"}, "role": "deck", "size": SIZE},
            "page": {"name": {"en": "Page"}, "size": SIZE},
        },
    }
)
VOCABULARY = Vocabulary.model_validate(
    {
        "keywords": {
            "elder": {"name": {"en": "Elder", "ru": "Старейшина"}},
            "kite": {"name": {"en": "Kite"}},
        },
        "stats": {"arms": {"name": {"en": "Arms", "ru": "Руки"}}},
    }
)

RULES: list[dict[str, Any]] = [
    {
        "id": "points",
        "type": "limit",
        "select": {"from": "all"},
        "measure": {"sum": "cost"},
        "max": {"param": "size"},
    },
    {
        "id": "one-side",
        "type": "limit",
        "when": {"params": {"mode": "fair"}},
        "measure": {"distinct": "faction"},
        "max": 1,
    },
    {
        "id": "elder",
        "type": "limit",
        "when": {"params": {"mode": "fair"}},
        "select": {"where": {"keywords": {"has": "elder"}}},
        "measure": "count",
        "exactly": 1,
    },
    {
        "id": "rarity",
        "type": "limit",
        "per": "card",
        "measure": "count",
        "max": {"share": {"field": "rarity", "of": "size"}},
    },
    {
        "id": "hands",
        "type": "slots",
        "select": {"from": "attachments", "where": {"kind": "basket"}},
        "slots": "arms",
        "need": "arm",
        "size": "width",
    },
    {"id": "fit", "type": "allow", "select": {"from": "attachments"}, "field": "only"},
    {
        "id": "side",
        "type": "allow",
        "select": {"from": "attachments", "where": {"faction": {"exists": True}}},
        "bearer": {"faction": {"eq": {"other": "faction"}}},
    },
    {
        "id": "holder",
        "type": "link",
        "select": {"where": {"keywords": {"has": "kite"}}},
        "link": "holder",
        "target": {"holds": {"exists": True}},
        "capacity": "holds",
    },
    {
        "id": "spoon",
        "type": "requires",
        "select": {"from": "deck", "where": {"needs": {"exists": True}}},
        "needs": {"from": "attachments", "where": {"id": {"eq": {"other": "needs"}}}},
    },
    {"id": "jobs", "type": "limit", "per": "choice job", "measure": "count", "max": 2},
    {
        "id": "heads",
        "type": "limit",
        "per": "choice crew",
        "groups": {},
        "select": {"where": {"choice.job": "head"}},
        "measure": "count",
        "exactly": 1,
    },
    {
        "id": "heavy",
        "type": "limit",
        "per": "entry",
        "select": {"from": "attachments"},
        "measure": {"sum": "weight"},
        "max": {"field": "strength"},
    },
    {
        "id": "names",
        "type": "limit",
        "per": "field name",
        "select": {"from": "deck"},
        "measure": "count",
        "max": 1,
    },
]

JOBS: list[dict[str, Any]] = [
    {
        "id": "job-named",
        "type": "limit",
        "select": {"where": {"cost": {"gt": 2}, "choice.job": {"exists": False}}},
        "measure": "count",
        "max": 0,
    },
    {
        "id": "one-cook",
        "type": "limit",
        "measure": "count",
        "max": 1,
        "select": {
            "where": {
                "choice.job": {"exists": True},
                "none": [{"choice.job": ["picker", "head"]}],
            }
        },
    },
    {
        "id": "no-idle-kite",
        "type": "requires",
        "select": {"where": {"id": "kite"}},
        "needs": {"where": {"choice.job": {"exists": True}}},
    },
    {
        "id": "pail-of-pickers",
        "type": "allow",
        "select": {"from": "attachments", "where": {"id": "pail"}},
        "bearer": {"choice.job": "picker"},
    },
]
"""Rules that may be added: what is chosen for people matters to limits, to who may carry what, and
to needs.
"""

CARDS: list[dict[str, Any]] = [
    {
        "id": "ada",
        "kind": "person",
        "name": "Ada",
        "faction": "north",
        "keywords": ["elder"],
        "cost": 6,
        "rarity": 1,
        "arms": ["left", "right", "back"],
        "strength": 5,
    },
    {
        "id": "bo",
        "kind": "person",
        "name": "Bo",
        "faction": "south",
        "keywords": ["elder"],
        "cost": 5,
        "rarity": 1,
        "arms": {"left": 1, "back": 1},
        "strength": 4,
    },
    {
        "id": "cy",
        "kind": "person",
        "name": "Cy",
        "faction": "north",
        "cost": 3,
        "rarity": "1/10",
        "arms": ["left"],
        "holds": 2,
        "strength": 3,
    },
    {
        "id": "di",
        "kind": "person",
        "name": "Di",
        "cost": 2,
        "rarity": "1/6",
        "arms": 2,
        "holds": 1,
        "strength": 2,
    },
    {
        "id": "kite",
        "kind": "person",
        "name": "Kite",
        "faction": "north",
        "keywords": ["kite"],
        "cost": 2,
        "rarity": "1/4",
    },
    {
        "id": "pail",
        "kind": "basket",
        "name": "Pail",
        "cost": 1,
        "arm": "left",
        "weight": 1,
    },
    {"id": "sack", "kind": "basket", "name": "Sack", "cost": 1, "weight": 2},
    {
        "id": "yoke",
        "kind": "basket",
        "name": "Yoke",
        "cost": 2,
        "arm": ["left", "right"],
        "width": 2,
        "weight": 3,
        "faction": "north",
    },
    {
        "id": "crown",
        "kind": "basket",
        "name": "Crown",
        "cost": 0,
        "arm": "back",
        "only": {"keywords": {"has": "elder"}},
    },
    {"id": "jam", "kind": "recipe", "name": "Jam", "cost": 1, "needs": "pail"},
    {"id": "pie", "kind": "recipe", "name": "Pie"},
    {"id": "map", "kind": "page", "name": "Map"},
]

ORDER = {
    "source": "9",
    "steps": [
        {
            "select": {"where": {"keywords": {"has": "elder"}}},
            "by": "cost",
            "label": {"en": "Elder"},
        },
        {"select": {}, "by": "cost", "after_link": "holder", "label": {"en": "People"}},
        {"select": {"from": "attachments"}, "by": "cost", "label": {"en": "Baskets"}},
    ],
}


def card(value: dict[str, Any]) -> Card:
    return Card.model_validate({"revision": 1, "released": date(2026, 1, 1), **value})


def pack(
    rules: list[dict[str, Any]] | None = None,
    cards: list[dict[str, Any]] | None = None,
    costs: dict[str, list[dict[str, Any]]] | None = None,
) -> Pack:
    """Return the game, with other rules or cards if given, and steps in the costs of kinds.

    Rules get a title and a source.
    """
    full = [
        {"title": {"en": rule["id"].title()}, "source": f"§ {number}", **rule}
        for number, rule in enumerate(RULES if rules is None else rules, 1)
    ]
    steps = {
        kind: tuple(map(CostSteps.model_validate, listed))
        for kind, listed in (costs or {}).items()
    }
    kinds = {
        name: kind.model_copy(update={"costs": steps.get(name, ())})
        for name, kind in MANIFEST.kinds.items()
    }
    return Pack(
        manifest=MANIFEST.model_copy(update={"kinds": kinds}),
        vocabulary=VOCABULARY,
        rules=RuleSet.model_validate({"rules": full, "order": ORDER}),
        cards={
            value["id"]: card(value) for value in (CARDS if cards is None else cards)
        },
    )


def roster(
    *entries: str | dict[str, Any], deck: tuple[str, ...] = (), **params: int | str
) -> Roster:
    """Return a roster from short forms: a card's id, or an entry whose attachments may be ids."""
    return Roster.model_validate(
        {
            "pack": "orchard",
            "params": params,
            "entries": [_entry(entry) for entry in entries],
            "deck": [{"card": name} for name in deck],
        }
    )


def _entry(entry: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(entry, str):
        return {"card": entry}
    items = [
        {"card": item} if isinstance(item, str) else item
        for item in entry.get("attachments", ())
    ]
    return {**entry, "attachments": items}
