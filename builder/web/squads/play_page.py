"""The play page: what is crossed out and revealed at the table, and the chances of attacks."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.sheets import AttackTable, SheetCard, SheetModel, StatTable
from builder.model.stats import StatsFile
from builder.roster.choice_keywords import apply_choices
from builder.roster.resolve import make_test_selection
from builder.rules.query import compile_condition
from builder.usecases.build.squad import has_unlimited_uses, make_squad_sheet
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.check_roster import CheckedRoster
from builder.web.cards.cardtext import CardText, Passage, make_card_text
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.phases import PhaseReminder, group_by_phase, list_texts
from builder.web.squads.sizes import MAX_CARDS
from builder.web.squads.squad_view import AttachmentRow, EntryRow, SquadView, check_text
from builder.web.squads.storage import make_unreadable_error
from builder.web.templating import get_address

COUNTERS = ("round", "mine", "theirs")
MARK = re.compile(r"[a-z0-9.-]{1,200}")
MAX_MARKS, MAX_COUNT = 5_000, 999
"""Marks of a game, and the highest number of a counter."""
CIRCUMSTANCE_PREFIX = "given."
"""Axes of tables that are no field of a card begin with this."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card on the play page.

    `mark` is the prefix of its marks, `uses` are the boxes of each copy.

    `spendable` is True for a card without a number of uses that can be used up as a whole.
    """

    mark: str
    name: str
    count: int
    uses: tuple[tuple[str, int], ...]
    faces: tuple[FacePicture, ...]
    text: CardText
    spendable: bool = False
    is_model: bool = False

    @property
    def profiles(self) -> list[Passage]:
        """The parts of the card with values, which are always visible.

        A model's own values are beside its name. A single value is rarely an attack.
        """
        parts = self.text.passages
        if self.is_model:
            return [part for part in parts if part.title and len(part.facts) > 1]
        return [part for part in parts if part.facts]


@dataclass(frozen=True, slots=True)
class PlayModel:
    """An entry of the squad on the play page, with its card and attachments."""

    sheet: SheetModel
    side: str
    card: PlayCard
    attachments: tuple[PlayCard, ...]
    note: str
    shown_copies: int
    """The copies that are shown. Not all of a squad from before limits are."""
    box_rows: tuple[tuple[str, int], ...] = ()
    """Title and number of boxes of each row, for each copy."""
    tables: tuple[Markup, ...] = ()
    """Tables that are always visible, such as weapons."""
    abilities: tuple[tuple[str, Markup], ...] = ()
    """Titles and texts. A text opens when its title is pressed."""


@dataclass(frozen=True, slots=True)
class PlayPage:
    """Everything that the play page of a squad or an imported list shows.

    `key` names the state that the browser stores. `back_address`, `file` and `state` are
    addresses; without `state`, only this browser stores the game. `hides_deck` is True if cards of
    the deck are revealed during the game. `get_face_address` returns the address of a
    picture at a width, and `faces_folder` contains the pictures.
    """

    key: str
    title: str
    game: str
    css_class: str
    back_address: str
    file: str
    models: tuple[PlayModel, ...]
    deck: tuple[PlayCard, ...]
    get_face_address: Callable[[FacePicture, int], str]
    faces_folder: Path | None = None
    state: str = ""
    hides_deck: bool = False
    attacks: tuple[AttackTable, ...] = ()
    targets: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    odds: Mapping[str, object] = field(default_factory=dict)
    phases: Mapping[str, Sequence[PhaseReminder]] = field(default_factory=dict)


def list_reminders(
    models: Iterable[PlayModel], deck: Iterable[PlayCard]
) -> Iterator[PhaseReminder]:
    """Yield the texts of all cards on a play page that may be needed in a phase."""
    for model in models:
        yield from list_texts(
            model.card.name, [(title, [text]) for title, text in model.abilities]
        )
        for card in (model.card, *model.attachments):
            yield from list_texts(card.name, _list_parts(card))
    for card in deck:
        yield from list_texts(card.name, _list_parts(card))


def _list_parts(card: PlayCard) -> Iterator[tuple[str, tuple[Markup, ...]]]:
    for passage in card.text.passages:
        yield passage.title, passage.texts


def make_squad_page(view: SquadView) -> PlayPage:
    """Return the play page of a squad. Raise UsageError if the squad cannot be read."""
    play = PlayView(view)
    key = view.row.id
    game = view.names.choose_name(view.pack.manifest.name, view.pack.id)
    targets = {}
    for side, cards in play.targets.items() if play.attacks else ():
        targets[side] = tuple(
            (card.id, view.names.name_card(card.id)) for card in cards
        )
    return PlayPage(
        key=str(key),
        title=view.row.name,
        game=game,
        css_class=f"game-{view.pack.id}",
        back_address=get_address("squad", [key]),
        file=get_address("play-file", [key]),
        state=get_address("play-state", [key]),
        models=play.models,
        deck=play.deck,
        get_face_address=lambda face, width: get_address("face", [face.address, width]),
        hides_deck=True,
        attacks=play.attacks,
        targets=targets,
        odds=play.odds,
        phases=group_by_phase(play.phases, list_reminders(play.models, play.deck)),
    )


@dataclass(frozen=True)
class PlayView:
    """Computes the parts of a squad's play page. Raises UsageError if the squad is unreadable."""

    view: SquadView

    @property
    def _card_language(self) -> str:
        return choose_card_language(self.view.pack, self.view.lang)

    @cached_property
    def _result(self) -> CheckedRoster:
        """The result of checking the squad, in the language of its cards."""
        row = self.view.row
        return check_text(row.text, str(row.id), self._card_language, self.view.day)

    @cached_property
    def _sheet(self) -> tuple[tuple[SheetModel, ...], tuple[SheetCard, ...]]:
        sheet = make_squad_sheet(self._result)
        if sheet is None:
            raise make_unreadable_error()
        return sheet.models, sheet.deck

    @cached_property
    def models(self) -> tuple[PlayModel, ...]:
        """The models in the order of the squad's text."""
        entries = {entry.number: entry for entry in self.view.entries}
        models = list[PlayModel]()
        remaining = MAX_CARDS
        for sheet in self._sheet[0]:
            shown_copies = min(sheet.count, remaining)
            remaining -= shown_copies
            models.append(self._make_model(sheet, entries[sheet.number], shown_copies))
        return tuple(models)

    def _make_model(
        self, sheet: SheetModel, row: EntryRow, shown_copies: int
    ) -> PlayModel:
        card_id = row.entry.card
        pack, card = apply_choices(self.view.pack, row.entry)
        mark = f"{sheet.number}.{card_id}"
        lang = choose_card_language(pack, self.view.lang)
        text = make_card_text(pack, card, lang, original_id=card_id)
        faces = self.view.faces.get(card_id, ())
        return PlayModel(
            sheet,
            row.side,
            PlayCard(
                mark, sheet.name, sheet.count, sheet.uses, faces, text, is_model=True
            ),
            tuple(self._make_cards(mark, row.attachments, sheet.carried)),
            row.entry.note if self.view.is_own else "",
            shown_copies,
            (("", sheet.boxes),) if sheet.boxes else (),
        )

    @cached_property
    def deck(self) -> tuple[PlayCard, ...]:
        """The cards of the squad that belong to no model."""
        return tuple(self._make_cards("deck", self.view.deck, self._sheet[1]))

    @property
    def phases(self) -> list[tuple[str, ...]]:
        """The forms of each phase's name in the language of the cards, the printed one first."""
        source = self.view.pack.manifest.languages.source
        phases = []
        for forms_by_lang in self.view.pack.manifest.roster.sheet.phases:
            forms = forms_by_lang.get(self._card_language, forms_by_lang.get(source))
            if forms:
                phases.append((forms,) if isinstance(forms, str) else tuple(forms))
        return phases

    def _make_cards(
        self, mark: str, rows: Sequence[AttachmentRow], sheets: Sequence[SheetCard]
    ) -> Iterator[PlayCard]:
        pack, lang = self.view.pack, self._card_language
        for row, sheet in zip(rows, sheets, strict=True):
            card = pack.cards[row.card]
            yield PlayCard(
                f"{mark}.{row.index}.{row.card}",
                sheet.name,
                sheet.count,
                sheet.uses,
                self.view.faces.get(row.card, ()),
                make_card_text(pack, card, lang),
                spendable=not sheet.uses and not has_unlimited_uses(pack, card, lang),
            )

    @cached_property
    def _stats(self) -> StatsFile:
        return load_stat_forms(get_library().packs, self.view.pack.id)

    @cached_property
    def attacks(self) -> tuple[AttackTable, ...]:
        """The attacks of the models, if the game describes how they are rolled."""
        report = calculate_statistics(self._result, self._stats)
        return report.attacks if report is not None else ()

    @cached_property
    def targets(self) -> Mapping[str, tuple[Card, ...]]:
        """The possible targets of attacks, by side."""
        conditions = [self._stats.targets]
        conditions += [form.targets for form in self._stats.attacks if form.targets]
        tests = [compile_condition(condition) for condition in conditions]
        names = self.view.names
        cards_by_side = dict[str, list[Card]]()
        for card in self.view.pack.cards.values():
            if any(test(make_test_selection(card), None) for test in tests):
                side = names.name_value("faction", card.faction) if card.faction else ""
                cards_by_side.setdefault(side, []).append(card)
        targets = {}
        for side, cards in sorted(cards_by_side.items()):
            targets[side] = tuple(
                sorted(cards, key=lambda card: names.name_card(card.id))
            )
        return targets

    @property
    def odds(self) -> dict[str, object]:
        """The attack tables, and the target values by which the page's script finds a cell."""
        fields: dict[str, None] = {}
        for attack in self.attacks:
            for table in _list_tables(attack):
                fields |= dict.fromkeys(table.fields)
        names = [name for name in fields if not name.startswith(CIRCUMSTANCE_PREFIX)]
        values_by_card = {}
        for cards in self.targets.values():
            for card in cards:
                values_by_card[card.id] = _get_values(card, names)
        return {
            "attacks": [_export_attack(attack) for attack in self.attacks],
            "targets": values_by_card,
        }


