"""Faces laid out part by part: only what was not laid out before, and what overflowed only itself again.

Elements right below a face's section that are placed absolutely look the same on whatever page they are laid out: a
face is put together from boxes of several layouts, and short parts that recur are laid out once in a process. Replaces
nothing of the engine.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from builder.render.engine.complaints import Complaint
from builder.render.engine.fit import Layout
from builder.render.engine.measured import MARKUP, VOID
from builder.render.engine.search import Measured
from builder.render.engine.weasyprint.measure import measure
from builder.render.jobs import Style

_CLASSES = re.compile(r"""\sclass=(?:"([^"]*)"|'([^']*)')""")
_RAW = frozenset({"style", "script", "title", "textarea", "template", "plaintext", "xmp", "noscript"})
"""Elements that reach beyond themselves or hold no markup."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BODY = re.compile(r"\{[^{}]*\}")
_AFTER = re.compile(r"[+~]\s*([^\s>+~,:{]*)")
_AMONG = re.compile(r"(?<![^\s>+~,{};:(])([^\s>+~,{};:(]*)(?::[\w()-]+){0,20}:(?:first|last|nth|only)-")
_NAME = re.compile(r"^[a-zA-Z][\w-]*|\.[\w-]+")
_FAR = re.compile(
    r"counter|quotes|string-set|running\(|target-|:has\(|@layer|@scope|:(?:is|where|not)\([^()]*[\s,:+~>]"
)
"""What lets one element of a page depend on another far from it."""

ANY = "*"

SHORT = 600
"""Letters of markup: longer parts hardly recur and are dropped with their batch."""
KEPT = 4_000
"""Short parts that a process keeps; with more different ones it starts anew."""
Place: TypeAlias = tuple[str, str, str]
"""Style, opening tag of the section, markup of the part: what decides how a part is laid out."""
LayPages: TypeAlias = Callable[[Style, str], tuple[tuple[Any, ...], Sequence[Complaint]]]
"""Lays out the body of a document: its page boxes, and what the engine complained of."""

_FILE = re.compile(r"\b(?:src|href)\s*=|\burl\(", re.IGNORECASE)


class Known(NamedTuple):
    """A laid-out part: the engine's boxes (its page where the face can't be split), and what it measures."""

    boxes: tuple[Any, ...]
    measured: Measured


@dataclass(slots=True)
class Parts:
    """What a process knows: short parts, those of the batch, and by style the names of elements that depend on their
    neighbours.
    """

    lasting: dict[Place, Known] = field(default_factory=dict)
    recent: dict[Place, Known] = field(default_factory=dict)
    beside: dict[str, frozenset[str]] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget all parts."""
        self.lasting.clear()
        self.recent.clear()

    def lay(self, lay_pages: LayPages, style: Style, faces: Sequence[str]) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out faces, one page each; those of another number of pages as they come."""
        wanted = [self._places(style, html) for html in faces]
        complaints: Sequence[Complaint] = ()
        if news := self._news(style, wanted):
            body = "\n".join(f"{places[0][1]}{''.join(place[2] for place in places)}</section>" for places in news)
            pages, complaints = lay_pages(style, body)
            if len(pages) != len(news):
                if self._whole(style):
                    return [Layout(page, measure(page)) for page in pages], complaints
                return self._unsplit(lay_pages, style, faces)
            for page, places in zip(pages, news, strict=True):
                if not self._learn(style, page, places):
                    return self._unsplit(lay_pages, style, faces)
            if not complaints:
                self._keep(place for places in news for place in places)
        layouts = [self._face(style, places) for places in wanted]
        if complaints:
            self.recent.clear()  # whoever asks whose fault it is must hear it again
        return layouts, complaints

    def _unsplit(
        self, lay_pages: LayPages, style: Style, faces: Sequence[str]
    ) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out faces of this style whole, from now on."""
        self.beside[style.key] = frozenset({ANY})
        return self.lay(lay_pages, style, faces)

    def _whole(self, style: Style) -> bool:
        return ANY in self.beside[style.key]

    def _keep(self, places: Iterable[Place]) -> None:
        """Keep short parts, but none that draws on a file: it may hold something else the next time."""
        if len(self.lasting) > KEPT:
            self.lasting.clear()
        short = (place for place in places if len(place[2]) <= SHORT and not _FILE.search(place[2]))
        self.lasting |= {place: self.recent[place] for place in short}

    def _places(self, style: Style, html: str) -> list[Place]:
        """A face's parts; for a face without any, the empty page."""
        if style.key not in self.beside:
            self.beside[style.key] = neighbours(text for _, text in style.sheets[1:])
        opening, pieces = split(html, self.beside[style.key])
        return [(style.key, opening, piece) for piece in pieces or ("",)]

    def _news(self, style: Style, wanted: Sequence[list[Place]]) -> list[list[Place]]:
        """What must be laid out, page by page: unknown parts of all faces whose sections open alike, on one page since
        each is placed absolutely; and the empty pages they will lie on.
        """
        whole = self._whole(style)
        blanks = () if whole else (_blank(places) for places in wanted)
        pages: dict[Place | tuple[str, str], list[Place]] = {}
        for place in dict.fromkeys((*chain.from_iterable(wanted), *blanks)):
            if place not in self.recent and place in self.lasting:
                self.recent[place] = self.lasting[place]
            if place not in self.recent:
                pages.setdefault(place if whole or not place[2] else place[:2], []).append(place)
        return list(pages.values())

    def _learn(self, style: Style, page: Any, places: Sequence[Place]) -> bool:
        """Take a page apart into the parts it was made of; False if that can't be done."""
        if self._whole(style) or places == [_blank(places)]:
            self.recent[places[0]] = Known((page,), measure(page))
            return True
        parts = parts_on(page, len(places))
        self.recent |= {place: Known(boxes, measure(*boxes)) for place, boxes in zip(places, parts or (), strict=False)}
        return parts is not None

    def _face(self, style: Style, places: Sequence[Place]) -> Layout:
        """The page of a face and what it measures."""
        known = [self.recent[place] for place in places]
        if self._whole(style) or places == [_blank(places)]:
            return Layout(known[0].boxes[0], known[0].measured)
        blocks = tuple(block for part in known for block in part.measured.blocks)
        text = tuple(line for part in known for line in part.measured.text)
        page = assembled(self.recent[_blank(places)].boxes[0], [part.boxes for part in known])
        painted = tuple(block for part in known for block in part.measured.painted)
        touching = tuple(cells for part in known for cells in part.measured.touching)
        return Layout(page, Measured(blocks, text, painted, touching))


