"""Import the rows of a table as cards of one kind. Nothing is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from builder.errata.change import ABSENT, LeafChange, Value, compare_leaves, iterate_leaves
from builder.errors import InputUnreadable
from builder.findings import Finding, Position, Severity, has_errors
from builder.messages import Message, gettext as _, translate
from builder.model.base import DataPath, Json, look_up
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
from builder.packs.tables.cell_values import format_cell
from builder.packs.tables.cleaning import clean_table
from builder.packs.tables.column_names import find_history_field, find_standard_field
from builder.packs.tables.merge import (
    EACH,
    PROTECTED_FIELDS,
    Column,
    MergedCard,
    RowMerger,
    make_column,
)
from builder.packs.tables.row_ids import CardRows, IdAssigner, IdResult, KnownIds, hash_rows
from builder.packs.tables.sheet import Table
from builder.packs.yaml.editing import YamlText, format_block
from builder.packs.yaml.reading import make_schema_line, parse_document
from builder.report.release import TableChange
from builder.usecases.build.product import list_main_deck_cards
from builder.usecases.release.cards import group_notes_by_language, make_entry
from builder.usecases.tables.copies import COPIES, CopiesEditor, read_copies

HISTORY_FIELDS = ("released", "revision")
MAX_LISTED_IDS = 5


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options for importing a table.

    `bump` are type and dates of the next revision of cards that change; None leaves their
    revisions. `day` and `notes` are those of new cards too. `skip_errors` leaves out cards with
    errors. In a new pack no row is an old card.
    """

    mapping: TableMapping = field(default_factory=TableMapping)
    clear: bool = False
    delete: bool = False
    bump: Mapping[str, object] | None = None
    notes: tuple[str, ...] = ()
    day: date = date(2000, 1, 1)
    skip_errors: bool = False
    is_new_pack: bool = False


@dataclass(slots=True)
class TableImport:
    """The result of an import: changes, findings, new file contents and row ids.

    A file with None is deleted. `keys_by_id` are keys for the mapping file. `made_ids` counts ids
    that were made. `deck_cards` are those of the first product, which all kinds share; None before
    a kind has needed them.
    """

    changes: list[TableChange] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: dict[Path, bytes | None] = field(default_factory=dict)
    keys_by_id: dict[str, str] = field(default_factory=dict)
    made_ids: int = 0
    deck_cards: list[tuple[str, str]] | None = None


def import_table(
    project: Project, pack: str, kind: str, table: Table, options: TableOptions
) -> TableImport:
    """Return the changes that a table makes to the cards of a kind.

    Raise UsageError if there is no such kind, and InputUnreadable if the file of a card cannot be
    edited.
    """
    loaded = PackFiles(project).load_pack(pack)
    result = TableImport()
    if has_unusable_files(loaded):
        result.findings += loaded.findings
        return result
    import_rows(project, loaded, kind, table, options, result)
    return result


def has_unusable_files(loaded: LoadedPack) -> bool:
    """Return True if the pack or its schemas cannot be used."""
    broken = [item for item in loaded.findings if item.code == file_codes.BROKEN.code]
    return loaded.pack is None or has_errors(broken)


def import_rows(
    project: Project,
    loaded: LoadedPack,
    kind: str,
    table: Table,
    options: TableOptions,
    result: TableImport,
) -> None:
    """Add a table's changes in cards of a kind to a result that may hold other kinds."""
    manifest = loaded.whole.manifest
    schema = load_kind_schema(project, manifest, kind)
    has_mapping = bool(options.mapping.columns)
    table = clean_table(table, options.mapping.skip_rows if has_mapping else None)
    result.findings += table.findings
    merger = RowMerger(Fields(schema.schema), table, options.clear, options.delete)
    columns, findings = ColumnReader(merger, options.mapping, loaded).read()
    result.findings += findings
    paths = {column.path for column in columns}
    is_numbered = options.is_new_pack or bool(options.mapping.rows)
    if not {("id",), ("name",)} & paths and not is_numbered:
        message = _("no column is the cards' id, and none their name")
        result.findings.append(file_codes.TABLE_COLUMN.finding(message, table.place(1, 0)))
        return
    importer = KindImporter(project, loaded, schema, merger, options, result, kind)
    importer.run(columns)


