"""Lay out a squad for readers: its lines, its deployment order, and the rules of its pack."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.errors import PackUnreadable
from builder.model.base import DataPath
from builder.model.sheets import SheetStep
from builder.packs.pack_files import PackFiles
from builder.roster.costs import calculate_costs
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.evaluate import Evaluator
from builder.rules.format import Formatter
from builder.rules.names import Names
from builder.rules.order import find_deployment
from builder.rules.wording import format_surcharge
from builder.usecases.pack_states import find_verdict_errors
from builder.usecases.roster.check_roster import CheckedRoster, resolve_language


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in the listing of a squad: its copies, costs, slots and remarks.

    `cost` is that of one copy, `total` of all.
    """

    name: str
    count: int
    cost: int | float
    total: int | float
    slots: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry in the listing of a squad, with its attachments."""

    number: int
    entry: CardLine
    attachments: tuple[CardLine, ...]
    total: int | float


@dataclass(frozen=True, slots=True)
class SquadListing:
    """The listing of a squad for readers. `total` includes the deck."""

    lines: tuple[EntryLine, ...]
    deck: tuple[CardLine, ...]
    total: int | float


def list_squad(result: CheckedRoster) -> SquadListing | None:
    """Return the listing of a checked squad. None if it is unreadable."""
    checker, squad = result.checker, result.squad
    if checker is None or squad is None:
        return None
    names = Names(checker.pack, result.lang)
    breakdown = calculate_costs(squad)
    placement = checker.find_attachment_slots(squad)
    lines = []
    for entry in squad.entries:
        remarks = []
        for key, value in entry.choices.items():
            field = f"choice.{key}"
            remarks.append(
                f"{names.name_field(field)}: {names.name_value(field, value)}"
            )
        for link in squad.roster.entries[entry.line].links:
            target = squad.links.get((entry.line, link))
            if target is not None:
                remarks.append(
                    f"{names.name_link(link)}: {name_entry(target, squad, names)}"
                )
        model = _list_card(entry, names, squad, placement, remarks)
        attachments = tuple(
            _list_card(attachment, names, squad, placement)
            for attachment in squad.list_attachments(entry)
        )
        total = breakdown.sum_entry(entry.line)
        lines.append(EntryLine(entry.line + 1, model, attachments, total))
    deck = tuple(_list_card(card, names, squad, placement) for card in squad.deck)
    return SquadListing(tuple(lines), deck, breakdown.total)


def name_entry(selected: SelectedCard, squad: Squad, names: Names) -> str:
    """Return the player's name for an entry, or the name of its card, numbered if repeated."""
    name = squad.roster.entries[selected.line].name or names.name_card(selected.card.id)
    copies = sum(entry.card.id == selected.card.id for entry in squad.entries)
    return f"{name} #{selected.line + 1}" if copies > 1 else name


def _list_card(
    selected: SelectedCard,
    names: Names,
    squad: Squad,
    placement: dict[DataPath, tuple[str, ...]],
    remarks: Iterable[str] = (),
) -> CardLine:
    surcharges = squad.surcharges.get(id(selected), ())
    surcharge_texts = [format_surcharge(surcharge, names) for surcharge in surcharges]
    slots = placement.get(selected.path, ())
    return CardLine(
        names.name_card(selected.card.id),
        selected.count,
        selected.card.cost or 0,
        squad.calculate_cost(selected),
        tuple(map(names.name_slot, slots)),
        (*remarks, *surcharge_texts),
    )


def list_deployment(result: CheckedRoster) -> tuple[SheetStep, ...]:
    """Return the steps of a squad's deployment order, one per copy of a card.

    Empty if the pack declares no order.
    """
    checker, squad = result.checker, result.squad
    if checker is None or squad is None:
        return ()
    names = Names(checker.pack, result.lang)
    steps = []
    for number, placed in enumerate(find_deployment(squad, checker.pack), 1):
        selected = placed.selected
        name = names.name_card(selected.card.id)
        # Attachments have a host, and cards of the deck no line.
        if selected.host is None and selected.line >= 0:
            name = name_entry(selected, squad, names)
        if selected.count > 1:
            name += f" ({placed.copy}/{selected.count})"
        neighbour = placed.after or selected.host
        neighbour_name = (
            name_entry(neighbour, squad, names) if neighbour is not None else ""
        )
        label = names.choose_name(placed.label, "")
        steps.append(SheetStep(number, label, name, neighbour_name, selected.card.cost))
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule of a pack as a sentence, with its title and its source in the rulebook."""

    id: str
    title: str
    source: str
    sentence: str


def list_rules(
    packs: PackFiles, pack_ids: Iterable[str], lang: str | None
) -> Iterator[tuple[str, tuple[RuleText, ...]]]:
    """Yield (name of the game, its rules as sentences) for each pack."""
    for pack_id in pack_ids:
        loaded = packs.load_pack(pack_id)
        pack = loaded.pack
        errors = find_verdict_errors(packs, loaded)
        if pack is None or errors:
            raise PackUnreadable(pack_id, errors)
        formatter = Formatter(Evaluator(pack), resolve_language(pack, lang))
        names = formatter.names
        rules = []
        for form in formatter.evaluator.forms:
            rule = form.rule
            title = names.choose_name(rule.title, rule.id)
            source = names.choose_name(rule.source, "")
            rules.append(
                RuleText(rule.id, title, source, formatter.format_sentence(form))
            )
        yield names.choose_name(pack.manifest.name, pack_id), tuple(rules)
