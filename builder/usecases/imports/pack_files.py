"""Write an imported list as the files of a pack: cards, templates and the squad."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from string import ascii_uppercase

from builder.imported.card import (
    Boxes,
    CardTable,
    ImportedCard,
    ImportedList,
    TableRow,
    TitledText,
)
from builder.imported.heads import COST_MM, MIN_NAME_PT, Heads, fit_heads
from builder.imported.measure import mark_breaks, measure_longest_word
from builder.imported.pages import (
    MM_PER_PT,
    CardPage,
    FaceArea,
    FaceContent,
    lay_out_card,
    measure_qr_code,
)
from builder.imported.roles import ImportNames
from builder.imported.text import clean_card, clean_passage, convert_name, convert_text
from builder.imported.theme import Theme
from builder.messages import gettext as _, translate
from builder.model.base import Json
from builder.model.markup import escape_markup
from builder.model.roster import FORMAT_VERSION
from builder.packs.yaml.editing import format_block
from builder.usecases.imports.card_ids import (
    ImportTarget,
    choose_card_ids,
    make_card_origin,
)
from builder.usecases.imports.symbols import SymbolFiles

PACK_TEMPLATE = Path(__file__).parents[2] / "data" / "imported"
UNIT, REFERENCE = _("Unit"), _("Reference")
FIRST_RELEASE = "2026-01-01"
"""The release date of all imported cards. They have no date of their own."""
MARGIN_MM = 4.0
"""The distance of texts from the cut."""
HEAD_MM, SMALL_HEAD_MM, GAP_MM = 14.2, 7.9, 1.6
"""The heights of the coloured heads of fronts and of backs, and the distance of the body."""
FOOT_MM = 3.6
"""The height of the footer of a face."""
MAX_NAME_WORD_EM = 9.0
"""Longer words in names of rows are broken."""
TIGHT_NAME_SHARE = 0.34
"""The part of a tight table's width that its names have."""
COUNT_EM = 3.0
"""The width of a count such as `12×` before a name, and of the space around both."""
NAME_SEPARATOR = " · "
"""The characters between the name of a unit and the name that the player gave it."""
MAX_CODE_BYTES = 800
"""The length of a list in a QR code. A longer one would have modules too small to read."""


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A card size in mm, and the type size of its texts in pt."""

    width: float
    height: float
    text_size: float = 7.5

    @property
    def body_area(self) -> FaceArea:
        """The printable area below the head of a face."""
        height = self.height - GAP_MM - FOOT_MM
        width = self.width - 2 * MARGIN_MM
        return FaceArea(width, height - HEAD_MM, height - SMALL_HEAD_MM, self.text_size)


FORMATS = {
    "63x88": CardFormat(63, 88),
    "70x120": CardFormat(70, 120),
    "120x70": CardFormat(120, 70),
    "a6": CardFormat(148, 105),
}


@dataclass(frozen=True, slots=True)
class PrintDesign:
    """The appearance of printed cards: card size, type size and theme.

    `shrink_factors` make the areas for texts smaller, by index of the card. A card whose texts did
    not fit gets a factor below 1, and is spread over more faces.
    """

    format: CardFormat
    theme: Theme
    shrink_factors: Mapping[int, float] = field(default_factory=dict)


class PaperCardType(StrEnum):
    """The type of a printed card.

    It shows the whole list, a unit, or texts that several units share.
    """

    TITLE = "title"
    UNIT = "unit"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class PaperCard:
    """A printed card of an imported list. A unit may need several, which `part` counts from 1.

    `index` is the position of its unit in the list. `letter` distinguishes units of one name.
    """

    id: str
    index: int
    card: ImportedCard
    page: CardPage
    part: int
    card_type: PaperCardType
    heads: Heads
    letter: str = ""

    @property
    def is_unit(self) -> bool:
        """True for the first card of a unit, which stands for the unit in the squad."""
        return self.part == 1 and self.card_type is PaperCardType.UNIT

    @property
    def kind(self) -> str:
        """The kind of the card in the pack: `unit` for first cards of units, `page` for others."""
        return "unit" if self.is_unit else "page"


def load_import_names() -> ImportNames:
    """Load the words that decide how profiles of many games are printed."""
    value = json.loads((PACK_TEMPLATE / "names.json").read_text("utf-8"))
    return ImportNames(**{name: tuple(words) for name, words in value.items()})


def clean_list(imported: ImportedList) -> ImportedList:
    """Return a list with converted texts and corrected typography."""
    return replace(
        imported,
        name=convert_name(imported.name),
        system_name=convert_name(imported.system_name),
        cost_name=convert_name(imported.cost_name),
        cards=tuple(map(clean_card, imported.cards)),
        references=tuple(map(clean_card, imported.references)),
        options=tuple(map(clean_passage, imported.options)),
        option_keywords=tuple(map(convert_name, imported.option_keywords)),
        notes=convert_text(imported.notes),
    )


def list_texts(imported: ImportedList) -> Iterator[str]:
    """Yield all texts of a list, for the choice of fonts."""
    yield from (imported.name, imported.system_name, imported.cost_name, imported.notes)
    yield from imported.option_keywords
    passages = [*imported.options]
    for card in (*imported.cards, *imported.references):
        yield from (card.name, card.side, card.custom_name, card.notes)
        yield from card.keywords
        yield from card.groups
        passages += card.passages
        rows = [*card.models, *card.equipment]
        for table in (*card.stats, *card.tables):
            yield from (table.title, *table.columns)
            rows += table.rows
        for row in rows:
            yield from (row.name, *row.values)
    for passage in passages:
        yield from (passage.title, passage.text)


def list_paper_cards(
    imported: ImportedList,
    design: PrintDesign,
    lang: str,
    target: ImportTarget | None = None,
) -> list[PaperCard]:
    """Return all printed cards of a list: the title card, units, then references."""
    names = design.theme.column_names
    cards = (make_title_card(imported, lang), *imported.cards, *imported.references)
    paper_cards: list[PaperCard] = []
    letters = _choose_letters(imported.cards)
    for index, card in enumerate(cards):
        content = PaperCardType.REFERENCE
        if index == 0:
            content = PaperCardType.TITLE
        elif index <= len(imported.cards):
            content = PaperCardType.UNIT
        letter = letters.get(index, "")
        area = design.format.body_area.shrink(design.shrink_factors.get(index, 1.0))
        heads, cut_texts = fit_heads(
            card, card.side or imported.system_name, area.width
        )
        # A name or side that was cut is printed in full as the first text.
        printed_card = replace(card, passages=(*cut_texts, *card.passages))
        for part, page in enumerate(lay_out_card(printed_card, area, names), 1):
            paper_cards.append(
                PaperCard("", index, card, page, part, content, heads, letter)
            )
    # Ids need all parts of all cards: a later card may take the id of an earlier import.
    ids = choose_card_ids([(card.card, card.part) for card in paper_cards], target)
    return [
        replace(card, id=card_id)
        for card, card_id in zip(paper_cards, ids, strict=True)
    ]


def _choose_letters(cards: Sequence[ImportedCard]) -> dict[int, str]:
    """Return a letter for each unit whose name is not unique, by position from 1.

    After 26 units of one name, numbers follow.
    """
    totals = Counter(card.name for card in cards)
    counts: Counter[str] = Counter()
    letters: dict[int, str] = {}
    for index, card in enumerate(cards, 1):
        counts[card.name] += 1
        count = counts[card.name]
        if totals[card.name] > 1:
            # The slice is empty after Z.
            letters[index] = ascii_uppercase[count - 1 : count] or str(count)
    return letters


def make_pack_files(
    imported: ImportedList,
    paper_cards: Sequence[PaperCard],
    target: ImportTarget,
    lang: str,
    design: PrintDesign,
    symbols: SymbolFiles,
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a pack that contains an imported list: (path, bytes).

    The list must be cleaned before, with `clean_list`.
    """
    pack = target.pack
    name = imported.name or pack
    yield (
        f"cards/{pack}/pack.yaml",
        _make_manifest(imported, pack, lang, design, symbols),
    )
    yield (
        f"cards/{pack}/rules.yaml",
        _format_document("core/rules", {"rules": []}, "../../"),
    )
    for card in paper_cards:
        value = _make_card(card, lang, design)
        document = _format_document(f"{pack}/{card.kind}", value, "../../../")
        yield f"cards/{pack}/{card.kind}/{card.id}.yaml", document
    roster = _make_roster(target, name, paper_cards)
    yield f"cards/{pack}/rosters/{target.squad}.yaml", roster
    yield from _make_templates(pack, design, symbols)


