"""Cards of a kind as a table that says all that they say, and a table's rows as changes of cards, all or none."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path

from builder.errata.change import ABSENT, LeafChange, Value, compare_leaves
from builder.errors import InputUnreadable
from builder.files import write_atomic
from builder.findings import Finding, Position, has_errors
from builder.messages import gettext as _, translate
from builder.model.base import DataPath, Json, list_items, look_up
from builder.model.card import Card, ChangeType, HistoryEntry, hash_source
from builder.model.loaded import CardFile, Document, LoadedPack
from builder.model.table import ColumnRule, TableMapping
from builder.model.words import find_nearest
from builder.packs import file_codes
from builder.packs.pack_files import PackFiles, bump_revision, read_text
from builder.packs.project import Project
from builder.packs.scaffold import make_id
from builder.packs.schema.annotations import Fields
from builder.packs.schema.validation import KindSchema, load_kind_schema, parse_model
from builder.packs.schema.wording import describe_wrong_value
from builder.packs.tables.inference import own_field
from builder.packs.tables.sheet import CellValue, Table
from builder.packs.tables.tabular import EACH, KEPT, Column, Flattening, Merged, Merging, column
from builder.packs.tables.write import format_table
from builder.packs.yaml.editing import YamlText, block
from builder.packs.yaml.reading import make_schema_line, parse_document
from builder.report.release import TableChange
from builder.usecases.build.product import SHEETS, list_main_deck_cards
from builder.usecases.release.cards import group_notes_by_language, make_entry

COPIES = ("copies",)
"""The column that counts the copies of a card in the box."""


def export_table(
    project: Project, pack: str, kind: str, file: Path
) -> tuple[int, tuple[Finding, ...]]:
    """Write the cards of a kind into a file; how many. Nothing is written where the pack has errors: what is no card
    would be missing. UsageError where there is no such kind, or the file's name ends in none of a table.
    """
    loaded = PackFiles(project).load(pack)
    if loaded.pack is None or has_errors(loaded.findings):
        return 0, loaded.findings
    schema = load_kind_schema(project, loaded.pack.manifest, kind)
    flattening, cards = (
        Flattening(Fields(schema.schema)),
        list(loaded.pack.list_cards_of_kind(kind)),
    )
    rows: list[dict[str, CellValue]] = []
    heads, copies = ["id", "name"], Counter(card for _deck, card in list_main_deck_cards(loaded))
    for card in cards:
        translations: dict[str, dict[str, str]] = {}
        for lang, strings in loaded.pack.translations.items():
            texts = strings.get(card.id, {})
            translations[lang] = {path: string.text for path, string in texts.items()}
        value = loaded.documents[card.id].value
        assert isinstance(value, dict)
        own = flattening.rows(value, loaded.pack.texts[card.id], translations)
        _join(heads, list(dict.fromkeys(chain.from_iterable(own))))
        rows += own
        rows[-len(own)]["copies"] = copies[card.id] or None
    heads += ["copies"] if copies else []
    cells: list[list[CellValue]] = [[*heads]]
    cells += (list(map(row.get, heads)) for row in rows)
    write_atomic(file, format_table(file, kind, cells))
    return len(cards), ()


def _join(heads: list[str], own: list[str]) -> None:
    """Add the new columns of one card after those they follow."""
    place = 0
    for name in own:
        if name not in heads:
            heads.insert(place, name)
        place = heads.index(name) + 1


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table is taken in. `bump` are type and dates of the next revision of cards that change; None leaves their
    revisions. `day` and `notes` are those of new cards too.
    """

    mapping: TableMapping = field(default_factory=TableMapping)
    clear: bool = False
    delete: bool = False
    bump: Mapping[str, object] | None = None
    notes: tuple[str, ...] = ()
    day: date = date(2000, 1, 1)


@dataclass(slots=True)
class TableImport:
    """What a table would change, what is wrong with it, and the files as they would be; None for one that goes."""

    changes: list[TableChange] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: dict[Path, bytes | None] = field(default_factory=dict)


