"""The facts that the pages of an imported list show. A worker stores them as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup
from pydantic import TypeAdapter, ValidationError

from builder.imported.card import Boxes, CardTable, ImportedCard, ImportedList, TableRow
from builder.imported.text import convert_name
from builder.imported.theme import Theme
from builder.messages import from_json, to_json
from builder.packs.pack_files import PackFiles
from builder.render.html.markup import render_markup
from builder.usecases.imports.pack_files import PaperCard
from builder.usecases.imports.print_list import BuiltList
from builder.web.cards.cardtext import SpokenWords
from builder.web.cards.faces import FacePicture, Faces
from builder.web.squads.models import ImportedFile
from builder.web.templating import translate_text

MAX_SAMPLES = 7
"""Cards of a list that are shown on the home page."""
TABLE = Markup(
    '<div class="table-box" tabindex="0"><table><thead><tr><th scope="col">{title}</th>{columns}'
    "</tr></thead><tbody>{rows}</tbody></table></div>"
)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table of an imported card, stored for the page of the list."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def render_html(self) -> Markup:
        """Format the table as HTML."""
        heads = [
            Markup('<th scope="col">{}</th>').format(name) for name in self.columns
        ]
        lines = []
        for name, values in self.rows:
            cells = Markup("").join(
                Markup("<td>{}</td>").format(value) for value in values
            )
            lines.append(
                Markup('<tr><th scope="row">{}</th>{}</tr>').format(name, cells)
            )
        return TABLE.format(
            title=self.title,
            columns=Markup("").join(heads),
            rows=Markup("").join(lines),
        )


@dataclass(frozen=True, slots=True)
class ListCardFacts:
    """A card of an imported list, stored for the page: a unit, a reference or the title card.

    `passages` are titles and texts. The texts are HTML.
    """

    id: str
    name: str
    is_unit: bool
    is_title: bool
    side: str
    cost: float
    copies: int
    faces: tuple[FacePicture, ...]
    boxes: tuple[tuple[str, int], ...]
    stats: tuple[TableFacts, ...]
    tables: tuple[TableFacts, ...]
    equipment: tuple[str, ...]
    """The members of the unit, and equipment without a profile."""
    keywords: tuple[str, ...]
    passages: tuple[tuple[str, str], ...]
    notes: str
    """The player's notes as plain text."""


@dataclass(frozen=True, slots=True)
class ListFacts:
    """Everything that the page of an imported list shows, stored as JSON.

    `problems` are messages as JSON, so that pages can translate them.
    """

    units: int
    cost_name: str
    total: float
    card_cost: float
    leftover_cost: float
    has_equal_costs: bool
    unknown_elements: Mapping[str, int]
    problems: tuple[str, ...]
    size: str
    pages: int
    cards: tuple[ListCardFacts, ...]
    phases: tuple[str, ...] = ()
    """The phases that the theme names. Empty in facts from before 0.5.0."""

    def list_problems(self) -> list[str]:
        """Return the problems of the list in the language of the page."""
        return [
            translate_text(from_json(json.loads(problem))) for problem in self.problems
        ]

    @property
    def sample_faces(self) -> list[FacePicture]:
        """The first faces of at most 7 units."""
        units = [card for card in self.cards if card.is_unit and card.faces]
        return [card.faces[0] for card in units[:MAX_SAMPLES]]


_FACTS = TypeAdapter(ListFacts)


def load_facts(row: ImportedFile) -> ListFacts | None:
    """Load the stored facts of a list. None if they are missing or of another version."""
    try:
        return _FACTS.validate_python(row.facts)
    except ValidationError:
        return None


def make_facts(
    imported: ImportedList,
    built: BuiltList,
    faces: Faces,
    warnings: Sequence[str],
    theme: Theme,
) -> ListFacts:
    """Collect the facts of a list that was rendered."""
    pack = PackFiles(built.project).load_pack(built.pack).pack
    assert pack is not None
    words = SpokenWords(pack, built.lang, {})
    cards = []
    for _index, paper_cards in groupby(built.cards, key=lambda paper: paper.index):
        cards.append(_describe_card(list(paper_cards), faces, words))
    return ListFacts(
        units=sum(card.copies for card in imported.cards),
        cost_name=convert_name(imported.cost_name),
        total=imported.total,
        card_cost=imported.card_cost,
        leftover_cost=imported.leftover_cost,
        has_equal_costs=imported.has_equal_costs,
        unknown_elements=dict(imported.unknown_elements),
        problems=tuple(
            json.dumps(to_json(problem)) for problem in (*imported.problems, *warnings)
        ),
        size=built.format,
        pages=built.result.files[0].pages,
        cards=tuple(cards),
        phases=tuple(theme.phases),
    )


def _describe_card(
    paper_cards: Sequence[PaperCard], faces: Faces, words: SpokenWords
) -> ListCardFacts:
    """Return the facts of an imported card."""
    first, card = paper_cards[0], paper_cards[0].card
    pictures: list[FacePicture] = []
    for paper_card in paper_cards:
        pictures += faces.get(paper_card.id, ())
    passages = []
    for passage in card.passages:
        text = render_markup(passage.text, words) if passage.text else ""
        passages.append((passage.title, str(text)))
    return ListCardFacts(
        id=first.id,
        name=card.custom_name or card.name,
        is_unit=first.is_unit,
        is_title=first.index == 0,
        side=card.side,
        cost=card.cost,
        copies=card.copies,
        faces=tuple(pictures),
        boxes=tuple(_list_box_rows(card)),
        stats=tuple(_describe_tables(card.stats)),
        tables=tuple(_describe_tables(card.tables)),
        equipment=tuple(_format_row(row) for row in (*card.models, *card.equipment)),
        keywords=card.keywords,
        passages=tuple(passages),
        notes=str(render_markup(card.notes, words).striptags()) if card.notes else "",
    )


def _list_box_rows(card: ImportedCard) -> Iterator[tuple[str, int]]:
    """Yield the rows of damage boxes: one per model, or one for all models with one box each."""
    for boxes in card.boxes:
        yield from _split_boxes(boxes)


def _split_boxes(boxes: Boxes) -> Iterator[tuple[str, int]]:
    name = boxes.name
    if boxes.per_model == 1 or boxes.models == 1:
        yield name, boxes.models * boxes.per_model
        return
    for number in range(1, boxes.models + 1):
        yield f"{name} {number}".strip(), boxes.per_model


def _describe_tables(tables: Iterable[CardTable]) -> Iterator[TableFacts]:
    for table in tables:
        rows = tuple((_format_row(row), _format_values(row)) for row in table.rows)
        yield TableFacts(table.title, table.columns, rows)


def _format_row(row: TableRow) -> str:
    return f"{row.count}× {row.name}" if row.count > 1 else row.name


def _format_values(row: TableRow) -> tuple[str, ...]:
    return tuple(value or "–" for value in row.values)
