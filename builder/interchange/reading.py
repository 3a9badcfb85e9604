"""Read rosters of BattleScribe, New Recruit and ListForge into one tree. Pure.

The format is recognised by the content, not by the file's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from builder.interchange.document import read_document
from builder.interchange.edits import get_selection_id
from builder.interchange.elements import ForeignElement, get_item_name
from builder.interchange.tree import (
    ForeignCost,
    ForeignForce,
    ForeignProfile,
    ForeignRoster,
    ForeignRule,
    ForeignSelection,
)
from builder.interchange.unpacking import (
    MAX_BYTES,
    is_foreign_roster,
    make_format_error,
)
from builder.messages import gettext as _

__all__ = ["MAX_BYTES", "is_foreign_roster", "read_foreign_roster"]

Item = TypeVar("Item", ForeignProfile, ForeignRule)
CONTAINERS = {
    "roster": "costs costLimits forces rules profiles",
    "force": "forces selections costs categories rules profiles",
    "selection": "selections costs categories rules profiles",
    "profile": "characteristics",
    "category": "rules profiles",
}
"""The containers whose items are searched for unknown elements, by their parent's name."""
OTHER_PARTS = {
    "roster": "tags customNotes description",
    "force": "publications customNotes description tags",
    "selection": "customNotes description tags links associations incomingAssociations",
    "profile": "attributes description",
    "rule": "description",
    "category": "customNotes",
    "characteristic": "",
    "cost": "",
    "costLimit": "",
}
"""Other known children by their parent's name. Children in neither table are unknown."""
MAX_NUMBER = 1e7
MAX_PROBLEMS = 50
"""Unreadable numbers that are reported. A damaged file may have thousands."""
MAX_SHOWN_CHARACTERS = 40


def read_foreign_roster(data: bytes) -> ForeignRoster:
    """Parse a roster file of BattleScribe, New Recruit or ListForge.

    Raise InputUnreadable with the reason if there is none.
    """
    return interpret_roster(read_document(data).complete_root)


def interpret_roster(root: ForeignElement) -> ForeignRoster:
    """Convert elements to a roster. Raise InputUnreadable if it has no forces."""
    reader = _RosterReader()
    forces = tuple(reader.read_force(element) for element in root.list_in("forces"))
    if not forces:
        raise make_format_error(_("the roster has no forces"))
    costs = reader.read_costs(root, "costs")
    limits = reader.read_costs(root, "costLimits")
    return ForeignRoster(
        id=_read_id(root, "id"),
        name=root.get_attribute("name"),
        game_system_id=root.get_attribute("gameSystemId"),
        game_system_name=root.get_attribute("gameSystemName"),
        costs=costs or reader.read_old_cost(root, "points"),
        cost_limits=limits or reader.read_old_cost(root, "pointsLimit"),
        forces=forces,
        profiles=_read_profiles(root),
        rules=_read_rules(root),
        notes=root.get_text("customNotes"),
        unknown_elements=_count_unknown(root),
        problems=tuple(reader.problems)[:MAX_PROBLEMS],
    )


