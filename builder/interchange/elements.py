"""Elements of a foreign file: XML and JSON as the same values, before they get a meaning. Pure.

An element keeps everything that the file has, so that the file can be written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from builder.errors import InputUnreadable
from builder.messages import gettext as _

Scalar: TypeAlias = str | int | float | bool | None
MAX_DEPTH = 80
"""Levels of nested elements. Real rosters have about 30."""
MAX_ELEMENTS = 400_000
"""Elements of one file. A large roster has about 20,000."""
TEXT_KEY = "$text"
"""The key of an element's own text. JSON files use it too."""
SINGULARS = {"categories": "category", "entries": "entry"}
"""Names of items by the names of their containers, if these do not only add an s."""


class ElementShape(Enum):
    """The form that an element has in JSON: an object, a list or a plain value."""

    OBJECT = "object"
    LIST = "list"
    SCALAR = "scalar"


@dataclass(slots=True)
class ForeignElement:
    """An element of a foreign file, from XML or JSON. Its own text is the attribute TEXT_KEY."""

    name: str
    attributes: dict[str, Scalar] = field(default_factory=dict)
    children: list[ForeignElement] = field(default_factory=list)
    shape: ElementShape = ElementShape.OBJECT

    @property
    def text(self) -> str:
        """The element's own text."""
        return self.get_attribute(TEXT_KEY)

    def get_attribute(self, name: str) -> str:
        """Return an attribute as text without spaces around it. Empty if it is missing."""
        return format_scalar(self.attributes.get(name)).strip()

    def get_text(self, name: str) -> str:
        """Return the text of a child element.

        Without the child, return the attribute of this name.
        """
        for child in self.children:
            if child.name == name:
                return child.text
        return self.get_attribute(name)

    def list_in(self, container: str) -> Iterator[ForeignElement]:
        """Yield the items in a container, such as each `selection` in `selections`.

        Programs also write a single item instead of the container, or items without a container.
        """
        singular = get_item_name(container)
        for child in self.children:
            if child.name == singular:
                yield from _unfold_list(child)
            elif child.name != container:
                continue
            elif child.attributes and all(
                item.name != singular for item in child.children
            ):
                yield child
            else:
                for item in child.children:
                    yield from _unfold_list(item)

    def walk_elements(self) -> Iterator[ForeignElement]:
        """Yield this element and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk_elements()


def _unfold_list(element: ForeignElement) -> list[ForeignElement]:
    return element.children if element.shape is ElementShape.LIST else [element]


def get_item_name(name: str) -> str:
    """Return the name of a container's items: `selection` for `selections`."""
    return SINGULARS.get(name, name.removesuffix("s"))


def format_scalar(value: Scalar) -> str:
    """Format a JSON value as an XML attribute has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


class ElementCounter:
    """Counts the elements of a file. Raises InputUnreadable if they are too many or too deep."""

    def __init__(self) -> None:
        self.count = 0

    def count_element(self, depth: int) -> None:
        """Count an element at a nesting depth. Raise InputUnreadable above the limits."""
        self.count += 1
        if self.count > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise InputUnreadable(
                _("the file has too many elements, or they are nested too deeply"),
                _("Export the list again, or split it."),
            )
