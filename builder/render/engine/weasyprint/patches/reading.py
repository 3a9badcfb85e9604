"""A document that is plain enough is read as XML, by the library's fast reader: the same tree.

HTML and XML disagree about much: elements that end by themselves, raw text, letter case, comments. Whatever could be
read in two ways is left to the engine's own reader.
"""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any
from xml.etree import ElementTree

from builder.render.engine.weasyprint.patches.replacing import Replacement

_SVG = "{http://www.w3.org/2000/svg}"
_OPENING = re.compile(r'<!DOCTYPE html>(?=<html lang="[\w-]*"><head><title></title></head><body>)')
_CLOSING = "</body></html>"

_DRAWN = frozenset({"g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"})
_DRAWN |= {"defs", "clipPath"}
_BLOCKS = frozenset({"section", "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "figcaption"})
_BLOCKS |= {"header", "footer", "main", "article"}
_WORDS = frozenset({"span", "b", "strong", "i", "em", "small", "sub", "sup", "abbr"})
_VOID = frozenset({"br", "img"})
_CELLS, _GROUPS = frozenset({"td", "th"}), frozenset({"thead", "tbody", "tfoot"})
_CLOSED = _DRAWN | _VOID | {"svg", "col"}
"""Elements that may end with their own tag."""

_OUTER = frozenset(["html", "head", "title", "body"])
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_NAME = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*|viewBox|preserveAspectRatio|clipPathUnits"
_TAG = re.compile(rf"""</?([A-Za-z0-9]+)(?: (?:{_NAME})=(?:"[^"<>\n\t\f\r]*"|'[^'<>\n\t\f\r]*'))*( ?/?)>""")
_OPEN_VOID = re.compile(r"<(br|img|col)\b([^<>]*?) ?/?>")
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|#34|#39|#1[6-9]\d|#[2-9]\d\d|#[1-9]\d{3});)")
"""Any reference but those that both read alike: below 160 HTML reads some numbers as other letters."""


def replacements() -> Iterator[Replacement]:
    """The reading of HTML."""
    import tinyhtml5

    yield tinyhtml5, "parse", reader(tinyhtml5.parse)


def reader(original: Callable[..., Any]) -> Callable[..., Any]:
    """Read plain documents as XML, all others as before. The engine hands a text over as a file in memory."""

    def parse(document: Any, *arguments: Any, **options: Any) -> Any:
        plain = set(options) == {"namespace_html_elements"} and not options["namespace_html_elements"]
        tree = read(document.getvalue()) if plain and not arguments and isinstance(document, StringIO) else None
        return original(document, *arguments, **options) if tree is None else tree

    return parse


def read(text: str) -> Any:
    """The tree of a document; None where it is not plain."""
    if not _OPENING.match(text) or not text.endswith(_CLOSING) or _REFERENCE.search(text):
        return None
    tags = _TAG.findall(text)
    if len(tags) != text.count("<") - 1 or any(end and name not in _CLOSED for name, end in set(tags)):
        return None
    text = _OPEN_VOID.sub(r"<\1\2/>", text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    try:
        root = ElementTree.XML(text)
    except ElementTree.ParseError:
        return None
    outer = [element.tag for element in root.iter() if element.tag in _OUTER]
    if len(outer) != len(_OUTER) or not all(map(_plain, root[1])):
        return None
    for table in root.findall(".//table"):
        _imply(table, "col", "colgroup")
        _imply(table, "tr", "tbody")
    return root


def _plain(element: Any, above: frozenset[str] = frozenset()) -> bool:
    """True if HTML nests an element and all below as they are written. `above` are paragraphs and headings around."""
    tag = element.tag
    if tag == f"{_SVG}svg":
        return all(
            each.tag.removeprefix(_SVG) in _DRAWN and each.tag.startswith(_SVG) for each in element.iterfind(".//*")
        )
    if tag == "table":
        return "p" not in above and _table(element)
    if tag in _BLOCKS:
        if "p" in above or (tag in _HEADINGS and above):
            return False
        above = above | {tag} if tag == "p" or tag in _HEADINGS else above
    elif tag not in _WORDS and tag not in _VOID:
        return False
    return all(_plain(child, above) for child in element)


def _table(element: Any) -> bool:
    """True if a table holds columns, then rows or groups of these, and all its words are in cells."""
    columns = element.findall("col")
    groups = element[len(columns) :]
    rows = groups
    if groups and groups[0].tag != "tr":
        rows = [row for group in groups for row in group]
        if not all(group.tag in _GROUPS for group in groups):
            return False
    if any(element[: len(columns)][at] is not column or len(column) for at, column in enumerate(columns)):
        return False
    if any(row.tag != "tr" or not _CELLS.issuperset(cell.tag for cell in row) for row in rows):
        return False
    holders = [element, *rows, *(groups if groups is not rows else ())]
    texts = [text for each in holders for text in (each.text, *(child.tail for child in each))]
    return not any(text and text.strip(" \n") for text in texts) and all(
        _plain(child) for row in rows for cell in row for child in cell
    )


def _imply(table: Any, tag: str, name: str) -> None:
    """Put children of a table that stand side by side into the group that HTML takes them to be in."""
    children = table.findall(tag)
    if children:
        group = ElementTree.Element(name)
        at = list(table).index(children[0])
        for child in children:
            table.remove(child)
            group.append(child)
        table.insert(at, group)