def import_table(
    project: Project, pack: str, kind: str, table: Table, options: TableOptions
) -> TableImport:
    """What a table would make of the cards of a kind; nothing is written. UsageError where there is no such kind,
    InputUnreadable where a file of a card cannot be edited.
    """
    loaded, made = PackFiles(project).load(pack), TableImport(findings=[*table.findings])
    if loaded.pack is None or has_errors(
        one for one in loaded.findings if one.code == file_codes.BROKEN.code
    ):
        made.findings += loaded.findings
        return made
    schema = load_kind_schema(project, loaded.pack.manifest, kind)
    merging = Merging(Fields(schema.schema), table, options.clear, options.delete)
    columns, wrong = _read_columns(merging, options.mapping, loaded)
    made.findings += wrong
    if not {("id",), ("name",)} & {one.path for one in columns}:
        told = _("no column is the cards' id, and none their name")
        made.findings.append(file_codes.TABLE_COLUMN.finding(told, table.place(1, 0)))
        return made
    notes = group_notes_by_language(loaded, options.notes)
    entry = make_entry({**options.bump, "note": notes}) if options.bump else None
    first = notes or {
        lang: translate(_("First printing."), lang) for lang in loaded.pack.manifest.languages.all
    }
    _Import(project, pack, kind, loaded, schema, merging, options, entry, first, made).run(columns)
    return made


def _read_columns(
    merging: Merging, mapping: TableMapping, loaded: LoadedPack
) -> tuple[list[Column], list[Finding]]:
    """The columns that are read, and those that are no fields."""
    found, wrong, table = [], [], merging.table
    known = {name for name in merging.fields.named(()) if name not in KEPT}
    langs = loaded.pack.manifest.languages.translations if loaded.pack else ()
    for number, head in enumerate(table.head):
        stated = mapping.columns.get(head)
        if head in mapping.skip or not head:
            continue
        rule = stated if isinstance(stated, ColumnRule) else ColumnRule(field=stated or head)
        one, place = column(number, rule.field, rule), table.place(table.rows[0][0], number)
        cell = table.name(table.rows[0][0], number)
        if head in table.head[:number]:
            told = _("{cell}: a column before it is called {name}, too", cell=cell, name=head)
            wrong.append(
                file_codes.TABLE_COLUMN.finding(
                    told, place, _("Give each column a name of its own.")
                )
            )
            continue
        copies = one.path == COPIES and loaded.products is not None
        if copies or (merging.fields.at(merging.pattern(one)) and one.lang in ("", *langs)):
            found.append(one)
            continue
        told = _("{cell}: no field is called {name}", cell=cell, name=rule.field)
        near = own_field(rule.field) or find_nearest(rule.field, known)
        wrong.append(
            file_codes.TABLE_COLUMN.finding(
                told, place, _("Did you mean {word}?", word=near) if near else ""
            )
        )
    return [
        *found,
        *(column(0, name, None, value) for name, value in mapping.constants.items()),
    ], wrong


def _count(
    text: YamlText,
    value: Json,
    copies: Mapping[str, int],
    kind: str,
    held: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, str]]:
    """Write copies of cards of a kind into the main product: on the line that names the card, the last of several, else
    on a new one in the deck that holds it, or else holds the kind. The cards for which that cannot be done, and why.
    """
    main, box = next(iter(list_items(look_up(value, ("products",)))), (None, None))
    if main is None:
        for card in copies:
            yield card, _("products.yaml holds no product")
        return
    decks = {
        str(deck): look_up(own, ("cards",)) for deck, own in list_items(look_up(box, ("decks",)))
    }
    decks[SHEETS] = look_up(box, ("sheets",))
    usual = []
    for deck, lines in decks.items():
        kinds = [look_up(line, ("where", "kind")) for _index, line in list_items(lines)]
        if kind in kinds:
            usual.append(deck)
    for card, many in copies.items():
        places = held.get(card) or usual[:1]
        if len(places) != 1:
            listed = ", ".join(one or "sheets" for one in places)
            none = _("no deck of the first product holds cards of the kind {kind}", kind=kind)
            several = _("copies of {card} lie in several decks: {listed}", card=card, listed=listed)
            yield card, several if places else none
            continue
        deck = places[0]
        path: DataPath = (
            "products",
            main,
            *(("decks", deck, "cards") if deck != SHEETS else ("sheets",)),
        )
        there = [at for at, one in list_items(decks[deck]) if look_up(one, ("card",)) == card]
        if there:
            text.put((*path, there[-1]), "copies", many)
        else:
            text.push(path, {"card": card, "copies": many})


