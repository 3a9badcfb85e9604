"""Write an imported list as the files of a pack: cards, templates and the squad."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.imported.card import CardTable, ImportedCard, ImportedList, TableRow, TitledText
from builder.imported.pages import CardPage, FaceArea, FaceContent, lay_out_card
from builder.imported.roles import ImportNames
from builder.imported.text import convert_name, convert_text
from builder.messages import gettext as _, translate
from builder.model.base import Json
from builder.model.roster import FORMAT_VERSION
from builder.packs.yaml.editing import format_block
from builder.usecases.imports.card_ids import ImportTarget, choose_card_ids, make_card_origin

PATTERN = Path(__file__).parents[2] / "data" / "imported"
UNIT, REFERENCE = _("Unit"), _("Reference")
COLOURS = ("#2f4858", "#7a3b2e", "#3f5c3a", "#5a4372", "#6b5522", "#2e5f66")
"""Accents of the sides, in order."""
FIRST_RELEASE = "2026-01-01"


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A card size in mm, and the amount of text that fits at the body size."""

    width: float
    height: float
    area: FaceArea


FORMATS = {
    "63x88": CardFormat(63, 88, FaceArea(40, 20, 22.5)),
    "70x120": CardFormat(70, 120, FaceArea(46, 30, 32)),
    "120x70": CardFormat(120, 70, FaceArea(84, 14.5, 17)),
    "a6": CardFormat(148, 105, FaceArea(104, 25.5, 28)),
}


@dataclass(frozen=True, slots=True)
class PaperCard:
    """A card of paper: its id, what it prints, and how often it is printed.

    `part` counts the cards of one unit.
    """

    id: str
    card: ImportedCard
    page: CardPage
    part: int
    copies: int

    @property
    def kind(self) -> str:
        """The kind in the pack: units belong to the squad.

        A card without a back is of a kind of its own.
        """
        subject = "unit" if self.part == 1 and self.card.name else "page"
        return subject if not self.page.back.is_empty else f"{subject}-front"


def load_import_names() -> ImportNames:
    """Return the words of many games that help to tell profiles apart."""
    value = json.loads((PATTERN / "names.json").read_text("utf-8"))
    return ImportNames(**{name: tuple(words) for name, words in value.items()})


def list_paper_cards(
    imported: ImportedList, card_format: CardFormat, target: ImportTarget | None = None
) -> list[PaperCard]:
    """Return all cards of paper of a list, in the order of the list."""
    pages: list[tuple[ImportedCard, int, CardPage]] = []
    for card in (*imported.cards, *imported.references):
        for part, page in enumerate(lay_out_card(card, card_format.area), 1):
            pages.append((card, part, page))
    ids = choose_card_ids([(card, part) for card, part, _page in pages], target)
    return [
        PaperCard(card_id, card, page, part, card.copies)
        for card_id, (card, part, page) in zip(ids, pages, strict=True)
    ]


