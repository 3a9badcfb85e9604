"""Combine a roster with the cards of its pack. What cannot be resolved becomes a problem.

A problem never stops the rest: the card is left out, and the other lines are checked all the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from builder.model.base import CHOICE_STEP, DataPath, Json
from builder.model.card import Card
from builder.model.pack import Choice, CostSteps, Pack, Param, Role
from builder.model.roster import Entry, Roster
from builder.model.rules import Source

MAX_LISTED_NAMES = 100
"""Names of lines that a problem lists where a name was misspelt."""
SOURCE_BY_ROLE = {
    Role.ENTRY: Source.ENTRIES,
    Role.ATTACHMENT: Source.ATTACHMENTS,
    Role.DECK: Source.DECK,
}
"""The part of a roster where the cards of a role are listed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a roster that cannot be read or resolved, with its path and the possible values."""

    code: str
    path: DataPath
    value: str
    candidates: tuple[str, ...] = ()


def check_params(roster: Roster, pack: Pack) -> Iterator[Problem]:
    """Yield the problems with a roster's pack, play format and parameters."""
    declared = pack.manifest.roster.params
    if roster.pack != pack.id:
        yield Problem("other-pack", ("pack",), roster.pack, (pack.id,))
    if roster.play_format not in (None, *pack.formats):
        format_name = str(roster.play_format)
        yield Problem(
            "unknown-play-format", ("play_format",), format_name, tuple(pack.formats)
        )
    for name, value in roster.params.items():
        if name not in declared:
            yield Problem("unknown-parameter", (name,), name, tuple(declared))
        elif not _is_allowed(declared[name], value):
            yield Problem(
                "wrong-parameter", (name,), str(value), declared[name].allowed
            )
    for name, param in declared.items():
        if param.default is None and name not in roster.params:
            yield Problem("missing-parameter", (), name, param.allowed)


def _is_allowed(param: Param, value: int | str) -> bool:
    # bool is a subclass of int, so the exact type is compared
    if param.type == "integer" and type(value) is not int:
        return False
    return param.accepts_value(value)


def check_ids(roster: Roster) -> Iterator[Problem]:
    """Yield a problem for each entry whose id another entry has too."""
    seen_ids = set()
    for line, entry in enumerate(roster.entries):
        if entry.id is None:
            continue
        if entry.id in seen_ids:
            yield Problem("duplicate-id", ("entries", line, "id"), entry.id)
        seen_ids.add(entry.id)


def list_allowed_values(choice: Choice, pack: Pack) -> Iterable[str]:
    """Return the values that a choice may have. Empty if it takes any text."""
    if choice.cards is None:
        return choice.values
    return [card.id for card in pack.list_cards_of_kind(choice.cards)]


