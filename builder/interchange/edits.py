"""Change names, counts and notes of selections in a file of another program. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from builder.interchange.elements import TEXT_KEY, ForeignElement

NAME_KEY, NOTES_KEY = "customName", "customNotes"


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """The changes of the selections that are one entry of a squad.

    `count` is the new number of selections: the last ones are removed, or copies are added. A
    name or note of None stays as it is. An empty one is removed.
    """

    selection_ids: Sequence[str]
    count: int
    name: str | None = None
    notes: str | None = None


@dataclass(slots=True)
class SelectionPlace:
    """A selection and its parent element."""

    element: ForeignElement
    parent: ForeignElement


@dataclass(slots=True)
class ListEditor:
    """Changes the elements of a list. Several entries may have selections of the same id."""

    root: ForeignElement
    places_by_id: dict[str, list[SelectionPlace]] = field(
        init=False, default_factory=dict
    )
    template_by_id: dict[str, SelectionPlace] = field(init=False, default_factory=dict)
    used_ids: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Find all selections. Programs do not always give them different ids."""
        parents: dict[int, ForeignElement] = {}
        for element in self.root.walk_elements():
            for child in element.children:
                parents[id(child)] = element
        for number, selection in enumerate(list_selections(self.root), 1):
            place = SelectionPlace(selection, parents[id(selection)])
            self.places_by_id.setdefault(
                get_selection_id(selection, number), []
            ).append(place)
        self.used_ids.update(self.places_by_id)

    def apply_edit(self, edit: EntryEdit) -> bool:
        """Apply an edit. Return False if the list has none of its selections."""
        places: list[SelectionPlace] = []
        # An entry without a selection of its own becomes a copy of one that another entry has.
        template: SelectionPlace | None = None
        for selection_id in edit.selection_ids:
            free_places = self.places_by_id.get(selection_id, [])
            if free_places:
                place = free_places.pop(0)
                self.template_by_id[selection_id] = place
                places.append(place)
            template = self.template_by_id.get(selection_id, template)
        if template is None:
            return False
        for place in places[edit.count :]:
            self._remove_selection(place)
        remaining_places = places[: edit.count]
        while len(remaining_places) < edit.count:
            original = remaining_places[-1] if remaining_places else template
            remaining_places.append(self._copy_selection(original))
        for place in remaining_places:
            if edit.name is not None:
                set_text(place.element, NAME_KEY, edit.name)
            if edit.notes is not None:
                _set_notes(place.element, edit.notes)
        return True

    def _remove_selection(self, place: SelectionPlace) -> None:
        siblings = place.parent.children
        index = _find_index(siblings, place.element)
        if index is not None:
            del siblings[index]
            self._add_to_total(place.element, -1)

    def _copy_selection(self, place: SelectionPlace) -> SelectionPlace:
        """Add a copy of a selection below it. The copy and its parts get new ids."""
        copy = deepcopy(place.element)
        for selection in (copy, *_walk_nested_selections(copy)):
            old_id = selection.get_attribute("id")
            if old_id:
                selection.attributes["id"] = self._make_unused_id(old_id)
        siblings = place.parent.children
        index = _find_index(siblings, place.element)
        siblings.insert(len(siblings) if index is None else index + 1, copy)
        self._add_to_total(copy, 1)
        return SelectionPlace(copy, place.parent)

    def _make_unused_id(self, base: str) -> str:
        number = 2
        while f"{base}-{number}" in self.used_ids:
            number += 1
        new_id = f"{base}-{number}"
        self.used_ids.add(new_id)
        return new_id

    def _add_to_total(self, selection: ForeignElement, sign: int) -> None:
        """Add the costs of a selection and all below it to the totals of the list."""
        totals = list(self.root.list_in("costs"))
        for part in (selection, *_walk_nested_selections(selection)):
            for cost in part.list_in("costs"):
                for total in totals:
                    if _is_same_cost(cost, total):
                        _add_amount(total, cost, sign)


def list_selections(element: ForeignElement) -> Iterator[ForeignElement]:
    """Yield the selections of all forces in the order in which they are read."""
    for force in element.list_in("forces"):
        yield from _walk_nested_selections(force)
        yield from list_selections(force)


def _walk_nested_selections(element: ForeignElement) -> Iterator[ForeignElement]:
    for selection in element.list_in("selections"):
        yield selection
        yield from _walk_nested_selections(selection)


def get_selection_id(selection: ForeignElement, number: int) -> str:
    """Return the id of a selection. Without a readable id, it has its number in the list."""
    selection_id = selection.get_attribute("id")
    return selection_id if selection_id and selection_id.isprintable() else f"#{number}"


def set_text(element: ForeignElement, name: str, text: str) -> None:
    """Set the text of a child or attribute, whichever the file has. An empty text removes it."""
    matches = [child for child in element.children if child.name == name]
    if matches and text:
        matches[0].attributes[TEXT_KEY] = text
        return
    element.children = [child for child in element.children if child.name != name]
    element.attributes.pop(name, None)
    if text:
        element.attributes[name] = text


def _set_notes(selection: ForeignElement, notes: str) -> None:
    """Set the notes of a unit. A part of it keeps its own notes if the new notes contain them."""
    for part in _walk_nested_selections(selection):
        own_notes = part.get_text(NOTES_KEY)
        if own_notes and own_notes in notes:
            notes = notes.replace(own_notes, "", 1)
        elif own_notes:
            set_text(part, NOTES_KEY, "")
    lines = [line for line in notes.split("\n") if line.strip()]
    set_text(selection, NOTES_KEY, "\n".join(lines))


def _find_index(
    elements: Sequence[ForeignElement], element: ForeignElement
) -> int | None:
    """Return the index of an element by its identity. Equal elements may be before it."""
    for index, candidate in enumerate(elements):
        if candidate is element:
            return index
    return None


def _is_same_cost(first: ForeignElement, second: ForeignElement) -> bool:
    # Old files have no ids of types.
    has_ids = first.get_attribute("typeId") and second.get_attribute("typeId")
    key = "typeId" if has_ids else "name"
    return first.get_attribute(key) == second.get_attribute(key)


def _add_amount(total: ForeignElement, cost: ForeignElement, sign: int) -> None:
    """Add a cost to a total. Amounts that are no numbers stay as they are."""
    try:
        old_amount = float(total.get_attribute("value") or 0)
        amount = old_amount + sign * float(cost.get_attribute("value") or 0)
    except ValueError:
        return
    number = int(amount) if amount.is_integer() else round(amount, 6)
    # XML has all values as text, JSON has numbers.
    is_text = isinstance(total.attributes.get("value"), str)
    total.attributes["value"] = str(number) if is_text else number
