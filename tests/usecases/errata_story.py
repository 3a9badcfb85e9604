"""Ten releases of five hundred cards.

The story that a maintainer's ledger tells, and the lists that players keep.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from builder.errata.snapshot import Snapshot, Withdrawal
from builder.model.card import ChangeType
from builder.packs.pack_files import PackFiles
from builder.packs.releases.folders import Releases
from builder.usecases.release.new import (
    RebasedDraft,
    ReleaseRequest,
    make_release,
    rebase_draft,
)
from tests.usecases.errata_desk import COMPLETE, PACK, Desk, Step, open_desk, write_note

DAYS = {
    "1.0.0": date(2026, 2, 1),
    "1.1.0": date(2026, 5, 1),
    "1.0.1": date(2026, 5, 15),
    "1.2.0": date(2026, 8, 1),
    "1.3.0": date(2026, 8, 10),
    "1.4.0": date(2026, 11, 1),
    "2.0.0": date(2027, 1, 1),
    "2.0.1": date(2027, 2, 1),
    "2.1.0": date(2027, 4, 1),
    "2.2.0": date(2027, 7, 1),
}
"""The day of each release and of its effect, in the order in which they are made."""
BEFORE = dict(
    zip(
        list(DAYS)[1:],
        (
            "1.0.0",
            "1.0.0",
            "1.1.0",
            "1.2.0",
            "1.3.0",
            "1.4.0",
            "2.0.0",
            "2.0.1",
            "2.1.0",
        ),
        strict=True,
    )
)
"""The release that each continues."""
FORMATS: dict[str, Any] = {
    "standard": {
        "name": write_note("Standard"),
        "pool": [
            {"releases": ["1.0.0"], "to": "2027-03-31"},
            {"releases": ["1.1.0", "2.0.0"]},
        ],
    },
    "duel": {
        "name": write_note("Duel"),
        "banned": [
            {
                "cards": ["s-0001"],
                "from": "2026-06-01",
                "to": "2026-12-31",
                "reason": write_note("Too strong."),
            }
        ],
        "restricted": [
            {
                "cards": ["s-0003", "s-0004"],
                "max": 1,
                "from": "2026-06-01",
                "to": "2027-06-30",
            }
        ],
        "points": [{"max": 30, "from": "2026-06-01"}],
    },
    "open": {"name": write_note("Open")},
}
BANNED = ("s-0002", "s-0005", "s-0006")
SQUADS, EMBERS = 100, 26


@dataclass
class History:
    """The log at each release, actions since the previous one, and players' lists."""

    folder: Path
    desk: Desk
    at: dict[str, Desk] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    squads: dict[str, list[str]] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    rebased: RebasedDraft | None = None
    urgent: set[str] = field(default_factory=set)
    """The cards that the emergency changed, by the ids of the plan."""

    @property
    def packs(self) -> PackFiles:
        return PackFiles(self.desk.project)

    @property
    def releases(self) -> Releases:
        return self.packs.open_releases(PACK)

    def state(self, version: str) -> Snapshot:
        return self.releases.load_state(version)[0]

    def freeze(self, version: str, step: Step | None = None, **options: Any) -> None:
        """Make a release of what stands in the files; nothing may stand against it."""
        release_result = make_release(
            self.packs,
            PACK,
            ReleaseRequest(version, DAYS[version], DAYS[version], **options),
        )
        assert release_result.frozen, (
            version,
            [str(finding.message) for finding in release_result.findings],
        )
        assert {finding.code for finding in release_result.findings} <= {
            "i18n/partial",
            "release/keeps-withdrawn-value",
        }
        self.at[version], self.steps[version] = (
            self.desk.stood(),
            step or self.desk.step,
        )
        if step is None:
            self.desk.step = Step()

    def pick(self, count: int, kind: str = "s", lang: str = "") -> list[str]:
        """Cards of a kind not used by the story yet, in no play format and not yet in `lang`."""
        translations = self.desk.texts.get(lang, {})
        cards = (
            card
            for card in self.desk.cards
            if card[0] == kind and 9 < int(card[2:]) < 1000 and card not in translations
        )
        picked_cards = self.desk.dice.sample(
            [card for card in cards if card not in self.touched], count
        )
        self.touched.update(picked_cards)
        return picked_cards

    def dearer(self, cards: list[str], day: date) -> None:
        """Each card costs another number of points."""
        for card in cards:
            cost = self.desk.cards[card]["cost"]
            self.desk.change(
                card,
                "cost",
                cost + 2 if cost < 3 or self.desk.dice.random() < 0.7 else cost - 1,
            )
        self.desk.bump(cards, day, ChangeType.BALANCE, "Another price.")

    def retell(self, cards: list[str], old: str, new: str) -> None:
        """Edit the text of each card."""
        for card in cards:
            path = "effect" if card[0] == "c" else "tricks.dart.text"
            text = self.desk.sources(card)[path]
            assert old in text
            self.desk.change(card, path, text.replace(old, new))


