"""Make the cards of a foreign roster. Pure.

A card is the topmost selection with a stat line, or one that costs something. Wrappers above it
make no card. Texts that many cards share go to reference cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.imported.card import Boxes, CardTable, ImportedCard, ImportedList, TableRow, TitledText
from builder.imported.roles import ImportNames, ProfileRole, find_roles, get_type_key
from builder.interchange.tree import (
    ForeignCost,
    ForeignForce,
    ForeignProfile,
    ForeignRoster,
    ForeignRule,
    ForeignSelection,
)

MIN_SHARED_PARTS = 3
"""A text goes to a reference card if at least one in 3 cards has it, and at least 2 do."""
MAX_BOXES = 60
"""Boxes of one card: with more, a number is easier to keep than boxes."""


def make_imported_list(roster: ForeignRoster, names: ImportNames) -> ImportedList:
    """Return all cards of a roster, and the parts that belong to no card."""
    cost = _choose_cost(roster)
    maker = _CardMaker(names, find_roles(roster, names), cost.name if cost else "")
    for force in roster.walk_forces():
        maker.add_force(force)
    maker.add_shared(roster.profiles, roster.rules)
    cards = _merge_equal_cards(maker.cards)
    cards, glossary = _move_shared_passages(cards, maker.shared)
    return ImportedList(
        name=roster.name,
        system_id=roster.game_system_id,
        system_name=roster.game_system_name,
        cost_name=cost.name if cost else "",
        total=cost.value if cost else 0,
        cards=tuple(cards),
        references=tuple(glossary),
        options=tuple(maker.options),
        leftover_cost=maker.leftover_cost,
        notes=roster.notes,
        unknown_elements=roster.unknown_elements,
        sources=frozenset(maker.option_sources),
    )


def _choose_cost(roster: ForeignRoster) -> ForeignCost | None:
    """Return the main cost of a roster: the largest total among points, else among all."""
    points = [
        cost for cost in roster.costs if re.match(r"pts|points|credits", cost.name, re.IGNORECASE)
    ]
    used = [cost for cost in roster.costs if cost.value]
    candidates = [cost for cost in points if cost.value] or used or points or list(roster.costs)
    return max(candidates, key=lambda cost: cost.value, default=None)


@dataclass(slots=True)
class _CardMaker:
    """Collects the cards of all forces, and what belongs to no card."""

    names: ImportNames
    roles: Mapping[str, ProfileRole]
    cost_name: str
    cards: list[ImportedCard] = field(default_factory=list)
    shared: list[tuple[TitledText, frozenset[str]]] = field(default_factory=list)
    options: list[TitledText] = field(default_factory=list)
    option_sources: set[str] = field(default_factory=set)
    leftover_cost: float = 0

    def add_force(self, force: ForeignForce) -> None:
        """Add the cards of a force, without those of the forces below it."""
        self.add_shared(force.profiles, force.rules)
        side = force.catalogue_name or force.name
        for selection in force.selections:
            self._add_selection(selection, side)

    def add_shared(self, profiles: Iterable[ForeignProfile], rules: Iterable[ForeignRule]) -> None:
        """Add texts that belong to no single card."""
        for profile in profiles:
            self.shared.append((_describe_profile(profile), frozenset((profile.id,))))
        for rule in rules:
            self.shared.append((TitledText(rule.name, rule.text), frozenset((rule.id,))))

    def _add_selection(self, selection: ForeignSelection, side: str) -> None:
        if self._is_card(selection):
            self.cards.append(self._make_card(selection, side))
            return
        # A wrapper: what it says itself is kept, and its children are looked at one by one.
        self.leftover_cost += self._get_own_cost(selection)
        self.add_shared(selection.profiles, selection.rules)
        self.option_sources.update(category.id for category in selection.categories)
        if selection.selections:
            for child in selection.selections:
                self._add_selection(child, side)
        else:
            self.options.append(
                TitledText(selection.custom_name or selection.name, selection.notes)
            )

    def _is_card(self, selection: ForeignSelection) -> bool:
        if self._has_stat_line(selection) or self._get_own_cost(selection):
            return True
        # A unit without a cost is a card if its models have stat lines.
        is_body = selection.type in ("unit", "model")
        return is_body and any(self._has_stat_line(child) for child in selection.walk())

    def _has_stat_line(self, selection: ForeignSelection) -> bool:
        return any(self._get_role(profile) is ProfileRole.STAT for profile in selection.profiles)

    def _get_role(self, profile: ForeignProfile) -> ProfileRole:
        return self.roles[get_type_key(profile)]

    def _get_own_cost(self, selection: ForeignSelection) -> float:
        return sum(cost.value for cost in selection.costs if cost.name == self.cost_name)

    def _make_card(self, selection: ForeignSelection, side: str) -> ImportedCard:
        parts = _CardParts(self.names)
        for child in selection.walk():
            parts.add(child, self.roles, is_top=child is selection)
        model_count = parts.model_count or max(selection.number, 1)
        stats = tuple(parts.make_tables(ProfileRole.STAT))
        return ImportedCard(
            name=selection.name,
            side=side,
            custom_name=selection.custom_name,
            cost=sum(self._get_own_cost(child) for child in selection.walk()),
            model_count=model_count,
            stats=stats,
            tables=tuple(parts.make_tables(ProfileRole.TABLE)),
            passages=tuple(dict.fromkeys(parts.passages)),
            keywords=tuple(dict.fromkeys(parts.keywords)),
            equipment=tuple(_count_rows(parts.equipment)),
            notes="\n".join(parts.notes),
            boxes=_make_boxes(stats, model_count, self.names),
            entry_id=selection.entry_id,
            sources=frozenset(parts.sources),
        )


@dataclass(slots=True)
class _CardParts:
    """The parts of one card, collected from a selection and all below it."""

    names: ImportNames
    rows: dict[tuple[ProfileRole, str, tuple[str, ...]], list[TableRow]] = field(
        default_factory=dict
    )
    passages: list[TitledText] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    equipment: list[TableRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)
    model_count: int = 0

    def add(
        self, selection: ForeignSelection, roles: Mapping[str, ProfileRole], *, is_top: bool
    ) -> None:
        """Add the content of one selection, without its children."""
        if selection.type == "model":
            self.model_count += selection.number
        for profile in selection.profiles:
            self._add_profile(profile, roles[get_type_key(profile)], selection)
        for rule in selection.rules:
            self.passages.append(TitledText(rule.name, rule.text))
            self.sources.add(rule.id)
        for category in selection.categories:
            self.sources.add(category.id)
            self._add_keyword(category.name)
        if selection.notes:
            self.notes.append(selection.notes)
        if not is_top and not selection.profiles:
            name = selection.custom_name or selection.name
            self.equipment.append(TableRow(name, (), max(selection.number, 1)))

    def _add_keyword(self, name: str) -> None:
        for prefix in self.names.category_prefixes:
            if name.lower().startswith(prefix):
                name = name[len(prefix) :].strip()
        is_omitted = any(word in name.lower() for word in self.names.omitted_categories)
        if name and not is_omitted:
            self.keywords.append(name)

    def _add_profile(
        self, profile: ForeignProfile, role: ProfileRole, selection: ForeignSelection
    ) -> None:
        self.sources.add(profile.id)
        if role is ProfileRole.TEXT:
            self.passages.append(_describe_profile(profile))
            return
        columns = tuple(profile.characteristics)
        row = TableRow(
            profile.name, tuple(profile.characteristics.values()), max(selection.number, 1)
        )
        self.rows.setdefault((role, profile.type_name, columns), []).append(row)

    def make_tables(self, role: ProfileRole) -> Iterator[CardTable]:
        """Yield the tables of a role. Equal rows are merged, and their numbers added."""
        for (row_role, title, columns), rows in self.rows.items():
            if row_role is role:
                merged = _count_rows(rows)
                if role is ProfileRole.STAT:
                    merged = _merge_stat_lines(merged)
                yield CardTable(title, columns, tuple(merged))


def _describe_profile(profile: ForeignProfile) -> TitledText:
    """Return a profile as a text.

    With several columns, each value has its column's name before it.
    """
    values = [(name, text) for name, text in profile.characteristics.items() if text]
    if len(values) == 1:
        return TitledText(profile.name, values[0][1])
    return TitledText(profile.name, "\n".join(f"**{name}:** {text}" for name, text in values))


def _count_rows(rows: Iterable[TableRow]) -> list[TableRow]:
    """Merge equal rows and add their numbers."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for row in rows:
        counts[row.name, row.values] += row.count
    return [TableRow(name, values, count) for (name, values), count in counts.items()]


