"""A squad as it is played: what is crossed out, turned and shown at the table, and what its attacks may do."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.sheets import AttackTable, SheetCard, SheetModel, StatTable
from builder.model.stats import StatsFile
from builder.roster.chosen import chosen
from builder.roster.resolve import alone
from builder.rules.query import compile_where
from builder.usecases.build.squad import has_unlimited_uses, make_squad_sheet
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.check_roster import JudgedRoster
from builder.web.cards.cardtext import CardText, make_card_text
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.sizes import MAX_CARDS
from builder.web.squads.squad_view import CarriedRow, LineRow, SquadSight, judged_text

COUNTERS = ("round", "mine", "theirs")
MARK = re.compile(r"[a-z0-9.-]{1,200}")
MAX_MARKS, MAX_COUNT = 5_000, 999
"""Marks of a game, and the highest number of a counter."""
GIVEN = "given."
"""Axes of circumstances that no card states begin so."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card at the table: the name of its marks, its copies, what of each is used how often, its faces, its text.

    `spendable` is True for a card without a number of uses that can be used up as a whole.
    """

    mark: str
    name: str
    count: int
    uses: tuple[tuple[str, int], ...]
    faces: tuple[FacePicture, ...]
    text: CardText
    spendable: bool = False


@dataclass(frozen=True, slots=True)
class PlayModel:
    """A line of models: what the squad's sheet says of it, the card it is, and the cards it carries; what
    the player noted on it."""

    sheet: SheetModel
    side: str
    card: PlayCard
    carried: tuple[PlayCard, ...]
    note: str
    shown_copies: int
    """Copies that have a part of the page; of a squad from before limits not all have."""


@dataclass(frozen=True)
class PlaySight:
    """All that the page at the table shows. UsageError where the squad cannot be read."""

    sight: SquadSight

    @cached_property
    def _judged(self) -> JudgedRoster:
        """The squad, judged in the language of its cards."""
        row = self.sight.row
        return judged_text(
            row.text,
            str(row.id),
            choose_card_language(self.sight.pack, self.sight.lang),
            self.sight.day,
        )

    @cached_property
    def _sheet(self) -> tuple[tuple[SheetModel, ...], tuple[SheetCard, ...]]:
        sheet = make_squad_sheet(self._judged)
        if sheet is None:
            raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
        return sheet.models, sheet.deck

    @cached_property
    def models(self) -> tuple[PlayModel, ...]:
        """The models, as the squad's text orders them."""
        lines = {line.number: line for line in self.sight.lines}
        models, remaining = list[PlayModel](), MAX_CARDS
        for sheet in self._sheet[0]:
            shown_copies = min(sheet.count, remaining)
            remaining -= shown_copies
            models.append(self._model(sheet, lines[sheet.number], shown_copies))
        return tuple(models)

    def _model(self, sheet: SheetModel, line: LineRow, shown_copies: int) -> PlayModel:
        pack, card = chosen(self.sight.pack, line.entry)
        mark = f"{sheet.number}.{line.entry.card}"
        text = make_card_text(
            pack, card, choose_card_language(pack, self.sight.lang), original_id=line.entry.card
        )
        own = PlayCard(
            mark,
            sheet.name,
            sheet.count,
            sheet.uses,
            self.sight.faces.get(line.entry.card, ()),
            text,
        )
        carried = tuple(self._cards(mark, line.carried, sheet.carried))
        note = line.entry.note if self.sight.is_own else ""
        return PlayModel(sheet, line.side, own, carried, note, shown_copies)

    @cached_property
    def deck(self) -> tuple[PlayCard, ...]:
        """The cards of the squad as a whole."""
        return tuple(self._cards("deck", self.sight.deck, self._sheet[1]))

    def _cards(
        self, mark: str, rows: Sequence[CarriedRow], sheets: Sequence[SheetCard]
    ) -> Iterator[PlayCard]:
        pack = self.sight.pack
        for row, sheet in zip(rows, sheets, strict=True):
            text = make_card_text(
                pack, pack.cards[row.card], choose_card_language(pack, self.sight.lang)
            )
            faces = self.sight.faces.get(row.card, ())
            unlimited = has_unlimited_uses(
                pack, pack.cards[row.card], choose_card_language(pack, self.sight.lang)
            )
            spendable = not sheet.uses and not unlimited
            name = f"{mark}.{row.index}.{row.card}"
            yield PlayCard(name, sheet.name, sheet.count, sheet.uses, faces, text, spendable)

    @cached_property
    def _stats(self) -> StatsFile:
        return load_stat_forms(get_library().packs, self.sight.pack.id)

    @cached_property
    def attacks(self) -> tuple[AttackTable, ...]:
        """What the models can do to others, as far as the game says how that is rolled."""
        found = calculate_statistics(self._judged, self._stats)
        return found.attacks if found is not None else ()

    @cached_property
    def targets(self) -> Mapping[str, tuple[Card, ...]]:
        """Whom they can be done to, by the names of sides."""
        asked = [
            self._stats.targets,
            *(form.targets for form in self._stats.attacks if form.targets),
        ]
        passes = [compile_where(where) for where in asked]
        found: dict[str, list[Card]] = {}
        for card in self.sight.pack.cards.values():
            if any(test(alone(card), None) for test in passes):
                side = self.sight.names.value("faction", card.faction) if card.faction else ""
                found.setdefault(side, []).append(card)
        named = self.sight.names.card
        return {
            side: tuple(sorted(cards, key=lambda card: named(card.id)))
            for side, cards in sorted(found.items())
        }

    @property
    def odds(self) -> dict[str, object]:
        """The attacks' tables, and the targets' numbers that their rows and columns are, for the page to look up."""
        told = [_attack(attack) for attack in self.attacks]
        tables = [table for attack in self.attacks for table in _tables(attack)]
        fields = dict.fromkeys(
            name for table in tables for name in table.fields if not name.startswith(GIVEN)
        )
        cards = [card for side in self.targets.values() for card in side]
        return {"attacks": told, "targets": {card.id: _numbers(card, fields) for card in cards}}


