"""Make the cards of a foreign roster. Pure.

A card is the topmost selection with a stat line, or one that costs something. Selections
above it are wrappers and have no card. Texts that many cards share go to reference cards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from builder.imported.card import ImportedCard, ImportedList, TitledText
from builder.imported.card_parts import (
    CardParts,
    describe_profile,
    drop_repeated,
    list_keywords,
)
from builder.imported.glossary import make_references, move_shared_texts
from builder.imported.roles import ImportNames, ProfileRole, find_roles, get_type_key
from builder.interchange.tree import (
    ForeignCost,
    ForeignForce,
    ForeignRoster,
    ForeignSelection,
)

GROUP_SEPARATOR = " · "
"""The separator of a force's name and those of the selections around a card."""


class CardScope(StrEnum):
    """The selections of a list that get a card each: whole units, or single models."""

    UNIT = "unit"
    MODEL = "model"


def make_imported_list(
    roster: ForeignRoster, names: ImportNames, scope: CardScope = CardScope.UNIT
) -> ImportedList:
    """Convert a foreign roster to cards, with the options and costs that belong to no card."""
    cost = _find_main_cost(roster)
    maker = _CardMaker(names, find_roles(roster, names), scope, cost)
    is_grouped = len(list(roster.walk_forces())) > 1
    for force in roster.walk_forces():
        maker.add_force(force, force.name if is_grouped else "")
        if not is_grouped and force.name not in ("", force.catalogue_name):
            maker.options.insert(0, TitledText(force.name))
    maker.add_shared_texts(roster)
    maker.add_empty_cards()
    cards, shared_texts = move_shared_texts(
        _merge_equal_cards(maker.cards), maker.shared_texts
    )
    own_total = maker.leftover_cost + sum(card.cost for card in maker.cards)
    return ImportedList(
        name=roster.name,
        system_id=roster.game_system_id,
        system_name=roster.game_system_name,
        cost_name=cost.name if cost else "",
        total=cost.value if cost and roster.costs else own_total,
        cards=tuple(cards),
        references=tuple(make_references(shared_texts)),
        options=tuple(maker.options),
        option_keywords=drop_repeated(maker.option_keywords),
        leftover_cost=maker.leftover_cost,
        notes=roster.notes,
        unknown_elements=roster.unknown_elements,
        problems=roster.problems,
        id=roster.id,
        cost_limit=_find_limit(roster, cost),
    )


def _find_limit(roster: ForeignRoster, cost: ForeignCost | None) -> float:
    """Return the roster's limit for a cost type. 0 if it has none."""
    # Other programs write -1 for no limit. `excess_cost` ignores negative limits.
    for limit in roster.cost_limits:
        if cost is not None and limit.name == cost.name:
            return limit.value
    return 0


def _find_main_cost(roster: ForeignRoster) -> ForeignCost | None:
    """Return the roster's cost type for display: the largest total in points, else the largest.

    If the file has no totals, the costs of its selections are added.
    """
    costs = roster.costs or _sum_costs_by_type(roster)
    points = [
        cost
        for cost in costs
        if re.match(r"pts|points|credits", cost.name, re.IGNORECASE)
    ]
    used_costs = [cost for cost in costs if cost.value]
    used_points = [cost for cost in points if cost.value]
    candidates = used_points or used_costs or points or costs
    return max(candidates, key=lambda cost: cost.value, default=None)


def _sum_costs_by_type(roster: ForeignRoster) -> tuple[ForeignCost, ...]:
    """Return the sums of all selections' costs, one per cost type."""
    sums: defaultdict[tuple[str, str], float] = defaultdict(float)
    for selection in roster.walk_selections():
        for cost in selection.costs:
            sums[cost.name, cost.type_id] += cost.value
    return tuple(
        ForeignCost(name, type_id, value) for (name, type_id), value in sums.items()
    )