@dataclass(frozen=True, slots=True)
class ColumnReader:
    """Finds the field of each column."""

    merger: RowMerger
    mapping: TableMapping
    loaded: LoadedPack

    def read(self) -> tuple[list[Column], list[Finding]]:
        """Return the columns that are read, and the findings about columns without a field."""
        columns: list[Column] = []
        findings: list[Finding] = []
        table = self.merger.table
        for number, name in enumerate(table.head):
            if not name or name in self.mapping.skip or self.is_history(name):
                continue
            column = self.make_column(number, name)
            if self.is_field(column):
                columns.append(column)
            else:
                findings.append(self.report_unknown(column))
        for name, value in self.mapping.constants.items():
            columns.append(make_column(0, name, None, value))
        return columns, findings

    def make_column(self, number: int, name: str) -> Column:
        """Return a column with the field that the mapping or its name says."""
        rule = self.mapping.columns.get(name)
        if not isinstance(rule, ColumnRule):
            rule = ColumnRule(field=rule or self.guess_field(name))
        return make_column(number, rule.field, rule)

    def guess_field(self, name: str) -> str:
        """Return the field of a column that no mapping names: its name, maybe in lower case."""
        lower_name = name.lower()
        known_fields = self.merger.fields.list_names(())
        is_other_case = name not in known_fields and lower_name in known_fields
        return lower_name if is_other_case else name

    def is_history(self, name: str) -> bool:
        """Return True for a column with the release or revision of new cards."""
        rule = self.mapping.columns.get(name)
        field_name = rule.field if isinstance(rule, ColumnRule) else rule
        return (field_name or find_history_field(name)) in HISTORY_FIELDS

    def is_field(self, column: Column) -> bool:
        """Return True if a column is a field of the kind in a language of the pack."""
        if column.path == COPIES:
            return self.loaded.products is not None
        langs = self.loaded.whole.manifest.languages.translations
        is_known = bool(self.merger.fields.find_schemas(self.merger.find_pattern(column)))
        return is_known and column.lang in ("", *langs)

    def report_unknown(self, column: Column) -> Finding:
        """Report a column that is no field, with the nearest field."""
        table = self.merger.table
        number = table.rows[0].number
        name = column.rule.field
        place = table.name(number, column.number)
        message = _("{cell}: no field is called {name}", cell=place, name=name)
        hint: str = ""
        if column.path == COPIES:
            hint = _("Add a products.yaml, or name the column under `skip` of a mapping file.")
        else:
            known = {
                name for name in self.merger.fields.list_names(()) if name not in PROTECTED_FIELDS
            }
            nearest = find_standard_field(name) or find_nearest(name, known)
            if nearest:
                hint = _("Did you mean {word}?", word=nearest)
        return file_codes.TABLE_COLUMN.finding(message, table.place(number, column.number), hint)


