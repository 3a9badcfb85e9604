"""A batch's faces laid out part by part: only what was not laid out before, and what overflowed only itself again.

Parts that stand alone (see parts.py) look the same on whatever page they are laid out, so a face is put together from
boxes of several layouts, and short parts that recur from face to face are laid out once in a process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.render.engine import Engine, Laid, Steps, stepped
from builder.render.jobs import Style
from builder.render.logs import Heard
from builder.render.pages import all_on, assembled, parts_on
from builder.render.parts import ANY, Boxes, Parts, Place, neighbours, split


@dataclass(slots=True)
class Assembly:
    """The faces of one batch."""

    engine: Engine
    style: Style
    _laid: dict[Place, Boxes] = field(default_factory=dict)
    _split: dict[str, Parts] = field(default_factory=dict)

    def lay(self, faces: Sequence[tuple[str, Steps]]) -> Laid | None:
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
                blank = places == [_blank(places[0])]
                parts = all_on(page) if self._whole else parts_on(page, 0 if blank else len(places))
                if parts is None:
                    self.engine.store.beside[self.style.key] = frozenset({ANY})
                    self._split.clear()
                    return self.lay(faces)
                self._laid |= {places[0]: (page,)} if blank else dict(zip(places, parts, strict=True))
            if not heard.messages:
                self.engine.store.keep(self._laid)
        return Laid(tuple(self._page(places) for places in wanted), heard)

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
        """What must be laid out, page by page: unknown parts of each face, then the empty pages they will lie on."""
        seen: set[Place] = set()
        news = []
        for places in (*wanted, *([_blank(places[0])] for places in wanted)):
            new = [place for place in dict.fromkeys(places) if place not in seen and self._boxes(place) is None]
            seen.update(new)
            news += [new] if new else []
        return news

    def _boxes(self, place: Place) -> Boxes | None:
        known = self._laid.get(place)
        return self.engine.store.parts.get(place) if known is None else known

    def _page(self, places: Sequence[Place]) -> Any:
        """The page of a face."""
        (blank,) = self._boxes(_blank(places[0])) or (None,)
        return assembled(blank, [self._boxes(place) or () for place in places if place[2]])


def _blank(place: Place) -> Place:
    """The same section with nothing in it."""
    return (place[0], place[1], "")
