"""Finished documents from set faces: nothing is laid out here, faces are placed as they are.

Each face becomes one form, however often it is placed. All lengths come in mm from the sheet's top left corner and
leave as points from its bottom left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, TypeAlias

from builder.cache import cache_at, fingerprint
from builder.findings import Box
from builder.geometry.imposition import (
    Pair,
    PlacedFace,
    SheetSide,
    Spacing,
    Stroke,
    choose_grid,
    impose,
    impose_folded,
)
from builder.geometry.marks import Strip, make_cut_marks
from builder.geometry.sheetplan import SheetPlan, plan_sheet
from builder.model.pack import Size
from builder.model.profile import Paper, Profile
from builder.render.cache import FaceCache
from builder.render.fonts import hash_fonts
from builder.render.keys import digest
from builder.render.sheets.fontmerge import unite, write_fonts
from builder.render.sheets.marks import (
    NAME,
    TextStamp,
    grown,
    ink,
    machine_marks,
    moved,
    outline,
    outlines,
    upright,
)
from builder.render.sheets.pdfwriter import (
    PdfWriter,
    format_number,
    format_points,
    make_stream_body,
)
from builder.render.sheets.record import (
    FONT,
    REF,
    FontUse,
    Form,
    KeptSides,
    PdfObject,
    Record,
    pack,
)
from builder.units import from_points, to_points

Stack: TypeAlias = tuple[str, ...]
"""One face as printed: keys of the layers, the lowest first (frame, then text)."""

TOGETHER = 8
"""Sides that are kept together: fewer are read and verified one by one, more are composed anew for one face."""
NOTICE = 6.5
"""Type size in pt of what the press itself writes: the smallest legible."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of one size, in printing order. Sheets for the table may reach the paper's edge where more then fit."""

    size: Size
    pairs: tuple[Pair[Stack], ...]
    to_edge: bool = False