@dataclass(slots=True)
class _CardMaker:
    """Walks through a roster and collects cards, options and costs."""

    names: ImportNames
    roles: Mapping[str, ProfileRole]
    scope: CardScope
    cost_type: ForeignCost | None
    cards: list[ImportedCard] = field(default_factory=list)
    shared_texts: list[TitledText] = field(default_factory=list)
    options: list[TitledText] = field(default_factory=list)
    option_keywords: list[str] = field(default_factory=list)
    leftover_cost: float = 0
    empty_cards: list[_EmptyCard] = field(default_factory=list)

    def add_force(self, force: ForeignForce, group: str) -> None:
        """Add the cards of one force of the roster. Forces inside it are not included."""
        self.add_shared_texts(force)
        self.leftover_cost += self._sum_main_costs(force.costs)
        context = _CardContext(force.catalogue_name or force.name, group)
        for selection in force.selections:
            self._add_cards_of(selection, context)

    def add_shared_texts(
        self, owner: ForeignForce | ForeignRoster | ForeignSelection
    ) -> None:
        """Add the profiles and rules of a roster, force or selection that gets no card."""
        self.shared_texts += [describe_profile(profile) for profile in owner.profiles]
        self.shared_texts += [TitledText(rule.name, rule.text) for rule in owner.rules]

    def _add_cards_of(self, selection: ForeignSelection, context: _CardContext) -> None:
        """Add the cards of a selection. A selection without cards becomes an option of the list."""
        roots = self._find_roots(selection)
        if not roots:
            self._add_option(selection)
        elif roots[0] is selection:
            self._add_card(selection, roots, context)
            added_ids: set[int] = set()
            for root in roots[1:]:
                # A card within a card is added together with it.
                if id(root) not in added_ids:
                    self._add_cards_of(root, context)
                    added_ids.update(id(part) for part in root.walk())
        else:
            self._add_cards_inside(selection, len(roots), context)

    def _add_cards_inside(
        self, selection: ForeignSelection, root_count: int, context: _CardContext
    ) -> None:
        """Add the cards inside a selection that has no card of its own.

        Its other parts belong to these cards, unless they are several units.
        """
        is_of_cards = root_count == 1 or self.scope is CardScope.MODEL
        cost = self._sum_main_costs(selection.costs)
        first_index = len(self.cards)
        wrapper = selection
        if not is_of_cards:
            # The texts belong to several cards: they are printed once, on a reference card.
            self.add_shared_texts(selection)
            wrapper = replace(selection, profiles=(), rules=())
        wrappers = [*context.wrappers, wrapper]
        children_with_cards = []
        # What has no card comes first: the cards below print it as their wrappers.
        for child in selection.selections:
            if self._find_roots(child):
                children_with_cards.append(child)
            elif is_of_cards:
                wrappers += child.walk()
                cost += sum(self._sum_main_costs(part.costs) for part in child.walk())
            else:
                self._add_option(child)
        group = context.group
        if root_count > 1:
            name = selection.custom_name or selection.name
            group = GROUP_SEPARATOR.join(filter(None, (group, name)))
        inner_place = _CardContext(context.side, group, tuple(wrappers))
        for child in children_with_cards:
            self._add_cards_of(child, inner_place)
        self._divide_cost(cost, self.cards[first_index:] if is_of_cards else [])

    def _divide_cost(self, cost: float, cards: Sequence[ImportedCard]) -> None:
        """Divide the cost of a unit among the cards of its models.

        All models have equal parts in whole points. The first card also has the rest.
        """
        first_index = len(self.cards) - len(cards)
        model_count = sum(card.model_count for card in cards)
        if not model_count:
            self.leftover_cost += cost
            return
        # A cost with decimals goes to the first card as a whole.
        part = cost // model_count if cost == int(cost) else 0.0
        rest = cost - part * model_count
        for index, card in enumerate(cards, first_index):
            card_cost = card.cost + part * card.model_count + rest
            self.cards[index] = replace(card, cost=card_cost)
            rest = 0.0

    def _add_card(
        self,
        selection: ForeignSelection,
        roots: list[ForeignSelection],
        context: _CardContext,
    ) -> None:
        """Add one card with a selection and all below it, except parts that get their own cards."""
        parts = CardParts(self.names, self.roles)
        # The card has these names already.
        printed_names = {selection.name, *context.group.split(GROUP_SEPARATOR)}
        for wrapper in context.wrappers:
            parts.add_wrapper(wrapper, is_named=wrapper.name not in printed_names)
        cost = 0.0
        inner_roots = {id(root) for root in roots[1:]}
        for member in _walk_selections_except(selection, inner_roots):
            parts.add_selection(member, is_top=member is selection)
            cost += self._sum_main_costs(member.costs)
        card = parts.make_card(selection, context.side, cost, context.group)
        wrapper_names = [
            wrapper.custom_name or wrapper.name for wrapper in context.wrappers
        ]
        own_equipment = [row for row in card.equipment if row.name not in wrapper_names]
        is_empty = not own_equipment and not replace(card, equipment=()).has_content
        if selection.type == "upgrade" and is_empty:
            prefix = "".join(f"{name}: " for name in wrapper_names)
            self.empty_cards.append(_EmptyCard(card, selection, prefix))
        else:
            self.cards.append(card)

    def add_empty_cards(self) -> None:
        """Add the upgrades that have only a cost: as options, or as cards if there are none."""
        if not self.cards:
            self.cards = [empty_card.card for empty_card in self.empty_cards]
            return
        for empty_card in self.empty_cards:
            self._add_option(empty_card.selection, empty_card.prefix)

    def _add_option(self, selection: ForeignSelection, prefix: str = "") -> None:
        """Add a selection without a card to the options, such as the size of the battle."""
        name = prefix + self._describe_option(selection)
        for part in selection.walk():
            self.leftover_cost += self._sum_main_costs(part.costs)
            self.add_shared_texts(part)
            self.option_keywords += list_keywords(part, self.names)
            if part is not selection:
                part_name = self._describe_option(part)
                self.options.append(TitledText(f"{name}: {part_name}", part.notes))
            elif part.notes or not part.selections:
                self.options.append(TitledText(name, part.notes))

    def _describe_option(self, selection: ForeignSelection) -> str:
        """Return the name of an option with its count and cost, such as `2× Banner (10)`."""
        name = selection.custom_name or selection.name
        if selection.number > 1:
            name = f"{selection.number}× {name}"
        cost = self._sum_main_costs(selection.costs)
        return f"{name} ({cost:.12g})" if cost else name

    def _find_roots(self, selection: ForeignSelection) -> list[ForeignSelection]:
        """Return the selections at or below this one that get a card each, parents first."""
        if self.scope is CardScope.MODEL and selection.type == "unit":
            models = [part for part in selection.walk() if part.type == "model"]
            if models:
                return models
        if self._has_stat_line(selection):
            return [selection]
        nested_roots: list[ForeignSelection] = []
        for child in selection.selections:
            nested_roots += self._find_roots(child)
        if selection.type in ("unit", "model"):
            return self._choose_unit_roots(selection, nested_roots)
        return self._choose_upgrade_roots(selection, nested_roots)

    def _choose_unit_roots(
        self, selection: ForeignSelection, nested_roots: list[ForeignSelection]
    ) -> list[ForeignSelection]:
        """Return the selections that get a card, for a unit or model without a stat line."""
        units = [root for root in nested_roots if root.type == "unit"]
        if not units:
            return [selection]
        has_models = len(units) < len(nested_roots)
        has_own_card = has_models or self._sum_main_costs(selection.costs)
        return [selection, *units] if has_own_card else nested_roots

    def _choose_upgrade_roots(
        self, selection: ForeignSelection, nested_roots: list[ForeignSelection]
    ) -> list[ForeignSelection]:
        """Return the selections that get a card, for a selection of type `upgrade`."""
        if not self._sum_main_costs(selection.costs):
            return nested_roots
        # Models without a cost belong to it: in some files, a unit has the type of an upgrade.
        bodies = [root for root in nested_roots if root.type in ("unit", "model")]
        has_costs = any(self._sum_main_costs(body.costs) for body in bodies)
        return [selection, *bodies] if has_costs else [selection]

    def _has_stat_line(self, selection: ForeignSelection) -> bool:
        roles = [self.roles[get_type_key(profile)] for profile in selection.profiles]
        return ProfileRole.STAT in roles

    def _sum_main_costs(self, costs: Iterable[ForeignCost]) -> float:
        total = 0.0
        for cost in costs:
            if self.cost_type is not None and _is_same_type(cost, self.cost_type):
                total += cost.value
        return total