def check_choices(
    entry: Entry, pack: Pack, allowed: Mapping[str, tuple[str, ...]], place: DataPath
) -> Iterator[Problem]:
    """Yield the problems with an entry's choices.

    `allowed` gives the values of each choice by its name.
    """
    declared = pack.manifest.roster.choices
    for name, value in entry.choices.items():
        choice = declared.get(name)
        if choice is None:
            yield Problem("unknown-choice", (*place, name), name, tuple(declared))
        elif not value.strip():
            yield Problem("empty-choice", (*place, name), name)
        elif not choice.free and choice.field is None and value not in allowed[name]:
            yield Problem("wrong-choice", (*place, name), value, allowed[name])


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCard:
    """A card of a roster at its position: its copies, its choices, and the model that has it.

    `count` is the number of its copies in the whole roster. `copies_per_model` is that on one
    model, for an entry its own count. `path` is the place in the roster file. `line` is the entry's
    index, -1 for a card of the deck.
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
        """Return a field of the card by its dotted path, or a choice as `choice.NAME`.

        None where absent.

        A step `{choice.NAME}` of the path is what was chosen: `tools.{choice.tool}.type`.
        """
        if path.startswith("choice."):
            return self.choices.get(path.removeprefix("choice."))
        if "{" not in path:
            return self.card.get_field(path)
        return self.get_chosen_value(path, self.choices)

    def get_chosen_value(self, path: str, choices: Mapping[str, str]) -> Json:
        """Return a field of the card, with choices in place of `{choice.NAME}` in the path.

        None if one of the choices is missing.
        """
        if any(name not in choices for name in CHOICE_STEP.findall(path)):
            return None
        return self.card.get_field(CHOICE_STEP.sub(lambda step: choices[step[1]], path))


def make_test_selection(
    card: Card,
    source: Source = Source.ENTRIES,
    host: SelectedCard | None = None,
    choices: Mapping[str, str] | None = None,
) -> SelectedCard:
    """Return one copy of a card outside any roster, to evaluate conditions on it."""
    return SelectedCard(card, source, (), -1, 1, 1, choices or {}, host)


def make_test_selections(pack: Pack) -> dict[str, SelectedCard]:
    """Return one copy of each card that a roster may have, by id, to evaluate conditions on it."""
    selected_cards = {}
    for card in pack.cards.values():
        source = SOURCE_BY_ROLE.get(pack.find_role(card))
        if source is not None:
            selected_cards[card.id] = make_test_selection(card, source)
    return selected_cards


@dataclass(frozen=True, slots=True)
class Surcharge:
    """The additional cost of later copies of a card.

    `copies` copies from number `first` on cost `more` each, which may be negative. `by` is the kind
    of cost step.
    """

    by: str
    first: int
    copies: int
    more: float

    @property
    def total(self) -> float:
        """The additional cost of all these copies."""
        return self.copies * self.more


@dataclass(frozen=True)
class Squad:
    """A roster together with its cards.

    `links[(line, link)]` is the entry that a link of a line points at. `params` include the pack's
    defaults. `cost_steps` are those of each kind that has any.
    """

    roster: Roster
    params: Mapping[str, int | str]
    entries: tuple[SelectedCard, ...]
    attachments: tuple[SelectedCard, ...]
    deck: tuple[SelectedCard, ...]
    links: Mapping[tuple[int, str], SelectedCard]
    problems: tuple[Problem, ...]
    cost_steps: Mapping[str, tuple[CostSteps, ...]] = field(default_factory=dict)

    def calculate_cost(self, selected: SelectedCard) -> float:
        """Return the cost of all copies of a card at its position."""
        extra_cost = sum(
            surcharge.total for surcharge in self.surcharges.get(id(selected), ())
        )
        return selected.count * (selected.card.cost or 0) + extra_cost

    @cached_property
    def surcharges(self) -> Mapping[int, tuple[Surcharge, ...]]:
        """The additional costs of each card. Copies are counted in the order of the file."""
        if not self.cost_steps:
            return {}
        # a card may be selected several times, so surcharges are kept by object, not by card
        counted_copies: Counter[tuple[str, str]] = Counter()
        surcharges: dict[int, tuple[Surcharge, ...]] = {}
        for selected in self.list_cards(Source.ALL):
            for steps in self.cost_steps.get(selected.card.kind, ()):
                key = (selected.card.id, steps.by)
                # steps by size begin anew on each line, and those by line count a line once
                start = 0 if steps.by == "size" else counted_copies[key]
                counted_copies[key] = start + (
                    1 if steps.by == "line" else selected.count
                )
                additional = _find_surcharges(
                    steps, selected.card, start, counted_copies[key]
                )
                if additional:
                    present = surcharges.get(id(selected), ())
                    surcharges[id(selected)] = (*present, *additional)
        return surcharges

    def list_cards(self, source: Source) -> tuple[SelectedCard, ...]:
        """Return the cards of one section of the roster, in the order of the file."""
        if source is Source.ALL:
            return (*self.entries, *self.attachments, *self.deck)
        if source is Source.ENTRIES:
            return self.entries
        return self.attachments if source is Source.ATTACHMENTS else self.deck

    def list_attachments(self, entry: SelectedCard) -> tuple[SelectedCard, ...]:
        """Return the attachments of an entry."""
        return self._attachments_by_host.get(id(entry), ())

    @cached_property
    def _attachments_by_host(self) -> Mapping[int, tuple[SelectedCard, ...]]:
        """The attachments of each entry, by the identity of the entry."""
        attachments: dict[int, list[SelectedCard]] = {}
        for selected in self.attachments:
            attachments.setdefault(id(selected.host), []).append(selected)
        return {host_id: tuple(load) for host_id, load in attachments.items()}


def _find_surcharges(
    steps: CostSteps, card: Card, start: int, end: int
) -> list[Surcharge]:
    """Return the additional costs of the copies from `start` + 1 to `end`."""
    card_steps = steps.list_steps(card)
    last_copies = [first - 1 for first, _more in card_steps[1:]] + [end]
    surcharges = []
    # not strict: a card without steps has one last copy, but no step
    for (first, more), last in zip(card_steps, last_copies, strict=False):
        copies = min(end, last) - max(start, first - 1)
        if copies > 0 and more:
            surcharges.append(Surcharge(steps.by, first, copies, more))
    return surcharges


def fill_params(params: Mapping[str, int | str], pack: Pack) -> dict[str, int | str]:
    """Return the parameters of a roster, with the pack's defaults for missing ones."""
    filled_params = {}
    for name, param in pack.manifest.roster.params.items():
        if param.default is not None:
            filled_params[name] = param.default
    return {**filled_params, **params}