def replayed(folder: Path) -> History:
    """Return the whole history, as a maintainer makes it."""
    history = History(folder, open_desk(folder, DAYS["1.0.0"], "1.0.0"))
    history.desk.formats = copy.deepcopy(FORMATS)
    history.desk.save_rest()
    history.freeze("1.0.0")
    _lists(history)
    _first_year(history)
    _plan_and_emergency(history)
    _second_year(history)
    return history


def _lists(history: History) -> None:
    """A hundred lists of players, each with one kindler and as many others as there is room for.

    Some are too dear.
    """
    cards, dice = history.desk.cards, history.desk.dice
    kindlers = [card for card in cards if card[0] == "s" and card.endswith("0")]
    others = [card for card in cards if card[0] == "s" and not card.endswith("0")]
    (history.folder / "squads").mkdir()
    for number in range(SQUADS):
        squad = [dice.choice(kindlers)]
        popular = [f"s-{dice.randint(1, 6):04}" for _ in range(2)]
        for card in (*popular, *dice.sample(others, 20)):
            if (
                sum(cards[card]["cost"] for card in squad) + cards[card]["cost"]
                <= EMBERS
                and card not in squad
            ):
                squad += [card] * dice.choice((1, 1, 1, 2))
        path = history.folder / "squads" / f"{number:03}.yaml"
        entries = ", ".join(f"{{card: {card}}}" for card in squad)
        path.write_text(
            f"pack: {PACK}\nname: List {number}\nembers: {EMBERS}\nentries: [{entries}]\n"
        )
        history.squads[str(path)] = squad


def _first_year(history: History) -> None:
    """New cards and prices; a misprint of the older line.

    A release that is withdrawn, and the one in its stead.
    """
    desk = history.desk
    for number in range(20):
        desk.add(f"s-{1000 + number}", DAYS["1.1.0"], "1.1.0")
    history.dearer(history.pick(60), DAYS["1.1.0"])
    history.freeze("1.1.0")

    misprints = history.pick(5)
    history.retell(misprints, " and gain", ", and gain")
    desk.bump(misprints, DAYS["1.0.1"], ChangeType.MISPRINT, "A comma.")
    history.freeze("1.0.1", copy.deepcopy(desk.step), only=misprints)
    line = history.at["1.0.0"].stood()  # all but these cards is as it was
    for card in misprints:
        line.cards[card] = copy.deepcopy(desk.cards[card])
        for lang in COMPLETE:
            line.texts[lang][card] = dict(desk.texts[lang][card])
    history.at["1.0.1"] = line

    stronger = history.pick(40, "c")
    history.retell(stronger, "Add ", "Add 1")  # ten and more
    desk.bump(stronger, DAYS["1.2.0"], ChangeType.RULES, "Adds ten more.")
    desk.translate("es", history.pick(50, lang="es"))
    history.freeze("1.2.0")
    reason = write_note("Half of the numbers are wrong.")
    history.releases.write_withdrawal(
        Withdrawal(
            version="1.2.0", date=DAYS["1.3.0"], reason=reason, successor="1.3.0"
        )
    )
    history.retell(stronger[:20], "Add 1", "Add 2")
    desk.bump(stronger[:20], DAYS["1.3.0"], ChangeType.RULES, "Twenty more.")
    release_result = make_release(
        history.packs,
        PACK,
        ReleaseRequest("1.3.0", DAYS["1.3.0"], DAYS["1.3.0"], dry=True),
    )
    assert [
        finding.code
        for finding in release_result.findings
        if finding.severity == "error"
    ] == ["release/continues-withdrawn"]
    kept_files = {
        finding.location.file
        for finding in release_result.findings
        if finding.code == "release/keeps-withdrawn-value"
    }
    assert kept_files == {f"cards/{PACK}/charm/{card}.yaml" for card in stronger[20:]}
    history.freeze("1.3.0", continues_withdrawn=True)


