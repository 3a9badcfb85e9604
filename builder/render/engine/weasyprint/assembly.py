"""A batch's faces laid out part by part: only what was not laid out before, and what overflowed only itself again.

Parts that stand alone (see parts.py) look the same on whatever page they are laid out, so a face is put together from
boxes of several layouts, and short parts that recur from face to face are laid out once in a process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.engine import Engine, Steps, stepped
from builder.render.engine.weasyprint.logs import Heard
from builder.render.engine.weasyprint.measure import Measured, measure
from builder.render.engine.weasyprint.pages import assembled, parts_on
from builder.render.engine.weasyprint.parts import ANY, Known, Parts, Place, neighbours, split
from builder.render.jobs import Style


class Face(NamedTuple):
    """A face after layout: the engine's page box, and what it measures."""

    page: Any
    measured: Measured


@dataclass(slots=True)
class Assembly:
    """The faces of one batch."""

    engine: Engine
    style: Style
    _laid: dict[Place, Known] = field(default_factory=dict)
    _split: dict[str, Parts] = field(default_factory=dict)

    def lay(self, faces: Sequence[tuple[str, Steps]]) -> tuple[list[Face], Heard] | None:
        """Lay out faces (markup, step of each block), one page each; None where one comes out as several pages."""
        wanted = [self._places(html, steps) for html, steps in faces]
        heard = Heard()
        if news := self._news(wanted):
            body = "\n".join(f"{places[0][1]}{''.join(place[2] for place in places)}</section>" for places in news)
            laid = self.engine.lay(self.style, body)
            if len(laid.pages) != len(news):
                return None
            heard = laid.heard
            for page, places in zip(laid.pages, news, strict=True):
                if not self._learn(page, places):
                    self.engine.store.beside[self.style.key] = frozenset({ANY})
                    self._split.clear()
                    return self.lay(faces)
            if not heard.messages:
                self.engine.store.keep({place: self._laid[place] for places in news for place in places})
        return [self._face(places) for places in wanted], heard

    @property
    def _whole(self) -> bool:
        return ANY in self.engine.store.beside[self.style.key]

    def _places(self, html: str, steps: Steps) -> list[Place]:
        """A face's parts with their steps; for a face without any, the empty page."""
        if self.style.key not in self.engine.store.beside:
            self.engine.store.beside[self.style.key] = neighbours(text for _, text in self.style.sheets[1:])
        if html not in self._split:
            self._split[html] = split(html, self.engine.store.beside[self.style.key])
        parts = self._split[html]
        return [(self.style.key, parts.opening, stepped(piece, steps)) for piece in parts.pieces or ("",)]

    def _news(self, wanted: Sequence[list[Place]]) -> list[list[Place]]:
        """What must be laid out, page by page: unknown parts of all faces whose sections open alike, on one page since
        each is placed absolutely; and the empty pages they will lie on.
        """
        blanks = () if self._whole else (_blank(places) for places in wanted)
        pages: dict[Place | tuple[str, str], list[Place]] = {}
        for place in dict.fromkeys((*chain.from_iterable(wanted), *blanks)):
            if not self._knows(place):
                alone = self._whole or not place[2]
                pages.setdefault(place if alone else place[:2], []).append(place)
        return list(pages.values())

    def _knows(self, place: Place) -> bool:
        """True if a part need not be laid out; from now on it is known as long as the batch lasts."""
        if place not in self._laid and place in self.engine.store.parts:
            self._laid[place] = self.engine.store.parts[place]
        return place in self._laid

    def _learn(self, page: Any, places: Sequence[Place]) -> bool:
        """Take a page apart into the parts it was made of; False if that can't be done."""
        if self._whole or places == [_blank(places)]:
            self._laid[places[0]] = Known((page,), measure(page))
            return True
        parts = parts_on(page, len(places))
        self._laid |= {place: Known(boxes, measure(*boxes)) for place, boxes in zip(places, parts or (), strict=False)}
        return parts is not None

    def _face(self, places: Sequence[Place]) -> Face:
        """The page of a face and what it measures."""
        known = [self._laid[place] for place in places]
        if self._whole or places == [_blank(places)]:
            return Face(known[0].boxes[0], known[0].measured)
        blank = self._laid[_blank(places)].boxes[0]
        blocks = tuple(block for part in known for block in part.measured.blocks)
        text = tuple(line for part in known for line in part.measured.text)
        return Face(assembled(blank, [part.boxes for part in known]), Measured(blocks, text))


def _blank(places: Sequence[Place]) -> Place:
    """The section these parts lie in, with nothing in it."""
    style, opening, _ = places[0]
    return (style, opening, "")