def resolve_roster(roster: Roster, pack: Pack) -> Squad:
    """Look up all cards and links of a roster. Parts that are unknown become problems."""
    return _RosterResolver(roster, pack).resolve()


class _RosterResolver:
    """Resolves one roster."""

    def __init__(self, roster: Roster, pack: Pack) -> None:
        self.roster = roster
        self.pack = pack
        self.problems = [*check_params(roster, pack), *check_ids(roster)]
        self.entries: list[SelectedCard] = []
        self.attachments: list[SelectedCard] = []
        self.deck: list[SelectedCard] = []
        self.allowed_values: dict[str, tuple[str, ...]] = {}
        for name, choice in pack.manifest.roster.choices.items():
            self.allowed_values[name] = tuple(list_allowed_values(choice, pack))

    def resolve(self) -> Squad:
        """Return the squad."""
        for line, entry in enumerate(self.roster.entries):
            self._add_entry(line, entry)
        for index, item in enumerate(self.roster.deck):
            path: DataPath = ("deck", index)
            card = self._find_card(item.card, Role.DECK, path)
            if card is not None:
                count = item.count
                self.deck.append(
                    SelectedCard(card, Source.DECK, path, -1, count, count)
                )
        links = self._find_links()
        cost_steps = {}
        for name, kind in self.pack.manifest.kinds.items():
            if kind.costs:
                cost_steps[name] = kind.costs
        return Squad(
            roster=self.roster,
            params=fill_params(self.roster.params, self.pack),
            entries=tuple(self.entries),
            attachments=tuple(self.attachments),
            deck=tuple(self.deck),
            links=links,
            problems=tuple(self.problems),
            cost_steps=cost_steps,
        )

    def _add_entry(self, line: int, entry: Entry) -> None:
        """Add an entry and its attachments to the squad."""
        path: DataPath = ("entries", line)
        self.problems += check_choices(entry, self.pack, self.allowed_values, path)
        card = self._find_card(entry.card, Role.ENTRY, (*path, "card"))
        if card is None:
            return
        count = entry.count
        host = SelectedCard(
            card, Source.ENTRIES, path, line, count, count, entry.choices
        )
        self.entries.append(host)
        for index, item in enumerate(entry.attachments):
            item_path: DataPath = (*path, "attachments", index)
            item_card = self._find_card(item.card, Role.ATTACHMENT, item_path)
            if item_card is not None:
                attachment = SelectedCard(
                    card=item_card,
                    source=Source.ATTACHMENTS,
                    path=item_path,
                    line=line,
                    count=count,
                    copies_per_model=1,
                    host=host,
                    slot=item.slot,
                )
                self.attachments.append(attachment)

    def _find_card(self, card_id: str, role: Role, path: DataPath) -> Card | None:
        """Return the card with this id.

        Add a problem and return None if no such card has the role.
        """
        pack = self.pack
        card = pack.cards.get(card_id)
        if card is None:
            candidates = sorted(card.id for card in pack.list_cards_of_role(role))
            self.problems.append(
                Problem("unknown-card", path, card_id, tuple(candidates))
            )
            return None
        actual_role = pack.find_role(card)
        if actual_role is not role:
            roles = (actual_role.value, role.value)
            self.problems.append(Problem("wrong-role", path, card_id, roles))
            return None
        return card

    def _find_links(self) -> dict[tuple[int, str], SelectedCard]:
        """Return the target of each link, by line and link.

        Add a problem for each link without one target.
        """
        declared = self.pack.manifest.roster.links
        links = {}
        entries_by_line = {entry.line: entry for entry in self.entries}
        line_names = LineNames(self.roster.entries)
        for line, entry in enumerate(self.roster.entries):
            for link, target in entry.links.items():
                path: DataPath = ("entries", line, link)
                if link not in declared:
                    self.problems.append(
                        Problem("unknown-link", path, link, tuple(declared))
                    )
                    continue
                target_lines = line_names.find_lines(target, line)
                if len(target_lines) > 1:
                    self.problems.append(Problem("ambiguous-target", path, target, ()))
                elif target_lines and target_lines[0] in entries_by_line:
                    links[(line, link)] = entries_by_line[target_lines[0]]
                else:
                    names = line_names.list_names(line)
                    self.problems.append(Problem("unknown-target", path, target, names))
        return links


