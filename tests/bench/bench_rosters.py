"""How many rosters are checked in one second of processor time, packs loaded and rosters read.

They are all different, with ten entries each.

Then one roster against a game of 2,000 cards and 4,000 rules of every form.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

from builder.model.pack import Pack, Role
from builder.model.roster import Attachment, Entry, Roster
from builder.packs.loading import load_pack
from builder.packs.project import find_project
from builder.rules.checker import RosterChecker
from tests.rules import orchard
from tests.rules.slowly import slowly

ROUNDS = 3
ENTRIES = 10
PACK = "hydrophilia"
LARGE_CARDS, LARGE_RULES = 2_000, 4_000
LARGE_KEYWORDS = 200


def some_rosters(pack: Pack, many: int, seed: int) -> list[Roster]:
    """Rosters of ten lines, about half of them with an attachment each, at the largest size.

    As they come.
    """
    chance = random.Random(seed)
    people = sorted(
        card.id for card in pack.cards.values() if pack.find_role(card) is Role.ENTRY
    )
    things = sorted(
        card.id
        for card in pack.cards.values()
        if pack.find_role(card) is Role.ATTACHMENT
    )
    size = pack.manifest.roster.params["size"].max or 100
    return [
        Roster(
            pack=pack.id,
            params={
                "size": chance.randint(size - 40, size),
                "mode": chance.choice(["competitive", "narrative"]),
            },
            entries=tuple(
                Entry(
                    card=chance.choice(people),
                    attachments=tuple(
                        Attachment(card=chance.choice(things))
                        for _ in range(chance.choice([0, 0, 1, 2]))
                    ),
                )
                for _ in range(ENTRIES)
            ),
        )
        for _ in range(many)
    ]


def legal_rosters(checker: RosterChecker, many: int) -> list[Roster]:
    """Different legal rosters of ten lines: grown card by card, keeping what breaks only minima."""
    chance = random.Random(7)
    pack = checker.pack
    people = sorted(
        card.id for card in pack.cards.values() if pack.find_role(card) is Role.ENTRY
    )
    things = sorted(
        card.id
        for card in pack.cards.values()
        if pack.find_role(card) is Role.ATTACHMENT
    )
    size = pack.manifest.roster.params["size"].max or 100
    found: list[Roster] = []
    while len(found) < many:
        roster = Roster(pack=pack.id, params={"size": size})
        for _ in range(80):
            entry = Entry(card=chance.choice(people))
            if chance.random() < 0.5:
                entry = entry.model_copy(
                    update={"attachments": (Attachment(card=chance.choice(things)),)}
                )
            longer = roster.model_copy(update={"entries": (*roster.entries, entry)})
            if all(
                item.kind == "min"
                for item in checker.check(longer, repaired=False).violations
            ):
                roster = longer
            if len(roster.entries) == ENTRIES:
                break
        if (
            len(roster.entries) == ENTRIES
            and checker.check(roster, repaired=False).legal
        ):
            found.append(roster)
    return found


def rate(checker: RosterChecker, rosters: list[Roster], **options: bool) -> float:
    """Rosters a second, the best of several rounds; the first round fills the judge's memory."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        for roster in rosters:
            checker.check(roster, **options)
        best = max(best, len(rosters) / (time.process_time() - start))
    return best


def large_pack() -> Pack:
    """Return a game with as many cards and rules as the largest living games have."""
    cards = []
    for number in range(LARGE_CARDS):
        kind = ("person", "person", "basket", "recipe")[number % 4]
        keywords = [f"k-{number % LARGE_KEYWORDS}", f"k-{number * 7 % LARGE_KEYWORDS}"]
        faction = ("north", "south")[number % 2]
        card = {
            "id": f"c-{number}",
            "kind": kind,
            "name": f"Card {number}",
            "cost": number % 9,
        }
        cards.append({**card, "keywords": keywords, "faction": faction, "arms": 2})
    return orchard.pack([large_rule(number) for number in range(LARGE_RULES)], cards)


def large_rule(number: int) -> dict[str, object]:
    """One of the rules: each form comes again after eight rules."""
    keyword = {"keywords": {"has": f"k-{number % LARGE_KEYWORDS}"}}
    card_id = {"id": f"c-{number % LARGE_CARDS}"}
    limit = {
        "type": "limit",
        "select": {"from": "all", "where": keyword},
        "measure": "count",
    }
    forms: list[dict[str, object]] = [
        {**limit, "max": 3},
        {**limit, "per": "card", "max": 2},
        {**limit, "measure": {"sum": "cost"}, "max": 200},
        {**limit, "measure": {"distinct": "faction"}, "max": 2},
        {"type": "limit", "select": {"where": card_id}, "measure": "count", "max": 1},
        {"type": "requires", "select": {"where": card_id}, "needs": {"from": "all"}},
        {
            "type": "slots",
            "select": {"from": "attachments", "where": keyword},
            "slots": "arms",
        },
        {
            "type": "allow",
            "select": {"from": "attachments", "where": keyword},
            "bearer": {},
        },
    ]
    return {"id": f"r-{number}", **forms[number % len(forms)]}


def large_roster(pack: Pack) -> Roster:
    """Return a roster of ten lines with an attachment each."""
    people = [card.id for card in pack.cards.values() if card.kind == "person"]
    things = [card.id for card in pack.cards.values() if card.kind == "basket"]
    lines = [
        {"card": people[index * 97], "attachments": [things[index * 31]]}
        for index in range(ENTRIES)
    ]
    return orchard.roster(*lines, size=100)


def main() -> None:
    pack = load_pack(find_project(Path.cwd()), PACK).pack
    assert pack is not None
    checker = RosterChecker(pack)
    legal = legal_rosters(checker, 400)
    mixed = some_rosters(pack, 1000, 1)
    for roster in mixed[:20]:
        assert checker.check(roster, repaired=False) == slowly(checker, roster)
    start = time.process_time()
    for roster in legal[:100]:
        slowly(checker, roster)
    slow = 100 / (time.process_time() - start)
    print(f"pack {pack.id}: {len(pack.cards)} cards, {len(pack.rules.rules)} rules")
    print(f"{ENTRIES} entries a roster, checks a second:")
    print(f"legal rosters             {rate(checker, legal):10,.0f} (target 5,000)")
    print(f"random rosters, violations{rate(checker, mixed, repaired=False):10,.0f}")
    print(f"the same with repairs     {rate(checker, mixed[:10]):10,.0f}")
    print(f"legal, every rule in full {slow:10,.0f}")
    large = large_pack()
    roster = large_roster(large)
    start = time.process_time()
    verdict = RosterChecker(large).check(roster)
    seconds = time.process_time() - start
    assert verdict.legal, verdict
    size = f"{LARGE_CARDS:,} cards, {LARGE_RULES:,} rules"
    print(f"first check, {size}: {seconds:.2f} s of processor time (target 0.5)")


if __name__ == "__main__":
    main()
