"""Compose documents from rendered faces. Faces are placed without another layout."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeAlias

from builder.cache import cache_at, fingerprint
from builder.findings import Box
from builder.geometry.boxes import grow_box
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
from builder.render.sheets.fontmerge import merge_font_uses, write_fonts
from builder.render.sheets.marks import (
    STAMP_FONT,
    TextStamp,
    draw_card_outline,
    draw_card_outlines,
    draw_lines,
    draw_machine_marks,
    make_back_matrix,
    turn_upright,
)
from builder.render.sheets.pdfwriter import (
    PdfWriter,
    format_number,
    format_points,
    make_stream_body,
)
from builder.render.sheets.record import (
    FONT_NAME,
    REFERENCE,
    CachedSides,
    FontUse,
    Form,
    PdfObject,
    Record,
    compress,
)
from builder.units import from_points, to_points

Stack: TypeAlias = tuple[str, ...]
"""One face as printed: keys of the layers, the lowest first (frame, then text)."""

SIDES_PER_RECORD = 8
"""Sides cached together: with fewer, reading takes longer; with more, one new face costs more."""
NOTICE_SIZE_PT = 6.5
CLIP = b"W n"
"""The operators that clip to a path."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of one size, in printing order.

    `to_edge` lets sheets reach the paper's edge where more cards then fit.
    """

    size: Size
    pairs: tuple[Pair[Stack], ...]
    to_edge: bool = False


@dataclass(frozen=True, slots=True)
class ComposedPdf:
    """A PDF that was written: its pages, cards, and SHA-256."""

    pages: int
    cards: int
    sha: str


@dataclass(frozen=True, slots=True)
class FaceWindow:
    """A part of a face that is printed in true size. `trim` is the position of the whole face."""

    stack: Stack
    size: Size
    trim: Box
    box: Box


@dataclass(frozen=True, slots=True)
class PageText:
    """A short text next to faces: its size in pt, and the left end of its baseline in mm."""

    text: str
    size: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class FreePage:
    """A page with faces at any position, scaled to their boxes and cut to their rounded outline.

    The page with the key `background` lies under all, frames are drawn over the faces.
    `windows` show parts of faces, `lines` and `texts` lie beside them.
    """

    paper: Paper
    faces: tuple[tuple[Stack, Size, Box], ...] = ()
    frames: tuple[Box, ...] = ()
    background: str = ""
    windows: tuple[FaceWindow, ...] = ()
    lines: tuple[Stroke, ...] = ()
    texts: tuple[PageText, ...] = ()
    strip: Strip | None = None


@dataclass(frozen=True, slots=True)
class _FaceOnPage:
    """A card face at its position on a page.

    `inset` mm of its bleed are hidden. `clip` is a clipping path.
    """

    placed: PlacedFace[Stack]
    size: Size
    inset: float
    clip: bytes = b""


@dataclass
class Composer:
    """Writes one PDF with the sheets of cards.

    `notices` are short texts printed at the bottom of faces, by their layers.

    Faces are read one by one as they are placed, and written at once: only their object numbers are
    kept.
    """

    cache: FaceCache
    cache_dir: Path
    fonts: tuple[Path, ...]
    profile: Profile
    title: str
    label: str = ""
    notices: Mapping[Stack, str] = field(default_factory=dict)
    _writer: PdfWriter = field(init=False)
    _stamp: TextStamp = field(init=False)
    _font_uses: dict[str, FontUse] = field(default_factory=dict)
    _forms: dict[tuple[str, float], Form] = field(default_factory=dict)
    _streams: dict[str, int] = field(default_factory=dict)
    """Numbers of the streams that faces hold, by the hash of their bodies."""
    _used_streams: dict[str, int] = field(default_factory=dict)
    _font_numbers: dict[str, int] = field(default_factory=dict)
    _pages: list[int] = field(default_factory=list)
    _parent: int = 0
    _is_duplex: bool = False

    def compose(
        self,
        out: IO[bytes],
        groups: Sequence[Group],
        extra_pages: Sequence[str] = (),
        free_pages: Iterable[FreePage] = (),
    ) -> ComposedPdf:
        """Write the PDF with all sheets, extra pages and free pages.

        `extra_pages` are keys of whole pages that follow the cards on a sheet of their own, both
        sides used. `free_pages` come last. Raises UsageError if a card is larger than the paper.
        """
        self._writer = PdfWriter(out)
        self._renew_stamp()
        pairs = list(chain.from_iterable(group.pairs for group in groups))
        has_backs = any(pair.back is not None for pair in pairs)
        is_two_sided = self.profile.duplex != "none" and self.profile.layout == "sheets"
        self._is_duplex = is_two_sided and has_backs
        self._parent = self._writer.reserve()
        for index, group in enumerate(groups):
            if self.profile.layout == "pages":
                self._write_single_faces(group)
            else:
                self._write_sheets(group, self.profile.skip if index == 0 else ())
        for index, key in enumerate(extra_pages):
            self._write_whole_page(key, on_new_sheet=index == 0)
        for page in free_pages:
            self._write_free_page(page)
        # Fonts are written last: now all their glyphs are known.
        self._collect_stamped_glyphs()
        bodies = write_fonts(self._writer, self._font_uses, self.cache_dir, self.fonts)
        for name, body in bodies.items():
            self._writer.write_object(self._find_font(name), body)
        sha = self._writer.finish(self._pages, self._parent, self.title)
        return ComposedPdf(len(self._pages), len(pairs), sha)

    def _find_font(self, name: str) -> int:
        """Return the number of a font object, which is written when all its glyphs are known."""
        if name not in self._font_numbers:
            self._font_numbers[name] = self._writer.reserve()
        return self._font_numbers[name]

    def _write_sheets(self, group: Group, skipped_cells: Sequence[int]) -> None:
        """Write sheets with several cards, backs on the following page or beside their fronts."""
        size = group.size
        plan = plan_sheet(self.profile, group.size, to_edge=group.to_edge)
        if plan.profile.layout == "fold":
            sides = impose_folded(group.pairs, plan.grid, skipped_cells)
        else:
            duplex = plan.profile.duplex
            sides = impose(
                group.pairs,
                plan.grid,
                duplex,
                is_landscape=plan.is_landscape,
                skipped_cells=skipped_cells,
            )
        inputs = digest(self._inputs, repr((size, group.to_edge, tuple(skipped_cells))))
        keys: set[str] = set()
        for pair in group.pairs:
            keys.update(pair.front, pair.back or ())
        face_hashes = self.cache.load_digests(sorted(keys))
        portion = tuple(islice(sides, SIDES_PER_RECORD))
        while portion:
            self._write_cached_sides(portion, size, plan, (inputs, face_hashes))
            portion = tuple(islice(sides, SIDES_PER_RECORD))

    def _write_cached_sides(
        self,
        sides: Sequence[SheetSide[Stack]],
        size: Size,
        plan: SheetPlan,
        hashes: tuple[str, Mapping[str, str]],
    ) -> None:
        """Copy sides from the cache if nothing that affects them changed, else write them.

        `hashes` are that of all inputs of the sheets, and those of the faces.
        """
        inset = size.bleed - plan.visible_bleed
        keys = sorted(_list_keys(sides))
        name = digest(hashes[0], self._describe_sides(sides, keys, inset, hashes[1]))
        cached_sides = self.cache.load_sides(name)
        if cached_sides is not None and self._has_streams(cached_sides):
            self._copy_sides(cached_sides, inset)
            return
        page_count = len(self._pages)
        # Meanwhile only the glyphs of these sides are collected, for their record.
        earlier_uses = self._font_uses
        self._font_uses = {}
        self._used_streams.clear()
        part = self._writer.record_part(partial(self._write_sides, sides, size, plan))
        self._collect_stamped_glyphs()
        cached_sides = CachedSides(
            part,
            self._pages[page_count:],
            self._font_numbers,
            {key: self._forms[key, inset] for key in keys},
            self._font_uses,
            self._used_streams,
        )
        self.cache.store_sides(name, cached_sides)
        merge_font_uses(earlier_uses, self._font_uses)
        self._font_uses = earlier_uses

    def _describe_sides(
        self,
        sides: Sequence[SheetSide[Stack]],
        keys: Sequence[str],
        inset: float,
        face_hashes: Mapping[str, str],
    ) -> str:
        """Return everything that the written sides depend on."""
        faces: list[object] = []
        for side in sides:
            faces.append((side.sheet, side.is_back, side.place_count))
            faces += [
                (face.item, face.box.x, face.box.y, face.upside_down)
                for face in side.faces
            ]
        hashes = [face_hashes.get(key) for key in keys]
        # Cached sides hold numbers of objects: these must be the same in this document.
        forms = [self._forms.get((key, inset)) for key in keys]
        page_parity = len(self._pages) % 2
        state = (page_parity, self._writer.object_count, self._font_numbers, forms)
        return repr((faces, hashes, state))

    def _has_streams(self, sides: CachedSides) -> bool:
        """Return True if cached sides would share the same streams as when they were written."""
        for name, number in sides.streams.items():
            # A later number is a stream that these sides brought themselves.
            is_earlier = number <= self._writer.object_count
            expected_number = number if is_earlier else None
            if self._streams.get(name) != expected_number:
                return False
        return True

    def _copy_sides(self, sides: CachedSides, inset: float) -> None:
        self._writer.copy(sides.part)
        self._pages += sides.pages
        self._font_numbers |= sides.fonts
        self._forms |= {(key, inset): form for key, form in sides.forms.items()}
        self._streams |= sides.streams
        merge_font_uses(self._font_uses, sides.font_uses)

    def _renew_stamp(self) -> None:
        self._stamp = TextStamp(cache=cache_at(self.cache_dir))

    def _collect_stamped_glyphs(self) -> None:
        """Add the glyphs of labels and marks to those that faces use."""
        if self._stamp.widths_by_glyph:
            merge_font_uses(self._font_uses, {STAMP_FONT: self._stamp.get_font_use()})
            self._renew_stamp()

    @cached_property
    def _inputs(self) -> str:
        """A hash of everything that all sheets depend on, except their faces."""
        notices = sorted(self.notices.items())
        state = (self.profile, self.label, notices, self._is_duplex, self._parent)
        return digest(
            fingerprint("render", "geometry", "model"), hash_fonts(), repr(state)
        )

    def _write_sides(
        self, sides: Iterable[SheetSide[Stack]], size: Size, plan: SheetPlan
    ) -> None:
        """Write some sides of sheets."""
        inset = size.bleed - plan.visible_bleed
        for side in sides:
            if not side.is_back:
                self._begin_sheet(plan.paper)
            clips = _find_clips(side, size, plan)
            faces = [
                _FaceOnPage(placed, size, inset, clips.get(placed.box, b""))
                for placed in side.faces
            ]
            marks = self._draw_marks(side, size, plan)
            self._write_page(plan.paper, marks, faces, is_back=side.is_back)

    def _draw_marks(self, side: SheetSide[Stack], size: Size, plan: SheetPlan) -> bytes:
        """Return PDF operators that draw all marks of a side."""
        marks = plan.profile.marks
        paper = plan.paper
        # Marks of a back show through as a second, slightly shifted set: only on request.
        sides = ("both", "back" if side.is_back else "front")
        has_marks = marks is not None and marks.sides in sides
        has_folds_alone = marks is None and not side.is_back
        lines: tuple[Stroke, ...] = ()
        if has_marks or has_folds_alone:
            lines = plan.make_cut_lines(side.place_count)
        if side.is_back:
            lines = plan.mirror_lines(lines)
        lies_on_cards = marks is not None and marks.style == "crosses"
        drawing = draw_lines(lines, paper, self.profile, halo=lies_on_cards)
        if not side.is_back:
            drawing += draw_machine_marks(plan)
            if plan.strip is not None:
                drawing += self._draw_strip(plan.strip, paper, side.sheet)
        if has_marks and marks is not None and marks.style == "outline":
            boxes = side.cut_boxes or [placed.box for placed in side.faces]
            drawing += draw_card_outlines(boxes, size, paper, marks.weight)
        return drawing

    def _write_single_faces(self, group: Group) -> None:
        """Write one page for each face, as large as the card."""
        profile = self.profile
        size = group.size
        marks = self.profile.marks
        bleed = min(profile.bleed, size.bleed)
        edge = bleed
        if marks is not None:
            # The marks need room outside the card, with 1 mm beyond them.
            edge = max(bleed, marks.offset + marks.length + 1)
        paper = Paper(width=size.width + 2 * edge, height=size.height + 2 * edge)
        trim = Box(edge, edge, size.width, size.height)
        is_rectangle = size.shape == "rectangle"
        drawing = b""
        if marks is not None:
            grid = choose_grid(paper, size.width, size.height, Spacing(0, 0))
            assert grid is not None
            area = Box(0, 0, paper.width, paper.height)
            lines = make_cut_marks(grid[1], marks, bleed=bleed, area=area)
            drawing = draw_lines(lines, paper, profile)
            if not is_rectangle:
                drawing += draw_card_outlines([trim], size, paper, marks.weight)
        clip = b""
        if not is_rectangle and bleed < size.bleed:
            clip = draw_card_outline(grow_box(trim, bleed), size, paper, CLIP)
        for pair in group.pairs:
            for stack in (pair.front, pair.back):
                if stack is not None:
                    face = _FaceOnPage(
                        PlacedFace(stack, trim), size, size.bleed - bleed, clip
                    )
                    self._write_page(paper, drawing, [face], trim=trim)

    def _write_whole_page(self, key: str, *, on_new_sheet: bool) -> None:
        """Write a page that was rendered as a whole page."""
        x_min, y_min, x_max, y_max = self._find_form(key, 0).box
        width = from_points(x_max - x_min)
        height = from_points(y_max - y_min)
        paper = Paper(width=width, height=height)
        if on_new_sheet:
            self._begin_sheet(paper)
        self._write_page(paper, b"", [_cover_page(key, paper)])

    def _write_free_page(self, page: FreePage) -> None:
        """Write a page with faces at any position."""
        paper = page.paper
        edges = b""
        for _stack, size, box in page.faces:
            edges += draw_card_outline(box, size, paper, scale=box.width / size.width)
        drawing = b"q 0.6 G %s w\n%sQ\n" % (format_points(0.1), edges)
        if page.frames:
            frames = b""
            for box in page.frames:
                area = (box.x, paper.height - box.bottom, box.width, box.height)
                frames += b"%s %s %s %s re\n" % tuple(map(format_points, area))
            drawing += b"q 0.85 0.1 0.1 RG %s w\n%sS Q\n" % (
                format_points(0.35),
                frames,
            )
        faces = [
            _FaceOnPage(PlacedFace(stack, box), size, size.bleed)
            for stack, size, box in page.faces
        ]
        rectangle = Size(width=1, height=1, corner=0)
        for window in page.windows:
            clip = draw_card_outline(window.box, rectangle, paper, CLIP)
            placed = PlacedFace(window.stack, window.trim)
            faces.append(_FaceOnPage(placed, window.size, 0, clip))
        if page.background:
            faces.insert(0, _cover_page(page.background, paper))
        drawing += draw_lines(page.lines, paper, self.profile)
        for text in page.texts:
            drawing += self._stamp.draw(
                text.text, text.size, text.x, paper.height - text.y
            )
        if page.strip is not None:
            drawing += self._draw_strip(page.strip, paper, len(self._pages) + 1)
        self._write_page(paper, drawing, faces)

    def _begin_sheet(self, paper: Paper) -> None:
        """Add an empty back to a sheet without one, or the next front would be printed on it."""
        if self._is_duplex and len(self._pages) % 2:
            self._write_page(paper, b"", [])

    def _write_page(
        self,
        paper: Paper,
        marks: bytes,
        faces: Iterable[_FaceOnPage],
        trim: Box | None = None,
        *,
        is_back: bool = False,
    ) -> None:
        """Write one page: faces first, marks on top of them."""
        names: dict[int, int] = {}
        drawing = b""
        for face in faces:
            stack = face.placed.item
            for key in stack:
                form = self._find_form(key, face.inset)
                name = names.setdefault(form.number, len(names))
                drawing += _draw_form(face, form, paper, name)
            if stack in self.notices:
                drawing += self._draw_notice(face.placed, self.notices[stack], paper)
        turn, paper = turn_upright(self.profile, paper)
        move = make_back_matrix(self.profile, paper) if is_back else b""
        drawing = move + turn + drawing + marks
        content = self._writer.add_stream(b"/Filter/FlateDecode", compress(drawing))
        forms = b" ".join(b"/F%d %d 0 R" % (name, form) for form, name in names.items())
        font = b""
        if b" Tf" in drawing:
            font = b"/Font<</%s %d 0 R>>" % (
                STAMP_FONT.encode(),
                self._find_font(STAMP_FONT),
            )
        boxes = b"/MediaBox[0 0 %s %s]" % (
            format_points(paper.width),
            format_points(paper.height),
        )
        if trim is not None:
            edges = (
                trim.x,
                paper.height - trim.bottom,
                trim.right,
                paper.height - trim.y,
            )
            boxes += b"/TrimBox[%s]" % b" ".join(map(format_points, edges))
        page = b"<</Type/Page/Parent %d 0 R%s/Contents %d 0 R/Resources<</XObject<<%s>>%s>>>>"
        number = self._writer.add(page % (self._parent, boxes, content, forms, font))
        self._pages.append(number)

    def _draw_notice(self, face: PlacedFace[Stack], text: str, paper: Paper) -> bytes:
        """Return PDF operators that draw a short text on white at the bottom of a face."""
        box = face.box
        width = from_points(self._stamp.measure(text, NOTICE_SIZE_PT))
        x = box.x + (box.width - width) / 2
        y = paper.height - box.bottom
        area = (x - 0.8, y + 0.5, width + 1.6, 2.3)
        drawing = b"1 g %s re f 0 g\n" % b" ".join(map(format_points, area))
        drawing += self._stamp.draw(text, NOTICE_SIZE_PT, x, y + 0.85)
        turn = b""
        if face.upside_down:
            # Turned by 180 degrees about the middle of the face, as the face itself is.
            double_x = format_points(2 * box.x + box.width)
            double_y = format_points(2 * y + box.height)
            turn = b"-1 0 0 -1 %s %s cm " % (double_x, double_y)
        return b"q %s%sQ\n" % (turn, drawing)

    def _find_form(self, key: str, inset: float) -> Form:
        """Return a face without `inset` mm on each side, which is written at its first use."""
        if (key, inset) not in self._forms:
            record = self.cache.record(key)
            self._forms[key, inset] = self._write_form(record, to_points(inset))
        return self._forms[key, inset]

    def _write_form(self, record: Record, inset: float) -> Form:
        """Write a face without its fonts."""
        merge_font_uses(self._font_uses, record.fonts)
        numbers = self._write_objects(record.objects)
        x_min, y_min, x_max, y_max = record.box
        edges = (x_min + inset, y_min + inset, x_max - inset, y_max - inset)
        box = b" ".join(map(format_number, edges))
        resources = self._fill_placeholders(record.resources, numbers)
        entries = b"/Type/XObject/Subtype/Form/BBox[%s]/Resources%s/Filter/FlateDecode"
        number = self._writer.add_stream(entries % (box, resources), record.content)
        return Form(number, record.box)

    def _write_objects(self, objects: Sequence[PdfObject]) -> list[int]:
        """Write the objects of a face, equal streams only once. Return their numbers."""
        numbers = [0] * len(objects)
        # A picture comes before its mask in a record. Backwards, all that a stream names is known.
        for index in reversed(range(len(objects))):
            item = objects[index]
            is_complete = all(
                numbers[int(name)] for name in REFERENCE.findall(item.head)
            )
            if item.data is not None and is_complete:
                head = self._fill_placeholders(item.head, numbers)
                numbers[index] = self._write_stream(make_stream_body(head, item.data))
        remaining_indices = [
            index for index, number in enumerate(numbers) if not number
        ]
        for index in remaining_indices:
            numbers[index] = self._writer.reserve()
        for index in remaining_indices:
            item = objects[index]
            head = self._fill_placeholders(item.head, numbers)
            body = head if item.data is None else make_stream_body(head, item.data)
            self._writer.write_object(numbers[index], body)
        return numbers

    def _write_stream(self, body: bytes) -> int:
        """Write a stream, unless an equal one is written already. Return its number."""
        key = sha256(body).hexdigest()
        if key not in self._streams:
            self._streams[key] = self._writer.add(body)
        self._used_streams[key] = self._streams[key]
        return self._streams[key]

    def _fill_placeholders(self, text: bytes, numbers: Sequence[int]) -> bytes:
        """Replace the placeholders in a text by the object numbers of this document."""
        text = REFERENCE.sub(lambda match: b"%d 0 R" % numbers[int(match[1])], text)
        return FONT_NAME.sub(
            lambda match: b"%d 0 R" % self._find_font(match[1].decode("latin-1")), text
        )

    def _draw_strip(self, strip: Strip, paper: Paper, sheet: int) -> bytes:
        """Return PDF operators of the sheet's label, and of a line to check the print size."""
        profile = self.profile
        drawing = b""
        offset = 1.0
        # Each text with the offset at which it begins.
        texts: list[tuple[str, float]] = []
        if profile.check_line:
            length = min(profile.check_line, strip.length - 2)
            lines = (strip.make_line(offset, length), *strip.make_ticks(offset, length))
            drawing += draw_lines(lines, paper, profile)
            offset += length + 2
            caption = f"{length:g} mm"
            texts.append((caption, offset))
            offset += from_points(self._stamp.measure(caption, NOTICE_SIZE_PT)) + 5
        if profile.label:
            texts.append((f"{self.label} · {sheet}", offset))
        for text, start in texts:
            point = strip.make_line(start, 0)
            x = point.x1
            y = paper.height - point.y1
            # The text stands beside the line.
            if strip.is_vertical:
                x += 0.7
            else:
                y -= 0.7
            drawing += self._stamp.draw(
                text, NOTICE_SIZE_PT, x, y, is_vertical=strip.is_vertical
            )
        return drawing


