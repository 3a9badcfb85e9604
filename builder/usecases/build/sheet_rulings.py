"""Add the rulings about a squad's cards to its printed sheet."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from builder.errata.rulings import RulingReader, describe_review
from builder.messages import gettext as _, translate
from builder.model.sheets import Reminder, SheetCard, SheetModel, SquadSheet


@dataclass(frozen=True, slots=True)
class SheetRulings:
    """Adds each ruling once, as a reminder of the first card on the sheet that it is about."""

    reader: RulingReader
    _printed_ids: set[str] = field(default_factory=set)

    def add_to_sheet(self, sheet: SquadSheet) -> SquadSheet:
        """Return a sheet with the rulings about its cards."""
        models = tuple(self._add_to_model(model) for model in sheet.models)
        return replace(sheet, models=models, deck=self._add_to_cards(sheet.deck))

    def _add_to_model(self, model: SheetModel) -> SheetModel:
        reminders = (*model.reminders, *self._list_reminders(model.card))
        return replace(
            model, reminders=reminders, carried=self._add_to_cards(model.carried)
        )

    def _add_to_cards(self, cards: Sequence[SheetCard]) -> tuple[SheetCard, ...]:
        with_rulings: list[SheetCard] = []
        for card in cards:
            reminders = (*card.reminders, *self._list_reminders(card.card))
            with_rulings.append(replace(card, reminders=reminders))
        return tuple(with_rulings)

    def _list_reminders(self, card: str) -> list[Reminder]:
        """Return the rulings about a card that are not on the sheet yet, the oldest first."""
        reader = self.reader.reader
        entries = {entry.id: entry for entry in self.reader.list_for_card(card)}
        reminders: list[Reminder] = []
        for located in self.reader.rulings.rulings:
            ruling = located.ruling
            if ruling.id not in entries or ruling.id in self._printed_ids:
                continue
            self._printed_ids.add(ruling.id)
            # The sheet prints markup, so the texts are not read as plain text here.
            texts = (
                reader.pick_language(dict(item))
                for item in (ruling.question, ruling.answer)
            )
            name = translate(_("Ruling"), reader.lang)
            mark = translate(describe_review(entries[ruling.id]), reader.lang)
            reminders.append(Reminder(name, " ".join(filter(None, (*texts, mark)))))
        return reminders
