"""Random small games with links, capacities and loads, and random squads of them."""

from __future__ import annotations

from random import Random
from typing import Any

from builder.model.roster import Roster

MAX_MODELS = 7
"""Models of a squad; brute force tries every assignment of each."""
KITE = {"keywords": {"has": "kite"}}
TARGETS = [
    {},
    {"keywords": {"lacks": "kite"}},
    {"holds": {"exists": True}},
    {"faction": "north"},
    KITE,
]


def make_cards(random: Random) -> list[dict[str, Any]]:
    """Return 4 people and a basket; some people are kites, hold something or weigh something."""
    cards: list[dict[str, Any]] = []
    for name in ("ann", "ben", "cid", "dan"):
        card: dict[str, Any] = {
            "id": name,
            "kind": "person",
            "name": name.title(),
            "cost": random.randint(1, 4),
        }
        card["faction"] = random.choice(["north", "south"])
        card["keywords"] = random.choice([[], ["kite"], ["elder"]])
        holds, weight = (
            random.choice([None, 1, 2, 3, 4, 5, 5, 2.5]),
            random.choice([None, 1, 2, 2, 3, 0, 0.5]),
        )
        card |= {} if holds is None else {"holds": holds}
        card |= {} if weight is None else {"weight": weight}
        cards.append(card)
    return [*cards, {"id": "pail", "kind": "basket", "name": "Pail", "cost": 1}]


def make_rules(random: Random) -> list[dict[str, Any]]:
    """Return 1 or 2 rules for one link, and limits on the whole roster.

    The rule with capacities comes last.
    """
    rules: list[dict[str, Any]] = [
        {
            "id": "points",
            "type": "limit",
            "select": {"from": "all"},
            "measure": {"sum": "cost"},
            "max": 30,
        }
    ]
    if random.random() < 0.3:
        select = {"where": random.choice([KITE, {"faction": "north"}])}
        bound = random.choice([{"max": 4}, {"min": 1}])
        rules.append(
            {
                "id": "count",
                "type": "limit",
                "select": select,
                "measure": "count",
                **bound,
            }
        )
    required = random.choice(["several", "several", "several", "never", "always"])
    size = random.choice(
        [{}, {"capacity": "holds"}, {"capacity": "holds", "load": "weight"}]
    )
    who = random.choice([KITE, {"faction": "south"}, {}])
    if random.random() < 0.2:
        # a second rule for the same link: a model has one target for both
        rules.append(
            {
                "id": "second",
                "type": "link",
                "select": {"where": random.choice([KITE, {"faction": "north"}])},
                "link": "holder",
                "target": random.choice(TARGETS),
                "required": "several",
            }
        )
    return [
        *rules,
        {
            "id": "holder",
            "type": "link",
            "select": {"where": who},
            "link": "holder",
            "target": random.choice(TARGETS),
            "required": required,
            **size,
        },
    ]


def make_squad(random: Random, cards: list[dict[str, Any]]) -> Roster:
    """Return a squad of 1 to 4 lines and up to 7 models, some with id, name, basket or link."""
    people = [card["id"] for card in cards if card["kind"] == "person"]
    entries: list[dict[str, Any]] = []
    models = 0
    for number in range(random.randint(1, 4)):
        count = min(random.choice([1, 1, 2, 2, 3, 4]), MAX_MODELS - models)
        if not count:
            break
        models += count
        entry: dict[str, Any] = {"card": random.choice(people), "count": count}
        if random.random() < 0.3:
            entry["id"] = f"line-{number}"
        if random.random() < 0.1:
            entry["name"] = random.choice(["Red", "Blue"])
        if random.random() < 0.15:
            entry["attachments"] = [{"card": "pail"}]
        entries.append(entry)
    words = [entry.get("id", entry["card"]) for entry in entries]
    for entry in entries:
        if random.random() < 0.3:
            entry["links"] = {"holder": random.choice(words)}
    return Roster.model_validate({"pack": "orchard", "entries": entries})