def _list_keys(sides: Iterable[SheetSide[Stack]]) -> set[str]:
    """Return the cache keys of all layers of all faces on these sides."""
    keys: set[str] = set()
    for side in sides:
        for face in side.faces:
            keys.update(face.item)
    return keys


def _cover_page(key: str, paper: Paper) -> _FaceOnPage:
    """Return a rendered page as a face that fills the paper."""
    size = Size(width=paper.width, height=paper.height, corner=0, bleed=0, safe=0)
    stack: Stack = (key,)
    placed = PlacedFace(stack, Box(0, 0, paper.width, paper.height))
    return _FaceOnPage(placed, size, 0)


def _find_clips(
    side: SheetSide[Stack], size: Size, plan: SheetPlan
) -> dict[Box, bytes]:
    """Return the clipping paths of faces whose visible bleed is no rectangle."""
    bleed = plan.visible_bleed
    boxes = [placed.box for placed in side.faces]
    if size.shape != "rectangle" and bleed < size.bleed:
        return {
            box: draw_card_outline(grow_box(box, bleed), size, plan.paper, CLIP)
            for box in boxes
        }
    if not plan.profile.outer_bleed:
        return {}
    # Rounded, so that the corners of neighbours are recognised.
    corners = {(round(box.x, 2), round(box.y, 2)) for box in boxes}

    def find_free_bleed(box: Box, column: int, row: int) -> float:
        """Return the bleed in mm towards a neighbouring position, 0 if a card is there."""
        x = round(box.x + column * box.width, 2)
        y = round(box.y + row * box.height, 2)
        return 0.0 if (x, y) in corners else bleed

    # Of this size only the shape counts: a rectangle without rounded corners.
    square = Size(width=1, height=1, corner=0)
    clips: dict[Box, bytes] = {}
    for box in boxes:
        x_min = box.x - find_free_bleed(box, -1, 0)
        y_min = box.y - find_free_bleed(box, 0, -1)
        x_max = box.right + find_free_bleed(box, 1, 0)
        y_max = box.bottom + find_free_bleed(box, 0, 1)
        area = Box(x_min, y_min, x_max - x_min, y_max - y_min)
        clips[box] = draw_card_outline(area, square, plan.paper, CLIP)
    return clips