@dataclass(frozen=True, slots=True)
class _EmptyCard:
    """A card that would print only a cost. `prefix` names the selections that contain it."""

    card: ImportedCard
    selection: ForeignSelection
    prefix: str


@dataclass(frozen=True, slots=True)
class _CardContext:
    """The parts of a list around a card: faction, group name and containing selections."""

    side: str
    group: str
    wrappers: tuple[ForeignSelection, ...] = ()


def _is_same_type(cost: ForeignCost, cost_type: ForeignCost) -> bool:
    has_same_id = bool(cost.type_id) and cost.type_id == cost_type.type_id
    return has_same_id or cost.name.lower() == cost_type.name.lower()


def _walk_selections_except(
    selection: ForeignSelection, omitted_ids: set[int]
) -> Iterator[ForeignSelection]:
    """Yield a selection and all below it, except the omitted ones and their parts."""
    yield selection
    for child in selection.selections:
        # Equal selections are different ones, so their identity is compared.
        if id(child) not in omitted_ids:
            yield from _walk_selections_except(child, omitted_ids)


def _merge_equal_cards(cards: Iterable[ImportedCard]) -> list[ImportedCard]:
    merged: dict[tuple[object, ...], ImportedCard] = {}
    for card in cards:
        # Equal cards are printed once with a number of copies.
        before = merged.get(card.content)
        if before is None:
            merged[card.content] = card
        else:
            merged[card.content] = replace(
                before,
                copies=before.copies + 1,
                groups=before.groups + card.groups,
                selection_ids=before.selection_ids + card.selection_ids,
            )
    return list(merged.values())
