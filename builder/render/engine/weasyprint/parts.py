"""A face's markup as parts that can be laid out apart: the elements right below its section. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.measure import Measured

_MARKUP = re.compile(r"""<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>""", re.DOTALL)
_CLASSES = re.compile(r"""\sclass=(?:"([^"]*)"|'([^']*)')""")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_RAW = frozenset({"style", "script", "title", "textarea", "template", "plaintext", "xmp", "noscript"})
"""Elements that reach beyond themselves or hold no markup."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BODY = re.compile(r"\{[^{}]*\}")
_AFTER = re.compile(r"[+~]\s*([^\s>+~,:{]*)")
_AMONG = re.compile(r"([^\s>+~,{:]*)(?::[\w()-]+)*:(?:first|last|nth|only)-")
_NAME = re.compile(r"^[a-zA-Z][\w-]*|\.[\w-]+")
_FAR = re.compile(r"counter|quotes|string-set|running\(|target-|:has\(|@layer|@scope")
"""What lets one element of a page depend on another far from it."""

ANY = "*"


SHORT = 600
"""Letters of markup: longer parts hardly recur and are dropped with their batch."""

KEPT = 4_000
"""Short parts that a process keeps; with more different ones it starts anew."""

Place = tuple[str, str, str]
"""Style, opening tag of the section, markup of the part: what decides how a part is laid out."""


class Known(NamedTuple):
    """A laid-out part: the engine's boxes (its page where the face can't be split), and what it measures."""

    boxes: tuple[Any, ...]
    measured: Measured


_FILE = re.compile(r"\b(?:src|href)\s*=|\burl\(", re.IGNORECASE)


@dataclass(slots=True)
class Store:
    """What a process knows: short parts, and by style the names of elements that depend on their neighbours."""

    parts: dict[Place, Known] = field(default_factory=dict)
    beside: dict[str, frozenset[str]] = field(default_factory=dict)

    def keep(self, parts: dict[Place, Known]) -> None:
        """Keep the short ones, but none that draws on a file: it may hold something else the next time."""
        if len(self.parts) > KEPT:
            self.parts.clear()
        self.parts |= {place: known for place, known in parts.items() if _lasting(place[2])}


def _lasting(markup: str) -> bool:
    """True for a short part that means the same as long as its style does."""
    return len(markup) <= SHORT and not _FILE.search(markup)


@dataclass(frozen=True, slots=True)
class Parts:
    """A face's section: its opening tag, and the markup of each part in order; of all in one if it can't be split."""

    opening: str
    pieces: tuple[str, ...]


def neighbours(sheets: Iterable[str]) -> frozenset[str]:
    """Tags (`p`) and classes (`.arm`) that some rule styles by what stands beside them; `*` for any element."""
    names: set[str] = set()
    for sheet in sheets:
        text = _COMMENT.sub("", sheet)
        if _FAR.search(text):
            return frozenset({ANY})
        selectors = _BODY.sub(";", text)
        for compound in (*_AFTER.findall(selectors), *_AMONG.findall(selectors)):
            names.update(_NAME.findall(compound) or {ANY})
    return frozenset(names)


def split(html: str, beside: frozenset[str]) -> Parts:
    """The parts of a face's section. `beside` are the names of elements that depend on their neighbours."""
    start, end = html.index(">") + 1, html.rindex("</section>")
    opening, inside = html[:start], html[start:end]
    pieces = None if ANY in beside else _pieces(inside, beside)
    return Parts(opening, (inside,) if pieces is None else pieces)


def _pieces(text: str, beside: frozenset[str]) -> tuple[str, ...] | None:
    """The outermost elements of a text; None where there is more than these, or where one can't be moved."""
    pieces: list[str] = []
    at = 0
    for start, end, names in _outermost(text):
        if text[at:start].strip() or not names or not beside.isdisjoint(names):
            return None
        pieces.append(text[start:end])
        at = end
    return None if text[at:].strip() else tuple(pieces)


def _outermost(text: str) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Start, end, and names (tag and classes) of each outermost element; no names where markup is not well nested."""
    opened: list[str] = []
    start, names = 0, frozenset[str]()
    for match in _MARKUP.finditer(text):
        tag = (match[2] or "").lower()
        if not tag:
            continue
        if tag in _RAW:
            break
        if not opened:
            start, names = match.start(), _names(tag, match[3])
        if match[1]:
            if not opened or opened.pop() != tag:
                break
        elif tag not in _VOID and not (match[3].endswith("/") and "svg" in (*opened, tag)):
            opened.append(tag)
        if not opened:
            yield start, match.end(), names
    else:
        if not opened:
            return
    yield 0, len(text), frozenset()


def _names(tag: str, attributes: str) -> frozenset[str]:
    """An element's tag and classes as selectors write them."""
    found = _CLASSES.search(attributes)
    classes = (found[1] or found[2] or "").split() if found else []
    return frozenset({tag, *(f".{name}" for name in classes)})
