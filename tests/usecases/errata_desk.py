"""A maintainer edits a pack of 500 cards in 5 languages and logs each action.

What the ledger holds is written down as it is done, and never asked of the program.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from builder.model.card import ChangeType, HistoryEntry, hash_source
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.yaml.reading import parse_document
from builder.usecases.release.cards import bump_cards
from tests.usecases.toy import toy_project

PACK = "lanterns"
SPIRITS, CHARMS = 400, 100
COMPLETE, PARTIAL = ("de", "fr"), {"es": 0.4, "pl": 0.1}
"""The partial languages with the share of cards that is translated at first."""
NOUNS = (
    "Heron",
    "Otter",
    "Adder",
    "Marten",
    "Plover",
    "Newt",
    "Bittern",
    "Vole",
    "Stoat",
    "Rail",
)
RULES = """\
rules:
  - {id: embers, type: limit, title: TITLE, source: a, select: {from: all}, measure: {sum: cost}, max: {param: embers}}
  - id: one-kindler
    type: limit
    title: TITLE
    source: b
    select: {where: {keywords: {has: kindler}}}
    measure: count
    exactly: 1
"""


def write_note(text: str) -> dict[str, str]:
    """Return a text in the languages that must be complete."""
    return {"en": text, **{lang: f"{lang} {text}" for lang in COMPLETE}}


@dataclass
class Step:
    """What was done since the release before."""

    fields: dict[str, dict[tuple[str, str], tuple[Any, Any]]] = field(
        default_factory=dict
    )
    """Card, then language (none for the card itself) and path: what it was and is."""
    added: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    """New ids by old ones."""

    def note(self, card: str, lang: str, path: str, old: object, new: object) -> None:
        """A field of a card that was there before is another one."""
        if card not in self.added:
            changes = self.fields.setdefault(card, {})
            changes[lang, path] = (changes.get((lang, path), (old,))[0], new)

    def own(self, path: str) -> dict[str, tuple[Any, Any]]:
        """Return the cards of which a field is another one."""
        return {
            card: changes["", path]
            for card, changes in self.fields.items()
            if ("", path) in changes
        }


@dataclass
class Desk:
    """The pack as it stands in the files, and the step that is being made."""

    project: Project
    dice: random.Random = field(default_factory=lambda: random.Random(1906))
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    texts: dict[str, dict[str, dict[str, dict[str, str]]]] = field(default_factory=dict)
    """Language, card, path: a translation with the hash of what it was made from."""
    born: dict[str, str] = field(default_factory=dict)
    """The release that each card was new in."""
    steps: list[str] = field(default_factory=list)
    """What became of ids that are gone."""
    formats: dict[str, Any] = field(default_factory=dict)
    step: Step = field(default_factory=Step)

    @property
    def folder(self) -> Path:
        return self.project.get_cards_dir(PACK)

    def path(self, card: str, lang: str = "") -> Path:
        folder = self.folder / "i18n" / lang if lang else self.folder
        return folder / ("spirit" if card[0] == "s" else "charm") / f"{card}.yaml"

    def save(self, card: str) -> None:
        """Write the card's file."""
        value = self.cards[card]
        lines = [
            f"{key}: {json.dumps(item)}"
            for key, item in value.items()
            if key != "history"
        ]
        lines += [
            "history:",
            *(f"  - {json.dumps(entry)}" for entry in value["history"]),
        ]
        self.path(card).write_text("\n".join(lines) + "\n", "utf-8")

    def save_texts(self, lang: str, card: str) -> None:
        """Write a translation's file."""
        path = self.path(card, lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        strings = "".join(
            f"  {key}: {json.dumps(text)}\n"
            for key, text in self.texts[lang][card].items()
        )
        path.write_text(f"id: {card}\nstrings:\n{strings}", "utf-8")

    def save_rest(self) -> None:
        """Write play formats and migrations."""
        (self.folder / "formats.yaml").write_text(
            json.dumps({"formats": self.formats}), "utf-8"
        )
        (self.folder / "migrations.yaml").write_text(
            "migrations:" + ("\n" if self.steps else " []\n") + "".join(self.steps)
        )

    def add(self, card: str, day: date, version: str) -> None:
        """A new card, translated into the complete languages and perhaps into others."""
        dice = self.dice
        head = {
            "id": card,
            "kind": "spirit" if card[0] == "s" else "charm",
            "name": f"{dice.choice(NOUNS)} {card[2:]}",
        }
        own_fields: dict[str, Any] = {
            "cost": dice.randint(1, 3),
            "effect": f"Add {dice.randint(1, 9)} to {{stat:lumen}}.",
        }
        if card[0] == "s":
            text = f"Move {{dist:{dice.randint(1, 9)}}} and gain 1 {{stat:lumen}}."
            own_fields = {
                "faction": dice.choice(("quayside", "moorland")),
                "cost": dice.randint(1, 6),
                "lumen": 3,
                "waft": 4,
                "keywords": ["kindler" if card.endswith("0") else "wispborn"],
                "scarcity": 3,
                "carries": [],
                "tricks": {"dart": {"name": f"Dart {card[2:]}", "text": text}},
            }
        first = {
            "revision": 1,
            "released": str(day),
            "type": "rules",
            "note": write_note("First printing."),
        }
        self.cards[card] = {
            **head,
            **own_fields,
            "revision": 1,
            "released": str(day),
            "history": [first],
        }
        self.born[card] = version
        self.step.added.add(card)
        self.save(card)
        for lang in (*COMPLETE, *PARTIAL):
            if dice.random() < PARTIAL.get(lang, 1):
                self.translate(lang, [card])

    def sources(self, card: str) -> dict[str, str]:
        """Return what is to be translated of a card, by its path."""
        value = self.cards[card]
        if card[0] == "c":
            return {"name": value["name"], "effect": value["effect"]}
        trick = value["tricks"]["dart"]
        return {
            "name": value["name"],
            "tricks.dart.name": trick["name"],
            "tricks.dart.text": trick["text"],
        }

    def translate(self, lang: str, cards: Iterable[str]) -> None:
        """Write the texts of cards in a language as of today's source."""
        translations = self.texts.setdefault(lang, {})
        for card in cards:
            old = translations.get(card, {})
            translations[card] = {
                path: {"text": f"{lang} {text}", "source": hash_source(text)}
                for path, text in self.sources(card).items()
            }
            for path, text_entry in translations[card].items():
                if text_entry != old.get(path):
                    self.step.note(
                        card,
                        lang,
                        path,
                        old.get(path, {}).get("text"),
                        text_entry["text"],
                    )
            self.save_texts(lang, card)

    def change(self, card: str, key: str, new: object) -> None:
        """Edit a field of a card.

        Where it is a text, the languages that must be complete follow.
        """
        *steps, last = key.split(".")
        value = self.cards[card]
        for name in steps:
            value = value[name]
        self.step.note(card, "", key, value[last], new)
        value[last] = new
        self.save(card)
        if key in self.sources(card):
            for lang in COMPLETE:
                self.translate(lang, [card])

    def bump(
        self, cards: Iterable[str], day: date, sort: ChangeType, note: str
    ) -> None:
        """The next revision of cards, as `card bump` gives it."""
        card_ids, packs = tuple(cards), PackFiles(self.project)
        entry = HistoryEntry(revision=1, released=day, type=sort, note=write_note(note))
        bump_cards(packs, PACK, packs.load_pack(PACK), dict.fromkeys(card_ids, entry))
        for value in map(self.cards.__getitem__, card_ids):
            value |= {"revision": value["revision"] + 1, "released": str(day)}
            history_entry = {
                "revision": value["revision"],
                "released": str(day),
                "type": sort.value,
                "note": write_note(note),
            }
            value["history"].append(history_entry)

    def remove(self, card: str) -> None:
        """Take a card's files away."""
        self.path(card).unlink()
        for lang in self.texts:
            self.path(card, lang).unlink(missing_ok=True)

    def rename(self, old: str, new: str, day: date) -> None:
        """A new id for a card, in all its files."""
        self.remove(old)
        self.cards[new], self.born[new] = (
            {**self.cards.pop(old), "id": new},
            self.born.pop(old),
        )
        self.save(new)
        for lang, translations in self.texts.items():
            if old in translations:
                translations[new] = translations.pop(old)
                self.save_texts(lang, new)
        self.step.renamed[old] = new
        self.steps.append(
            f"  - {{old: {old}, new: {new}, type: rename, date: {day}}}\n"
        )

    def delete(self, card: str, day: date) -> None:
        """Take a card out of the game."""
        self.remove(card)
        for values_by_card in (self.cards, self.born, *self.texts.values()):
            values_by_card.pop(card, None)  # type: ignore[attr-defined]
        self.step.deleted.add(card)
        self.steps.append(f"  - {{old: {card}, type: delete, date: {day}}}\n")

    def stood(self) -> Desk:
        """Return the ledger as it is now, for a later look."""
        return copy.deepcopy(self)

    def checkout(self, target: Desk) -> Desk:
        """Bring the files to what another moment's ledger holds, as a version control would.

        That ledger, going on.
        """
        target_desk = target.stood()
        for card in self.cards.keys() - target_desk.cards.keys():
            self.remove(card)
        for card, value in target_desk.cards.items():
            if value != self.cards.get(card):
                target_desk.save(card)
            for lang, translations in target_desk.texts.items():
                if card in translations and translations[card] != self.texts[lang].get(
                    card
                ):
                    target_desk.save_texts(lang, card)
        target_desk.save_rest()
        return target_desk

    def progress(self, lang: str) -> dict[str, int]:
        """How many texts of a language stand how."""
        counts = {"texts": 0, "fresh": 0, "missing": 0, "stale": 0, "identical": 0}
        for card in self.cards:
            for path, source in self.sources(card).items():
                text = self.texts[lang].get(card, {}).get(path)
                sort = (
                    "missing"
                    if text is None
                    else "fresh"
                    if text["source"] == hash_source(source)
                    else "stale"
                )
                counts[sort] += 1
                counts["texts"] += 1
        return counts


def open_desk(folder: Path, day: date, version: str) -> Desk:
    """Return the toy pack's kinds, schemas and words in 5 languages, with 500 cards."""
    desk = Desk(Project(toy_project(folder)))
    for name in ("products.yaml", "rosters", "spirit", "charm", "clearing", "i18n"):
        target = desk.folder / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    for name in ("pack", "vocabulary"):
        path = desk.folder / f"{name}.yaml"
        document, _findings = parse_document(path.read_text("utf-8"), name)
        assert document is not None
        path.write_text(json.dumps(_in_french(document.value)), "utf-8")
    (desk.folder / "rules.yaml").write_text(
        RULES.replace("TITLE", json.dumps(write_note("Limit"))), "utf-8"
    )
    for kind, letter, count in (("spirit", "s", SPIRITS), ("charm", "c", CHARMS)):
        (desk.folder / kind).mkdir()
        for number in range(count):
            desk.add(f"{letter}-{number:04}", day, version)
    return desk


def _in_french(value: Any) -> Any:
    """Return a file of the pack with French for each text, and the script's languages."""
    if isinstance(value, list):
        return [_in_french(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {"source", "translations"}:
        return {
            "source": "en",
            "translations": [*COMPLETE, *PARTIAL],
            "partial": dict.fromkeys(PARTIAL, "mark"),
        }
    translated = {key: _in_french(item) for key, item in value.items()}
    return (
        {**translated, "fr": f"fr {value['en']}"}
        if value.keys() == {"en", "de"}
        else translated
    )