def _blank(places: Sequence[Place]) -> Place:
    """The section these parts lie in, with nothing in it."""
    style, opening, _ = places[0]
    return (style, opening, "")


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


def split(html: str, beside: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The opening tag of a face's section and its parts in order; all of it in one if it can't be split. `beside` are
    the names of elements that depend on their neighbours.
    """
    start, end = html.index(">") + 1, html.rindex("</section>")
    pieces = None if ANY in beside else _pieces(html[start:end], beside)
    return html[:start], (html[start:end],) if pieces is None else pieces


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
    for match in MARKUP.finditer(text):
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
        elif tag not in VOID and not (match[3].endswith("/") and "svg" in (*opened, tag)):
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


def parts_on(page_box: Any, count: int) -> list[tuple[Any, ...]] | None:
    """The boxes of each of the `count` elements right below a page's section, in order.

    None where they can't be moved to another page: one is not placed absolutely, or there is more than these.
    """
    section = _way(page_box)[-1]
    elements = list(section.element)
    if len(elements) != count:
        return None
    boxes: dict[Any, list[Any]] = {element: [] for element in elements}
    for box in section.children:
        if box.element not in boxes or box.style["position"] != "absolute" or box.style["z_index"] != "auto":
            return None
        boxes[box.element].append(box)
    return [tuple(boxes[element]) for element in elements]


def assembled(blank: Any, parts: Sequence[tuple[Any, ...]]) -> Any:
    """A copy of a page with an empty section, the parts' boxes in it."""
    *outer, section = _way(blank)
    box = section.copy_with_children([box for part in parts for box in part])
    former = section
    for parent in reversed(outer):
        children = [box if child is former else child for child in parent.children]
        former, box = parent, parent.copy_with_children(children)
    return box


def _way(page_box: Any) -> list[Any]:
    """The boxes from the page down to its section."""
    way = [page_box]
    while way[-1].element_tag != "section":
        inner = (child for child in way[-1].children if child.element_tag in ("html", "body", "section"))
        child = next(inner, None)
        if child is None:
            raise LookupError("a page without a section")
        way.append(child)
    return way