def _make_templates(
    pack: str, design: PrintDesign, symbols: SymbolFiles
) -> Iterator[tuple[str, bytes]]:
    families = "".join(f', "{font.family}"' for font in symbols.fonts)
    size = design.format.text_size
    css = (PACK_TEMPLATE / "pack.css").read_text("utf-8")
    css += f".face {{ {design.theme.format_css_variables()} --text: Roboto{families}; "
    css += f"--display: Manrope{families}; font-size: {size:g}pt }}\n"
    for line in design.theme.format_phase_styles():
        css += f"{line}\n"
    yield f"templates/{pack}/pack.css", css.encode()
    yield f"templates/{pack}/ink.css", (PACK_TEMPLATE / "ink.css").read_bytes()
    sheet_css = (PACK_TEMPLATE / "squad.css").read_text("utf-8")
    for family in ("Roboto", "Manrope"):
        sheet_css = sheet_css.replace(family, family + families)
    yield f"templates/{pack}/squad.css", sheet_css.encode()
    for template in ("body.j2", "squad.html.j2"):
        yield f"templates/{pack}/{template}", (PACK_TEMPLATE / template).read_bytes()
    for kind in ("unit", "page"):
        schema = (
            (PACK_TEMPLATE / "card.schema.json")
            .read_text("utf-8")
            .replace("KIND", kind)
        )
        yield f"schemas/{pack}/{kind}.schema.json", schema.encode()
        for face in ("front", "back"):
            template = f"{face}.html.j2"
            yield (
                f"templates/{pack}/{kind}/{template}",
                (PACK_TEMPLATE / template).read_bytes(),
            )
    for icon, drawing in symbols.drawings.items():
        yield f"templates/{pack}/icons/{icon}.svg", drawing
    for font in symbols.fonts:
        for name, data in font.files:
            yield f"templates/{pack}/fonts/{name}", data


