"""A judged squad as the sheet a player keeps beside the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.model.base import Json, lookup
from builder.model.card import Card
from builder.model.pack import Pack, SheetForm
from builder.model.sheets import Reminder, SheetCard, SheetModel, SheetStep, SquadSheet
from builder.render.html.view import localised, pick
from builder.roster.chosen import chosen
from builder.roster.resolve import Pick
from builder.rules.names import Names
from builder.usecases.roster.check import JudgedRoster
from builder.usecases.roster.share import qr_path, token
from builder.usecases.roster.show import ShownCard, order, show


def squad_sheet(judged: JudgedRoster) -> SquadSheet | None:
    """The sheet of a judged roster in the language it was judged in; None if it could not be read."""
    shown, squad, judge, roster = show(judged), judged.squad, judged.judge, judged.roster
    if shown is None or squad is None or judge is None or roster is None:
        return None
    pack, lang = judge.pack, judged.lang
    names, source = Names(pack, lang), pack.manifest.languages.source
    models = []
    for line, entry in zip(shown.lines, squad.entries, strict=True):
        own_pack, card = chosen(pack, roster.entries[entry.line])
        carried = zip(line.carried, squad.carried(entry), strict=True)
        cards = tuple(_card(given, pick_, pack, lang) for given, pick_ in carried)
        name = roster.entries[entry.line].name or line.entry.name
        models.append(_model(own_pack, card, entry, line.number, name, line.total, line.entry.remarks, cards, lang))
    deck = tuple(_card(given, pick_, pack, lang) for given, pick_ in zip(shown.deck, squad.deck, strict=True))
    steps = tuple(SheetStep(step.number, step.label, step.name, step.beside) for step in order(judged))
    factions = {entry.card.faction for entry in squad.entries}
    return SquadSheet(
        name=roster.name,
        game=pick(pack.manifest.name, lang, source),
        params=tuple((names.param(name), names.param_value(name, value)) for name, value in squad.params.items()),
        currency=pick(pack.manifest.roster.currency, lang, source),
        total=shown.total,
        legal=judged.legal,
        faction=next(iter(factions)) if len(factions) == 1 else None,
        models=tuple(models),
        deck=deck,
        order=steps,
        code=qr_path(token(judged)),
    )


def _model(
    pack: Pack,
    card: Card,
    entry: Pick,
    number: int,
    name: str,
    total: int | float,
    remarks: tuple[str, ...],
    carried: tuple[SheetCard, ...],
    lang: str,
) -> SheetModel:
    """One line of models."""
    form = pack.manifest.roster.sheet
    boxes = card.field(form.boxes) if form.boxes else None
    return SheetModel(
        number=number,
        name=name,
        count=entry.count,
        cost=card.cost,
        total=total,
        boxes=boxes if isinstance(boxes, int) else 0,
        stats=tuple(_stats(pack, card, form, lang)),
        remarks=remarks,
        reminders=tuple(reminders(pack, card, lang)),
        carried=carried,
    )


def _card(shown: ShownCard, entry: Pick, pack: Pack, lang: str) -> SheetCard:
    """A carried card or one of the deck."""
    return SheetCard(shown.name, shown.count, entry.card.cost, shown.slots, tuple(reminders(pack, entry.card, lang)))


def _stats(pack: Pack, card: Card, form: SheetForm, lang: str) -> Iterator[tuple[str, str]]:
    """Abbreviation and value of the stats the sheet shows; a dash for one that is null."""
    source = pack.manifest.languages.source
    for field in form.stats:
        value, term = card.field(field), pack.vocabulary.stats.get(field)
        if field.partition(".")[0] in card.data:
            short = pick(term.short, lang, source) or pick(term.name, lang, source) if term else field
            yield short, "—" if value is None else str(value)


def reminders(pack: Pack, card: Card, lang: str) -> Iterator[Reminder]:
    """The texts of a card that pack.yaml lists as reminders, in a language."""
    _, data = localised(pack, card, lang)
    for path in pack.manifest.roster.sheet.reminders:
        head, star, rest = path.partition(".*.")
        if not star:
            yield from _reminder("", lookup(data, path.split(".")))
            continue
        items = lookup(data, head.split("."))
        for item in items.values() if isinstance(items, Mapping) else ():
            yield from _reminder(str(lookup(item, ["name"]) or ""), lookup(item, rest.split(".")))


def _reminder(name: str, text: Json) -> Iterator[Reminder]:
    """A reminder where there is a text."""
    if isinstance(text, str):
        yield Reminder(name, text)
