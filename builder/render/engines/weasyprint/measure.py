"""Measure the text of a laid-out page: which text does not fit, and by how much."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.render.engines.measured import (
    ASCENT,
    DESCENT,
    ClassNames,
    Line,
    MeasuredCell,
    check_row,
    make_painted_block,
    measure_block,
    measure_ink,
    parse_class_names,
)
from builder.render.engines.search import Block, PageMeasurements, TouchingCells
from builder.render.engines.weasyprint.misplaced import find_engine_fault


def measure_page(box: Any) -> PageMeasurements:
    """Measure a laid-out box and all boxes inside it."""
    walk = _Walk()
    walk.visit_box(box)
    return PageMeasurements(
        blocks=tuple(walk.blocks),
        text=tuple(walk.text),
        painted=tuple(walk.painted),
        touching=tuple(walk.touching),
    )


class _LineContents(NamedTuple):
    """A measured line of text: its extent with and without icons, and the boxes inside it."""

    every: Line | None
    words: Line | None
    inner_boxes: tuple[Any, ...]


@dataclass(slots=True)
class _Walk:
    """Measures one page box by box, and collects the measurements.

    A line belongs to its own box and to each box of fixed height around it. It is read only
    once.
    """

    blocks: list[Block] = field(default_factory=list)
    text: list[tuple[Box, str]] = field(default_factory=list)
    painted: list[PaintedBlock] = field(default_factory=list)
    declared: set[int] = field(default_factory=set)
    contents_by_line: dict[int, _LineContents] = field(default_factory=dict)
    touching: list[TouchingCells] = field(default_factory=list)
    open_blocks: list[int] = field(default_factory=list)
    """The indexes of the blocks that may shrink around the present box."""

    def visit_box(self, box: Any) -> None:
        """Measure a box and all boxes inside it.

        Placeholders of positioned boxes are replaced by their boxes.
        """
        children = getattr(box, "children", ())
        self.record_painted_block(box)
        if children and _is_line(children[0]):
            name = _parse_class(box).name
            words = (
                self.read_line(child).words for child in children if _is_line(child)
            )
            self.text.extend((line.mm, name) for line in words if line)
        opened = self.open_block(box)
        if type(box).__name__ == "TableRowBox":
            self.measure_row(box)
        for child in children:
            for inner in self.list_inner_boxes(child):
                self.visit_box(inner)
        if opened:
            self.open_blocks.pop()

    def list_inner_boxes(self, child: Any) -> tuple[Any, ...]:
        """Return the boxes inside a line, or the box itself if it is no line."""
        if _is_line(child):
            return self.read_line(child).inner_boxes
        return (getattr(child, "_box", child),)

    def open_block(self, box: Any) -> bool:
        """Measure a box of fixed height that contains text.

        Return True if it may shrink. It is then among the open blocks.
        """
        if not _has_fixed_height(box):
            return False
        names = _parse_class(box)
        # A face is measured by its edges, and a box without a name cannot be reported.
        if not names.name or names.face:
            return False
        held_lines = list(self.list_lines(box, icons=names.fit))
        if not held_lines:
            return False
        x = box.content_box_x()
        y = box.content_box_y()
        content = Line(x, y, x + box.width, y + box.height)
        block = measure_block(names, content, held_lines)
        fault = find_engine_fault(box) if block.over > 0 else None
        if fault is not None:
            block = replace(block, fault=fault.fault, remedy=fault.remedy)
        self.blocks.append(block)
        if names.fit:
            self.open_blocks.append(len(self.blocks) - 1)
        return names.fit

    def measure_row(self, row: Any) -> None:
        """Measure the cells of a table row.

        A block around a cell that overflows must shrink.
        """
        cells = []
        for box in row.children:
            # The place of turned letters is not known: they are laid out as if they were not
            # turned.
            is_turned = any(
                part.style["transform"] for part in (box, *box.descendants())
            )
            lines = () if is_turned else tuple(self.list_lines(box, icons=True))
            x = box.border_box_x()
            y = box.border_box_y()
            border = Line(x, y, x + box.border_width(), y + box.border_height())
            cells.append(MeasuredCell(_join_text(box) if lines else "", border, lines))
        problems = check_row(cells)
        self.touching.extend(problems.touching)
        for overflow in problems.overflows.values():
            self.blocks.append(overflow)
            for index in self.open_blocks:
                around = self.blocks[index]
                self.blocks[index] = replace(
                    around, aside=max(around.aside, overflow.aside)
                )

    def record_painted_block(self, box: Any) -> None:
        """Add the painted extent of an element that the template declares as a block.

        Of several boxes the outermost counts.
        """
        element = getattr(box, "element", None)
        if element is None or id(element) in self.declared:
            return
        name = element.get("data-block") or _fit_name(element.get("class") or "")
        if name:
            self.declared.add(id(element))
            parts = tuple(_list_painted_lines(box))
            if parts:
                self.painted.append(
                    make_painted_block(name, element.get("data-in") or "", parts)
                )

    def list_lines(self, box: Any, *, icons: bool) -> Iterator[Line]:
        """Yield the lines of text in a box, without those of positioned boxes inside it."""
        for child in getattr(box, "children", ()):
            if _is_line(child):
                contents = self.read_line(child)
                line = contents.every if icons else contents.words
                if line:
                    yield line
            elif not hasattr(child, "_box"):
                yield from self.list_lines(child, icons=icons)

    def read_line(self, line: Any) -> _LineContents:
        """Return the extent of the text in a line, and the boxes inside it. It is cached."""
        contents = self.contents_by_line.get(id(line))
        if contents is None:
            letters: list[Any] = []
            inner_boxes: list[Any] = []
            _collect_letters(line, letters, inner_boxes)
            words = [piece for piece in letters if not _is_icon(piece)]
            every = _measure_ink(line, letters)
            ink = every if len(words) == len(letters) else _measure_ink(line, words)
            contents = _LineContents(every, ink, tuple(inner_boxes))
            self.contents_by_line[id(line)] = contents
        return contents


def _join_text(box: Any) -> str:
    """Return the text of a box and of all boxes inside it."""
    words: list[str] = []
    for part in box.descendants():
        if not _is_icon(part):
            words += (getattr(part, "text", None) or "").split()
    return " ".join(words)


def _is_line(box: Any) -> bool:
    return type(box).__name__ == "LineBox"


def _collect_letters(box: Any, letters: list[Any], inner_boxes: list[Any]) -> None:
    """Collect the text boxes inside a box, and the outermost boxes that contain more than text."""
    for child in box.children:
        child = getattr(child, "_box", child)
        text = getattr(child, "text", None)
        if text:
            if text.strip():
                letters.append(child)
        elif type(child).__name__ == "InlineBox":
            _collect_letters(child, letters, inner_boxes)
        else:
            # Boxes inside it are visited with the box.
            inner_boxes.append(child)
            _collect_letters(child, letters, [])


def _parse_class(box: Any) -> ClassNames:
    """Return what the CSS classes of a box's element mean."""
    get = getattr(getattr(box, "element", None), "get", None)
    return parse_class_names((get("class") if get else None) or "")


