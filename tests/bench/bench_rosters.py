"""How many rosters one core judges in a second, packs loaded and rosters read: ten entries each, all different."""

from __future__ import annotations

import random
import time
from pathlib import Path

from builder.model.pack import Pack, Role
from builder.model.roster import Attachment, Entry, Roster
from builder.packs.loading import load_pack
from builder.packs.project import find_project
from builder.rules.judge import Judge
from tests.rules.slowly import slowly

ROUNDS = 3
ENTRIES = 10
PACK = "hydrophilia"


def some_rosters(pack: Pack, many: int, seed: int) -> list[Roster]:
    """Rosters of ten lines, about half of them with an attachment each, at the largest size: as they come."""
    chance = random.Random(seed)
    people = sorted(card.id for card in pack.cards.values() if pack.role(card) is Role.ENTRY)
    things = sorted(card.id for card in pack.cards.values() if pack.role(card) is Role.ATTACHMENT)
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


def legal_rosters(judge: Judge, many: int) -> list[Roster]:
    """Different legal rosters of ten lines: grown card by card, keeping what breaks only minima."""
    chance = random.Random(7)
    pack = judge.pack
    people = sorted(card.id for card in pack.cards.values() if pack.role(card) is Role.ENTRY)
    things = sorted(card.id for card in pack.cards.values() if pack.role(card) is Role.ATTACHMENT)
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
            if all(item.kind == "min" for item in judge.check(longer, repaired=False).violations):
                roster = longer
            if len(roster.entries) == ENTRIES:
                break
        if len(roster.entries) == ENTRIES and judge.check(roster, repaired=False).legal:
            found.append(roster)
    return found


def rate(judge: Judge, rosters: list[Roster], **options: bool) -> float:
    """Rosters a second, the best of several rounds; the first round fills the judge's memory."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for roster in rosters:
            judge.check(roster, **options)
        best = max(best, len(rosters) / (time.perf_counter() - start))
    return best


def main() -> None:
    pack = load_pack(find_project(Path.cwd()), PACK).pack
    assert pack is not None
    judge = Judge(pack)
    legal = legal_rosters(judge, 400)
    mixed = some_rosters(pack, 1000, 1)
    for roster in mixed[:20]:
        assert judge.check(roster, repaired=False) == slowly(judge, roster)
    start = time.perf_counter()
    for roster in legal[:100]:
        slowly(judge, roster)
    slow = 100 / (time.perf_counter() - start)
    print(
        f"pack {pack.id}: {len(pack.cards)} cards, {len(pack.rules.rules)} rules; {ENTRIES} entries a roster"
    )
    print(f"legal rosters             {rate(judge, legal):10,.0f} a second (target 10,000)")
    print(f"random rosters, violations{rate(judge, mixed, repaired=False):10,.0f} a second")
    print(f"the same with repairs     {rate(judge, mixed[:10]):10,.0f} a second")
    print(f"legal, without the tables {slow:10,.0f} a second")


if __name__ == "__main__":
    main()
