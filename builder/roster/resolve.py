"""Put the cards into a roster: every line becomes picks; what cannot be understood becomes a problem.

A problem never stops the rest: the pick is left out and the other lines are judged all the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from builder.model.base import CHOICE_STEP, DataPath, Json
from builder.model.card import Card
from builder.model.pack import Choice, CostSteps, Pack, Role
from builder.model.roster import Entry, Roster
from builder.model.rules import Source


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing not understood: its code, its place in the roster, the value, and what was possible instead."""

    code: str
    path: DataPath
    value: str
    candidates: tuple[str, ...] = ()


def check_params(roster: Roster, pack: Pack) -> Iterator[Problem]:
    """The parameters and the play format of a roster against those that the pack declares."""
    declared = pack.manifest.roster.params
    if roster.pack != pack.id:
        yield Problem("other-pack", ("pack",), roster.pack, (pack.id,))
    if roster.play_format not in (None, *pack.formats):
        yield Problem(
            "unknown-play-format", ("play_format",), str(roster.play_format), tuple(pack.formats)
        )
    for name, value in roster.params.items():
        if name not in declared:
            yield Problem("unknown-parameter", (name,), name, tuple(declared))
        elif not declared[name].allows(value) or (
            declared[name].type == "integer" and type(value) is not int
        ):
            yield Problem("wrong-parameter", (name,), str(value), declared[name].allowed)
    for name, param in declared.items():
        if param.default is None and name not in roster.params:
            yield Problem("missing-parameter", (), name, param.allowed)


def check_ids(roster: Roster) -> Iterator[Problem]:
    """Names of entries, by which links point, must differ."""
    seen: set[str] = set()
    for line, entry in enumerate(roster.entries):
        if entry.id is not None and entry.id in seen:
            yield Problem("duplicate-id", ("entries", line, "id"), entry.id)
        elif entry.id is not None:
            seen.add(entry.id)


def list_allowed_values(choice: Choice, pack: Pack) -> Iterable[str]:
    """The values that a choice may have; none are stated where it takes any text."""
    return (
        (card.id for card in pack.list_cards_of_kind(choice.cards))
        if choice.cards is not None
        else choice.values
    )


def check_choices(
    entry: Entry, pack: Pack, allowed: Mapping[str, tuple[str, ...]], place: DataPath
) -> Iterator[Problem]:
    """The choices of one entry against those that the pack declares, and their values against those allowed."""
    declared = pack.manifest.roster.choices
    for name, value in entry.choices.items():
        choice = declared.get(name)
        if choice is None:
            yield Problem("unknown-choice", (*place, name), name, tuple(declared))
        elif not value.strip():
            yield Problem("empty-choice", (*place, name), name)
        elif not choice.free and choice.field is None and value not in allowed[name]:
            yield Problem("wrong-choice", (*place, name), value, allowed[name])


MAX_LISTED_NAMES = 100
"""Lines of a roster that are named where one was misspelt, at most."""
SOURCE_BY_ROLE = {
    Role.ENTRY: Source.ENTRIES,
    Role.ATTACHMENT: Source.ATTACHMENTS,
    Role.DECK: Source.DECK,
}
"""Where the cards of a role stand in a roster."""


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCard:
    """One card of a roster at its place.

    `count` are the copies in the whole roster, `each` the copies that one model has (an entry: its own count).
    `path` is the place in the roster file; `line` the entry's index (-1 for a card of the deck).
    """

    card: Card
    source: Source
    path: DataPath
    line: int
    count: int
    copies_per_model: int
    choices: Mapping[str, str] = field(default_factory=dict)
    host: "SelectedCard | None" = None
    slot: str | None = None

    def get_value(self, path: str) -> Json:
        """Return a card field by its dotted path, or a choice of the entry as `choice.NAME`; None where absent.

        A step `{choice.NAME}` of the path is what was chosen: `tools.{choice.tool}.type`.
        """
        if path.startswith("choice."):
            return self.choices.get(path[7:])
        if "{" not in path:
            return self.card.field(path)
        return self.get_chosen_value(path, self.choices)

    def get_chosen_value(self, path: str, choices: Mapping[str, str]) -> Json:
        """Return a card field at a path with `{choice.NAME}` steps, by these choices; None where one is not made."""
        if any(name not in choices for name in CHOICE_STEP.findall(path)):
            return None
        return self.card.field(CHOICE_STEP.sub(lambda step: choices[step[1]], path))


def select_card(
    card: Card,
    source: Source = Source.ENTRIES,
    host: SelectedCard | None = None,
    choices: Mapping[str, str] | None = None,
) -> SelectedCard:
    """A card as a pick by itself, in no roster."""
    return SelectedCard(card, source, (), -1, 1, 1, choices or {}, host)