def _format_document(schema: str, value: dict[str, Json], up: str) -> bytes:
    schema_line = f"# yaml-language-server: $schema={up}schemas/{schema}.schema.json"
    return "\n".join([schema_line, *format_block(value), ""]).encode()


def _make_manifest(
    imported: ImportedList,
    pack: str,
    lang: str,
    design: PrintDesign,
    symbols: SymbolFiles,
) -> bytes:
    size: dict[str, Json] = {
        "width": design.format.width,
        "height": design.format.height,
        "corner": 3,
        "bleed": 3,
        "safe": 3,
    }
    text_size = design.format.text_size
    # Texts have one size: those that do not fit continue on the back or on a further card.
    fit: dict[str, Json] = {
        "name": {"sizes": [14, 12, 10, 8.5, 7], "heading": True},
        "cost": {"sizes": [14, 12, 10, 8.5, 7], "heading": True},
        "side": {"sizes": [7.5, 7], "heading": True},
        "tags": {"sizes": [text_size]},
        "body": {"sizes": [text_size]},
    }
    kinds: dict[str, Json] = {}
    for kind, role, kind_name in (("unit", "entry", UNIT), ("page", "deck", REFERENCE)):
        kinds[kind] = {
            "name": {lang: translate(kind_name, lang)},
            "role": role,
            "size": size,
            "back": "optional",
            "frame_by": [],
            "fit": fit,
        }
    value: dict[str, Json] = {
        "id": pack,
        "name": {lang: imported.system_name or imported.name or pack},
        "languages": {"source": lang},
    }
    if symbols.icons:
        value["icons"] = dict(symbols.icons)
    group: dict[str, Json] = {"name": {lang: translate(_("Group"), lang)}, "free": True}
    currency = imported.cost_name or translate(_("points"), lang)
    value["roster"] = {"currency": {lang: currency}, "choices": {"group": group}}
    value["kinds"] = kinds
    value["imported"] = True
    return _format_document("core/pack", value, "../../")


def _start_card(card_id: str, kind: str, name: str, lang: str) -> dict[str, Json]:
    note: dict[str, Json] = {lang: translate(_("Imported."), lang)}
    return {
        "id": card_id,
        "kind": kind,
        "name": name,
        "revision": 1,
        "released": FIRST_RELEASE,
        "history": [
            {"revision": 1, "released": FIRST_RELEASE, "type": "rules", "note": note}
        ],
    }


def _make_card(
    paper_card: PaperCard, lang: str, design: PrintDesign
) -> dict[str, Json]:
    card, page = paper_card.card, paper_card.page
    default_name = UNIT if paper_card.card_type is PaperCardType.UNIT else REFERENCE
    name = card.name or translate(default_name, lang)
    value = _start_card(paper_card.id, paper_card.kind, name, lang)
    value |= _make_heads(paper_card, design)
    if paper_card.part > 1:
        value["part"] = paper_card.part
    elif paper_card.is_unit:
        # Lists may have negative costs, cards of a pack may not.
        value["cost"] = _round_cost(max(card.cost, 0))
        value |= _make_sheet_fields(card)
    # Of the other cards, only the title card has a cost: the total of the list.
    elif card.cost:
        value["total"] = f"{card.cost:.12g}"
    if page.keyword_lines:
        value["tags"] = mark_breaks(
            ", ".join(card.keywords), design.format.body_area.width_em
        )
        value["tag_lines"] = page.keyword_lines
    origin = make_card_origin(card)
    if origin:
        value["origin"] = origin
    value["front"] = _make_face(page.front, design)
    if not page.back.is_empty:
        value["back"] = _make_face(page.back, design)
    return value


