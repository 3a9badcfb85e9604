"""The `slots` form: what an entry carries is matched to its slots, a true matching."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from builder.messages import gettext as _
from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.linear import NO, Term
from builder.model.pack import Pack
from builder.model.rules import Slots
from builder.roster.operations import FreeSlot, Remove
from builder.roster.resolve import SelectedCard, Squad, add_card
from builder.rules.bounds import DerivedBound, Params, to_number
from builder.rules.candidates import Candidate, Removals, move_subject, remove_copies
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import DecisionLine
from builder.rules.forms.base import UNLIMITED, AdditionLimit, RuleForm, make_presence_watch
from builder.rules.names import Names
from builder.rules.rule_index import Watch
from builder.rules.violation import Counted, Headroom, Violation
from builder.rules.wording import format_selection


@dataclass(frozen=True, slots=True)
class SlotNeed:
    """One item: the slot types it accepts (None: any) and how many slots it takes."""

    accepts: frozenset[str] | None
    size: int = 1

    def accepts_slot(self, slot: str) -> bool:
        """True if a slot of this type will do."""
        return self.accepts is None or slot in self.accepts


@dataclass(frozen=True, slots=True)
class Placement:
    """Slot indices per item, empty for an item left over."""

    slots: tuple[tuple[int, ...], ...]
    unplaced: tuple[int, ...]


def match_slots(needs: Sequence[SlotNeed], slots: Sequence[str]) -> Placement:
    """Place all items if that is possible; else as many, in order, as fit together."""
    owner: dict[int, int] = {}
    left: list[int] = []
    for item, need in enumerate(needs):
        before = dict(owner)
        if not all(_augment(item, needs, slots, owner, set()) for _ in range(need.size)):
            owner.clear()
            owner.update(before)
            left.append(item)
    held: list[list[int]] = [[] for _ in needs]
    for slot in sorted(owner):
        held[owner[slot]].append(slot)
    return Placement(tuple(tuple(found) for found in held), tuple(left))


def _augment(
    item: int,
    needs: Sequence[SlotNeed],
    slots: Sequence[str],
    owner: dict[int, int],
    seen: set[int],
) -> bool:
    """Give the item one more slot, moving others along if needed. Free slots are taken first, in their order."""
    fitting = [
        index
        for index, slot in enumerate(slots)
        if index not in seen and needs[item].accepts_slot(slot)
    ]
    for index in fitting:
        if index not in owner:
            owner[index] = item
            return True
    for index in fitting:
        if owner[index] == item or index in seen:
            continue
        seen.add(index)
        holder = owner[index]
        if _augment(holder, needs, slots, owner, seen):
            owner[index] = item
            return True
    return False


ANY_SLOT = ""
"""The type of an untyped slot."""
MAX_SLOTS = 99
"""More slots or a larger size than this are cut: no game has them, and a typing error must not fill the memory."""


class _SlotLimit(AdditionLimit):
    """The room of a slots rule: the free slots of each bearer, matched anew."""

    form: "SlotsForm"

    def __init__(self, form: "SlotsForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self._loads: dict[int, list[tuple[Card, str | None]]] = {}
        for item in squad.attachments:
            if form.selector.matches_card(item):
                self._loads.setdefault(item.line, []).append((item.card, item.slot))

    def count_more(self, selected: SelectedCard) -> int:
        """How many more fit beside what is there."""
        form, host = self.form, selected.host
        if host is None or not form.selector.matches_card(selected):
            return UNLIMITED
        load = list(self._loads.get(host.line, ()))
        was = len(form.match_load(host.card, load).unplaced)
        for many in range(1, len(form.list_slots(host.card)) + 2):
            load.append((selected.card, None))
            if len(form.match_load(host.card, load).unplaced) > was:
                return many - 1
        return UNLIMITED

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """What the bearer would not hold."""
        for item in self.form.find_violations(add_card(self.squad, selected)):
            if item.group == str(selected.line):
                return item
        raise AssertionError("a bearer with room refuses nothing")


class SlotsForm(RuleForm):
    """A compiled slots rule."""

    rule: Slots
    limit_class = _SlotLimit
    is_about_host = True
    no_removal_message = _("the model has no such slot, even without its other equipment")

    def __init__(self, rule: Slots, pack: Pack) -> None:
        super().__init__(rule, pack)
        self._placed: dict[tuple[str, tuple[tuple[str, str | None], ...]], Placement] = {}

    def list_slots(self, card: Card) -> tuple[str, ...]:
        """The slot types of a bearer, one per slot; the empty string for an untyped one."""
        value = card.get_field(self.rule.slots)
        if isinstance(value, Mapping):
            return tuple(kind for kind, many in value.items() for _ in range(_many(many)))
        if isinstance(value, list | tuple):
            return tuple(ANY_SLOT if item is None else str(item) for item in value)
        return (ANY_SLOT,) * _many(value)

    def find_need(self, card: Card, named: str | None) -> SlotNeed:
        """What one attachment takes; a slot that the player named is the only one accepted."""
        value = card.get_field(self.rule.need) if self.rule.need is not None else None
        listed = value if isinstance(value, list | tuple) else (value,)
        accepts = None if value is None else frozenset(map(str, listed))
        if named is not None:
            accepts = frozenset((named,)) if accepts is None or named in accepts else frozenset()
        size = to_number(card.get_field(self.rule.size)) if self.rule.size is not None else 1
        return SlotNeed(accepts, min(int(1 if size is None else size), MAX_SLOTS))

    def match_load(self, host: Card, items: Sequence[tuple[Card, str | None]]) -> Placement:
        """The matching for one bearer; remembered, because the same load recurs in many rosters."""
        key = (host.id, tuple([(card.id, named) for card, named in items]))
        found = self._placed.get(key)
        if found is None:
            if len(self._placed) > 50_000:
                self._placed.clear()
            found = match_slots(
                [self.find_need(card, named) for card, named in items], self.list_slots(host)
            )
            self._placed[key] = found
        return found

    def match_loads(
        self, squad: Squad
    ) -> Iterator[tuple[SelectedCard, list[SelectedCard], Placement]]:
        """Each entry that carries something that needs a slot, with the matching."""
        for entry in squad.entries:
            items = [
                selected
                for selected in squad.list_attachments(entry)
                if self.selector.matches_card(selected)
            ]
            if items:
                yield (
                    entry,
                    items,
                    self.match_load(
                        entry.card, [(selected.card, selected.slot) for selected in items]
                    ),
                )

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Every entry whose attachments do not fit into its slots."""
        for entry, items, placement in self.match_loads(squad):
            if not placement.unplaced:
                continue
            needs = [self.find_need(selected.card, selected.slot) for selected in items]
            names = tuple(
                Counted(
                    selected.path,
                    selected.card.id,
                    need.size,
                    selected.count,
                    "/".join(_types(need, selected.slot)),
                )
                for selected, need in zip(items, needs, strict=True)
            )
            have = self.list_slots(entry.card)
            bound = DerivedBound(len(have), "slots", field=", ".join(slot for slot in have if slot))
            size, left = sum(need.size for need in needs), names[placement.unplaced[0]]
            yield self.make_violation(
                "no-slot", str(entry.line), names, size, bound, left, (entry.card.id,)
            )

    def needs_slot(self, selected: SelectedCard) -> bool:
        """True for all that need a slot."""
        return self.selector.matches_card(selected)

    def find_placement(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """The slot types that each attachment got, by its path; one left over is missing."""
        return {
            selected.path: tuple(
                self.list_slots(entry.card)[slot] for slot in placement.slots[index]
            )
            for entry, items, placement in self.match_loads(squad)
            for index, selected in enumerate(items)
            if index not in placement.unplaced
        }

    def format_sentence(self, names: Names) -> str:
        """What takes which slots."""
        form = _("{select} use slots of their model ({slots})")
        if self.rule.need is not None:
            form = _("{select} use slots of their model ({slots}), each of its own type")
        select = format_selection(self.rule.select, names)
        told = names.translate(_(form, select=select, slots=names.name_field(self.rule.slots)))
        if self.rule.size is not None:
            told += "; " + names.translate(
                _("number of slots: the card's {field}", field=names.name_field(self.rule.size))
            )
        return told

    def format_message(self, violation: Violation, names: Names) -> str:
        """What is left over and why, the slots there are, and each attachment with the slot that it needs."""
        bound, left = violation.bound, violation.subject
        assert bound is not None
        assert left is not None
        types = (
            f" ({', '.join(names.name_slot(slot) for slot in bound.field.split(', '))})"
            if bound.field
            else ""
        )
        wanted = [kind for kind in (left.value or "").split("/") if kind]
        have = self.list_slots(self.pack.cards[violation.candidates[0]])
        fitting = len([slot for slot in have if slot in wanted] if wanted else have)
        if violation.actual > bound.value:
            form = _(
                "no slot for {subject}: {actual} needed in total, but {bearer} has {bound}{types}"
            )
        elif fitting < left.amount:
            form = _(
                "no slot for {subject}: {needed} of the type {wanted} needed, but {bearer} "
                "has {fitting}{types}"
            )
        elif self._named(left):
            form = _("no slot for {subject}: it does not fit the slot {wanted}")
        else:
            form = _("no slot for {subject}: all slots of the type {wanted} are in use{types}")
        either = names.translate(_(" or "))
        text = names.translate(_(form, subject=names.name_subject(violation), actual=f"{violation.actual:g}",
            bound=f"{bound.value:g}", types=types, bearer=names.name_card(violation.candidates[0]), fitting=fitting,
            needed=f"{left.amount:g}", wanted=either.join(map(names.name_slot, wanted or [ANY_SLOT])),
        ))  # fmt: skip
        counted_items: list[str] = []
        for item in violation.counted:
            slots = either.join(map(names.name_slot, (item.value or "").split("/")))
            counted_items.append(f"{names.name_card(item.card)} ({slots})")
        counted_text = ", ".join(counted_items)
        return text + "; " + names.translate(_("counted: {names}", names=counted_text))

    def _named(self, item: Counted) -> bool:
        """True if an attachment is named for a slot that it does not take."""
        accepts = self.find_need(self.pack.cards[item.card], None).accepts
        return accepts is not None and not accepts & set((item.value or "").split("/"))

    def make_card_watch(self, params: Params) -> Watch:
        """Return a watch for the attachments that may need a slot."""
        return make_presence_watch(self.rule.select)

    def can_carry(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """True if everything finds its slot."""
        items = [
            (selected.card, selected.slot)
            for selected in load
            if self.selector.matches_card(selected)
        ]
        return not items or not self.match_load(host.card, items).unplaced

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """The free slots of each entry."""
        for entry in squad.entries:
            if slots := len(self.list_slots(entry.card)):
                items = [
                    selected
                    for selected in squad.list_attachments(entry)
                    if self.selector.matches_card(selected)
                ]
                used = sum(self.find_need(selected.card, selected.slot).size for selected in items)
                yield Headroom(str(entry.line), "max", used, DerivedBound(slots, "slots"))

    def find_removals(
        self, violation: Violation, place: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Each of the smallest sets of attachments whose slots would be enough."""
        host, cards = self.pack.cards[violation.candidates[0]], self.pack.cards
        items = [item for item in violation.counted if item.path != place]
        for many in range(1, len(items) + 1):
            found = [
                tuple(Remove(item.path, item.card, 1) for item in gone)
                for gone in combinations(items, many)
                if not self.match_load(
                    host,
                    [
                        *((cards[item.card], None) for item in items if item not in gone),
                        (card, None),
                    ],
                ).unplaced
            ]
            if found:
                return tuple(found)
        return ()

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Let slots be found where the player named them, give something to somebody else, or take it out."""
        named = {selected.path for selected in squad.attachments if selected.slot is not None}
        yield from (
            (FreeSlot(item.path, item.card),) for item in violation.counted if item.path in named
        )
        yield from move_subject(violation, squad)
        yield from ((remove_copies(item),) for item in reversed(violation.counted))

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """On each line a flow from what it carries into its slots."""
        for line in writer.model.lines:
            self._flow(writer, line, when)

    def _flow(self, writer: RowWriter, line: DecisionLine, when: tuple[int, ...]) -> None:
        room: dict[str, int] = {}
        for kind in self.list_slots(line.entry.selected.card):
            room[kind] = room.get(kind, 0) + 1
        used: Mapping[str, list[Term]] = {kind: [] for kind in room}
        for part in line.attachments:
            takes = writer.match_part(self.selector, part)
            if takes == NO:
                continue
            named = self.find_need(part.selected.card, part.selected.slot)
            need = self.find_need(part.selected.card, None) if part.is_freed is not None else named
            if need.size <= 0:
                continue
            places: list[Term] = []
            for kind in (kind for kind in room if need.accepts_slot(kind)):
                place = writer.program.add_variable(need.size)
                places.append((place, 1))
                used[kind].append((place, 1))
                if part.is_freed is not None and not named.accepts_slot(kind):
                    writer.program.add_row([(place, 1), (part.is_freed, -need.size)], high=0)
            writer.program.add_row(
                [*places, (part.is_present, -need.size)], low=0, high=0, when=(*when, takes)
            )
        for kind, terms in used.items():
            writer.program.add_row(terms, high=room[kind], when=when)


def _types(need: SlotNeed, named: str | None) -> list[str]:
    """The slot types that an item needs; the one named for it where it takes no slot of that type."""
    return sorted(
        need.accepts or ((named,) if need.accepts is not None and named is not None else ())
    )


def _many(value: object) -> int:
    amount = to_number(value)
    return 0 if amount is None else max(0, min(int(amount), MAX_SLOTS))
