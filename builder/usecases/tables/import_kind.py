"""Import the rows of a table as cards of one kind. Nothing is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from builder.errata.change import ABSENT, LeafChange, Value, compare_leaves
from builder.errors import InputUnreadable
from builder.findings import Finding, Position, Severity, has_errors
from builder.messages import Message, gettext as _
from builder.model.base import DataPath, Json, look_up
from builder.model.card import Card, HistoryEntry, hash_source
from builder.model.loaded import CardFile, Document, LoadedPack
from builder.packs import file_codes
from builder.packs.pack_files import PackFiles, bump_revision, read_text
from builder.packs.project import Project
from builder.packs.schema.annotations import Fields
from builder.packs.schema.validation import KindSchema, load_kind_schema, parse_model
from builder.packs.tables.cell_values import format_cell
from builder.packs.tables.cleaning import clean_table
from builder.packs.tables.merge import (
    EACH_ENTRY,
    PROTECTED_FIELDS,
    Column,
    MergedCard,
    RowMerger,
)
from builder.packs.tables.row_ids import CardRows, IdResult
from builder.packs.tables.sheet import Table, name_sheet
from builder.packs.yaml.editing import YamlText, format_block
from builder.packs.yaml.reading import make_schema_line, parse_document
from builder.report.release import TableChange
from builder.usecases.release.cards import (
    find_pending_cards,
    group_notes_by_language,
    make_entry,
)
from builder.usecases.tables.column_fields import ColumnReader, report_lost_styles
from builder.usecases.tables.copies import COPIES, read_copies
from builder.usecases.tables.new_card import HistoryReader, find_history_columns
from builder.usecases.tables.row_identity import RowIdentifier
from builder.usecases.tables.table_import import (
    KindCopies,
    RowReporter,
    TableImport,
    TableOptions,
    get_card_value,
)

FIRST_ROWS = 20
MIN_LONG_TABLE_ROWS = 100
"""Tables with fewer rows are imported before anyone waits."""


def has_unusable_files(loaded: LoadedPack) -> bool:
    """Return True if the pack or one of its schemas is too broken for an import."""
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
    """Import the rows of a table as cards of a kind. Add the changes to `result`."""
    earlier_count = len(result.findings)
    import_cleaned_rows(project, loaded, kind, table, options, result)
    new_findings = result.findings[earlier_count:]
    result.findings[earlier_count:] = [
        name_sheet(table, finding) for finding in new_findings
    ]


def find_first_errors(
    project: Project, loaded: LoadedPack, kind: str, table: Table, options: TableOptions
) -> list[Finding]:
    """Return the errors in the first 20 rows of a long table, before the long import begins."""
    if len(table.rows) <= MIN_LONG_TABLE_ROWS:
        return []
    result = TableImport()
    first_rows = replace(table, rows=table.rows[: FIRST_ROWS + 1])
    own_options = replace(options, pictures=None, delete=False)
    import_rows(project, loaded, kind, first_rows, own_options, result)
    return [
        finding for finding in result.findings if finding.severity is not Severity.NOTE
    ]


def import_cleaned_rows(
    project: Project,
    loaded: LoadedPack,
    kind: str,
    table: Table,
    options: TableOptions,
    result: TableImport,
) -> None:
    """Clean a table and import its rows as cards of a kind. Add the changes to `result`."""
    manifest = loaded.whole.manifest
    schema = load_kind_schema(project, manifest, kind)
    has_mapping = bool(options.mapping.columns)
    table = clean_table(table, options.mapping.skip_rows if has_mapping else None)
    result.findings += table.findings
    merger = RowMerger(Fields(schema.schema), table, options.clear, options.delete)
    columns, findings = ColumnReader(merger, options.mapping, loaded).read_columns()
    result.findings += findings
    result.findings += report_lost_styles(merger, columns)
    paths = {column.path for column in columns}
    is_numbered = options.is_new_pack or bool(options.mapping.rows)
    if not {("id",), ("name",)} & paths and not is_numbered:
        message = _("no column is the cards' id, and none their name")
        result.findings.append(
            file_codes.TABLE_COLUMN.finding(message, table.place(1, 0))
        )
        return
    reporter = RowReporter(table, options.skip_errors, result.findings)
    columns_of_history = find_history_columns(table, options.mapping)
    history = HistoryReader(loaded, options, table, kind, reporter, columns_of_history)
    # Of several files with one id, the first counts; the others are errors of the pack.
    files_by_id = {file.id or file.stem: file for file in reversed(loaded.files)}
    importer = KindImporter(
        project,
        loaded,
        schema,
        merger,
        options,
        result,
        kind,
        reporter,
        history,
        files_by_id,
    )
    importer.import_cards(columns)


@dataclass
class KindImporter:
    """Imports the rows of one table as cards of one kind."""

    project: Project
    loaded: LoadedPack
    schema: KindSchema
    merger: RowMerger
    options: TableOptions
    result: TableImport
    kind: str
    reporter: RowReporter
    history: HistoryReader
    files_by_id: Mapping[str, CardFile]
    folders_by_faction: dict[Json, Path] = field(default_factory=dict)

    def import_cards(self, columns: Sequence[Column]) -> None:
        """Import all cards of the table. Delete cards without a row if that is requested."""
        identifier = RowIdentifier(
            self.loaded,
            self.merger,
            self.options,
            self.kind,
            self.files_by_id,
            self.reporter,
        )
        ids = identifier.find_ids(columns, self.result.keys_by_id)
        imported_cards: dict[str, CardRows] = {}
        for card_id, card in ids.rows_by_id.items():
            if self.import_card(card_id, card, ids, columns):
                imported_cards[card_id] = card
                self.result.keys_by_id[card_id] = ids.keys_by_id[card_id]
        self.add_copies(imported_cards, columns)
        self.result.made_ids += len(ids.made_ids)
        # After an error, a card may lack its row only because the row was not understood.
        if self.options.delete and not has_errors(self.result.findings):
            self.delete_missing_cards(ids.rows_by_id)

    def import_card(
        self, card_id: str, card: CardRows, ids: IdResult, columns: Sequence[Column]
    ) -> bool:
        """Import one card from its rows. Return False if it has errors."""
        file = self.files_by_id.get(card_id)
        if file is not None and (file.kind or file.folder) != self.kind:
            message = _(
                "{card} is a card of another kind: {kind}",
                card=card_id,
                kind=file.folder,
            )
            self.reporter.report_row(card.rows[0], message)
            return False
        if card_id in self.loaded.unread:
            message = _(
                "{card} was named in a row above, or its file cannot be read",
                card=card_id,
            )
            self.reporter.report_row(card.rows[0], message)
            return False
        merged = self.merger.merge_rows(get_card_value(file), card.rows, columns)
        merged.value["id"] = card_id
        if file is None and "name" not in merged.value:
            number = ids.numbered_ids.get(card_id, card_id)
            merged.value["name"] = card.id_text or str(number)
        if self.options.pictures is not None and self.merger.fields.find_schemas(
            ("art",)
        ):
            self.options.pictures.add_picture(card_id, merged.value)
        findings = [*merged.findings]
        # Cells of copies and history are reported at once, others by the check below.
        reported_count = len(self.result.findings)
        self.check_copies(card, columns)
        new = merged.value
        if file is None:
            new = self.history.complete_card(card_id, new, card.rows[0])
        has_wrong_cell = len(self.result.findings) > reported_count
        old = get_card_value(file)
        if new != old:
            findings += self.check_card(new, merged, card.rows[0])
        for finding in findings:
            self.reporter.add_finding(finding)
        if has_wrong_cell or has_errors(findings):
            return False
        texts = self.list_changed_texts(card_id, new, merged)
        if new != old or texts:
            self.add_changed_files(card_id, file, new, texts)
        return True

    def add_changed_files(
        self,
        card_id: str,
        file: CardFile | None,
        new: dict[str, Json],
        texts: Mapping[tuple[str, str], tuple[Value, str]],
    ) -> None:
        """Add the changed files of a card and its translations to the result."""
        old = get_card_value(file)
        path = self.choose_path(card_id, new)
        if file is not None:
            path = self.project.root / file.document.file
        if new != old:
            self.result.files[path] = self.format_card(path, file, new).encode()
        self.add_translations(card_id, new, texts)
        # The history of a new card is written by the program, so it is not listed as a change.
        hidden_fields = () if file else PROTECTED_FIELDS
        changes = [
            leaf
            for leaf in compare_leaves(old, new)
            if leaf.path[0] not in hidden_fields
        ]
        for (lang, text_path), (old_text, text) in texts.items():
            changes.append(LeafChange((f"{text_path}@{lang}",), old_text, text))
        what = "changed" if file else "new"
        name = self.project.shorten_path(path)
        self.result.changes.append(TableChange(name, what, tuple(changes)))

    def add_translations(
        self,
        card_id: str,
        value: Mapping[str, Json],
        texts: Mapping[tuple[str, str], tuple[Value, str]],
    ) -> None:
        """Add the changed translation files of a card to the result."""
        strings_by_lang: dict[str, dict[str, Json]] = {}
        for (lang, path), (_old_text, text) in texts.items():
            source = hash_source(str(look_up(value, path.split("."))))
            strings_by_lang.setdefault(lang, {})[path] = {
                "text": text,
                "source": source,
            }
        for lang, strings in strings_by_lang.items():
            file, content = PackFiles(self.project).format_translation(
                self.loaded.whole.id, lang, f"{self.kind}/{card_id}", strings
            )
            self.result.files[file] = content.encode()

    def list_changed_texts(
        self, card_id: str, value: Mapping[str, Json], merged: MergedCard
    ) -> dict[tuple[str, str], tuple[Value, str]]:
        """Return the changed translations of a card: (old, new) by language and path."""
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

    def check_card(
        self, value: dict[str, Json], merged: MergedCard, row: int
    ) -> Iterator[Finding]:
        """Check an imported card. Yield findings located at the cells of the table."""
        table = self.merger.table
        # Cells take the part of lines and columns of a file, so that findings are located at them.
        positions: dict[DataPath, Position] = {}
        for path, (number, column) in merged.cells.items():
            cell_path = path[:-1] if path[-1] == EACH_ENTRY else path
            positions[cell_path] = Position(number, column + 1)
        whole_card = Position(table.rows[row].number, 1)
        document = Document(table.file, value, {(): whole_card, **positions}, positions)
        # The model reports again what the schema found, so it is asked only about valid cards.
        findings = (
            self.schema.validate_document(document) or parse_model(Card, document)[1]
        )
        for finding in findings:
            place = finding.location
            # Columns of a file count from 1, those of a table from 0.
            cell = table.name(place.line or 1, (place.column or 1) - 1)
            message = _("{cell}: {reason}", cell=cell, reason=finding.message)
            yield replace(finding, message=message)

    def choose_path(self, card_id: str, value: Mapping[str, Json]) -> Path:
        """Choose the file of a new card: where most cards of its kind and faction are."""
        faction = value.get("faction")
        if faction not in self.folders_by_faction:
            self.folders_by_faction[faction] = self.choose_folder(faction)
        return self.project.root / self.folders_by_faction[faction] / f"{card_id}.yaml"

    def choose_folder(self, faction: Json) -> Path:
        """Return the folder that has most cards of the kind and a faction."""
        folders: Counter[Path] = Counter()
        for file in self.loaded.files:
            faction_of_file = look_up(file.document.value, ("faction",))
            if file.folder == self.kind and faction_of_file == faction:
                folders[Path(file.document.file).parent] += 1
        if folders:
            return folders.most_common(1)[0][0]
        return Path("cards", self.loaded.whole.id, self.kind)

    def format_card(
        self, path: Path, file: CardFile | None, new: dict[str, Json]
    ) -> str:
        """Return the new text of a card's file. Comments of an existing file stay.

        Raise InputUnreadable if the text would not be read as this card.
        """
        name = self.project.shorten_path(path)
        if file is None:
            schema_line = make_schema_line(f"{self.loaded.whole.id}/{self.kind}", name)
            text = "\n".join([schema_line, *format_block(new), ""])
        else:
            edit = YamlText(read_text(path), name)
            edit.change_value((), get_card_value(file), new)
            text = edit.text
        document, _findings = parse_document(text.removeprefix("\ufeff"), name)
        # An alias has no text of its own, so that an edit of it would also change its anchor.
        if document is None or document.value != new:
            message = _("{file} cannot be edited safely", file=name)
            raise InputUnreadable(message, _("Edit this card by hand."))
        entry = self.make_revision()
        if not file or not entry:
            return text
        card = file.id or file.stem
        return bump_revision(text, name, entry, is_pending=card in self.pending_ids)[0]

    @cached_property
    def pending_ids(self) -> frozenset[str]:
        """The cards whose last revision is not released yet."""
        return find_pending_cards(PackFiles(self.project), self.loaded)

    def make_revision(self) -> HistoryEntry | None:
        """Make the history entry for changed cards, or None if they keep their revision."""
        if not self.options.bump:
            return None
        notes = group_notes_by_language(self.loaded, self.options.notes)
        return make_entry({**self.options.bump, "note": notes})

    def check_copies(self, card: CardRows, columns: Sequence[Column]) -> None:
        """Report a cell with copies that is not a whole number."""
        for column in columns:
            if column.path != COPIES:
                continue
            count = self.read_cell_copies(card, column)
            if count is not None and not isinstance(count, int):
                hint = _("Write a whole number, or take the row out.")
                self.reporter.report_row(card.rows[0], count, hint, column.number)

    def read_cell_copies(self, card: CardRows, column: Column) -> int | Message | None:
        """Parse the copies in a card's cell.

        Return a message if it is wrong, None if it is empty.
        """
        cell = self.merger.get_cell(card.rows[0], column)
        return read_copies(format_cell(cell)) if cell is not None else None

    def add_copies(
        self, cards: Mapping[str, CardRows], columns: Sequence[Column]
    ) -> None:
        """Store the copies that a column states. They are written after all kinds are imported."""
        for column in columns:
            if column.path == COPIES:
                counts = self.read_copies_of_cards(cards, column)
                rows = {card_id: cards[card_id].rows[0] for card_id in counts}
                copies = KindCopies(
                    self.kind, counts, rows, column.number, self.reporter
                )
                self.result.copies.append(copies)
                return

    def read_copies_of_cards(
        self, cards: Mapping[str, CardRows], column: Column
    ) -> dict[str, int]:
        """Return the copies of each card whose cell has a number."""
        copies: dict[str, int] = {}
        for card_id, card in cards.items():
            count = self.read_cell_copies(card, column)
            if isinstance(count, int):
                copies[card_id] = count
        return copies

    def delete_missing_cards(self, rows_by_id: Mapping[str, CardRows]) -> None:
        """Delete the cards of the kind that have no row in the table."""
        for card_id, file in self.files_by_id.items():
            if card_id in rows_by_id or (file.kind or file.folder) != self.kind:
                continue
            self.result.changes.append(TableChange(file.document.file, "gone"))
            names = [file.document.file]
            for (_lang, name), document in self.loaded.translations.items():
                if name == card_id:
                    names.append(document.file)
            self.result.files |= {self.project.root / name: None for name in names}