def _draw_form(face: _FaceOnPage, form: Form, paper: Paper, name: int) -> bytes:
    """Return PDF operators that draw a face so that its trim fills the box."""
    box = face.placed.box
    size = face.size
    # The trim's corner in the form goes to the box's corner on the page.
    trim_x = form.box[0] + to_points(size.bleed)
    trim_y = form.box[1] + to_points(size.bleed)
    x_min = to_points(box.x)
    y_min = to_points(paper.height - box.bottom)
    scale = box.width / size.width
    if abs(scale - 1) > 1e-6:
        clip = draw_card_outline(box, size, paper, CLIP, scale)
        x = x_min - scale * trim_x
        y = y_min - scale * trim_y
        matrix = b" ".join(map(format_number, (scale, 0, 0, scale, x, y)))
        return b"q %sq %s cm /F%d Do Q Q\n" % (clip, matrix, name)
    turn = b"1 0 0 1"
    x = x_min - trim_x
    y = y_min - trim_y
    if face.placed.upside_down:
        turn = b"-1 0 0 -1"
        x = x_min + to_points(box.width) + trim_x
        y = y_min + to_points(box.height) + trim_y
    position = b"%s %s" % (format_number(x), format_number(y))
    drawing = b"q %s %s cm /F%d Do Q\n" % (turn, position, name)
    if face.clip:
        drawing = b"q %s%sQ\n" % (face.clip, drawing)
    return drawing
