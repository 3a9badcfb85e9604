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

_SHAPES, _PARAGRAPHS, _SECTIONS, _WORDS = (
    frozenset(names.split())
    for names in (
        "g path rect circle ellipse line polyline polygon text tspan defs clipPath",
        "p h1 h2 h3 h4 h5 h6",
        "section div figure figcaption header footer main article table",
        f"span b strong i em small sub sup abbr br img {_SVG}svg",
    )
)
_CLOSED = _SHAPES | {"br", "img", "svg", "col"}
"""Elements that may end with their own tag."""
_DRAWN, _BLOCKS = frozenset(_SVG + name for name in _SHAPES), _PARAGRAPHS | _SECTIONS
_WORDLESS = {"table": "col tr thead tbody tfoot", **dict.fromkeys(("thead", "tbody", "tfoot"), "tr"), "tr": "td th"}
"""Elements that hold no words, and those that may stand in them."""
_ROWS = re.compile("(col )*((tr )*|((thead|tbody|tfoot) )*)")
"""In which order a table holds its own."""

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
    if not _OPENING.match(text) or not text.endswith("</body></html>") or _REFERENCE.search(text):
        return None
    tags = _TAG.findall(text)
    if len(tags) != text.count("<") - 1 or any(end and name not in _CLOSED for name, end in set(tags)):
        return None
    text = _OPEN_VOID.sub(r"<\1\2/>", text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    try:
        root = ElementTree.XML(text)
    except ElementTree.ParseError:
        return None
    if len(root) != 2 or not _plain(root[1]):
        return None
    for table in root.findall(".//table"):
        _imply(table, "col", "colgroup")
        _imply(table, "tr", "tbody")
    return root


def _plain(element: Any, above: frozenset[str] = frozenset()) -> bool:
    """True if HTML nests all below an element as they are written. `above` are the paragraphs and headings around."""
    tag = element.tag
    if tag in _WORDLESS:
        if any(text and text.strip(" \n") for text in (element.text, *(child.tail for child in element))):
            return False
        within = frozenset(_WORDLESS[tag].split())
        if tag == "table" and not _ROWS.fullmatch("".join(f"{child.tag} " for child in element)):
            return False
    else:
        within = _DRAWN if tag.startswith(_SVG) else _BLOCKS | _WORDS
    if tag in _PARAGRAPHS:
        above |= {tag}
    ended = _BLOCKS if "p" in above else _PARAGRAPHS - {"p"} if above else ()
    return all(child.tag in within and child.tag not in ended and _plain(child, above) for child in element)


def _imply(table: Any, tag: str, name: str) -> None:
    """Put children of a table that stand side by side into the group that HTML takes them to be in."""
    if children := table.findall(tag):
        at = list(table).index(children[0])
        group = ElementTree.Element(name)
        group.extend(children)
        table[at : at + len(children)] = [group]