def _plan_and_emergency(history: History) -> None:
    """A draft for January, three cards that cannot wait for it, and the draft brought onto them."""
    desk, day, urgent = history.desk, DAYS["2.0.0"], DAYS["1.4.0"]
    dearer, renamed, deleted = history.pick(50), history.pick(12), history.pick(15)
    history.dearer(dearer, day)
    for card in renamed:
        desk.rename(card, f"s-2{card[2:]}", day)
    for card in deleted:
        desk.delete(card, day)
    for number in range(30):
        desk.add(f"c-{1000 + number}", day, "2.0.0")
    desk.save_rest()
    release_result = make_release(
        history.packs, PACK, ReleaseRequest("2.0.0", day, day, draft=True)
    )
    assert release_result.frozen, release_result.findings
    planned = desk.stood()

    history.desk = desk = desk.checkout(history.at["1.3.0"])
    desk.step = Step()
    alone, also = history.pick(1)[0], dearer[0]
    for card in (
        alone,
        also,
        renamed[0],
    ):  # the second has another price in the draft, the third another id
        desk.change(card, "lumen", 5)
    history.retell([alone], " gain 1 ", " gain 2 ")
    desk.bump((alone, also, renamed[0]), urgent, ChangeType.BALANCE, "Urgent.")
    history.freeze("1.4.0")

    history.rebased = rebase_draft(history.releases, "2.0.0")
    assert history.rebased.findings == ()
    names = {alone: alone, also: also, renamed[0]: planned.step.renamed[renamed[0]]}
    history.urgent = set(names.values())
    merged = planned.stood()
    for old, new in names.items():
        card, plan = copy.deepcopy(desk.cards[old]), planned.cards[new]["history"][1:]
        card |= {"id": new, "cost": planned.cards[new]["cost"]}
        for entry in plan:
            card |= {"revision": card["revision"] + 1, "released": entry["released"]}
            card["history"].append({**entry, "revision": card["revision"]})
        merged.cards[new] = card
        for lang in COMPLETE:
            merged.texts[lang][new] = dict(desk.texts[lang][old])
    history.desk = desk.checkout(merged)
    history.freeze("2.0.0", staged=True)


def _second_year(history: History) -> None:
    """A translation alone, play formats alone, and a release of many sorts of change."""
    desk = history.desk
    desk.translate("pl", history.pick(100, lang="pl"))
    history.freeze("2.0.1")
    duel = desk.formats["duel"]
    duel["banned"].append(
        {
            "cards": list(BANNED),
            "from": "2027-04-15",
            "reason": write_note("Everybody has them."),
        }
    )
    duel["points"] = [
        {"max": 30, "from": "2026-06-01", "to": "2027-06-30"},
        {"max": 22, "from": "2027-07-01"},
    ]
    desk.save_rest()
    history.freeze("2.1.0")
    duller, renamed_cards, kindled = history.pick(30), history.pick(10), history.pick(5)
    for card in duller:
        desk.change(card, "lumen", 2)
    for card in renamed_cards:
        desk.change(card, "name", f"Old {desk.cards[card]['name']}")
    for card in kindled:
        desk.change(card, "keywords", [*desk.cards[card]["keywords"], "mothling"])
    desk.bump(
        [*duller, *kindled], DAYS["2.2.0"], ChangeType.BALANCE, "Plays otherwise."
    )
    desk.bump(renamed_cards, DAYS["2.2.0"], ChangeType.WORDING, "Another name.")
    history.freeze("2.2.0")
