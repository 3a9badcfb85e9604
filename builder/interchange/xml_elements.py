"""Read and write elements as XML. Pure."""

from __future__ import annotations

import re

from lxml import etree

from builder.errors import InputUnreadable
from builder.interchange.elements import (
    TEXT_KEY,
    ElementCounter,
    ElementShape,
    ForeignElement,
    Scalar,
    format_scalar,
    get_item_name,
)
from builder.messages import gettext as _

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
NAMESPACE_KEY = "xmlns"
TEXT_ELEMENTS = ("customNotes", "description", "comment", "readme")
"""Texts that are elements in XML, and plain values in JSON."""
CONTAINERS = frozenset(
    {
        "costs", "costLimits", "forces", "selections", "categories", "rules", "profiles",
        "characteristics", "tags", "publications", "associations", "incomingAssociations",
    }
)  # fmt: skip
"""Containers that are lists in JSON, even if they are empty."""
_INVALID_XML_CHARACTER = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_INVALID_NAME_CHARACTER = re.compile(
    "[^A-Za-z0-9_.\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u3001-\ud7ff-]"
)
_NAMESPACED_NAME = re.compile(r"\{[\w:/.#-]+\}[A-Za-z_][A-Za-z0-9_.-]*")


def read_xml(data: bytes) -> ForeignElement:
    """Parse an XML file safely. Raise InputUnreadable if it is broken or declares entities.

    Entities are not resolved, and nothing is loaded from a network.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    hint = _("Export the list again.")
    root, message = None, _("the file is not valid XML")
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        # The reasons of the parser are in English only, so the message has the position instead.
        if isinstance(error, SyntaxError) and error.lineno:
            form = _("the file is not valid XML: line {line}, column {column}")
            message = _(form, line=error.lineno, column=error.offset or 1)
    if root is None:
        # Raised here and not above: where exceptions are sent between processes with those
        # they come from, an error of lxml cannot be sent.
        raise InputUnreadable(message, hint)
    if root.getroottree().docinfo.doctype:
        message = _("the file has a document type declaration, which no roster has")
        raise InputUnreadable(message, hint)
    namespace = etree.QName(root).namespace or ""
    element = _convert_node(root, namespace, ElementCounter())
    if namespace:
        element.attributes[NAMESPACE_KEY] = namespace
    return element


def _convert_node(
    node: etree._Element, namespace: str, counter: ElementCounter, depth: int = 0
) -> ForeignElement:
    counter.count_element(depth)
    attributes: dict[str, Scalar] = {
        str(key): str(value) for key, value in node.attrib.items()
    }
    element = ForeignElement(_strip_namespace(str(node.tag), namespace), attributes)
    texts = [node.text or ""]
    for child in node:
        texts.append(child.tail or "")
        if isinstance(child.tag, str):
            element.children.append(_convert_node(child, namespace, counter, depth + 1))
    text = "".join(texts)
    # Between elements there are only line breaks and indentation.
    if text.strip() or (text and not element.children):
        attributes[TEXT_KEY] = text
    element.shape = _find_shape(element)
    return element


def _strip_namespace(tag: str, namespace: str) -> str:
    """Remove the file's namespace from the name of a tag. Other namespaces stay."""
    return tag.removeprefix("{" + namespace + "}")


def _find_shape(element: ForeignElement) -> ElementShape:
    """Return the form that New Recruit's JSON files give an element of this kind."""
    if element.attributes.keys() - {TEXT_KEY}:
        return ElementShape.OBJECT
    if element.children:
        singular = get_item_name(element.name)
        is_list = all(child.name == singular for child in element.children)
        if is_list and not element.text:
            return ElementShape.LIST
        return ElementShape.OBJECT
    return ElementShape.LIST if element.name in CONTAINERS else ElementShape.SCALAR


def write_xml(root: ForeignElement) -> bytes:
    """Format a roster element as an XML file."""
    namespace = format_scalar(root.attributes.get(NAMESPACE_KEY, NAMESPACE))
    if namespace and not _is_valid_tag("{" + namespace + "}roster"):
        namespace = NAMESPACE
    prefix = "{" + namespace + "}" if namespace else ""
    node = etree.Element(
        prefix + root.name, nsmap={None: namespace} if namespace else None
    )
    _fill_node(node, root, prefix)
    data: bytes = etree.tostring(
        node, xml_declaration=True, encoding="UTF-8", standalone=True
    )
    return data


def _fill_node(node: etree._Element, element: ForeignElement, prefix: str) -> None:
    for key, value in element.attributes.items():
        # lxml writes the namespace itself, from `nsmap`.
        if value is None or key == NAMESPACE_KEY:
            continue
        text = _INVALID_XML_CHARACTER.sub("", format_scalar(value))
        if key == TEXT_KEY:
            node.text = text
        elif key in TEXT_ELEMENTS:
            etree.SubElement(node, prefix + key).text = text
        else:
            node.set(_make_name(key, ""), text)
    for child in element.children:
        child_node = etree.SubElement(node, _make_name(child.name, prefix))
        _fill_node(child_node, child, prefix)


def _make_name(name: str, prefix: str) -> str:
    """Return a valid XML name for an element or attribute. JSON allows any text as a name."""
    if _NAMESPACED_NAME.fullmatch(name) and _is_valid_tag(name):
        return name
    name = _INVALID_NAME_CHARACTER.sub("_", name)
    is_allowed = name[:1].isalpha() or name.startswith("_")
    return prefix + (name if is_allowed else f"_{name}")


def _is_valid_tag(name: str) -> bool:
    """Return True if XML allows a tag. JSON files may declare any text as a namespace."""
    try:
        etree.Element(name)
    except ValueError:
        return False
    return True