def _tables(attack: AttackTable) -> Iterator[StatTable]:
    yield attack.hits
    for damage in attack.damage:
        yield from (damage.mean, damage.some)


def _attack(attack: AttackTable) -> dict[str, object]:
    damage = [
        {"title": one.title, "mean": _table(one.mean), "some": _table(one.some)}
        for one in attack.damage
    ]
    return {"rolled": attack.rolled, "hits": _table(attack.hits), "damage": damage}


def _table(table: StatTable) -> dict[str, object]:
    """A table in numbers short enough to be sent; circumstances come with what they are called."""
    axes = zip(table.fields, table.axes, (table.rows, table.columns), strict=False)
    stated = [
        {"field": field, "title": title, "values": list(values)} for field, title, values in axes
    ]
    return {
        "axes": stated,
        "cells": [[round(float(cell), 4) for cell in row] for row in table.cells],
    }


def _numbers(card: Card, fields: Mapping[str, None]) -> dict[str, int | None]:
    """A target's numbers; null for a dash, nothing where the card has no such field."""
    found: dict[str, int | None] = {}
    for name in fields:
        head, _dot, last = name.rpartition(".")
        owner = card.field(head) if head else card.data
        if isinstance(owner, Mapping) and last in owner:
            value = card.field(name)
            found[name] = value if isinstance(value, int) and not isinstance(value, bool) else None
    return found


def game_state(stated: object) -> dict[str, object]:
    """Return the state of a game as pages write it, and no more than that. UsageError for anything else."""
    found = stated if isinstance(stated, dict) else {}
    counts = {name: found.get(name) for name in COUNTERS}
    marks = found.get("marks")
    if not all(type(value) is int and 0 <= value <= MAX_COUNT for value in counts.values()):
        raise unreadable_state()
    if not isinstance(marks, list) or len(marks) > MAX_MARKS:
        raise unreadable_state()
    if not all(isinstance(mark, str) and MARK.fullmatch(mark) for mark in marks):
        raise unreadable_state()
    return {**counts, "marks": marks}


def unreadable_state() -> UsageError:
    """The refusal of a state that no page writes."""
    return UsageError(_("this is not the state of a game"), _("Reload the page."))