def select_all_cards(pack: Pack) -> dict[str, SelectedCard]:
    """Every card that may stand in a roster as a pick by itself, by its id."""
    sources = ((card, SOURCE_BY_ROLE.get(pack.role(card))) for card in pack.cards.values())
    return {card.id: select_card(card, source) for card, source in sources if source is not None}


@dataclass(frozen=True, slots=True)
class Surcharge:
    """What some copies of a pick (or its line) cost more, or less, than the card says: so many, from the `first` on."""

    by: str
    first: int
    copies: int
    more: int | float


@dataclass(frozen=True)
class Squad:
    """A roster with its cards put in.

    `ties[(line, link)]` is the entry that a stated link points at. `params` has the pack's defaults filled in.
    `cost_steps` are those of each kind that has any.
    """

    roster: Roster
    params: Mapping[str, int | str]
    entries: tuple[SelectedCard, ...]
    attachments: tuple[SelectedCard, ...]
    deck: tuple[SelectedCard, ...]
    links: Mapping[tuple[int, str], SelectedCard]
    problems: tuple[Problem, ...]
    cost_steps: Mapping[str, tuple[CostSteps, ...]] = field(default_factory=dict)

    def calculate_cost(self, selected: SelectedCard) -> int | float:
        """What all copies of a pick cost."""
        more = sum(one.copies * one.more for one in self.surcharges.get(id(selected), ()))
        return selected.count * (selected.card.cost or 0) + more

    @cached_property
    def surcharges(self) -> Mapping[int, tuple[Surcharge, ...]]:
        """By the identity of a pick; copies are counted in the order of the file."""
        before: Counter[tuple[str, str]] = Counter()
        found: dict[int, list[Surcharge]] = {}
        for selected in self.list_cards(Source.ALL) if self.cost_steps else ():
            for steps in self.cost_steps.get(selected.card.kind, ()):
                key = (selected.card.id, steps.by)
                start = 0 if steps.by == "size" else before[key]
                end = start + (1 if steps.by == "line" else selected.count)
                before[key] = end
                rungs = steps.list_steps(selected.card)
                for (first, more), last in zip(
                    rungs, [*(first - 1 for first, _more in rungs[1:]), end], strict=False
                ):
                    copies = min(end, last) - max(start, first - 1)
                    if copies > 0 and more:
                        found.setdefault(id(selected), []).append(
                            Surcharge(steps.by, first, copies, more)
                        )
        return {selected: tuple(listed) for selected, listed in found.items()}

    def list_cards(self, source: Source) -> tuple[SelectedCard, ...]:
        """The picks of one source, in the order of the file."""
        if source is Source.ALL:
            return (*self.entries, *self.attachments, *self.deck)
        return {
            Source.ENTRIES: self.entries,
            Source.ATTACHMENTS: self.attachments,
            Source.DECK: self.deck,
        }[source]

    def list_attachments(self, entry: SelectedCard) -> tuple[SelectedCard, ...]:
        """The attachments of one entry."""
        return self._loads.get(id(entry), ())

    @cached_property
    def _loads(self) -> Mapping[int, tuple[SelectedCard, ...]]:
        """What each entry carries, by its identity."""
        found: dict[int, list[SelectedCard]] = {}
        for selected in self.attachments:
            found.setdefault(id(selected.host), []).append(selected)
        return {host: tuple(picks) for host, picks in found.items()}


def fill_params(params: Mapping[str, int | str], pack: Pack) -> dict[str, int | str]:
    """A roster's parameters with the pack's defaults where none is stated."""
    defaults = {
        name: param.default
        for name, param in pack.manifest.roster.params.items()
        if param.default is not None
    }
    return {**defaults, **params}


def resolve_roster(roster: Roster, pack: Pack) -> Squad:
    """The squad that a roster describes, with a problem for each thing that is not understood."""
    problems = [*check_params(roster, pack), *check_ids(roster)]
    entries: list[SelectedCard] = []
    attachments: list[SelectedCard] = []
    named = {
        name: tuple(list_allowed_values(choice, pack))
        for name, choice in pack.manifest.roster.choices.items()
    }
    for line, entry in enumerate(roster.entries):
        place: DataPath = ("entries", line)
        problems += check_choices(entry, pack, named, place)
        card = _find_card(entry.card, Role.ENTRY, pack, (*place, "card"), problems)
        if card is None:
            continue
        host = SelectedCard(
            card, Source.ENTRIES, place, line, entry.count, entry.count, entry.choices
        )
        entries.append(host)
        for index, item in enumerate(entry.attachments):
            where: DataPath = (*place, "attachments", index)
            other = _find_card(item.card, Role.ATTACHMENT, pack, where, problems)
            if other is not None:
                attachments.append(
                    SelectedCard(
                        other,
                        Source.ATTACHMENTS,
                        where,
                        line,
                        entry.count,
                        1,
                        host=host,
                        slot=item.slot,
                    )
                )
    deck: list[SelectedCard] = []
    for index, owned in enumerate(roster.deck):
        card = _find_card(owned.card, Role.DECK, pack, ("deck", index), problems)
        if card is not None:
            deck.append(
                SelectedCard(card, Source.DECK, ("deck", index), -1, owned.count, owned.count)
            )
    ties = _ties(roster, entries, pack, problems)
    params = fill_params(roster.params, pack)
    steps = {name: kind.costs for name, kind in pack.manifest.kinds.items() if kind.costs}
    return Squad(
        roster,
        params,
        tuple(entries),
        tuple(attachments),
        tuple(deck),
        ties,
        tuple(problems),
        steps,
    )


