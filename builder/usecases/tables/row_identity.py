"""Which rows of a table are which cards of a pack."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from builder.errata.change import iterate_leaves
from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, look_up
from builder.model.loaded import CardFile, LoadedPack
from builder.packs import file_codes
from builder.packs.scaffold import make_id
from builder.packs.tables.cell_values import format_cell
from builder.packs.tables.merge import EACH_ENTRY, Column, RowMerger
from builder.packs.tables.row_ids import (
    CardRows,
    IdAssigner,
    IdResult,
    KnownIds,
    hash_rows,
)
from builder.usecases.tables.table_import import (
    RowReporter,
    TableOptions,
    get_card_value,
)

MAX_LISTED_IDS = 5


@dataclass(frozen=True, slots=True)
class RowIdentifier:
    """Decides which rows of a table are the same card, and which card of the pack it is."""

    loaded: LoadedPack
    merger: RowMerger
    options: TableOptions
    kind: str
    files_by_id: Mapping[str, CardFile]
    reporter: RowReporter

    def list_cards(self, columns: Sequence[Column]) -> list[CardRows]:
        """Return the rows of each card in the table.

        A row without values of its own goes on with the card above.
        """
        single_columns = list_single_columns(columns)
        has_entries = any(EACH_ENTRY in column.path for column in columns)
        rows_by_card: list[list[int]] = []
        is_of_kind = True
        last_kind: Json = None
        for row in range(1, len(self.merger.table.rows)):
            values = {
                column.path: self.merger.read_cell(row, column)
                for column in single_columns
            }
            # Without columns of entries, two equal rows are two cards.
            is_card = not has_entries and has_values(values)
            if is_card or self.is_first_row(values, row, rows_by_card, single_columns):
                # In a sorted table, only the first row of a kind may name it.
                last_kind = values.get(("kind",)) or last_kind
                is_of_kind = self.is_own_kind(last_kind)
                if is_of_kind:
                    rows_by_card.append([row])
            elif rows_by_card and is_of_kind:
                rows_by_card[-1].append(row)
        return [self.identify_rows(rows, columns) for rows in rows_by_card]

    def is_own_kind(self, kind: Json) -> bool:
        """Return True if the cell of the column `kind` names the imported kind, or is empty."""
        # A cell may say `Unit` for the kind `unit`, as in tables without a mapping file.
        return kind is None or self.kind in (kind, make_id(str(kind)))

    def is_first_row(
        self,
        values: Mapping[tuple[str, ...], Json],
        row: int,
        rows_by_card: Sequence[Sequence[int]],
        columns: Sequence[Column],
    ) -> bool:
        """Return True if a card begins in this row.

        It has an id, a name, or a value that differs from the card above.
        """
        if values.get(("id",)) or values.get(("name",)):
            return True
        # The row above may belong to a card of another kind, which is not listed.
        if not rows_by_card or rows_by_card[-1][-1] != row - 1:
            return has_values(values)
        first_row = rows_by_card[-1][0]
        for column in columns:
            value = values[column.path]
            if value is not None and value != self.merger.read_cell(first_row, column):
                return True
        return False

    def identify_rows(self, rows: Sequence[int], columns: Sequence[Column]) -> CardRows:
        """Return the rows of one card with the card's id and name from their cells."""
        texts = {("id",): "", ("name",): ""}
        for column in columns:
            if column.path in texts and not column.lang:
                value = self.merger.read_cell(rows[0], column)
                texts[column.path] = "" if value is None else format_cell(value)
        table_hash = hash_rows(self.merger.table, rows)
        return CardRows(tuple(rows), texts["id",], texts["name",], table_hash)

    def find_ids(
        self, columns: Sequence[Column], taken_ids: Collection[str]
    ) -> IdResult:
        """Return the id of each card in the table. Report new ids."""
        cards = self.list_cards(columns)
        if not cards:
            self.report_other_kinds(columns)
        ids = self.assign_ids(cards, columns, taken_ids)
        self.report_ids(ids)
        return ids

    def report_other_kinds(self, columns: Sequence[Column]) -> None:
        """Report that a table's column `kind` names only other kinds."""
        table = self.merger.table
        for column in columns:
            if column.path != ("kind",) or column.constant is not None:
                continue
            kinds = {
                self.merger.read_cell(row, column) for row in range(1, len(table.rows))
            }
            listed = ", ".join(sorted(map(str, kinds - {None})))
            if not listed:
                continue
            form = _("no row is of the kind {kind}, but of: {listed}")
            message = _(form, kind=self.kind, listed=listed)
            hint = _("Use --kind with one of these, or leave it out.")
            location = table.place(table.rows[0].number, column.number)
            warning = file_codes.TABLE_ROW.finding(
                message, location, hint, Severity.WARNING
            )
            self.reporter.add_finding(warning)

    def assign_ids(
        self,
        cards: Sequence[CardRows],
        columns: Sequence[Column],
        taken_ids: Collection[str],
    ) -> IdResult:
        """Match the cards of the table with cards of the pack, and give new cards ids.

        Rows that may belong to several cards are reported.
        """
        ids_by_name: dict[str, list[str]] = {}
        ids_of_kind: set[str] = set()
        for card_id, file in self.files_by_id.items():
            if (file.kind or file.folder) == self.kind:
                name = look_up(file.document.value, ("name",))
                ids_by_name.setdefault(str(name), []).append(card_id)
                ids_of_kind.add(card_id)
        used_ids = {*self.files_by_id, *self.loaded.unread, *taken_ids}
        used_ids.update(self.options.mapping.rows.values())
        # Rows without an id are compared with many cards of the pack, and merging is slow.
        merged_cards: dict[CardRows, dict[DataPath, Json]] = {}

        def compare_to_stored_card(card: CardRows, card_id: str) -> tuple[float, int]:
            if card not in merged_cards:
                value = self.merger.merge_rows({}, card.rows, columns).value
                merged_cards[card] = dict(iterate_leaves(value))
            return compare_values(
                merged_cards[card], get_card_value(self.files_by_id.get(card_id))
            )

        known_ids = KnownIds(
            self.options.mapping.rows,
            ids_by_name,
            used_ids,
            self.kind,
            compare_to_stored_card,
            ids_of_kind,
            self.options.is_new_pack,
        )
        result = IdAssigner(known_ids).assign_ids(cards)
        for card, message in result.unclear_rows:
            hint = _(
                "Write its id under `rows` of the mapping file, or add a column id."
            )
            self.reporter.report_row(card.rows[0], message, hint)
        self.refuse_unnamed_rows(result)
        return result

    def refuse_unnamed_rows(self, ids: IdResult) -> None:
        """Report rows without id and name, unless the cards of the pack are numbered."""
        is_numbered = self.options.is_new_pack or self.options.mapping.rows
        if is_numbered:
            return
        for card_id in ids.numbered_ids:
            card = ids.rows_by_id.pop(card_id)
            self.reporter.report_row(card.rows[0], _("no id and no name"))
        ids.numbered_ids.clear()

    def report_ids(self, ids: IdResult) -> None:
        """Report all new card ids in one note."""
        new_ids: list[tuple[CardRows, str]] = []
        for card, card_id in ids.made_ids:
            if card_id in ids.rows_by_id and card_id not in self.files_by_id:
                new_ids.append((card, card_id))
        if not new_ids:
            return
        table = self.merger.table
        names = []
        for card, card_id in new_ids[:MAX_LISTED_IDS]:
            number = table.rows[card.rows[0]].number
            names.append(
                f"{card.base or _('row {number}', number=number)} -> {card_id}"
            )
        if len(new_ids) > MAX_LISTED_IDS:
            names.append("...")
        form = _("{count} ids were made: {listed}")
        if any(not card.base for card, _card_id in new_ids):
            form = _(
                "rows without a name are numbered; {count} ids were made: {listed}"
            )
        message = _(form, count=len(new_ids), listed=", ".join(names))
        row = table.rows[new_ids[0][0].rows[0]]
        hint = _("The mapping file keeps them. Add a column id for others.")
        location = table.place(row.number, 0)
        note = file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)
        self.reporter.add_finding(note)


def has_values(values: Mapping[tuple[str, ...], Json]) -> bool:
    """Return True if a row has a value in at least one column."""
    return any(value is not None for value in values.values())


def compare_values(
    leaves: Mapping[DataPath, Json], card: Mapping[str, Json]
) -> tuple[float, int]:
    """Return the share and number of a row's values that equal those of a card.

    Id and name do not count.
    """
    equal_count = total = 0
    for path, value in leaves.items():
        if path[0] in ("id", "name"):
            continue
        total += 1
        if look_up(card, path) == value:
            equal_count += 1
    share = equal_count / total if total else 0.0
    return share, equal_count


def list_single_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with one value per card: no translations and no entries."""
    single_columns: list[Column] = []
    for column in columns:
        has_cells = column.constant is None
        if has_cells and not column.lang and EACH_ENTRY not in column.path:
            single_columns.append(column)
    return single_columns