def _make_heads(paper_card: PaperCard, design: PrintDesign) -> dict[str, Json]:
    """Return the heading fields of a card that differ from its name."""
    card = paper_card.card
    value: dict[str, Json] = {}
    heads = paper_card.heads
    # A name is printed in the largest size that fits, so only longer words may be broken.
    em_mm = MIN_NAME_PT * MM_PER_PT
    head_width = design.format.body_area.width / em_mm
    head = mark_breaks(heads.name, head_width - COST_MM / em_mm)
    back_head = mark_breaks(heads.back_name, head_width)
    if head != card.name:
        value["head"] = head
    if back_head != card.name:
        value["back_head"] = back_head
    if heads.side:
        value["side"] = mark_breaks(heads.side, head_width)
    if paper_card.letter:
        value["letter"] = paper_card.letter
    return value


def _round_cost(cost: float) -> int | float:
    # 12.0 would be printed with its decimal.
    return int(cost) if cost == int(cost) else round(cost, 2)


def _make_sheet_fields(card: ImportedCard) -> dict[str, Json]:
    """Return the fields that only the squad sheet prints: boxes, items and abilities."""
    value: dict[str, Json] = {}
    rows: list[TableRow] = []
    for table in card.tables:
        rows += table.rows
    for name, items in (("models", card.models), ("weapons", (*rows, *card.equipment))):
        if items:
            value[name] = ", ".join(_format_counted(row) for row in items)
    titles = dict.fromkeys(passage.title for passage in card.passages if passage.title)
    if titles:
        value["abilities"] = ", ".join(titles)
    if card.boxes:
        value["boxes"] = [_make_boxes(boxes) for boxes in card.boxes]
    return value


def make_title_card(imported: ImportedList, lang: str) -> ImportedCard:
    """Make the title card of a list: its units, total and choices, and a QR code."""
    rows = [
        TableRow(format_full_name(card), (_format_cost(card),), card.copies)
        for card in imported.cards
    ]
    if imported.leftover_cost:
        label = translate(_("Without a card"), lang)
        rows.append(TableRow(label, (f"{imported.leftover_cost:.12g}",)))
    columns = (imported.cost_name,) if imported.cost_name and imported.has_costs else ()
    if not columns:
        rows = [replace(row, values=()) for row in rows]
    passages: list[TitledText] = []
    if not imported.has_equal_costs:
        warning = _(
            "The entries cost {sum:.12g}, but the file says {total:.12g}.",
            sum=imported.card_cost + imported.leftover_cost,
            total=imported.total,
        )
        passages.append(TitledText("", translate(warning, lang)))
    # Choices without a text are one line together.
    choices = [option.title for option in imported.options if not option.text]
    if choices:
        text = escape_markup("; ".join(choices))
        passages.append(TitledText(translate(_("Choices"), lang), text))
    passages += [option for option in imported.options if option.text]
    table = CardTable(translate(_("Units"), lang), columns, tuple(rows))
    return ImportedCard(
        imported.name,
        side=imported.system_name,
        cost=imported.total,
        tables=(table,),
        passages=tuple(passages),
        keywords=imported.option_keywords,
        notes=imported.notes,
        code=_make_code_text(imported),
    )


def format_full_name(card: ImportedCard) -> str:
    """Format the name of a unit with the player's name for it, such as `Guard · Ann`."""
    return NAME_SEPARATOR.join(name for name in (card.name, card.custom_name) if name)


def _format_cost(card: ImportedCard) -> str:
    return f"{card.cost * card.copies:.12g}"


def _make_code_text(imported: ImportedList) -> str:
    """Return the list as a short text for a QR code. Empty if it is too long."""
    lines = [imported.name]
    if imported.cost_name and imported.has_costs:
        lines[0] += f", {imported.total:.12g} {imported.cost_name}"
    for card in imported.cards:
        cost = f" {_format_cost(card)}" if imported.has_costs else ""
        lines.append(f"{card.copies}x {format_full_name(card)}{cost}")
    text = "\n".join(lines)
    return text if len(text.encode()) <= MAX_CODE_BYTES else ""