def _find_card(
    name: str, role: Role, pack: Pack, path: DataPath, problems: list[Problem]
) -> Card | None:
    card = pack.cards.get(name)
    if card is not None and pack.role(card) is role:
        return card
    if card is None:
        candidates = tuple(
            sorted(known.id for known in pack.cards.values() if pack.role(known) is role)
        )
        problems.append(Problem("unknown-card", path, name, candidates))
    else:
        problems.append(Problem("wrong-role", path, name, (pack.role(card).value, role.value)))
    return None


def _ties(
    roster: Roster, entries: list[SelectedCard], pack: Pack, problems: list[Problem]
) -> dict[tuple[int, str], SelectedCard]:
    ties: dict[tuple[int, str], SelectedCard] = {}
    by_line = {selected.line: selected for selected in entries}
    called = LineNames(roster.entries)
    for line, entry in enumerate(roster.entries):
        for link, target in entry.links.items():
            path: DataPath = ("entries", line, link)
            if link not in pack.manifest.roster.links:
                problems.append(
                    Problem("unknown-link", path, link, tuple(pack.manifest.roster.links))
                )
                continue
            found = called.find_lines(target, line)
            if len(found) == 1 and found[0] in by_line:
                ties[(line, link)] = by_line[found[0]]
            elif len(found) > 1:
                problems.append(Problem("ambiguous-target", path, target, ()))
            else:
                problems.append(Problem("unknown-target", path, target, called.list_names(line)))
    return ties


class LineNames:
    """What the lines of a roster are called: by their ids and by their cards."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._by_id: dict[str, list[int]] = {}
        self._by_card: dict[str, list[int]] = {}
        for line, entry in enumerate(entries):
            self._by_card.setdefault(entry.card, []).append(line)
            if entry.id is not None:
                self._by_id.setdefault(entry.id, []).append(line)
        self._known = tuple(
            islice(dict.fromkeys(entry.id or entry.card for entry in entries), MAX_LISTED_NAMES)
        )

    def find_lines(self, word: str, line: int) -> list[int]:
        """Lines that a link of a line names, two at most: by the entry's id, else by its card; never itself."""
        for named in (self._by_id, self._by_card):
            if found := [other for other in named.get(word, ())[:3] if other != line]:
                return found[:2]
        return []

    def list_names(self, line: int) -> tuple[str, ...]:
        """What a link of a line may name, the first of it in a large roster."""
        own = self.entries[line]
        alone = len(self._by_card[own.card]) == 1 or own.id is not None
        return tuple(name for name in self._known if not (alone and name == (own.id or own.card)))


def make_addition(
    card: Card, source: Source, host: SelectedCard | None, squad: Squad
) -> SelectedCard:
    """The pick that an addition to the squad would make."""
    if host is not None:
        entries = squad.roster.entries
        held = len(entries[host.line].attachments) if host.line < len(entries) else 0
        place = (*host.path, "attachments", held)
        return SelectedCard(card, source, place, host.line, host.count, 1, host=host)
    if source is Source.DECK:
        return SelectedCard(card, source, ("deck", len(squad.roster.deck)), -1, 1, 1)
    line = len(squad.roster.entries)
    return SelectedCard(card, source, ("entries", line), line, 1, 1)


def add_card(squad: Squad, selected: SelectedCard) -> Squad:
    """The squad with a pick added."""
    if selected.source is Source.ENTRIES:
        return replace(squad, entries=(*squad.entries, selected))
    if selected.source is Source.ATTACHMENTS:
        return replace(squad, attachments=(*squad.attachments, selected))
    return replace(squad, deck=(*squad.deck, selected))


def replace_entries(squad: Squad, replacements: Mapping[int, SelectedCard]) -> Squad:
    """Return the squad with other picks for some entries, given by the identity of the old ones.

    Attachments and links of the squad then refer to the new picks.
    """
    if not replacements:
        return squad
    attachments = []
    for selected in squad.attachments:
        host = replacements.get(id(selected.host))
        attachments.append(selected if host is None else replace(selected, host=host))
    return replace(
        squad,
        entries=tuple(replacements.get(id(entry), entry) for entry in squad.entries),
        attachments=tuple(attachments),
        links={link: replacements.get(id(target), target) for link, target in squad.links.items()},
    )