def _list_tables(attack: AttackTable) -> Iterator[StatTable]:
    yield attack.hits
    for damage in attack.damage:
        yield from (damage.mean, damage.some)


def _export_attack(attack: AttackTable) -> dict[str, object]:
    damage = []
    for part in attack.damage:
        tables = {"mean": _export_table(part.mean), "some": _export_table(part.some)}
        damage.append({"title": part.title} | tables)
    return {
        "rolled": attack.rolled,
        "hits": _export_table(attack.hits),
        "damage": damage,
    }


def _export_table(table: StatTable) -> dict[str, object]:
    """Return a table for the page's script, with rounded numbers."""
    axes = zip(table.fields, table.axes, (table.rows, table.columns), strict=False)
    exported_axes = [
        {"field": field, "title": title, "values": list(values)}
        for field, title, values in axes
    ]
    return {"axes": exported_axes, "cells": [_round_row(row) for row in table.cells]}


def _round_row(row: Sequence[Fraction]) -> list[float]:
    return [round(float(cell), 4) for cell in row]


def _get_values(card: Card, fields: Sequence[str]) -> dict[str, int | None]:
    """Return the field values of a target.

    None stands for a dash. Fields that the card does not have are absent.
    """
    values: dict[str, int | None] = {}
    for name in fields:
        parent_path, _dot, key = name.rpartition(".")
        parent = card.get_field(parent_path) if parent_path else card.data
        if isinstance(parent, Mapping) and key in parent:
            value = card.get_field(name)
            if isinstance(value, bool) or not isinstance(value, int):
                values[name] = None
            else:
                values[name] = value
    return values


def read_game_state(stored_state: object) -> dict[str, object]:
    """Validate the state of a game that a page sends. Unknown keys are dropped.

    Raise UsageError for any other value.
    """
    state = stored_state if isinstance(stored_state, dict) else {}
    counts = {name: state.get(name) for name in COUNTERS}
    for value in counts.values():
        if type(value) is not int or not 0 <= value <= MAX_COUNT:
            raise make_state_error()
    marks = state.get("marks")
    if not isinstance(marks, list) or len(marks) > MAX_MARKS:
        raise make_state_error()
    if not all(isinstance(mark, str) and MARK.fullmatch(mark) for mark in marks):
        raise make_state_error()
    return {**counts, "marks": marks}


def make_state_error() -> UsageError:
    """Make the error for an invalid game state."""
    return UsageError(_("the game state is not valid"), _("Reload the page."))