@dataclass(frozen=True, slots=True)
class _Import:
    project: Project
    pack: str
    kind: str
    loaded: LoadedPack
    schema: KindSchema
    merging: Merging
    options: TableOptions
    entry: HistoryEntry | None
    first: dict[str, str]
    made: TableImport

    def run(self, columns: Sequence[Column]) -> None:
        """All cards of the table, then those that are not in it."""
        cards, files = (
            self._cards(columns),
            {file.id or file.stem: file for file in reversed(self.loaded.files)},
        )
        for card, rows in cards.items():
            file = files.get(card)
            if file is not None and (file.kind or file.folder) != self.kind:
                self._wrong(
                    rows[0],
                    _("{card} is a card of another kind: {kind}", card=card, kind=file.folder),
                )
            else:
                self._import_card(
                    card, file, self.merging.card(_get_value(file), rows, columns), rows[0]
                )
        self._copies(cards, columns)
        for card, file in (
            files.items() if self.options.delete and not has_errors(self.made.findings) else ()
        ):
            if card not in cards and (file.kind or file.folder) == self.kind:
                self.made.changes.append(TableChange(file.document.file, "gone"))
                other = [
                    one.file
                    for (_lang, name), one in self.loaded.translations.items()
                    if name == card
                ]
                self.made.files |= {
                    self.project.root / name: None for name in (file.document.file, *other)
                }

    def _copies(self, cards: Mapping[str, Sequence[int]], columns: Sequence[Column]) -> None:
        """The number of copies that a column states, in products.yaml."""
        told = next((one for one in columns if one.path == COPIES), None)
        if told is None:
            return
        path, document = (
            self.project.cards_dir(self.pack) / "products.yaml",
            self.loaded.sources["products.yaml"],
        )
        decks = list_main_deck_cards(self.loaded)
        now, counts, held = (
            Counter(card for _deck, card in decks),
            dict[str, int](),
            dict[str, list[str]](),
        )
        for deck, card in dict.fromkeys(decks):
            held.setdefault(card, []).append(deck)
        for card, rows in cards.items():
            many = self.merging.read(rows[0], told)
            if isinstance(many, int) and many > 0:
                counts |= {card: many} if many != (now[card] or 1) else {}
            elif many is not None:
                hint = _("Write a whole number, or take the row out.")
                self._wrong(
                    rows[0],
                    describe_wrong_value("copies", many, _("at least {bound}", bound=1)),
                    hint,
                )
        text = YamlText(read_text(path), document.file)
        before = text.text
        for card, why in _count(text, document.value, counts, self.kind, held):
            self._wrong(cards[card][0], why)
        if text.text != before:
            after, _unused = parse_document(text.body, "")
            value = (document.value, after.value if after else None)
            leaves = compare_leaves(*(one if isinstance(one, dict) else {} for one in value))
            self.made.files[path] = text.text.encode()
            self.made.changes.append(TableChange(document.file, "changed", leaves))

    def _cards(self, columns: Sequence[Column]) -> dict[str, list[int]]:
        """The rows of each card. A row without an id belongs to the card above, unless it has a name of its own."""
        single = {
            ".".join(one.path): one for one in columns if not one.lang and EACH not in one.path
        }
        names = {
            look_up(one.document.value, ("name",)): one.id
            for one in self.loaded.files
            if one.folder == self.kind
        }
        found: dict[str, list[int]] = {}
        rows: list[int] | None = []
        for row in range(1, len(self.merging.table.rows)):
            said = {name: self.merging.read(row, one) for name, one in single.items()}
            own = any(
                said[name] is not None for name, one in single.items() if one.constant is None
            )
            if own and said.get("kind") in (None, self.kind):
                name = said.get("name")
                card = str(said.get("id") or names.get(name) or make_id(str(name or "")))
                rows = [row]
                if not card or card in found or card in self.loaded.unread:
                    form = _("{card} was named in a row above, or its file cannot be read")
                    self._wrong(row, _(form, card=card) if card else _("no id and no name"))
                else:
                    found[card] = rows
            elif own:
                rows = None
            elif rows is not None:
                rows.append(row)
        return found

    def _wrong(self, row: int, why: str, hint: str = "") -> None:
        number, table = self.merging.table.rows[row][0], self.merging.table
        told = _("{cell}: {reason}", cell=table.name(number, 0), reason=why)
        self.made.findings.append(file_codes.TABLE_ROW.finding(told, table.place(number, 0), hint))

    def _import_card(self, card: str, file: CardFile | None, merged: Merged, row: int) -> None:
        """One card: judged, and its files as they would be."""
        old = _get_value(file)
        new = merged.value if file else self._begun(card, merged.value)
        self.made.findings += merged.findings
        texts = dict(self._texts(card, new, merged))
        if file is not None and new == old and not texts:
            return
        wrong = [*self._judged(new, merged, row)] if new != old else []
        self.made.findings += wrong
        if wrong:
            return
        path = self.project.root / file.document.file if file else self._place(card, new)
        if new != old:
            self.made.files[path] = self._text(path, file, old, new).encode()
        for lang in dict.fromkeys(lang for lang, _path in texts):
            strings: dict[str, Json] = {
                at: {"text": told, "source": hash_source(str(look_up(new, at.split("."))))}
                for (one, at), (_old, told) in texts.items()
                if one == lang
            }
            where, text = PackFiles(self.project).translated(
                self.pack, lang, f"{self.kind}/{card}", strings
            )
            self.made.files[where] = text.encode()
        leaves = [one for one in compare_leaves(old, new) if file or one.path[0] not in KEPT]
        leaves += [LeafChange((f"{at}@{lang}",), *both) for (lang, at), both in texts.items()]
        change = TableChange(
            self.project.relative(path), "changed" if file else "new", tuple(leaves)
        )
        self.made.changes.append(change)

    def _texts(
        self, card: str, new: Mapping[str, Json], merged: Merged
    ) -> Iterator[tuple[tuple[str, str], tuple[Value, str]]]:
        """The translations that differ, by language and path: before and after."""
        for lang, texts in merged.texts.items():
            known = self.loaded.whole.translations.get(lang, {}).get(card, {})
            for at, told in texts.items():
                old = known[at].text if at in known else ABSENT
                if (old is ABSENT or old.strip() != told) and isinstance(
                    look_up(new, at.split(".")), str
                ):
                    yield (lang, at), (old, told)

    def _begun(self, card: str, value: Mapping[str, Json]) -> dict[str, Json]:
        """A new card: what the program keeps of it goes before its own fields."""
        day = self.options.day.isoformat()
        first: Json = [
            {"revision": 1, "released": day, "type": ChangeType.RULES.value, "note": {**self.first}}
        ]
        head = {key: value[key] for key in ("name", "faction", "keywords", "cost") if key in value}
        kept: dict[str, Json] = {"revision": 1, "released": day, "history": first}
        return {"id": card, "kind": self.kind, **head, **kept, **value} | {"id": card}

    def _judged(self, new: dict[str, Json], merged: Merged, row: int) -> Iterator[Finding]:
        """What is wrong with a card, at the cells it comes from."""
        table = self.merging.table
        cells = merged.cells.items()
        marks = {
            path[:-1] if path[-1] == EACH else path: Position(number, place + 1)
            for path, (number, place) in cells
        }
        document = Document(table.file, new, {(): Position(table.rows[row][0], 1), **marks}, marks)
        for one in self.schema.judge(document) or parse_model(Card, document)[1]:
            cell = table.name(one.location.line or 1, (one.location.column or 1) - 1)
            yield replace(one, message=_("{cell}: {reason}", cell=cell, reason=one.message))

    def _place(self, card: str, value: Mapping[str, Json]) -> Path:
        """The file of a new card: in the folder where most of its faction's cards of the kind lie."""
        alike = [one for one in self.loaded.files if one.folder == self.kind]
        same = [
            one
            for one in alike
            if look_up(one.document.value, ("faction",)) == value.get("faction")
        ]
        folders = Counter(Path(one.document.file).parent for one in same).most_common(1)
        folder = folders[0][0] if folders else Path("cards", self.pack, self.kind)
        return self.project.root / folder / f"{card}.yaml"

    def _text(
        self, path: Path, file: CardFile | None, old: Mapping[str, Json], new: dict[str, Json]
    ) -> str:
        """A card's file; InputUnreadable where it does not say what it should."""
        name = self.project.relative(path)
        if file is None:
            text = "\n".join([make_schema_line(f"{self.pack}/{self.kind}", name), *block(new), ""])
        else:
            edit = YamlText(read_text(path), name)
            edit.change((), dict(old), new)
            text = edit.text
        document, _unused = parse_document(text.removeprefix("\ufeff"), name)
        if document is None or document.value != new:
            raise InputUnreadable(
                _("{file} cannot be edited safely", file=name), _("Edit this card by hand.")
            )
        return bump_revision(text, name, self.entry)[0] if file and self.entry else text


def _get_value(file: CardFile | None) -> dict[str, Json]:
    value = file.document.value if file else None
    return value if isinstance(value, dict) else {}
