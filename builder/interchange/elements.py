"""Elements of a foreign file: XML and JSON as the same values, before they get a meaning. Pure.

In XML, `<selections>` contains `<selection>` elements. In JSON, `selections` is a list of objects,
an object with a list named `selection`, or missing. Both become an element `selections` whose
children are named `selection`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from builder.errors import InputUnreadable
from builder.messages import gettext as _

MAX_DEPTH = 200
"""Elements inside each other. Real rosters have about 30."""
MAX_ELEMENTS = 1_000_000
"""Elements of one file. A large roster has about 20,000."""
TEXT_KEY = "$text"
"""The key of an element's text in JSON."""
SINGULARS = {"categories": "category", "entries": "entry"}
"""Names of children whose container is not their name with an s."""


@dataclass(slots=True)
class ForeignElement:
    """A named element with attributes, text and children."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[ForeignElement] = field(default_factory=list)

    def list_in(self, container: str) -> Iterator[ForeignElement]:
        """Yield the children of all containers of this name."""
        for child in self.children:
            if child.name == container:
                yield from child.children

    def get_text(self, name: str) -> str:
        """Return the text of a child, else the attribute of the same name, else an empty string."""
        for child in self.children:
            if child.name == name:
                return child.text
        return self.attributes.get(name, "")


def read_xml(data: bytes) -> ForeignElement:
    """Return the root element of an XML file. Raise InputUnreadable for broken or malicious XML.

    Entities are not resolved, and nothing is loaded from a network.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputUnreadable(
            _("the file is not valid XML: {reason}", reason=str(error)),
            _("Export the list again."),
        ) from error
    if root.getroottree().docinfo.doctype:
        raise InputUnreadable(
            _("the file has a document type declaration, which no roster has"),
            _("Export the list again."),
        )
    return _convert_xml(root, _Counter())


def _convert_xml(node: etree._Element, counter: _Counter, depth: int = 0) -> ForeignElement:
    counter.add(depth)
    attributes = {_strip_namespace(str(key)): str(value) for key, value in node.attrib.items()}
    # `itertext` would add the texts of children, which have elements of their own.
    texts = [node.text or ""]
    children = []
    for child in node:
        texts.append(child.tail or "")
        if isinstance(child.tag, str):
            children.append(_convert_xml(child, counter, depth + 1))
    return ForeignElement(
        _strip_namespace(str(node.tag)), attributes, "".join(texts).strip(), children
    )


def _strip_namespace(name: str) -> str:
    return name.rpartition("}")[2]


def convert_json(name: str, value: Mapping[str, object]) -> ForeignElement:
    """Return a JSON object as an element. Raise InputUnreadable if it is too large or too deep."""
    return _convert_object(name, value, _Counter(), 0)


def _convert_object(
    name: str, value: Mapping[str, object], counter: _Counter, depth: int
) -> ForeignElement:
    counter.add(depth)
    element = ForeignElement(name)
    for raw_key, item in value.items():
        key = _drop_surrogates(raw_key)
        if isinstance(item, Mapping):
            element.children.append(_convert_container(key, item, counter, depth + 1))
        elif isinstance(item, list):
            child = ForeignElement(key)
            _add_items(child, _get_singular(key), item, counter, depth + 1)
            element.children.append(child)
        elif key == TEXT_KEY:
            element.text = _format_scalar(item)
        elif item is not None:
            element.attributes[key] = _format_scalar(item)
    return element


def _convert_container(
    name: str, value: Mapping[str, object], counter: _Counter, depth: int
) -> ForeignElement:
    """Return an object, or a container with its only child or a list of children by name."""
    element = _convert_object(name, value, counter, depth)
    singular = _get_singular(name)
    children = []
    for child in element.children:
        is_list = child.name == singular and isinstance(value.get(singular), list)
        children += child.children if is_list else [child]
    element.children = children
    return element


def _add_items(
    element: ForeignElement, name: str, items: list[object], counter: _Counter, depth: int
) -> None:
    for item in items:
        if isinstance(item, Mapping):
            element.children.append(_convert_object(name, item, counter, depth + 1))
        elif isinstance(item, list):
            _add_items(element, name, item, counter, depth + 1)
        elif item is not None:
            counter.add(depth)
            element.children.append(ForeignElement(name, text=_format_scalar(item)))


def _get_singular(name: str) -> str:
    return SINGULARS.get(name, name.removesuffix("s"))


def _format_scalar(value: object) -> str:
    """Return a JSON scalar as XML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _drop_surrogates(str(value))


def _drop_surrogates(text: str) -> str:
    """Return the text without halves of characters. JSON can contain them, but no file can."""
    return text.encode(errors="ignore").decode()


class _Counter:
    """Counts the elements of a file. Raises InputUnreadable above the limits."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, depth: int) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise InputUnreadable(
                _("the file has too many elements, or they are nested too deeply"),
                _("Export the list again, or split it."),
            )
