"""The decks of an order: cards of one language and one of the shop's sizes, in parts no larger than it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from builder.findings import Box, Finding, Location
from builder.geometry.imposition import Pair
from builder.geometry.shop import RefusedSize, ShopPage, cut_of
from builder.messages import Message, joined
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.pack import Kind, Size
from builder.model.shop import Preset, ShopSize
from builder.render.jobs import FaceJob
from builder.render.prepress import codes
from builder.render.sheets.sheets import Stack
from builder.usecases.build.options import BuildOptions
from builder.usecases.build.typeset import SetCards, layers


@dataclass(frozen=True, slots=True)
class OrderedCard:
    """One card of a deck, its two faces, and how many copies of it."""

    card: Card
    pair: Pair[Stack]
    copies: int


@dataclass(frozen=True, slots=True)
class Deck:
    """What becomes one file (or two), or one folder of images. `part` is 0 where there is only one."""

    lang: str
    size: str
    part: int
    cards: tuple[OrderedCard, ...]
    cuts: dict[Stack, ShopPage]


@dataclass
class Planner:
    """Sorts set cards into decks and collects what must be said about their sizes."""

    made: SetCards
    preset: Preset
    options: BuildOptions
    place: str
    findings: list[Finding] = field(default_factory=list)

    def decks(self) -> tuple[Deck, ...]:
        """All decks, in the order the cards come. With an error among the findings they are not to be printed."""
        units: dict[tuple[str, str], list[tuple[Card, Pair[Stack]]]] = {}
        cuts: dict[Stack, ShopPage] = {}
        judged = self._judged()
        for lang, cards in self.made.orders.items():
            for card in cards:
                cut = judged.get(card.kind)
                if cut is not None:
                    pair = self._pair(card, lang)
                    cuts[pair.front] = cut
                    if pair.back is not None:
                        cuts.setdefault(pair.back, cut.behind)
                    units.setdefault((lang, cut.name), []).append((card, pair))
        return tuple(
            Deck(lang, size, part, cards, cuts)
            for (lang, size), all_units in units.items()
            for part, cards in self._parts(all_units)
        )

    def _judged(self) -> dict[str, ShopPage]:
        """The cut of each kind that is printed; what is wrong or noteworthy goes to the findings."""
        kinds = self.made.renderer.pack.manifest.kinds
        found: dict[str, ShopPage] = {}
        for name in dict.fromkeys(card.kind for cards in self.made.orders.values() for card in cards):
            place = Location(file=self.place, path=f"kinds.{name}.size")
            if kinds[name].table:
                self.findings.append(self._left_out(name, place))
                continue
            cut = cut_of(kinds[name].size, self.preset)
            if isinstance(cut, ShopPage):
                found[name] = cut
                self.findings += _remarks(name, kinds[name], cut, place)
            else:
                self.findings.append(self._refusal(name, kinds[name], cut, place))
        return found

    def _left_out(self, name: str, place: Location) -> Finding:
        """What is not ordered, and how it is printed instead."""
        kind, pack = self.made.renderer.pack.manifest.kinds[name], self.made.renderer.pack.id
        found = {card.id for cards in self.made.orders.values() for card in cards if card.kind == name}
        form = _("{kind}: {many} sheets for the table, {size}, are left out")
        if len(found) == 1:
            form = _("{kind}: {many} sheet for the table, {size}, is left out")
        message = _(form, kind=name, many=len(found), size=_size(kind.size))
        command = f"squadpress build {pack} --only kind={name} --profile home-a4"
        return codes.TABLE.finding(message, place, _("Print them at home: {command}.", command=command))

    def _refusal(self, name: str, kind: Kind, why: RefusedSize, place: Location) -> Finding:
        """Why a kind cannot be made."""
        named: dict[str, object] = {"kind": name, "shop": self.preset.id}
        if why.why == "bleed":
            form = _("{kind}: faces bleed {bleed:g} mm; {shop} needs {needed:.2f} mm")
            message = _(form, bleed=kind.size.bleed, needed=why.lacking, **named)
            return codes.BLEED.finding(message, place)
        sizes = joined(_("{name} {size}", name=key, size=_size(made)) for key, made in self.preset.sizes.items())
        form = _("{kind}: {shop} makes no cards of {size}; it makes {sizes}")
        return codes.SIZE.finding(_(form, size=_size(kind.size), sizes=sizes, **named), place)

    def _pair(self, card: Card, lang: str) -> Pair[Stack]:
        """The two printed faces of a card."""
        faces = self.made.renderer.pack.manifest.kinds[card.kind].faces
        stacks = {
            side: tuple(
                self._key(job) for job in layers(self.made.renderer, card, side, lang, self.options.select.variant)
            )
            for side in faces
        }
        return Pair(stacks.get("front") or stacks["back"], stacks.get("back") if "front" in stacks else None)

    def _key(self, job: FaceJob) -> str:
        return self.made.keys[job]

    def _parts(self, units: Sequence[tuple[Card, Pair[Stack]]]) -> list[tuple[int, tuple[OrderedCard, ...]]]:
        """The units in parts of at most what one order takes, copies counted, the same cards together."""
        most = self.preset.most_cards or len(units)
        chunks = [units[start : start + most] for start in range(0, len(units), most)]
        parts = []
        for number, chunk in enumerate(chunks, 1):
            copies: dict[tuple[str, Pair[Stack]], OrderedCard] = {}
            for card, pair in chunk:
                before = copies.get((card.id, pair))
                copies[card.id, pair] = OrderedCard(card, pair, 1 + (before.copies if before else 0))
            parts.append((number if len(chunks) > 1 else 0, tuple(copies.values())))
        return parts


def _remarks(name: str, kind: Kind, cut: ShopPage, place: Location) -> list[Finding]:
    """What the author should know of a cut."""
    size, found = _size(kind.size), []
    if cut.rotate:
        form = _("{kind}: {size} is turned upright, front clockwise, back the other way")
        found.append(codes.TURNED.finding(_(form, kind=name, size=size), place))
    if any(cut.differs):
        form = _("{kind}: {size} is made as {name}, {made}, the card in the middle")
        message = _(form, kind=name, size=size, name=cut.name, made=_size(cut.trim))
        found.append(codes.DIFFERS.finding(message, place))
    if max(cut.reach) > 0:
        form = _("{kind}: the page reaches {far:.2f} mm past the face's bleed, its edge is mirrored there")
        found.append(codes.MIRRORED.finding(_(form, kind=name, far=max(cut.reach)), place))
    return found


def _size(size: ShopSize | Size | Box) -> Message:
    """Width and height in words."""
    return _("{width:g} × {height:g} mm", width=size.width, height=size.height)