def _merge_stat_lines(rows: Sequence[TableRow]) -> list[TableRow]:
    """Merge stat lines with equal values and different names into one line with all names."""
    by_values: dict[tuple[str, ...], list[TableRow]] = {}
    for row in rows:
        by_values.setdefault(row.values, []).append(row)
    merged = []
    for values, group in by_values.items():
        names = " / ".join(dict.fromkeys(row.name for row in group))
        merged.append(TableRow(names, values, sum(row.count for row in group)))
    return merged


def _make_boxes(stats: Sequence[CardTable], model_count: int, names: ImportNames) -> Boxes | None:
    """Return the boxes of the first stat line with a column for them."""
    for table in stats:
        for index, column in enumerate(table.columns):
            if column.strip().lower() not in names.box_columns:
                continue
            match = re.match(r"\d+", table.rows[0].values[index])
            per_model = int(match[0]) if match else 0
            if 0 < per_model * model_count <= MAX_BOXES:
                return Boxes(model_count, per_model)
    return None


def _merge_equal_cards(cards: Iterable[ImportedCard]) -> list[ImportedCard]:
    merged: dict[tuple[object, ...], ImportedCard] = {}
    for card in cards:
        before = merged.get(card.content)
        if before is None:
            merged[card.content] = card
        else:
            merged[card.content] = replace(
                before, copies=before.copies + 1, sources=before.sources | card.sources
            )
    return list(merged.values())


def _move_shared_passages(
    cards: Sequence[ImportedCard], shared: Iterable[tuple[TitledText, frozenset[str]]]
) -> tuple[list[ImportedCard], list[ImportedCard]]:
    """Move texts that many cards share to one reference card.

    Return the cards and the references.
    """
    counts: Counter[TitledText] = Counter()
    for card in cards:
        counts.update(set(card.passages))
    needed = max(2, -(-len(cards) // MIN_SHARED_PARTS))
    moved = {passage: None for passage, count in counts.items() if count >= needed and passage.text}
    sources: set[str] = set()
    for passage, ids in shared:
        moved[passage] = None
        sources |= ids
    shorter = []
    for card in cards:
        passages = tuple(
            TitledText(passage.title) if passage in moved else passage for passage in card.passages
        )
        shorter.append(replace(card, passages=passages))
    passages = tuple(sorted(moved, key=lambda passage: passage.title.lower()))
    if not passages:
        return shorter, []
    return shorter, [ImportedCard("", passages=passages, sources=frozenset(sources))]