@dataclass(slots=True)
class _RosterReader:
    """Converts elements of a foreign file to forces and selections. Collects unreadable numbers."""

    problems: dict[str, None] = field(default_factory=dict)
    selection_count: int = 0

    def read_force(self, element: ForeignElement) -> ForeignForce:
        return ForeignForce(
            name=element.get_attribute("name"),
            catalogue_name=element.get_attribute("catalogueName"),
            costs=self.read_costs(element, "costs"),
            profiles=_read_with_categories(element, _read_profiles),
            rules=_read_with_categories(element, _read_rules),
            selections=self.read_selections(element),
            forces=tuple(self.read_force(child) for child in element.list_in("forces")),
        )

    def read_selections(self, element: ForeignElement) -> tuple[ForeignSelection, ...]:
        return tuple(
            self.read_selection(child) for child in element.list_in("selections")
        )

    def read_selection(self, element: ForeignElement) -> ForeignSelection:
        self.selection_count += 1
        return ForeignSelection(
            id=get_selection_id(element, self.selection_count),
            name=element.get_attribute("name"),
            entry_id=_read_id(element, "entryId"),
            number=self.read_count(element),
            type=element.get_attribute("type") or "upgrade",
            custom_name=element.get_attribute("customName"),
            notes=element.get_text("customNotes"),
            costs=self.read_costs(element, "costs")
            or self.read_old_cost(element, "points"),
            categories=_read_names(element, "categories"),
            profiles=_read_with_categories(element, _read_profiles),
            rules=_read_with_categories(element, _read_rules),
            selections=self.read_selections(element),
        )

    def read_count(self, element: ForeignElement) -> int:
        """Return the count of a selection.

        Report an unreadable number, and use 1 or a rounded one.
        """
        text = element.get_attribute("number")
        number = _parse_number(text or "1")
        if number is not None and number >= 0 and number.is_integer():
            return int(number)
        used_count = max(round(number or 1), 1)
        form = _("{name}: the number {text!r} is not a count. {count} is used.")
        self.add_problem(form, element, text, count=used_count)
        return used_count

    def read_costs(
        self, element: ForeignElement, container: str
    ) -> tuple[ForeignCost, ...]:
        costs = []
        for child in element.list_in(container):
            amount = self.read_amount(child.get_attribute("value"), element)
            name = child.get_attribute("name")
            costs.append(ForeignCost(name, child.get_attribute("typeId"), amount))
        return tuple(costs)

    def read_old_cost(
        self, element: ForeignElement, key: str
    ) -> tuple[ForeignCost, ...]:
        """Return the cost from an attribute, where files of BattleScribe 1 store it."""
        text = element.get_attribute(key)
        if not text:
            return ()
        return (ForeignCost("pts", key, self.read_amount(text, element)),)

    def read_amount(self, text: str, element: ForeignElement) -> float:
        """Return the amount of a cost. A missing amount is 0, and an unreadable one is reported."""
        amount = _parse_number(text or "0")
        if amount is None:
            form = _("{name}: the cost {text!r} is not a number. 0 is used.")
            self.add_problem(form, element, text)
        return amount or 0.0

    def add_problem(
        self, form: str, element: ForeignElement, text: str, **values: object
    ) -> None:
        name = (element.get_attribute("name") or element.name)[:MAX_SHOWN_CHARACTERS]
        self.problems[
            _(form, name=name, text=text[:MAX_SHOWN_CHARACTERS], **values)
        ] = None


def _read_id(element: ForeignElement, name: str) -> str:
    """Return an id without unprintable characters, which pack files cannot contain."""
    return "".join(filter(str.isprintable, element.get_attribute(name)))


def _read_names(element: ForeignElement, container: str) -> tuple[str, ...]:
    return tuple(child.get_attribute("name") for child in element.list_in(container))


def _read_with_categories(
    element: ForeignElement, read_items: Callable[[ForeignElement], tuple[Item, ...]]
) -> tuple[Item, ...]:
    """Return the profiles or rules of an element, followed by those of its categories."""
    items = read_items(element)
    for category in element.list_in("categories"):
        items += read_items(category)
    return items


def _read_profiles(element: ForeignElement) -> tuple[ForeignProfile, ...]:
    return tuple(_read_profile(child) for child in element.list_in("profiles"))


def _read_profile(element: ForeignElement) -> ForeignProfile:
    characteristics: dict[str, str] = {}
    for child in element.list_in("characteristics"):
        name = child.get_attribute("name")
        # A profile may have two columns of one name: number the second.
        key = name
        number = 2
        while key in characteristics:
            key = f"{name} {number}"
            number += 1
        characteristics[key] = child.text or child.get_attribute("value")
    return ForeignProfile(
        name=element.get_attribute("name"),
        type_id=element.get_attribute("typeId")
        or element.get_attribute("profileTypeId"),
        type_name=element.get_attribute("typeName")
        or element.get_attribute("profileTypeName"),
        characteristics=characteristics,
    )


def _read_rules(element: ForeignElement) -> tuple[ForeignRule, ...]:
    return tuple(_read_rule(child) for child in element.list_in("rules"))


def _read_rule(element: ForeignElement) -> ForeignRule:
    text = element.get_text("description") or element.text
    return ForeignRule(element.get_attribute("name"), text)


def _parse_number(text: str) -> float | None:
    """Parse a number below `MAX_NUMBER`. Return None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < MAX_NUMBER else None


def _count_unknown(root: ForeignElement) -> dict[str, int]:
    """Count the elements that this reader does not know, by parent and name: `force/banner`."""
    unknown: Counter[str] = Counter()
    _add_unknown([root], "roster", unknown)
    return dict(unknown)


def _add_unknown(
    elements: Iterable[ForeignElement], name: str, unknown: Counter[str]
) -> None:
    containers = CONTAINERS.get(name, "").split()
    known_names = {
        *containers,
        *map(get_item_name, containers),
        *OTHER_PARTS[name].split(),
    }
    for element in elements:
        for child in element.children:
            if child.name not in known_names:
                unknown[f"{name}/{child.name[:MAX_SHOWN_CHARACTERS]}"] += 1
        for container in containers:
            _add_unknown(element.list_in(container), get_item_name(container), unknown)
