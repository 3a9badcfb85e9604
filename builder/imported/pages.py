"""Distribute what a card says over faces: front, back, and further cards. Pure.

The sizes of texts are estimates. Rendering measures them, and the caller tries again with fewer
lines if one was too small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from builder.imported.card import CardTable, ImportedCard, TableRow, TitledText

MIN_PASSAGE_LINES = 3
"""A text is split only if at least 3 lines of it fit on the first face."""


@dataclass(frozen=True, slots=True)
class FaceArea:
    """The space for text on a face at the body size: characters per line, and lines per side."""

    characters: int
    front_lines: float
    back_lines: float

    def shrink(self, factor: float) -> FaceArea:
        """Return an area with fewer lines."""
        return replace(
            self, front_lines=self.front_lines * factor, back_lines=self.back_lines * factor
        )


@dataclass(frozen=True, slots=True)
class FaceContent:
    """The content of a face below its title."""

    stats: tuple[CardTable, ...] = ()
    tables: tuple[CardTable, ...] = ()
    equipment: tuple[TableRow, ...] = ()
    passages: tuple[TitledText, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if the face has nothing to print."""
        return not (self.stats or self.tables or self.equipment or self.passages)


@dataclass(frozen=True, slots=True)
class CardPage:
    """One card of paper: a front, and a back that may be empty."""

    front: FaceContent
    back: FaceContent


def lay_out_card(card: ImportedCard, area: FaceArea) -> list[CardPage]:
    """Return the cards of paper that print everything of a card, at least one."""
    faces = _fill_faces(_list_blocks(card), area, _count_fixed_lines(card))
    pages = []
    for index in range(0, len(faces), 2):
        back = faces[index + 1] if index + 1 < len(faces) else FaceContent()
        pages.append(CardPage(faces[index], back))
    return pages


def _count_fixed_lines(card: ImportedCard) -> float:
    """Return the lines of keywords and boxes, which are always on the first front."""
    lines = 1.3 if card.keywords else 0
    for boxes in card.boxes[:1]:
        lines += 1.6 * -(-boxes.models * (boxes.per_model + 1) // 18)
    return lines


def _list_blocks(card: ImportedCard) -> list[FaceContent]:
    """Return the parts of a card in printed order, each as small as a part can be."""
    blocks = []
    for table in card.stats:
        blocks += [FaceContent(stats=(_take_row(table, row),)) for row in table.rows]
    for table in card.tables:
        blocks += [FaceContent(tables=(_take_row(table, row),)) for row in table.rows]
    if card.equipment:
        blocks.append(FaceContent(equipment=card.equipment))
    blocks += [FaceContent(passages=(passage,)) for passage in _group_titles(card.passages)]
    if card.notes:
        blocks.append(FaceContent(passages=(TitledText("", card.notes),)))
    return blocks


def _take_row(table: CardTable, row: TableRow) -> CardTable:
    return replace(table, rows=(row,))


def _group_titles(passages: Sequence[TitledText]) -> list[TitledText]:
    """Join the titles of texts that a reference card has into one line."""
    titles = [passage.title for passage in passages if not passage.text]
    full = [passage for passage in passages if passage.text]
    return [TitledText(", ".join(titles)), *full] if titles else full


def _fill_faces(
    blocks: Iterable[FaceContent], area: FaceArea, fixed_lines: float
) -> list[FaceContent]:
    """Put blocks on faces in order. A long text continues on the next face."""
    faces = [FaceContent()]
    lines = fixed_lines
    pending = list(blocks)
    while pending:
        block = pending.pop(0)
        capacity = area.front_lines if len(faces) % 2 else area.back_lines
        cost = _count_added_lines(faces[-1], block, area)
        if lines + cost <= capacity:
            faces[-1] = _join_contents(faces[-1], block)
            lines += cost
            continue
        parts = _split_passage(block, capacity - lines, area)
        if parts is not None:
            pending[:0] = parts
        elif faces[-1].is_empty and lines <= fixed_lines:
            # A block larger than a face: rendering reports it.
            faces[-1] = block
            lines = capacity
        else:
            faces.append(FaceContent())
            lines = 0
            pending.insert(0, block)
    return faces


def _count_added_lines(face: FaceContent, block: FaceContent, area: FaceArea) -> float:
    """Return the lines that a block adds to a face."""
    lines = 0.0
    for table in block.stats:
        is_new = not face.stats or face.stats[-1].columns != table.columns
        lines += (2.6 if is_new else 1.9) + _count_wrapped(table, area)
    for table in block.tables:
        is_new = not face.tables or face.tables[-1].columns != table.columns
        lines += (2.3 if is_new else 1.15) + _count_wrapped(table, area)
    if block.equipment:
        characters = sum(len(row.name) + 5 for row in block.equipment)
        lines += 0.4 + -(-characters // area.characters)
    for passage in block.passages:
        lines += _count_passage_lines(passage, area)
    return lines


def _count_wrapped(table: CardTable, area: FaceArea) -> float:
    """Return the further lines of a row whose longest cell needs more than one."""
    row = table.rows[0]
    share = area.characters / (len(row.values) + 3)
    needed = [len(row.name) / (3 * share), *(len(value) / share for value in row.values)]
    return max(0, -(-max(needed) // 1) - 1)


def _count_passage_lines(passage: TitledText, area: FaceArea) -> float:
    paragraphs = f"{passage.title}: {passage.text}".split("\n")
    return 0.35 + sum(max(1, -(-len(paragraph) // area.characters)) for paragraph in paragraphs)


def _split_passage(
    block: FaceContent, lines: float, area: FaceArea
) -> tuple[FaceContent, FaceContent] | None:
    """Return a text in two parts, the first as long as the lines allow.

    None if it should not be split.
    """
    if not block.passages or lines < MIN_PASSAGE_LINES:
        return None
    (passage,) = block.passages
    sentences = re.split(r"(?<=[.!?])(?= )|(?=\n)", passage.text)
    first = ""
    for index, sentence in enumerate(sentences):
        longer = TitledText(passage.title, first + sentence)
        if _count_passage_lines(longer, area) > lines:
            rest = "".join(sentences[index:]).strip()
            if not first.strip():
                return None
            parts = (TitledText(passage.title, first.strip()), TitledText("", rest))
            return FaceContent(passages=parts[:1]), FaceContent(passages=parts[1:])
        first = longer.text
    return None


def _join_contents(face: FaceContent, block: FaceContent) -> FaceContent:
    return FaceContent(
        stats=_join_tables(face.stats, block.stats),
        tables=_join_tables(face.tables, block.tables),
        equipment=face.equipment + block.equipment,
        passages=face.passages + block.passages,
    )


def _join_tables(
    tables: tuple[CardTable, ...], added: tuple[CardTable, ...]
) -> tuple[CardTable, ...]:
    """Add rows to the last table if it has the same columns and title."""
    for table in added:
        last = tables[-1] if tables else None
        if last is not None and (last.title, last.columns) == (table.title, table.columns):
            tables = (*tables[:-1], replace(last, rows=last.rows + table.rows))
        else:
            tables = (*tables, table)
    return tables