class LineNames:
    """Finds the lines of a roster by the names that links use: their ids or cards."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._lines_by_id: dict[str, list[int]] = {}
        self._lines_by_card: dict[str, list[int]] = {}
        for line, entry in enumerate(entries):
            self._lines_by_card.setdefault(entry.card, []).append(line)
            if entry.id is not None:
                self._lines_by_id.setdefault(entry.id, []).append(line)
        names = dict.fromkeys(entry.id or entry.card for entry in entries)
        self._first_names = tuple(islice(names, MAX_LISTED_NAMES))

    def find_lines(self, name: str, linked_line: int) -> list[int]:
        """Return the lines that a link may mean by a name, at most 2.

        An id goes before a card. A line is never linked to itself.
        """
        for lines_by_name in (self._lines_by_id, self._lines_by_card):
            # three are enough for two others, and a large roster has thousands
            lines = [
                line for line in lines_by_name.get(name, ())[:3] if line != linked_line
            ]
            if lines:
                return lines[:2]
        return []

    def list_names(self, linked_line: int) -> tuple[str, ...]:
        """Return the names that a link of a line may use, only some of a large roster."""
        entry = self.entries[linked_line]
        has_own_name = entry.id is not None or len(self._lines_by_card[entry.card]) == 1
        if not has_own_name:
            return self._first_names
        own_name = entry.id or entry.card
        return tuple(name for name in self._first_names if name != own_name)


def make_addition(
    card: Card, source: Source, host: SelectedCard | None, squad: Squad
) -> SelectedCard:
    """Return a card at the position that it would have after it is added to the squad."""
    if host is not None:
        entries = squad.roster.entries
        index = len(entries[host.line].attachments) if host.line < len(entries) else 0
        path = (*host.path, "attachments", index)
        return SelectedCard(card, source, path, host.line, host.count, 1, host=host)
    if source is Source.DECK:
        return SelectedCard(card, source, ("deck", len(squad.roster.deck)), -1, 1, 1)
    line = len(squad.roster.entries)
    return SelectedCard(card, source, ("entries", line), line, 1, 1)


def add_card(squad: Squad, selected: SelectedCard) -> Squad:
    """Return the squad with one more card."""
    if selected.source is Source.ENTRIES:
        return replace(squad, entries=(*squad.entries, selected))
    if selected.source is Source.ATTACHMENTS:
        return replace(squad, attachments=(*squad.attachments, selected))
    return replace(squad, deck=(*squad.deck, selected))


def replace_entries(squad: Squad, replacements: Mapping[int, SelectedCard]) -> Squad:
    """Return the squad with some entries replaced.

    `replacements` are given by the identity of the old entries. Attachments and links then refer to
    the new ones.
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
        links={
            link: replacements.get(id(target), target)
            for link, target in squad.links.items()
        },
    )