@dataclass(slots=True)
class KindImporter:
    """Imports the rows of one table as cards of one kind."""

    project: Project
    loaded: LoadedPack
    schema: KindSchema
    merger: RowMerger
    options: TableOptions
    result: TableImport
    kind: str
    files_by_id: dict[str, CardFile] = field(default_factory=dict)
    new_values: dict[str, Mapping[str, Json]] = field(default_factory=dict)

    def run(self, columns: Sequence[Column]) -> None:
        """Import all cards of the table. Then delete cards without a row if that is requested."""
        self.files_by_id = {file.id or file.stem: file for file in reversed(self.loaded.files)}
        cards = self.list_cards(columns)
        ids = self.assign_ids(cards, columns)
        self.report_ids(ids)
        skipped_ids: set[str] = set()
        for card_id, card in ids.rows_by_id.items():
            if not self.import_card(card_id, card, ids, columns):
                skipped_ids.add(card_id)
        kept_cards = {
            card_id: card for card_id, card in ids.rows_by_id.items() if card_id not in skipped_ids
        }
        self.import_copies(kept_cards, columns)
        self.result.keys_by_id |= {card_id: ids.keys_by_id[card_id] for card_id in kept_cards}
        self.result.made_ids += len(ids.made_ids)
        if self.options.delete and not has_errors(self.result.findings):
            self.delete_missing_cards(ids.rows_by_id)

    def list_cards(self, columns: Sequence[Column]) -> list[CardRows]:
        """Return the rows of each card.

        A row without values of its own goes on with the card above.
        """
        single_columns = list_single_columns(columns)
        own_rows: list[list[int]] = []
        is_of_kind = True
        last_kind: Json = None
        for row in range(1, len(self.merger.table.rows)):
            values = {column.path: self.merger.read(row, column) for column in single_columns}
            if not self.begins_card(values, row, own_rows, single_columns):
                if own_rows and is_of_kind:
                    own_rows[-1].append(row)
                continue
            last_kind = values.get(("kind",)) or last_kind
            # A cell may say `Unit` for the kind `unit`, as in tables without a mapping file.
            is_of_kind = last_kind in (None, self.kind) or make_id(str(last_kind)) == self.kind
            if is_of_kind:
                own_rows.append([row])
        return [self.identify_rows(rows, columns) for rows in own_rows]

    def begins_card(
        self,
        values: Mapping[tuple[str, ...], Json],
        row: int,
        own_rows: Sequence[Sequence[int]],
        columns: Sequence[Column],
    ) -> bool:
        """Return True if a row has an id, a name, or a value that the card above does not have."""
        if values.get(("id",)) or values.get(("name",)):
            return True
        if not own_rows or own_rows[-1][-1] != row - 1:
            return any(value is not None for value in values.values())
        first_row = own_rows[-1][0]
        return any(
            values[column.path] not in (None, self.merger.read(first_row, column))
            for column in columns
        )

    def identify_rows(self, rows: Sequence[int], columns: Sequence[Column]) -> CardRows:
        """Return the rows of a card with their ids or keys."""
        texts = {("id",): "", ("name",): ""}
        for column in columns:
            if column.path in texts and not column.lang:
                value = self.merger.read(rows[0], column)
                texts[column.path] = "" if value is None else format_cell(value)
        table_hash = hash_rows(self.merger.table, rows)
        return CardRows(tuple(rows), texts["id",], texts["name",], table_hash)

    def assign_ids(self, cards: Sequence[CardRows], columns: Sequence[Column]) -> IdResult:
        """Return the id of each card. Report rows whose card is not certain."""
        ids_by_name: dict[str, list[str]] = {}
        ids_of_kind: set[str] = set()
        for card_id, file in self.files_by_id.items():
            if (file.kind or file.folder) == self.kind:
                name = look_up(file.document.value, ("name",))
                ids_by_name.setdefault(str(name), []).append(card_id)
                ids_of_kind.add(card_id)
        used_ids = {*self.files_by_id, *self.loaded.unread, *self.result.keys_by_id}
        used_ids.update(self.options.mapping.rows.values())
        merged_cards: dict[CardRows, dict[DataPath, Json]] = {}

        def compare(card: CardRows, card_id: str) -> tuple[float, int]:
            if card not in merged_cards:
                value = self.merger.merge({}, card.rows, columns).value
                merged_cards[card] = dict(iterate_leaves(value))
            return compare_values(merged_cards[card], get_value(self.files_by_id.get(card_id)))

        known = KnownIds(
            self.options.mapping.rows,
            ids_by_name,
            used_ids,
            self.kind,
            compare,
            ids_of_kind,
            self.options.is_new_pack,
        )
        result = IdAssigner(known).assign(cards)
        for card, message in result.unclear_rows:
            hint = _("Write its id under `rows` of the mapping file, or add a column id.")
            self.report_row(card.rows[0], message, hint)
        self.refuse_unnamed_rows(result, columns)
        return result

    def refuse_unnamed_rows(self, ids: IdResult, columns: Sequence[Column]) -> None:
        """Report rows without id and name in a pack whose cards have names."""
        is_numbered = self.options.is_new_pack or self.options.mapping.rows
        if is_numbered:
            return
        for card_id in ids.numbered_ids:
            card = ids.rows_by_id.pop(card_id)
            self.report_row(card.rows[0], _("no id and no name"))
        ids.numbered_ids.clear()

    def report_ids(self, ids: IdResult) -> None:
        """Report all generated card ids in one note."""
        made_ids = [(card, card_id) for card, card_id in ids.made_ids if card_id in ids.rows_by_id]
        new_ids = [pair for pair in made_ids if pair[1] not in self.files_by_id]
        if not new_ids:
            return
        table = self.merger.table
        listed = []
        for card, card_id in new_ids[:MAX_LISTED_IDS]:
            number = table.rows[card.rows[0]].number
            listed.append(f"{card.base or name_row(number)} -> {card_id}")
        if len(new_ids) > MAX_LISTED_IDS:
            listed.append("...")
        message = _("{count} ids were made: {listed}", count=len(new_ids), listed=", ".join(listed))
        if any(not card.base for card, _card_id in new_ids):
            message = _(
                "rows without a name are numbered; {count} ids were made: {listed}",
                count=len(new_ids),
                listed=", ".join(listed),
            )
        row = table.rows[new_ids[0][0].rows[0]]
        hint = _("The mapping file keeps them. Add a column id for others.")
        location = table.place(row.number, 0)
        note = file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)
        self.result.findings.append(note)

    def report_row(self, row: int, reason: Message | str, hint: str = "", column: int = 0) -> None:
        """Report a row with an error."""
        table = self.merger.table
        number = table.rows[row].number
        message = _("{cell}: {reason}", cell=table.name(number, column), reason=reason)
        finding = file_codes.TABLE_ROW.finding(message, table.place(number, column), hint)
        self.result.findings.append(self.lower_severity(finding))

    def lower_severity(self, finding: Finding) -> Finding:
        """Return an error as a warning if rows with errors are left out."""
        is_lowered = self.options.skip_errors and finding.severity is Severity.ERROR
        return replace(finding, severity=Severity.WARNING) if is_lowered else finding

    def import_card(
        self, card_id: str, card: CardRows, ids: IdResult, columns: Sequence[Column]
    ) -> bool:
        """Add the files of one card. Return False if it has errors."""
        file = self.files_by_id.get(card_id)
        if file is not None and (file.kind or file.folder) != self.kind:
            message = _("{card} is a card of another kind: {kind}", card=card_id, kind=file.folder)
            self.report_row(card.rows[0], message)
            return False
        if card_id in self.loaded.unread:
            message = _("{card} was named in a row above, or its file cannot be read", card=card_id)
            self.report_row(card.rows[0], message)
            return False
        merged = self.merger.merge(get_value(file), card.rows, columns)
        merged.value["id"] = card_id
        if file is None and "name" not in merged.value:
            merged.value["name"] = card.id_text or str(ids.numbered_ids.get(card_id, card_id))
        findings = [*merged.findings]
        reported_count = len(self.result.findings)
        self.check_copies(card, columns)
        new = merged.value if file else self.complete_card(card_id, merged.value, card.rows[0])
        has_wrong_cell = len(self.result.findings) > reported_count
        old = get_value(file)
        if new != old:
            findings += self.check_card(new, merged, card.rows[0])
        self.result.findings += [self.lower_severity(finding) for finding in findings]
        if has_wrong_cell or has_errors(findings):
            return False
        texts = self.list_changed_texts(card_id, new, merged)
        if new != old or texts:
            self.add_files(card_id, file, new, texts)
        return True

    def add_files(
        self,
        card_id: str,
        file: CardFile | None,
        new: dict[str, Json],
        texts: Mapping[tuple[str, str], tuple[Value, str]],
    ) -> None:
        """Add the file of a card, the files of its translations, and the change to display."""
        old = get_value(file)
        path = self.choose_path(card_id, new)
        if file is not None:
            path = self.project.root / file.document.file
        if new != old:
            self.result.files[path] = self.format_card(path, file, new).encode()
        self.add_translations(card_id, new, texts)
        leaves = [
            leaf
            for leaf in compare_leaves(old, new)
            if file or leaf.path[0] not in PROTECTED_FIELDS
        ]
        for (lang, text_path), (old_text, text) in texts.items():
            leaves.append(LeafChange((f"{text_path}@{lang}",), old_text, text))
        what = "changed" if file else "new"
        name = self.project.shorten_path(path)
        self.result.changes.append(TableChange(name, what, tuple(leaves)))

    def add_translations(
        self,
        card_id: str,
        value: Mapping[str, Json],
        texts: Mapping[tuple[str, str], tuple[Value, str]],
    ) -> None:
        """Add the files of translations that change."""
        strings_by_lang: dict[str, dict[str, Json]] = {}
        for (lang, path), (_old_text, text) in texts.items():
            source = hash_source(str(look_up(value, path.split("."))))
            strings_by_lang.setdefault(lang, {})[path] = {"text": text, "source": source}
        for lang, strings in strings_by_lang.items():
            file, content = PackFiles(self.project).format_translation(
                self.loaded.whole.id, lang, f"{self.kind}/{card_id}", strings
            )
            self.result.files[file] = content.encode()

    def list_changed_texts(
        self, card_id: str, value: Mapping[str, Json], merged: MergedCard
    ) -> dict[tuple[str, str], tuple[Value, str]]:
        """Return the translations that differ, by language and path: before and after."""
        changed_texts: dict[tuple[str, str], tuple[Value, str]] = {}
        for lang, texts in merged.texts.items():
            old_texts = self.loaded.whole.translations.get(lang, {}).get(card_id, {})
            for path, text in texts.items():
                old = old_texts[path].text if path in old_texts else ABSENT
                is_same = old is not ABSENT and old.strip() == text
                # A translation belongs to a text that the card has.
                if not is_same and isinstance(look_up(value, path.split(".")), str):
                    changed_texts[lang, path] = (old, text)
        return changed_texts

    def complete_card(self, card_id: str, value: Mapping[str, Json], row: int) -> dict[str, Json]:
        """Return a new card with its history before its own fields."""
        day, revision = self.read_history(row)
        notes = self.get_first_notes()
        history: list[Json] = []
        for number in range(1, revision + 1):
            note: Json = {**notes}
            entry: Json = {
                "revision": number,
                "released": day,
                "type": ChangeType.RULES.value,
                "note": note,
            }
            history.append(entry)
        head: dict[str, Json] = {"id": card_id, "kind": self.kind}
        for key in ("name", "faction", "keywords", "cost"):
            if key in value:
                head[key] = value[key]
        head |= {"revision": revision, "released": day, "history": history}
        return {**head, **value}

    def read_history(self, row: int) -> tuple[str, int]:
        """Return the release day and the revision of a new card."""
        day, revision = self.options.day.isoformat(), 1
        table = self.merger.table
        for column, name in enumerate(table.head):
            rule = self.options.mapping.columns.get(name)
            mapped_field = rule.field if isinstance(rule, ColumnRule) else rule
            field_name = mapped_field or find_history_field(name)
            cells = table.rows[row].cells
            text = cells[column].text if column < len(cells) else ""
            if field_name == "released" and text:
                day = self.read_day(text, row, column) or day
            elif field_name == "revision" and text:
                revision = self.read_revision(text, row, column) or revision
        return day, revision

    def read_day(self, text: str, row: int, column: int) -> str | None:
        """Return a day as in card files; None, and a finding, if the text is none."""
        try:
            return date.fromisoformat(text[:10]).isoformat()
        except ValueError:
            message = _("{value!r} is not a date such as 2026-01-31 (YYYY-MM-DD)", value=text)
            self.report_row(row, message, column=column)
            return None

    def read_revision(self, text: str, row: int, column: int) -> int | None:
        """Return the number of a revision; None, and a finding, if the text is none."""
        if text.isdecimal() and text.isascii() and 1 <= int(text[:4]) <= 999 and len(text) <= 3:
            return int(text)
        message = _("revision must be a whole number from 1 to 999: {value}", value=text)
        self.report_row(row, message, column=column)
        return None

    def get_first_notes(self) -> dict[str, str]:
        """Return the notes of new cards by language."""
        notes = group_notes_by_language(self.loaded, self.options.notes)
        if notes:
            return notes
        langs = self.loaded.whole.manifest.languages.all
        return {lang: translate(_("First printing."), lang) for lang in langs}

    def check_card(self, value: dict[str, Json], merged: MergedCard, row: int) -> Iterator[Finding]:
        """Yield the findings about a card, located at its cells."""
        table = self.merger.table
        marks: dict[DataPath, Position] = {}
        for path, (number, column) in merged.cells.items():
            mark = path[:-1] if path[-1] == EACH else path
            marks[mark] = Position(number, column + 1)
        whole_card = Position(table.rows[row].number, 1)
        document = Document(table.file, value, {(): whole_card, **marks}, marks)
        for finding in self.schema.validate_document(document) or parse_model(Card, document)[1]:
            place = finding.location
            cell = table.name(place.line or 1, (place.column or 1) - 1)
            yield replace(finding, message=_("{cell}: {reason}", cell=cell, reason=finding.message))

    def choose_path(self, card_id: str, value: Mapping[str, Json]) -> Path:
        """Return the file of a new card: in the folder of most cards of its kind and faction."""
        folders: Counter[Path] = Counter()
        for file in self.loaded.files:
            faction = look_up(file.document.value, ("faction",))
            if file.folder == self.kind and faction == value.get("faction"):
                folders[Path(file.document.file).parent] += 1
        folder = Path("cards", self.loaded.whole.id, self.kind)
        if folders:
            folder = folders.most_common(1)[0][0]
        return self.project.root / folder / f"{card_id}.yaml"

    def format_card(self, path: Path, file: CardFile | None, new: dict[str, Json]) -> str:
        """Return the text of a card's file.

        Raise InputUnreadable if it would be read as another card.
        """
        name = self.project.shorten_path(path)
        if file is None:
            schema_line = make_schema_line(f"{self.loaded.whole.id}/{self.kind}", name)
            text = "\n".join([schema_line, *format_block(new), ""])
        else:
            edit = YamlText(read_text(path), name)
            edit.change_value((), get_value(file), new)
            text = edit.text
        document, _findings = parse_document(text.removeprefix("\ufeff"), name)
        if document is None or document.value != new:
            raise InputUnreadable(
                _("{file} cannot be edited safely", file=name), _("Edit this card by hand.")
            )
        entry = self.make_revision()
        return bump_revision(text, name, entry)[0] if file and entry else text

    def make_revision(self) -> HistoryEntry | None:
        """Return the next revision of cards that change; None if they keep theirs."""
        if not self.options.bump:
            return None
        notes = group_notes_by_language(self.loaded, self.options.notes)
        return make_entry({**self.options.bump, "note": notes})

    def check_copies(self, card: CardRows, columns: Sequence[Column]) -> None:
        """Report a cell that states no number of copies."""
        for column in columns:
            cell = self.merger.get_cell(card.rows[0], column) if column.path == COPIES else None
            if cell is None:
                continue
            count = read_copies(format_cell(cell))
            if not isinstance(count, int):
                hint = _("Write a whole number, or take the row out.")
                self.report_row(card.rows[0], count, hint, column.number)

    def import_copies(self, cards: Mapping[str, CardRows], columns: Sequence[Column]) -> None:
        """Write the copies that a column states into products.yaml."""
        column = next((column for column in columns if column.path == COPIES), None)
        if column is None:
            return
        copies = self.read_copies_of_cards(cards, column)
        path = self.project.get_cards_dir(self.loaded.whole.id) / "products.yaml"
        document = self.loaded.sources["products.yaml"]
        # Another kind of the same import may have changed the file already.
        changed_content = self.result.files.get(path)
        before = changed_content.decode() if changed_content else read_text(path)
        edit = YamlText(before, document.file)
        value = document.value
        if changed_content:
            current, _findings = parse_document(edit.body, document.file)
            value = current.value if current else None
        if self.result.deck_cards is None:
            self.result.deck_cards = list_main_deck_cards(self.loaded)
        deck_cards = self.result.deck_cards
        problems = CopiesEditor(self.loaded, edit, value, self.kind, deck_cards).write(copies)
        for card_id, problem in problems.items():
            self.report_row(cards[card_id].rows[0], problem, column=column.number)
        if edit.text != before:
            after, _findings = parse_document(edit.body, document.file)
            leaves = compare_leaves(get_map(value), get_map(after.value if after else None))
            self.result.files[path] = edit.text.encode()
            self.result.changes.append(TableChange(document.file, "changed", leaves))

    def read_copies_of_cards(self, cards: Mapping[str, CardRows], column: Column) -> dict[str, int]:
        """Return the copies of each card whose cell states a number."""
        copies: dict[str, int] = {}
        for card_id, card in cards.items():
            cell = self.merger.get_cell(card.rows[0], column)
            count = read_copies(format_cell(cell)) if cell is not None else None
            if isinstance(count, int):
                copies[card_id] = count
        return copies

    def delete_missing_cards(self, rows_by_id: Mapping[str, CardRows]) -> None:
        """Delete the cards of the kind that have no row."""
        for card_id, file in self.files_by_id.items():
            if card_id in rows_by_id or (file.kind or file.folder) != self.kind:
                continue
            self.result.changes.append(TableChange(file.document.file, "gone"))
            names = [file.document.file]
            for (_lang, name), document in self.loaded.translations.items():
                if name == card_id:
                    names.append(document.file)
            self.result.files |= {self.project.root / name: None for name in names}


def name_row(number: int) -> Message:
    """Return the name of a row without a name."""
    return _("row {number}", number=number)


def compare_values(leaves: Mapping[DataPath, Json], card: Mapping[str, Json]) -> tuple[float, int]:
    """Return the share of a row's values that a card has, and how many are equal.

    Id and name do not count.
    """
    equal_count = total = 0
    for path, value in leaves.items():
        if path[0] in ("id", "name"):
            continue
        total += 1
        equal_count += look_up(card, path) == value
    return (equal_count / total if total else 0.0), equal_count


def get_value(file: CardFile | None) -> dict[str, Json]:
    """Return the card in a file; an empty one if there is none."""
    return get_map(file.document.value if file else None)


def get_map(value: Json) -> dict[str, Json]:
    """Return a value that is a map; an empty map for any other."""
    return value if isinstance(value, dict) else {}


def list_single_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with one value for the whole card: no translations, no entries."""
    single_columns: list[Column] = []
    for column in columns:
        has_cells = column.constant is None
        if has_cells and not column.lang and EACH not in column.path:
            single_columns.append(column)
    return single_columns
