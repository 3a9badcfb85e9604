"""A document that is plain enough is read as XML, by the library's fast reader: the same tree.

HTML and XML disagree about much: elements that end by themselves, raw text, letter case, comments. Whatever could be
read in two ways is left to the engine's own reader.
"""

from __future__ import annotations

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
_OUTER = frozenset(["html", "head", "title", "body"])
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_NAME = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*|viewBox|preserveAspectRatio|clipPathUnits"
_TAG = re.compile(rf"""</?([A-Za-z0-9]+)(?: (?:{_NAME})=(?:"[^"<>\n\t\f\r]*"|'[^'<>\n\t\f\r]*'))*( ?/?)>""")
_OPEN_VOID = re.compile(r"<(br|img)\b([^<>]*?) ?/?>")
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
    if len(tags) != text.count("<") - 1 or any(end and name not in _DRAWN | _VOID | {"svg"} for name, end in set(tags)):
        return None
    text = _OPEN_VOID.sub(r"<\1\2/>", text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    try:
        root = ElementTree.XML(text)
    except ElementTree.ParseError:
        return None
    outer = [element.tag for element in root.iter() if element.tag in _OUTER]
    return root if len(outer) == len(_OUTER) and all(map(_plain, root[1])) else None


def _plain(element: Any, above: frozenset[str] = frozenset()) -> bool:
    """True if HTML nests an element and all below as they are written. `above` are paragraphs and headings around."""
    tag = element.tag
    if tag == f"{_SVG}svg":
        return all(
            each.tag.removeprefix(_SVG) in _DRAWN and each.tag.startswith(_SVG) for each in element.iterfind(".//*")
        )
    if tag in _BLOCKS:
        if "p" in above or (tag in _HEADINGS and above):
            return False
        above = above | {tag} if tag == "p" or tag in _HEADINGS else above
    elif tag not in _WORDS and tag not in _VOID:
        return False
    return all(_plain(child, above) for child in element)
