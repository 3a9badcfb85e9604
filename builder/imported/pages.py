"""Distribute the content of a card over faces: front, back, and further cards. Pure.

The heights of texts are estimates. Rendering measures them, and the caller tries again with smaller
faces where one was too full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

from builder.imported.card import Boxes, CardTable, ImportedCard, TableRow, TitledText
from builder.imported.columns import (
    STAT_VALUE_SIZE,
    ColumnNames,
    fit_stat_table,
    fit_table,
)
from builder.imported.measure import count_lines, measure_longest_word, measure_text
from builder.model.markup import escape_markup

MM_PER_PT = 25.4 / 72
LINE_HEIGHT = 1.22
HEADER_PT = 7.0
"""The type size of the names of columns."""
MIN_PASSAGE_LINES = 3
"""A text is split only if at least 3 lines of it fit on the first face."""
KEYWORD_GAP_MM = 0.9
"""The distance of the keywords from the text above them."""
MAX_KEYWORD_LINES = 4
"""Lines of keywords at the lower edge. With more, they are printed as a text."""
MAX_BOXES = 60
"""Boxes of one stat line. With more, each model has one wide box to write in."""
# The distances below are those of builder/data/imported/squad.css.
BOX_MM = 3.6
BOX_GAP_MM = 0.5
MODEL_GAP_MM = 1.6
BOX_ROW_MM = 4.7
WIDE_BOX_MM = 11.0
CODE_BYTES = {
    2: 32,
    4: 78,
    6: 134,
    8: 192,
    10: 271,
    12: 367,
    14: 458,
    16: 586,
    18: 718,
    20: 858,
}
"""The capacity of QR codes in bytes by their version, at error correction level L."""
MODULE_MM = 0.36
"""The side of a module, the smallest square of a QR code."""
TIGHT_VALUES_SHARE = 0.6
"""The part of a tight table's width that its values have."""
MAX_NOTE_CHARACTERS = 240
"""A longer note of a row is printed as a text."""
MAX_NAMES_PER_BLOCK = 10
"""A longer list of names may continue on the next face."""
Item = TypeVar("Item")

ARROW_WIDTH_TEXT = "XXXX "
"""A text at least as wide as the arrow and space before the names of references."""


@dataclass(frozen=True, slots=True)
class FaceArea:
    """The printable area of a card's front and back in mm, and the body type size in pt."""

    width: float
    front_height: float
    back_height: float
    size: float = 7.5

    def shrink(self, factor: float) -> FaceArea:
        """Return the area with its heights multiplied by a factor."""
        front_height = self.front_height * factor
        back_height = self.back_height * factor
        return replace(self, front_height=front_height, back_height=back_height)

    @property
    def line_height(self) -> float:
        """The height of a line of body text in mm."""
        return self.size * MM_PER_PT * LINE_HEIGHT

    @property
    def width_em(self) -> float:
        """The width of the area in em of the body size."""
        return self.width / (self.size * MM_PER_PT)


@dataclass(frozen=True, slots=True)
class FaceContent:
    """The content of one card face below its title, or a block of such content."""

    stats: tuple[CardTable, ...] = ()
    boxes: tuple[Boxes, ...] = ()
    tables: tuple[CardTable, ...] = ()
    models: tuple[TableRow, ...] = ()
    equipment: tuple[TableRow, ...] = ()
    references: tuple[str, ...] = ()
    passages: tuple[TitledText, ...] = ()
    code: str = ""

    @property
    def is_empty(self) -> bool:
        """True if the face has nothing to print."""
        return self == FaceContent()


@dataclass(frozen=True, slots=True)
class CardPage:
    """One paper card: a front, and a back that may be empty.

    `keyword_lines` is the number of lines for keywords at the lower edge of the front.
    """

    front: FaceContent
    back: FaceContent
    keyword_lines: int = 0


