"""The fields that a new card gets besides its row: its revision and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from builder.messages import gettext as _, translate
from builder.model.base import Json
from builder.model.card import ChangeType
from builder.model.loaded import LoadedPack
from builder.model.table import ColumnRule, TableMapping
from builder.packs.tables.column_names import find_history_field
from builder.packs.tables.sheet import Table, get_cell
from builder.usecases.release.cards import group_notes_by_language
from builder.usecases.tables.table_import import RowReporter, TableOptions

HISTORY_FIELDS = ("released", "revision")


def find_history_columns(table: Table, mapping: TableMapping) -> dict[int, str]:
    """Return the table columns with the release day or revision of new cards, by index."""
    fields: dict[int, str] = {}
    for column, name in enumerate(table.head):
        rule = mapping.columns.get(name)
        mapped_field = rule.field if isinstance(rule, ColumnRule) else rule
        field_name = mapped_field or find_history_field(name)
        if field_name in HISTORY_FIELDS and name not in mapping.skip:
            fields[column] = field_name
    return fields


@dataclass(frozen=True, slots=True)
class HistoryReader:
    """Reads the release day and revision of new cards from a table, and adds their history."""

    loaded: LoadedPack
    options: TableOptions
    table: Table
    kind: str
    reporter: RowReporter
    history_columns: Mapping[int, str]

    def complete_card(
        self, card_id: str, value: Mapping[str, Json], row: int
    ) -> dict[str, Json]:
        """Return a new card with its revision, release day and history added."""
        day, revision = self.read_history(row)
        notes = self.get_first_notes()
        history: list[Json] = []
        # A history without gaps is required, so earlier revisions get the same day and notes.
        for number in range(1, revision + 1):
            entry: dict[str, Json] = {"revision": number, "released": day}
            entry |= {"type": ChangeType.RULES.value, "note": {**notes}}
            history.append(entry)
        first_fields: dict[str, Json] = {"id": card_id, "kind": self.kind}
        for key in ("name", "faction", "keywords", "cost"):
            if key in value:
                first_fields[key] = value[key]
        first_fields |= {"revision": revision, "released": day, "history": history}
        return {**first_fields, **value}

    def read_history(self, row: int) -> tuple[str, int]:
        """Return the release day and the revision of a new card from its row."""
        day, revision = self.options.day.isoformat(), 1
        for column, field_name in self.history_columns.items():
            text = get_cell(self.table.rows[row], column).text
            if field_name == "released" and text:
                day = self.read_day(text, row, column) or day
            elif text:
                revision = self.read_revision(text, row, column) or revision
        return day, revision

    def read_day(self, text: str, row: int, column: int) -> str | None:
        """Parse a date to `YYYY-MM-DD`. Report any other text and return None."""
        try:
            # A spreadsheet may add a time of day to a date.
            return date.fromisoformat(text[:10]).isoformat()
        except ValueError:
            message = _(
                "{value!r} is not a date such as 2026-01-31 (YYYY-MM-DD)", value=text
            )
            self.reporter.report_row(row, message, column=column)
            return None

    def read_revision(self, text: str, row: int, column: int) -> int | None:
        """Parse a revision from 1 to 999. Report any other text and return None."""
        is_number = text.isascii() and text.isdecimal()
        if is_number and len(text) <= 3 and int(text):
            return int(text)
        message = _(
            "revision must be a whole number from 1 to 999: {value}", value=text
        )
        self.reporter.report_row(row, message, column=column)
        return None

    def get_first_notes(self) -> dict[str, str]:
        """Return the history notes of new cards by language."""
        notes = group_notes_by_language(self.loaded, self.options.notes)
        if notes:
            return notes
        langs = self.loaded.whole.manifest.languages.all
        return {lang: translate(_("First printing."), lang) for lang in langs}