def make_pack_files(
    imported: ImportedList, target: ImportTarget, lang: str, card_format: CardFormat
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a pack with all cards and the squad, by their path in the project."""
    pack = target.pack
    paper_cards = list_paper_cards(imported, card_format, target)
    name = convert_name(imported.name) or pack
    yield f"cards/{pack}/pack.yaml", _make_manifest(imported, pack, name, lang, card_format)
    yield f"cards/{pack}/rules.yaml", _format_document("rules", {"rules": []}, "../../")
    for paper_card in paper_cards:
        path = f"cards/{pack}/{paper_card.kind}/{paper_card.id}.yaml"
        schema = f"../../../schemas/{pack}/{paper_card.kind}.schema.json"
        value = _make_card(paper_card, lang)
        text = f"# yaml-language-server: $schema={schema}\n" + "\n".join(format_block(value)) + "\n"
        yield path, text.encode()
    roster = _make_roster(target, name, paper_cards)
    yield f"cards/{pack}/rosters/{target.squad}.yaml", roster
    accent = COLOURS[sum(imported.system_id.encode()) % len(COLOURS)]
    css = (PATTERN / "pack.css").read_text("utf-8").replace("ACCENT", accent)
    yield f"templates/{pack}/pack.css", css.encode()
    yield f"templates/{pack}/body.j2", (PATTERN / "body.j2").read_bytes()
    for kind in ("unit", "unit-front", "page", "page-front"):
        schema = (PATTERN / "card.schema.json").read_text("utf-8").replace("KIND", kind)
        yield f"schemas/{pack}/{kind}.schema.json", schema.encode()
        for face in ("front",) if kind.endswith("-front") else ("front", "back"):
            template = (PATTERN / f"{face}.html.j2").read_text("utf-8")
            yield f"templates/{pack}/{kind}/{face}.html.j2", template.encode()


def _format_document(schema: str, value: dict[str, Json], up: str) -> bytes:
    first = f"# yaml-language-server: $schema={up}schemas/core/{schema}.schema.json\n"
    return (first + "\n".join(format_block(value)) + "\n").encode()


def _make_manifest(
    imported: ImportedList, pack: str, name: str, lang: str, card_format: CardFormat
) -> bytes:
    size: dict[str, Json] = {
        "width": card_format.width,
        "height": card_format.height,
        "corner": 3,
        "bleed": 3,
        "safe": 3,
    }
    kinds: dict[str, Json] = {}
    for kind, role in (
        ("unit", "entry"),
        ("unit-front", "entry"),
        ("page", "deck"),
        ("page-front", "deck"),
    ):
        faces: list[Json] = ["front"] if kind.endswith("-front") else ["front", "back"]
        kinds[kind] = {
            "name": {lang: translate(UNIT if role == "entry" else REFERENCE, lang)},
            "role": role,
            "size": size,
            "faces": faces,
            "frame_by": [],
            "fit": {
                "name": {"sizes": [14, 12, 10, 8.5, 7], "heading": True},
                "side": {"sizes": [7.5, 7], "heading": True},
                "tags": {"sizes": [7.5, 7], "heading": True},
                "body": {"sizes": [7.5, 7]},
            },
        }
    currency = convert_name(imported.cost_name) or "pts"
    value: dict[str, Json] = {
        "id": pack,
        "name": {lang: convert_name(imported.system_name) or name},
        "languages": {"source": lang},
        "roster": {"currency": {lang: currency}},
        "kinds": kinds,
        "imported": True,
    }
    return _format_document("pack", value, "../../")


def _make_card(paper_card: PaperCard, lang: str) -> dict[str, Json]:
    card, is_first = paper_card.card, paper_card.part == 1
    value: dict[str, Json] = {
        "id": paper_card.id,
        "kind": paper_card.kind,
        "name": convert_name(card.name) or translate(REFERENCE, lang),
    }
    if is_first and card.name:
        value["cost"] = max(round(card.cost), 0)
    value["revision"] = 1
    value["released"] = FIRST_RELEASE
    note: dict[str, Json] = {lang: translate(_("Imported."), lang)}
    value["history"] = [{"revision": 1, "released": FIRST_RELEASE, "type": "rules", "note": note}]
    if card.side:
        value["side"] = convert_name(card.side)
    if card.custom_name:
        value["custom_name"] = convert_name(card.custom_name)
    if not is_first:
        value["part"] = paper_card.part
    if is_first and card.boxes:
        value["models"], value["boxes"] = card.boxes[0].models, card.boxes[0].per_model
    if is_first and card.keywords:
        value["tags"] = ", ".join(convert_name(word) for word in card.keywords)
    origin = make_card_origin(card)
    if origin:
        value["origin"] = origin
    value["front"] = _make_face(paper_card.page.front)
    if not paper_card.page.back.is_empty:
        value["back"] = _make_face(paper_card.page.back)
    return value


def _make_face(face: FaceContent) -> dict[str, Json]:
    value: dict[str, Json] = {}
    if face.stats:
        value["stats"] = [_make_table(table, titled=False) for table in face.stats]
    if face.tables:
        value["tables"] = [_make_table(table, titled=True) for table in face.tables]
    if face.equipment:
        value["equipment"] = ", ".join(_format_counted(row) for row in face.equipment)
    if face.passages:
        value["texts"] = [_make_passage(passage) for passage in face.passages]
    return value


def _format_counted(row: TableRow) -> str:
    name = convert_name(row.name)
    return f"{row.count}× {name}" if row.count > 1 else name


def _make_table(table: CardTable, *, titled: bool) -> dict[str, Json]:
    value: dict[str, Json] = {"title": convert_name(table.title)} if titled else {}
    value["columns"] = [convert_name(column) for column in table.columns]
    rows: list[Json] = []
    for row in table.rows:
        values: list[Json] = [convert_name(text) or "–" for text in row.values]
        rows.append({"name": convert_name(row.name), "count": row.count, "values": values})
    value["rows"] = rows
    return value


def _make_passage(passage: TitledText) -> dict[str, Json]:
    value: dict[str, Json] = {}
    if passage.title:
        value["title"] = convert_name(passage.title)
    if passage.text:
        value["text"] = convert_text(passage.text)
    return value


def _make_roster(target: ImportTarget, name: str, paper_cards: Sequence[PaperCard]) -> bytes:
    entries: list[Json] = []
    deck: list[Json] = []
    for paper_card in paper_cards:
        if paper_card.kind.startswith("unit"):
            entries.append(_make_entry(paper_card))
        else:
            deck.append({"card": paper_card.id, "count": paper_card.copies})
    value: dict[str, Json] = {"format_version": FORMAT_VERSION, "pack": target.pack, "name": name}
    if target.original:
        value["origin"] = {"file": target.original, "id": target.roster_id}
    value["entries"] = entries
    if deck:
        value["deck"] = deck
    return _format_document("roster", value, "../../../")


def _make_entry(paper_card: PaperCard) -> dict[str, Json]:
    card = paper_card.card
    entry: dict[str, Json] = {"card": paper_card.id, "count": paper_card.copies}
    if card.custom_name:
        entry["name"] = convert_name(card.custom_name)
    if card.notes:
        entry["note"] = card.notes
    selections = make_card_origin(card).get("selections")
    if selections:
        entry["origin"] = {"selections": selections}
    return entry