@dataclass(frozen=True, slots=True)
class ComposedPdf:
    """What was written: pages, cards, and the SHA-256 of it all."""

    pages: int
    cards: int
    sha: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page composed by hand: the page with the key `ground` under all, faces cut to their rounded trim and as large
    as their boxes, and frames drawn over them.
    """

    paper: Paper
    faces: tuple[tuple[Stack, Size, Box], ...] = ()
    frames: tuple[Box, ...] = ()
    ground: str = ""


@dataclass
class Composer:
    """Puts one document together. `notices` are short texts printed at the foot of faces, by their layers.

    Faces are read one by one as they are placed, and written at once: what is kept of each is where it was written.
    """

    cache: FaceCache
    cache_dir: Path
    fonts: tuple[Path, ...]
    profile: Profile
    title: str
    label: str = ""
    notices: Mapping[Stack, str] = field(default_factory=dict)
    _writer: PdfWriter = field(init=False)
    _uses: dict[str, FontUse] = field(default_factory=dict)
    _forms: dict[tuple[str, float], Form] = field(default_factory=dict)
    _fonts: dict[str, int] = field(default_factory=dict)
    _streams: dict[str, int] = field(default_factory=dict)
    """The objects of all streams by digest: pictures that many faces draw are written once."""
    _used_streams: dict[str, int] = field(default_factory=dict)
    """Those of them that the present sides use."""
    _stamp: TextStamp = field(init=False)
    _pages: list[int] = field(default_factory=list)
    _parent: int = 0
    _duplex: bool = False

    def compose(
        self,
        out: IO[bytes],
        groups: Sequence[Group],
        extra: Sequence[str] = (),
        leaves: Iterable[Leaf] = (),
    ) -> ComposedPdf:
        """Write the whole document; `extra` are keys of whole pages that follow the cards on a sheet of their own, both
        sides used; `leaves` come last.

        Raises UsageError where a card is larger than the profile's paper.
        """
        self._writer, self._stamp = PdfWriter(out), TextStamp(kept=cache_at(self.cache_dir))
        self._duplex = self.profile.duplex != "none" and self.profile.layout == "sheets"
        self._duplex &= any(pair.back is not None for group in groups for pair in group.pairs)
        self._parent = self._writer.reserve()
        for place, group in enumerate(groups):
            if self.profile.layout == "pages":
                self._single(group)
            else:
                self._sheets(group, () if place else self.profile.skip)
        for place, key in enumerate(extra):
            self._whole(key, turn=place == 0)
        for leaf in leaves:
            self._leaf(leaf)
        # Fonts are written last: now all their glyphs are known.
        self._stamped()
        for name, made in write_fonts(self._writer, self._uses, self.cache_dir, self.fonts).items():
            self._writer.put(self._font(name), made)
        sha = self._writer.finish(self._pages, self._parent, self.title)
        return ComposedPdf(len(self._pages), sum(len(group.pairs) for group in groups), sha)

    def _font(self, name: str) -> int:
        """The object of a font, which is written when all its glyphs are known."""
        if name not in self._fonts:
            self._fonts[name] = self._writer.reserve()
        return self._fonts[name]

    def _sheets(self, group: Group, skip: Sequence[int]) -> None:
        """N-up sheets, backs on the following page or beside their fronts."""
        size, plan = group.size, plan_sheet(self.profile, group.size, to_edge=group.to_edge)
        if plan.profile.layout == "fold":
            sides = impose_folded(group.pairs, plan.grid, skip)
        else:
            sides = impose(
                group.pairs, plan.grid, plan.profile.duplex, lying=plan.lying, skipped_places=skip
            )
        setting = digest(self._setting, repr((size, group.to_edge, tuple(skip))))
        all_keys = {key for pair in group.pairs for key in (*pair.front, *(pair.back or ()))}
        drawn = self.cache.digests(sorted(all_keys))
        while some := tuple(islice(sides, TOGETHER)):
            self._copied(
                setting,
                drawn,
                some,
                size.bleed - plan.visible_bleed,
                partial(self._sides, some, size, plan),
            )

    def _copied(
        self, setting: str, drawn: Mapping[str, str], sides: Sequence[SheetSide[Stack]], cut: float,
        write: Callable[[], None],
    ) -> None:  # fmt: skip
        """Write some sides, or copy what they were last time where all that shapes them is the same."""
        lying = [
            (face.item, face.box.x, face.box.y, face.upside_down)
            for side in sides
            for face in side.faces
        ]
        order = [(side.sheet, side.is_back, side.place_count, len(side.faces)) for side in sides]
        keys = sorted({key for side in sides for face in side.faces for key in face.item})
        there = [self._forms.get((key, cut)) for key in keys]
        before = (len(self._pages) % 2, self._writer.object_count, self._fonts, there)
        name = digest(setting, repr((order, lying, [drawn.get(key) for key in keys], before)))
        kept = self.cache.sides(name)
        if kept is not None and self._has_streams(kept):
            self._writer.copy(kept.stretch)
            self._pages += kept.pages
            self._fonts |= kept.fonts
            self._forms |= {(key, cut): form for key, form in kept.forms.items()}
            self._streams |= kept.streams
            unite(self._uses, kept.uses)
            return
        pages, uses, self._uses = len(self._pages), self._uses, {}
        self._used_streams.clear()
        stretch = self._writer.record_part(write)
        self._stamped()
        forms = {key: self._forms[key, cut] for key in keys}
        self.cache.put_sides(
            name,
            KeptSides(
                stretch, self._pages[pages:], self._fonts, forms, self._uses, self._used_streams
            ),
        )
        unite(uses, self._uses)
        self._uses = uses

    def _has_streams(self, kept: KeptSides) -> bool:
        """True if the streams of cached sides that other sides wrote have the same numbers now, and no others."""
        for name, stream in kept.streams.items():
            is_earlier = stream <= self._writer.object_count
            if self._streams.get(name) != (stream if is_earlier else None):
                return False
        return True

    def _stamped(self) -> None:
        """Add the letters that were stamped to those that faces draw."""
        if self._stamp.widths:
            unite(self._uses, {NAME: self._stamp.use()})
            self._stamp = TextStamp(kept=cache_at(self.cache_dir))

    @cached_property
    def _setting(self) -> str:
        """What all sheets of the document depend on, besides what lies on them."""
        state = (self.profile, self.label, sorted(self.notices.items()), self._duplex, self._parent)
        return digest(fingerprint("render", "geometry", "model"), hash_fonts(), repr(state))

    def _sides(self, sides: Iterable[SheetSide[Stack]], size: Size, plan: SheetPlan) -> None:
        """Write some sides of sheets."""
        marks = plan.profile.marks
        for side in sides:
            # Marks of a back show through as a second, slightly shifted set: they are there if asked for.
            marked = marks is not None and marks.sides in (
                "both",
                "back" if side.is_back else "front",
            )
            folds_alone = marks is None and not side.is_back
            lines = plan.make_cut_lines(side.place_count) if marked or folds_alone else ()
            if not side.is_back:
                self._turn_leaf(plan.paper)
            on_cards = marks is not None and marks.style == "crosses"
            page = ink(
                plan.mirror_lines(lines) if side.is_back else lines,
                plan.paper,
                self.profile,
                halo=on_cards,
            )
            if not side.is_back:
                page += machine_marks(plan)
            page += self._furniture(plan.strip, plan.paper, side.sheet, back=side.is_back)
            if marked and marks is not None and marks.style == "outline":
                pieces = side.cut_boxes or [placed.box for placed in side.faces]
                page += outlines(pieces, size, plan.paper, marks.weight)
            clips = self._clips(side, size, plan)
            faces = [
                (placed, size, plan.visible_bleed, clips.get(placed.box, b""))
                for placed in side.faces
            ]
            self._page(plan.paper, page, faces, back=side.is_back)

    def _clips(self, side: SheetSide[Stack], size: Size, plan: SheetPlan) -> dict[Box, bytes]:
        """What faces are clipped to where it is no rectangle with the bleed that is shown."""
        shown, boxes = plan.visible_bleed, [placed.box for placed in side.faces]
        if size.shape != "rectangle" and shown < size.bleed:
            return {
                box: outline(grown(box, shown, shown, shown, shown), size, plan.paper, b"W n")
                for box in boxes
            }
        if not plan.profile.outer_bleed:
            return {}
        taken = {(round(box.x, 2), round(box.y, 2)) for box in boxes}

        def free(box: Box, right: int, down: int) -> float:
            beside = (round(box.x + right * box.width, 2), round(box.y + down * box.height, 2))
            return 0.0 if beside in taken else shown

        areas = {
            box: grown(box, free(box, -1, 0), free(box, 0, -1), free(box, 1, 0), free(box, 0, 1))
            for box in boxes
        }
        square = Size(width=1, height=1, corner=0)
        return {box: outline(area, square, plan.paper, b"W n") for box, area in areas.items()}

    def _single(self, group: Group) -> None:
        """One page per face, of the card's own size."""
        profile, size = self.profile, group.size
        bleed = min(profile.bleed, size.bleed)
        marks = profile.marks
        room = bleed if marks is None else max(bleed, marks.offset + marks.length + 1)
        paper = Paper(width=size.width + 2 * room, height=size.height + 2 * room)
        trim = Box(room, room, size.width, size.height)
        lines: tuple[Stroke, ...] = ()
        if marks is not None:
            found = choose_grid(paper, size.width, size.height, Spacing(0, 0))
            assert found is not None
            lines = make_cut_marks(
                found[1], marks, bleed=bleed, area=Box(0, 0, paper.width, paper.height)
            )
        clip = b""
        if size.shape != "rectangle" and bleed < size.bleed:
            clip = outline(grown(trim, bleed, bleed, bleed, bleed), size, paper, b"W n")
        for pair in group.pairs:
            for stack in (pair.front, pair.back):
                if stack is not None:
                    drawing = ink(lines, paper, self.profile)
                    if size.shape != "rectangle" and marks is not None:
                        drawing += outlines([trim], size, paper, marks.weight)
                    self._page(
                        paper, drawing, [(PlacedFace(stack, trim), size, bleed, clip)], trim=trim
                    )

    def _whole(self, key: str, *, turn: bool) -> None:
        """A page that was set as a page, on a new sheet if the paper is to `turn`."""
        left, bottom, right, top = self._form(key, 0).box
        paper = Paper(width=from_points(right - left), height=from_points(top - bottom))
        size = Size(width=paper.width, height=paper.height, bleed=0, safe=0)
        if turn:
            self._turn_leaf(paper)
        self._page(
            paper, b"", [(PlacedFace((key,), Box(0, 0, paper.width, paper.height)), size, 0, b"")]
        )

    def _leaf(self, leaf: Leaf) -> None:
        """A page composed by hand."""
        frames = b"".join(
            b"%s %s %s %s re\n"
            % (
                format_points(box.x),
                format_points(leaf.paper.height - box.y - box.height),
                format_points(box.width),
                format_points(box.height),
            )
            for box in leaf.frames
        )
        drawing = (
            b"q 0.85 0.1 0.1 RG %s w\n%sS Q\n" % (format_points(0.35), frames) if frames else b""
        )
        paper = leaf.paper
        edges = (
            outline(box, size, paper, scale=box.width / size.width)
            for _stack, size, box in leaf.faces
        )
        drawing = b"q 0.6 G %s w\n%sQ\n" % (format_points(0.1), b"".join(edges)) + drawing
        whole = Size(width=paper.width, height=paper.height, corner=0, bleed=0, safe=0)
        faces = (
            [((leaf.ground,), whole, Box(0, 0, paper.width, paper.height))] if leaf.ground else []
        )
        placed = [
            (PlacedFace(stack, box), size, 0, b"") for stack, size, box in (*faces, *leaf.faces)
        ]
        self._page(paper, drawing, placed)

    def _turn_leaf(self, paper: Paper) -> None:
        """Begin a new sheet: a sheet without a back gets an empty one, or the next front would be printed on it."""
        if self._duplex and len(self._pages) % 2:
            self._page(paper, b"", [])

    def _page(
        self,
        paper: Paper,
        drawing: bytes,
        faces: Iterable[tuple[PlacedFace[Stack], Size, float, bytes]],
        trim: Box | None = None,
        *,
        back: bool = False,
    ) -> None:
        """One page: faces first, marks over them."""
        names: dict[int, int] = {}
        placed: list[bytes] = []
        for face, size, shown, clip in faces:
            for key in face.item:
                form = self._form(key, size.bleed - shown)
                name = names.setdefault(form.number, len(names))
                drawn = self._place(face, form, size, paper, name)
                placed.append(b"q %s%sQ\n" % (clip, drawn) if clip else drawn)
            if face.item in self.notices:
                placed.append(self._notice(face, self.notices[face.item], paper))
        drawing = b"".join(placed) + drawing
        turned, paper = upright(self.profile, paper)
        drawing = (moved(self.profile, paper) if back else b"") + turned + drawing
        body = self._writer.add_stream(b"/Filter/FlateDecode", pack(drawing))
        forms = b" ".join(b"/F%d %d 0 R" % (name, form) for form, name in names.items())
        font = (
            b"/Font<</%s %d 0 R>>" % (NAME.encode(), self._font(NAME)) if b" Tf" in drawing else b""
        )
        boxes = b"/MediaBox[0 0 %s %s]" % (format_points(paper.width), format_points(paper.height))
        if trim is not None:
            edges = (
                trim.x,
                paper.height - trim.y - trim.height,
                trim.x + trim.width,
                paper.height - trim.y,
            )
            boxes += b"/TrimBox[%s]" % b" ".join(format_points(edge) for edge in edges)
        self._pages.append(
            self._writer.add(
                b"<</Type/Page/Parent %d 0 R%s/Contents %d 0 R/Resources<</XObject<<%s>>%s>>>>"
                % (self._parent, boxes, body, forms, font)
            )
        )

    def _place(
        self, face: PlacedFace[Stack], form: Form, size: Size, paper: Paper, name: int
    ) -> bytes:
        """Operators that draw one form with its trim on the placed box."""
        trim_left = form.box[0] + to_points(size.bleed)
        trim_bottom = form.box[1] + to_points(size.bleed)
        left, bottom = to_points(face.box.x), to_points(paper.height - face.box.y - face.box.height)
        scale = face.box.width / size.width
        if abs(scale - 1) > 1e-6:
            cut = outline(face.box, size, paper, b"W n", scale)
            x, y = left - scale * trim_left, bottom - scale * trim_bottom
            move = b"%s 0 0 %s %s %s" % (
                format_number(scale),
                format_number(scale),
                format_number(x),
                format_number(y),
            )
            return b"q %sq %s cm /F%d Do Q Q\n" % (cut, move, name)
        if face.upside_down:
            right, top = left + to_points(face.box.width), bottom + to_points(face.box.height)
            x, y, matrix = right + trim_left, top + trim_bottom, b"-1 0 0 -1"
        else:
            x, y, matrix = left - trim_left, bottom - trim_bottom, b"1 0 0 1"
        return b"q %s %s %s cm /F%d Do Q\n" % (matrix, format_number(x), format_number(y), name)

    def _notice(self, face: PlacedFace[Stack], text: str, paper: Paper) -> bytes:
        """A short text on white at the foot of a face, in the strip that a card's own text keeps free."""
        box = face.box
        width = from_points(self._stamp.width(text, NOTICE))
        left, bottom = box.x + (box.width - width) / 2, paper.height - box.y - box.height
        ground = (left - 0.8, bottom + 0.5, width + 1.6, 2.3)
        drawing = b"1 g %s re f 0 g\n" % b" ".join(format_points(value) for value in ground)
        drawing += self._stamp.draw(text, NOTICE, left, bottom + 0.85)
        around = b""
        if face.upside_down:
            centre_x, centre_y = box.x + box.width / 2, bottom + box.height / 2
            around = b"-1 0 0 -1 %s %s cm " % (
                format_points(2 * centre_x),
                format_points(2 * centre_y),
            )
        return b"q %s%sQ\n" % (around, drawing)

    def _form(self, key: str, cut: float) -> Form:
        """The form of a face less so many mm on each side; made at first use."""
        if (key, cut) not in self._forms:
            self._forms[key, cut] = self._formed(self.cache.record(key), to_points(cut))
        return self._forms[key, cut]

    def _formed(self, record: Record, inset: float) -> Form:
        """Write a face, all but its fonts."""
        unite(self._uses, record.fonts)
        numbers = self._write_objects(record.objects)
        left, bottom, right, top = record.box
        box = b" ".join(
            format_number(edge)
            for edge in (left + inset, bottom + inset, right - inset, top - inset)
        )
        resources = self._resolved(record.resources, numbers)
        head = b"/Type/XObject/Subtype/Form/BBox[%s]/Resources%s/Filter/FlateDecode" % (
            box,
            resources,
        )
        return Form(self._writer.add_stream(head, record.content), record.box)

    def _write_objects(self, objects: Sequence[PdfObject]) -> list[int]:
        """Write a face's objects, equal streams only once. Return their numbers."""
        numbers = [0] * len(objects)
        # A picture comes before its mask in a record. Backwards, the numbers of all that a stream names are known.
        for index in reversed(range(len(objects))):
            loose = objects[index]
            is_complete = all(numbers[int(name)] for name in REF.findall(loose.head))
            if loose.data is not None and is_complete:
                body = make_stream_body(self._resolved(loose.head, numbers), loose.data)
                numbers[index] = self._write_stream(body)
        remaining = [index for index, format_number in enumerate(numbers) if not format_number]
        for index in remaining:
            numbers[index] = self._writer.reserve()
        for index in remaining:
            loose = objects[index]
            head = self._resolved(loose.head, numbers)
            body = head if loose.data is None else make_stream_body(head, loose.data)
            self._writer.put(numbers[index], body)
        return numbers

    def _write_stream(self, body: bytes) -> int:
        """Write a stream unless an equal one is written. Return its number."""
        digest = sha256(body).hexdigest()
        if digest not in self._streams:
            self._streams[digest] = self._writer.add(body)
        self._used_streams[digest] = self._streams[digest]
        return self._streams[digest]

    def _resolved(self, text: bytes, numbers: Sequence[int]) -> bytes:
        """A record's text with its placeholders replaced by this document's numbers."""
        text = REF.sub(lambda match: b"%d 0 R" % numbers[int(match[1])], text)
        return FONT.sub(lambda match: b"%d 0 R" % self._font(match[1].decode("latin-1")), text)

    def _furniture(self, place: Strip | None, paper: Paper, sheet: int, *, back: bool) -> bytes:
        """The check line with its length, and the label, on a sheet's front."""
        if place is None or back:
            return b""
        profile, out, offset, size = self.profile, b"", 1.0, NOTICE
        texts: list[tuple[str, float]] = []
        if profile.check_line:
            length = min(profile.check_line, place.length - 2)
            lines = (place.make_line(offset, length), *place.make_ticks(offset, length))
            out += ink(lines, paper, self.profile)
            offset += length + 2
            texts.append((f"{length:g} mm", offset))
            offset += from_points(self._stamp.width(texts[0][0], size)) + 5
        if profile.label:
            texts.append((f"{self.label} · {sheet}", offset))
        for text, at in texts:
            point = place.make_line(at, 0)
            x, y = (point.x1 + 0.7, point.y1) if place.is_vertical else (point.x1, point.y1 + 0.7)
            out += self._stamp.draw(text, size, x, paper.height - y, standing=place.is_vertical)
        return out
