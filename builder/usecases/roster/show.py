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
    """One card of a line: name, copies, cost of one and of all, slots, and notes."""

    name: str
    count: int
    cost: int | float
    total: int | float
    slots: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry with its attachments."""

    number: int
    entry: CardLine
    attachments: tuple[CardLine, ...]
    total: int | float


@dataclass(frozen=True, slots=True)
class SquadListing:
    """A whole squad. `total` is the sum of all lines and the deck."""

    lines: tuple[EntryLine, ...]
    deck: tuple[CardLine, ...]
    total: int | float


def list_squad(result: CheckedRoster) -> SquadListing | None:
    """Return the lines of a checked roster. None if it is unreadable."""
    checker, squad = result.checker, result.squad
    if checker is None or squad is None:
        return None
    names = Names(checker.pack, result.lang)
    breakdown = calculate_costs(squad)
    placement = checker.find_placement(squad)
    lines = []
    for entry in squad.entries:
        remarks = [
            f"{names.name_field(f'choice.{key}')}: {names.name_value(f'choice.{key}', value)}"
            for key, value in entry.choices.items()
        ]
        for link in squad.roster.entries[entry.line].links:
            target = squad.links.get((entry.line, link))
            if target is not None:
                remarks.append(f"{names.name_link(link)}: {name_entry(target, squad, names)}")
        card_view = _show_card(entry, names, squad, placement, tuple(remarks))
        attachments = tuple(
            _show_card(pick, names, squad, placement) for pick in squad.list_attachments(entry)
        )
        lines.append(
            EntryLine(entry.line + 1, card_view, attachments, breakdown.sum_entry(entry.line))
        )
    deck = tuple(_show_card(pick, names, squad, placement) for pick in squad.deck)
    return SquadListing(tuple(lines), deck, breakdown.total)


def name_entry(pick: SelectedCard, squad: Squad, names: Names) -> str:
    """Return the player's name of an entry, or the name of its card, numbered if repeated."""
    own_name = squad.roster.entries[pick.line].name
    twins = sum(entry.card.id == pick.card.id for entry in squad.entries) > 1
    return (own_name or names.name_card(pick.card.id)) + (f" #{pick.line + 1}" if twins else "")


def _show_card(
    pick: SelectedCard,
    names: Names,
    squad: Squad,
    placement: dict[DataPath, tuple[str, ...]],
    remarks: tuple[str, ...] = (),
) -> CardLine:
    steps = tuple(
        format_surcharge(surcharge, names) for surcharge in squad.surcharges.get(id(pick), ())
    )
    slots = tuple(names.name_slot(slot) for slot in placement.get(pick.path, ()))
    return CardLine(
        names.name_card(pick.card.id),
        pick.count,
        pick.card.cost or 0,
        squad.calculate_cost(pick),
        slots,
        (*remarks, *steps),
    )


def list_deployment(result: CheckedRoster) -> tuple[SheetStep, ...]:
    """Return the deployment order of a checked roster, one step per copy.

    Empty if the pack declares no order.
    """
    checker, squad = result.checker, result.squad
    if checker is None or squad is None:
        return ()
    names = Names(checker.pack, result.lang)
    steps = []
    for number, placed in enumerate(find_deployment(squad, checker.pack), 1):
        pick = placed.selected
        own_name = name_entry(pick, squad, names) if pick.host is None and pick.line >= 0 else ""
        name = own_name or names.name_card(pick.card.id)
        if pick.count > 1:
            name += f" ({placed.copy}/{pick.count})"
        neighbour = placed.after or pick.host
        neighbour_name = name_entry(neighbour, squad, names) if neighbour is not None else ""
        steps.append(
            SheetStep(
                number, names.choose_name(placed.label, ""), name, neighbour_name, pick.card.cost
            )
        )
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule with its id, its title and sentence in a language, and its source in the rulebook."""

    id: str
    title: str
    source: str
    sentence: str


def list_rules(
    packs: PackFiles, pack_ids: Iterable[str], lang: str | None
) -> Iterator[tuple[str, tuple[RuleText, ...]]]:
    """Yield the name of the game and the rules of each pack. Raise PackUnreadable."""
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
            rules.append(RuleText(rule.id, title, source, formatter.format_sentence(form)))
        yield names.choose_name(pack.manifest.name, pack_id), tuple(rules)