def lay_out_card(
    card: ImportedCard, area: FaceArea, names: ColumnNames
) -> list[CardPage]:
    """Distribute the content of a card over as many paper cards as it needs, at least 1."""
    keywords = ", ".join(card.keywords)
    keyword_lines = count_lines(keywords, area.width_em) if keywords else 0
    long_notes: list[TitledText] = []
    blocks = _list_table_blocks(card, area, names, long_notes)
    blocks += _list_name_blocks(card)
    # The tables come first, because they add the long notes of their rows.
    blocks += _list_text_blocks(card, long_notes)
    if keyword_lines > MAX_KEYWORD_LINES:
        blocks.append(FaceContent(passages=(TitledText("", escape_markup(keywords)),)))
        keyword_lines = 0
    keyword_height = keyword_lines * area.line_height + (
        KEYWORD_GAP_MM if keyword_lines else 0
    )
    faces = _fill_faces(blocks, area, keyword_height, card.name)
    # A table is printed on one face unless this needs more faces.
    max_height = min(area.front_height - keyword_height, area.back_height)
    joined_blocks = _join_rows(blocks, area, max_height, card.name)
    whole_table_faces = _fill_faces(joined_blocks, area, keyword_height, card.name)
    if len(whole_table_faces) <= len(faces):
        faces = whole_table_faces
    pages = []
    for index in range(0, len(faces), 2):
        back = faces[index + 1] if index + 1 < len(faces) else FaceContent()
        pages.append(CardPage(faces[index], back, 0 if index else keyword_lines))
    return pages


def _list_table_blocks(
    card: ImportedCard, area: FaceArea, names: ColumnNames, long_notes: list[TitledText]
) -> list[FaceContent]:
    """Return a block for each table row and each set of boxes. Long notes go to `long_notes`."""
    blocks: list[FaceContent] = []
    for table in card.stats:
        for fitted_table in fit_stat_table(table, area.width_em, names):
            part = _extract_long_notes(fitted_table, long_notes)
            blocks += [FaceContent(stats=(_take_row(part, row),)) for row in part.rows]
    blocks += [FaceContent(boxes=(boxes,)) for boxes in card.boxes]
    for table in card.tables:
        part = _extract_long_notes(fit_table(table, area.width_em, names), long_notes)
        blocks += [FaceContent(tables=(_take_row(part, row),)) for row in part.rows]
    return blocks


def _list_name_blocks(card: ImportedCard) -> Iterator[FaceContent]:
    """Yield blocks with the names of models, equipment, and texts on reference cards."""
    for models in _split_names(card.models):
        yield FaceContent(models=models)
    for equipment in _split_names(card.equipment):
        yield FaceContent(equipment=equipment)
    titles = [passage.title for passage in card.passages if not passage.text]
    for references in _split_names(titles):
        yield FaceContent(references=references)


def _list_text_blocks(
    card: ImportedCard, long_notes: Sequence[TitledText]
) -> Iterator[FaceContent]:
    """Yield blocks with the texts, the player's notes and the QR code of a card."""
    for note in long_notes:
        yield FaceContent(passages=(note,))
    for passage in card.passages:
        if passage.text:
            yield FaceContent(passages=(passage,))
    if card.notes:
        yield FaceContent(passages=(TitledText("", card.notes),))
    if card.code:
        yield FaceContent(code=card.code)


def _extract_long_notes(table: CardTable, long_notes: list[TitledText]) -> CardTable:
    """Remove long notes from a table's rows, and append them to `long_notes`."""
    rows = []
    for row in table.rows:
        if len(row.note) > MAX_NOTE_CHARACTERS:
            long_notes.append(TitledText(row.name, escape_markup(row.note)))
            row = replace(row, note="")
        rows.append(row)
    return replace(table, rows=tuple(rows))