def _has_fixed_height(box: Any) -> bool:
    """Return True if CSS decides the height of the box, and not its content."""
    is_block = type(box).__name__.endswith(("BlockBox", "FlexBox", "GridBox"))
    if not is_block or not hasattr(box, "height"):
        return False
    style = box.style
    if style["height"] != "auto" or style["max_height"].value != float("inf"):
        return True
    # A positioned box with both edges set is as high as they leave it.
    is_positioned = style["position"] in ("absolute", "fixed")
    return is_positioned and style["top"] != "auto" and style["bottom"] != "auto"


def _measure_ink(line: Any, pieces: list[Any]) -> Line | None:
    """Return the extent of these letters on a line, or None if there are none."""
    if not pieces:
        return None
    bases = [
        (piece.position_y + piece.baseline, piece.style["font_size"])
        for piece in pieces
    ]
    y_min = min([base - ASCENT * size for base, size in bases])
    y_max = max([base + DESCENT * size for base, size in bases])
    # Lines may be closer than the font's height: letters then end at the line's edges.
    return Line(
        x_min=min([piece.position_x for piece in pieces]),
        y_min=max(line.position_y, y_min),
        x_max=max([piece.position_x + piece.width for piece in pieces]),
        y_max=min(line.position_y + line.height, y_max),
    )


def _fit_name(classes: str) -> str:
    """Return the name of the block whose text may shrink, read from CSS classes, or ""."""
    return parse_class_names(classes).name if "fit-" in classes else ""


def _list_painted_lines(box: Any) -> Iterator[Line]:
    """Yield the extents of the painted parts of a box and of all boxes inside it.

    Letters, backgrounds, borders, pictures.
    """
    text = getattr(box, "text", None)
    if text is not None:
        if text.strip():
            x_max = box.position_x + box.width
            base = box.position_y + box.baseline
            size = box.style["font_size"]
            yield measure_ink(box.position_x, x_max, base, size, icon=_is_icon(box))
        return
    if type(box).__name__ != "LineBox" and _has_paint(box):
        x = box.border_box_x()
        y = box.border_box_y()
        yield Line(x, y, x + box.border_width(), y + box.border_height())
    for child in getattr(box, "children", ()):
        yield from _list_painted_lines(getattr(child, "_box", child))


def _has_paint(box: Any) -> bool:
    """Return True for a picture, and for a box with a background or a border."""
    style = box.style
    if "Replaced" in type(box).__name__:
        return True
    if any(image[0] != "none" for image in style["background_image"]):
        return True
    colour = style["background_color"]
    if colour == "currentcolor" or getattr(colour, "alpha", 0):
        return True
    sides = ("top", "right", "bottom", "left")
    return any(getattr(box, f"border_{side}_width", 0) for side in sides)


def _is_icon(box: Any) -> bool:
    """Return True if the text is in the icon font.

    Outside running text they are drawings, which may extend anywhere. If the icon font is only
    a fallback, the box contains text.
    """
    return box.style["font_family"][0] == "icons"  # type: ignore[no-any-return]
