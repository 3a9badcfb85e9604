"""Change names, counts and notes of selections in a file of another program. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from builder.interchange.elements import TEXT_KEY, ForeignElement

NAME_KEY, NOTES_KEY = "customName", "customNotes"


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """The changes to the selections of a foreign file that belong to one entry of a squad.

    `count` is the new number of selections: the last ones are removed, or copies are added. A
    name or note of None stays as it is. An empty one is removed.
    """

    selection_ids: Sequence[str]
    count: int
    name: str | None = None
    notes: str | None = None


@dataclass(slots=True)
class SelectionNode:
    """A selection element of a foreign file, with its parent element."""

    element: ForeignElement
    parent: ForeignElement


@dataclass(slots=True)
class ListEditor:
    """Changes names, counts and notes of selections in a foreign list.

    Several selections may have one id. Each edit takes the next one that no edit has taken.
    """

    root: ForeignElement
    nodes_by_id: dict[str, list[SelectionNode]] = field(
        init=False, default_factory=dict
    )
    template_by_id: dict[str, SelectionNode] = field(init=False, default_factory=dict)
    used_ids: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Find all selections. Programs do not always give them different ids."""
        parents: dict[int, ForeignElement] = {}
        for element in self.root.walk_elements():
            for child in element.children:
                parents[id(child)] = element
        for number, selection in enumerate(list_selections(self.root), 1):
            node = SelectionNode(selection, parents[id(selection)])
            self.nodes_by_id.setdefault(get_selection_id(selection, number), []).append(
                node
            )
        self.used_ids.update(self.nodes_by_id)

    def apply_edit(self, edit: EntryEdit) -> bool:
        """Apply the changes of one entry. Return False if the list has none of its selections."""
        nodes: list[SelectionNode] = []
        # An entry without a selection of its own becomes a copy of one that another entry has.
        template: SelectionNode | None = None
        for selection_id in edit.selection_ids:
            free_nodes = self.nodes_by_id.get(selection_id, [])
            if free_nodes:
                node = free_nodes.pop(0)
                self.template_by_id[selection_id] = node
                nodes.append(node)
            template = self.template_by_id.get(selection_id, template)
        if template is None:
            return False
        for node in nodes[edit.count :]:
            self._remove_selection(node)
        remaining_nodes = nodes[: edit.count]
        while len(remaining_nodes) < edit.count:
            original = remaining_nodes[-1] if remaining_nodes else template
            remaining_nodes.append(self._copy_selection(original))
        for node in remaining_nodes:
            if edit.name is not None:
                set_text(node.element, NAME_KEY, edit.name)
            if edit.notes is not None:
                _set_notes(node.element, edit.notes)
        return True

    def _remove_selection(self, node: SelectionNode) -> None:
        siblings = node.parent.children
        index = _find_identical_index(siblings, node.element)
        if index is not None:
            del siblings[index]
            self._add_to_total(node.element, -1)

    def _copy_selection(self, node: SelectionNode) -> SelectionNode:
        """Insert a copy of a selection after it. The copy and its parts get new ids."""
        copy = deepcopy(node.element)
        for selection in (copy, *_walk_nested_selections(copy)):
            old_id = selection.get_attribute("id")
            if old_id:
                selection.attributes["id"] = self._make_unused_id(old_id)
        siblings = node.parent.children
        index = _find_identical_index(siblings, node.element)
        siblings.insert(len(siblings) if index is None else index + 1, copy)
        self._add_to_total(copy, 1)
        return SelectionNode(copy, node.parent)

    def _make_unused_id(self, base: str) -> str:
        number = 2
        while f"{base}-{number}" in self.used_ids:
            number += 1
        new_id = f"{base}-{number}"
        self.used_ids.add(new_id)
        return new_id

    def _add_to_total(self, selection: ForeignElement, sign: int) -> None:
        """Add the costs of a selection and its parts to the list's totals, or subtract them."""
        totals = list(self.root.list_in("costs"))
        for part in (selection, *_walk_nested_selections(selection)):
            for cost in part.list_in("costs"):
                for total in totals:
                    if _is_same_cost(cost, total):
                        _add_to_amount(total, cost, sign)


def list_selections(element: ForeignElement) -> Iterator[ForeignElement]:
    """Yield the selections of all forces, in the order in which the reader numbers them."""
    for force in element.list_in("forces"):
        yield from _walk_nested_selections(force)
        yield from list_selections(force)


def _walk_nested_selections(element: ForeignElement) -> Iterator[ForeignElement]:
    for selection in element.list_in("selections"):
        yield selection
        yield from _walk_nested_selections(selection)


def get_selection_id(selection: ForeignElement, number: int) -> str:
    """Return the id of a selection. Without a readable id, it is `#` and its number."""
    selection_id = selection.get_attribute("id")
    return selection_id if selection_id and selection_id.isprintable() else f"#{number}"


def set_text(element: ForeignElement, name: str, text: str) -> None:
    """Set a text that the file stores as a child element or an attribute. Remove an empty text."""
    matches = [child for child in element.children if child.name == name]
    if matches and text:
        matches[0].attributes[TEXT_KEY] = text
        return
    element.children = [child for child in element.children if child.name != name]
    element.attributes.pop(name, None)
    if text:
        element.attributes[name] = text


def _set_notes(selection: ForeignElement, notes: str) -> None:
    """Set the player's notes of a unit. Its parts keep notes that the new notes contain."""
    for part in _walk_nested_selections(selection):
        own_notes = part.get_text(NOTES_KEY)
        if own_notes and own_notes in notes:
            notes = notes.replace(own_notes, "", 1)
        elif own_notes:
            set_text(part, NOTES_KEY, "")
    lines = [line for line in notes.split("\n") if line.strip()]
    set_text(selection, NOTES_KEY, "\n".join(lines))


def _find_identical_index(
    elements: Sequence[ForeignElement], element: ForeignElement
) -> int | None:
    """Return the index of this very element. Elements before it may be equal."""
    for index, candidate in enumerate(elements):
        if candidate is element:
            return index
    return None


def _is_same_cost(first: ForeignElement, second: ForeignElement) -> bool:
    # Old files have no ids of types.
    has_ids = first.get_attribute("typeId") and second.get_attribute("typeId")
    key = "typeId" if has_ids else "name"
    return first.get_attribute(key) == second.get_attribute(key)


def _add_to_amount(total: ForeignElement, cost: ForeignElement, sign: int) -> None:
    """Add a cost to a total, or subtract it. Amounts that are not numbers stay unchanged."""
    try:
        old_amount = float(total.get_attribute("value") or 0)
        amount = old_amount + sign * float(cost.get_attribute("value") or 0)
    except ValueError:
        return
    number = int(amount) if amount.is_integer() else round(amount, 6)
    # XML has all values as text, JSON has numbers.
    is_text = isinstance(total.attributes.get("value"), str)
    total.attributes["value"] = str(number) if is_text else number