def _make_face(face: FaceContent, design: PrintDesign) -> dict[str, Json]:
    """Return the fields of a card face that have content."""
    value: dict[str, Json] = {}
    width = design.format.body_area.width_em
    if face.stats:
        value["stats"] = [
            _make_table(table, width, titled=False) for table in face.stats
        ]
    if face.boxes:
        value["boxes"] = [_make_boxes(boxes) for boxes in face.boxes]
    if face.tables:
        value["tables"] = [
            _make_table(table, width, titled=True) for table in face.tables
        ]
    value |= _make_name_fields(face, width)
    if face.code:
        value["code"] = face.code
        value["code_side"] = measure_qr_code(face.code)
    if face.passages:
        value["texts"] = [_make_passage(passage, design) for passage in face.passages]
    return value


def _make_name_fields(face: FaceContent, width: float) -> dict[str, Json]:
    """Return the fields with names of models, equipment and texts on other cards."""
    value: dict[str, Json] = {}
    for field_name, rows in (("models", face.models), ("equipment", face.equipment)):
        if rows:
            names = ", ".join(_format_counted(row) for row in rows)
            value[field_name] = mark_breaks(names, width)
    if face.references:
        value["references"] = mark_breaks(", ".join(face.references), width)
    return value


def _format_counted(row: TableRow) -> str:
    return f"{row.count}× {row.name}" if row.count > 1 else row.name


def _make_boxes(boxes: Boxes) -> dict[str, Json]:
    value: dict[str, Json] = {"models": boxes.models, "each": boxes.per_model}
    if boxes.name:
        value["name"] = boxes.name
    return value


def _make_table(table: CardTable, width: float, *, titled: bool) -> dict[str, Json]:
    """Return a table of a card whose body has a width in em."""
    value: dict[str, Json] = {}
    # The name of a single stat line is above it.
    has_name_column = titled or len(table.rows) > 1
    is_tight = table.is_tight or _has_long_name(table)
    name_width = width
    if is_tight and has_name_column:
        name_width = width * TIGHT_NAME_SHARE - COUNT_EM
    if titled and table.title:
        value["title"] = mark_breaks(table.title, name_width)
    value["columns"] = list(table.columns)
    if is_tight:
        value["tight"] = True
    rows: list[Json] = []
    for row in table.rows:
        name = mark_breaks(row.name, name_width)
        item: dict[str, Json] = {"name": name, "values": list(row.values)}
        if row.count > 1:
            item["count"] = row.count
        if row.note:
            item["note"] = mark_breaks(row.note, width)
        rows.append(item)
    value["rows"] = rows
    return value


def _has_long_name(table: CardTable) -> bool:
    """Return True if a word in a row's name may be longer than the name column."""
    names = [table.title, *(row.name for row in table.rows)]
    return max(map(measure_longest_word, names)) > MAX_NAME_WORD_EM


def _make_passage(passage: TitledText, design: PrintDesign) -> dict[str, Json]:
    width = design.format.body_area.width_em
    value: dict[str, Json] = {}
    if passage.title:
        value["title"] = mark_breaks(passage.title, width)
    if passage.text:
        value["text"] = mark_breaks(passage.text, width)
    phase = design.theme.find_phase(f"{passage.title} {passage.text}")
    if phase:
        value["phase"] = phase
    return value


def _make_roster(
    target: ImportTarget, name: str, paper_cards: Sequence[PaperCard]
) -> bytes:
    entries: list[Json] = []
    deck: list[Json] = []
    for paper_card in paper_cards:
        if paper_card.is_unit:
            entries += _make_entries(paper_card)
        else:
            deck.append({"card": paper_card.id, "count": paper_card.card.copies})
    value: dict[str, Json] = {
        "format_version": FORMAT_VERSION,
        "pack": target.pack,
        "name": name,
    }
    if target.original:
        value["origin"] = {"file": target.original, "id": target.roster_id}
    value["entries"] = entries
    value["deck"] = deck
    return _format_document("core/roster", value, "../../../")


def _make_entries(paper_card: PaperCard) -> Iterator[dict[str, Json]]:
    """Yield a squad entry for each group that has copies of a card."""
    card = paper_card.card
    selections_by_group: dict[str, list[str]] = {group: [] for group in card.groups}
    for group, selection_id in zip(card.groups, card.selection_ids, strict=False):
        selections_by_group[group].append(selection_id)
    for group, selections in selections_by_group.items():
        entry: dict[str, Json] = {
            "card": paper_card.id,
            "count": card.groups.count(group),
        }
        if card.custom_name:
            entry["name"] = card.custom_name
        if card.notes:
            entry["note"] = card.notes
        if group:
            entry["choices"] = {"group": group}
        selection_ids: list[Json] = [*filter(None, selections)]
        if selection_ids:
            entry["origin"] = {"selections": selection_ids}
        yield entry