def _split_names(names: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    for start in range(0, len(names), MAX_NAMES_PER_BLOCK):
        yield tuple(names[start : start + MAX_NAMES_PER_BLOCK])


def _take_row(table: CardTable, row: TableRow) -> CardTable:
    return replace(table, rows=(row,))


def _join_rows(
    blocks: Iterable[FaceContent], area: FaceArea, max_height: float, name: str
) -> list[FaceContent]:
    """Join blocks with rows of one table into one block, up to a height in mm."""
    joined_blocks = [FaceContent()]
    for block in blocks:
        if block.tables and _continues_last_table(
            joined_blocks[-1].tables, block.tables[0]
        ):
            table_block = _join_contents(joined_blocks[-1], block)
            if (
                _measure_added_tables(FaceContent(), table_block, area, name)
                <= max_height
            ):
                joined_blocks[-1] = table_block
                continue
        joined_blocks.append(block)
    return joined_blocks[1:]


def _fill_faces(
    blocks: Iterable[FaceContent], area: FaceArea, keyword_height: float, name: str
) -> list[FaceContent]:
    """Put blocks on faces in order. A text that does not fit continues on the next face."""
    faces = [FaceContent()]
    height = keyword_height
    pending = list(blocks)
    while pending:
        block = pending.pop(0)
        capacity = area.front_height if len(faces) % 2 else area.back_height
        added = _measure_added_height(faces[-1], block, area, name)
        if height + added <= capacity:
            faces[-1] = _join_contents(faces[-1], block)
            height += added
            continue
        # A later text that fits fills the space that would stay empty.
        index = _find_shorter_passage(pending, capacity - height, area)
        parts = _split_text_block(block, capacity - height, area)
        if index is not None:
            pending[:0] = [pending.pop(index), block]
        elif parts is not None:
            pending[:0] = parts
        elif faces[-1].is_empty:
            # A block larger than a face: rendering reports it.
            faces[-1] = block
            height = capacity
        else:
            faces.append(FaceContent())
            height = 0
            pending.insert(0, block)
    return faces


def _find_shorter_passage(
    pending: Sequence[FaceContent], height: float, area: FaceArea
) -> int | None:
    """Return the index of the first pending text that fits a height in mm, or None."""
    for index, block in enumerate(pending):
        is_titled = len(block.passages) == 1 and bool(block.passages[0].title)
        if is_titled and _measure_passage(block.passages[0], area) <= height:
            return index
    return None


def _measure_added_height(
    face: FaceContent, block: FaceContent, area: FaceArea, name: str
) -> float:
    """Return the height in mm that a block adds to a face of a card of this name."""
    height = _measure_added_tables(face, block, area, name)
    for boxes in block.boxes:
        height += count_box_rows(boxes, area) * BOX_ROW_MM + 0.6
    for rows in (block.models, block.equipment):
        if rows:
            text = ", ".join(f"{row.count}× {row.name}" for row in rows)
            height += count_lines(text, area.width_em) * area.line_height + 0.7
    if block.references:
        text = ARROW_WIDTH_TEXT + ", ".join(block.references)
        height += count_lines(text, area.width_em) * area.line_height + 0.7
    for passage in block.passages:
        height += _measure_passage(passage, area)
    if block.code:
        height += measure_qr_code(block.code) + 1.5
    return height


def _measure_added_tables(
    face: FaceContent, block: FaceContent, area: FaceArea, name: str
) -> float:
    height = 0.0
    for table in block.stats:
        row = table.rows[0]
        height += _measure_row(table, area, STAT_VALUE_SIZE) + 1.3
        if not _continues_last_table(face.stats, table):
            height += _measure_header(table, area) + 1.2
            # A single stat line has its name above; a further one moves the names into a column.
            if row.name != name or row.count > 1:
                height += area.line_height
    for table in block.tables:
        for row in table.rows:
            height += _measure_row(_take_row(table, row), area, 1.0) + 0.65
        if not _continues_last_table(face.tables, table):
            height += _measure_header(table, area) + 1.5
    return height


def measure_qr_code(text: str) -> float:
    """Return the side in mm of the QR code of a text, with its quiet zone of 4 modules."""
    length = len(text.encode())
    version = next(
        (number for number, size in CODE_BYTES.items() if length <= size), 20
    )
    # Version 1 has 21 modules a side, and each further one 4 more.
    module_count = 17 + 4 * version + 8
    return round(module_count * MODULE_MM, 1)


def _measure_header(table: CardTable, area: FaceArea) -> float:
    name_width = max(area.width_em - _sum_column_widths(table, 1.0), 4)
    lines = [count_lines(table.title, name_width)]
    lines += [len(column.split()) for column in table.columns]
    if table.is_tight:
        width = _find_tight_width(table, area)
        lines += [count_lines(column, max(width, 1)) for column in table.columns]
    return max(lines) * HEADER_PT * MM_PER_PT * 1.15


def _measure_row(table: CardTable, area: FaceArea, value_size: float) -> float:
    """Return the height in mm of a table with one row, without its header."""
    row = table.rows[0]
    name_width = max(area.width_em - _sum_column_widths(table, value_size), 4)
    lines = max(count_lines(f"9× {row.name}", name_width), value_size)
    if table.is_tight:
        width = max(_find_tight_width(table, area) / value_size, 1)
        for value in row.values:
            lines = max(lines, count_lines(value, width) * value_size)
    height = lines * area.line_height
    if row.note:
        height += count_lines(row.note, area.width_em) * area.line_height
    return height


def _find_tight_width(table: CardTable, area: FaceArea) -> float:
    """Return the width in em of each value column of a tight table."""
    return area.width_em * TIGHT_VALUES_SHARE / max(len(table.columns), 1)


def _sum_column_widths(table: CardTable, value_size: float) -> float:
    total = 0.0
    for column, value in zip(table.columns, table.rows[0].values, strict=False):
        value_width = measure_text(value) * value_size
        total += max(value_width, measure_longest_word(column)) + 0.6
    return total


def count_box_rows(boxes: Boxes, area: FaceArea) -> int:
    """Return the number of rows of boxes that a set of damage boxes needs."""
    if boxes.models * boxes.per_model > MAX_BOXES:
        boxes_per_row = max(int(area.width // (WIDE_BOX_MM + BOX_GAP_MM)), 1)
        return ceil(boxes.models / boxes_per_row)
    # The name of the stat line is before the first boxes.
    used = measure_text(boxes.name) * area.size * MM_PER_PT
    rows = 1
    for _model in range(boxes.models):
        # Every 5 boxes there is a gap of 1 mm.
        width = (
            boxes.per_model * (BOX_MM + BOX_GAP_MM) + (boxes.per_model - 1) // 5 * 1.0
        )
        if used and used + width > area.width:
            rows += 1
            used = 0.0
        used += width % area.width + MODEL_GAP_MM
        rows += int(width // area.width)
    return rows


def _measure_passage(passage: TitledText, area: FaceArea) -> float:
    text = f"{passage.title}  {passage.text}".replace("**", "")
    return count_lines(text, area.width_em * 0.985) * area.line_height + 0.7


def _split_text_block(
    block: FaceContent, height: float, area: FaceArea
) -> tuple[FaceContent, FaceContent] | None:
    """Split a text into two blocks so that the first fits a height in mm.

    None if it is too short.

    None if fewer than 3 lines would fit.
    """
    if not block.passages or height < MIN_PASSAGE_LINES * area.line_height:
        return None
    (passage,) = block.passages
    # A text is split after a sentence or line, and a single sentence between words.
    sentences = re.split(r"(?<=[.!?])(?= )|(?=\n)", passage.text)
    if len(sentences) == 1:
        sentences = re.split(r"(?= )", passage.text)
    first = ""
    for index, sentence in enumerate(sentences):
        longer = TitledText(passage.title, first + sentence)
        if _measure_passage(longer, area) > height:
            rest = "".join(sentences[index:]).strip()
            if not first.strip():
                return None
            parts = _close_bold_marks(
                TitledText(passage.title, first.strip()), TitledText("", rest)
            )
            return FaceContent(passages=parts[:1]), FaceContent(passages=parts[1:])
        first = longer.text
    return None


def _close_bold_marks(
    first: TitledText, rest: TitledText
) -> tuple[TitledText, TitledText]:
    """Repair a bold phrase that a split divided, so that both parts are bold."""
    if first.text.count("**") % 2 == 0:
        return first, rest
    return replace(first, text=f"{first.text}**"), replace(rest, text=f"**{rest.text}")


def _join_contents(face: FaceContent, block: FaceContent) -> FaceContent:
    return FaceContent(
        stats=_join_tables(face.stats, block.stats),
        boxes=face.boxes + block.boxes,
        tables=_join_tables(face.tables, block.tables),
        models=face.models + block.models,
        equipment=face.equipment + block.equipment,
        references=face.references + block.references,
        passages=face.passages + block.passages,
        code=face.code or block.code,
    )


def _continues_last_table(tables: tuple[CardTable, ...], table: CardTable) -> bool:
    if not tables:
        return False
    last = tables[-1]
    return (last.title, last.columns) == (table.title, table.columns)


def _join_tables(
    tables: tuple[CardTable, ...], added: tuple[CardTable, ...]
) -> tuple[CardTable, ...]:
    """Append tables. Rows go to the last table if title and columns are equal."""
    for table in added:
        if _continues_last_table(tables, table):
            last = tables[-1]
            tables = (*tables[:-1], replace(last, rows=last.rows + table.rows))
        else:
            tables = (*tables, table)
    return tables
