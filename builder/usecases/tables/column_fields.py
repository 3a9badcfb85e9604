"""Which field of the cards each column of a table is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.model.table import ColumnRule, TableMapping
from builder.model.words import find_nearest
from builder.packs import file_codes
from builder.packs.tables.column_names import find_history_field, find_standard_field
from builder.packs.tables.emphasis import has_styled_part
from builder.packs.tables.merge import PROTECTED_FIELDS, Column, RowMerger, make_column
from builder.packs.tables.sheet import get_cell
from builder.usecases.tables.copies import COPIES
from builder.usecases.tables.new_card import HISTORY_FIELDS


def report_lost_styles(merger: RowMerger, columns: Sequence[Column]) -> list[Finding]:
    """Report columns with bold or italic words whose fields cannot have markup."""
    table = merger.table
    names: list[str] = []
    for column in columns:
        if column.constant is not None or merger.is_rich(column):
            continue
        if any(has_styled_part(get_cell(row, column.number)) for row in table.rows[1:]):
            names.append(table.head[column.number])
    if not names:
        return []
    message = _(
        "bold and italic words are printed plain in: {listed}", listed=", ".join(names)
    )
    hint = _("Set `x-text: rich` in the schema of the field to keep them.")
    return [table.report_columns(message, hint)]


@dataclass(frozen=True, slots=True)
class ColumnReader:
    """Finds the card field that each column of a table belongs to."""

    merger: RowMerger
    mapping: TableMapping
    loaded: LoadedPack

    def read_columns(self) -> tuple[list[Column], list[Finding]]:
        """Return the columns that belong to a field, and findings about the others."""
        columns: list[Column] = []
        findings: list[Finding] = []
        table = self.merger.table
        for number, name in enumerate(table.head):
            if not name or name in self.mapping.skip or self.is_history_column(name):
                continue
            column = self.make_column(number, name)
            if self.has_known_field(column):
                columns.append(column)
            else:
                findings.append(self.report_unknown(column))
        for name, value in self.mapping.constants.items():
            columns.append(make_column(0, name, None, value))
        return columns, findings

    def make_column(self, number: int, name: str) -> Column:
        """Return a column with the field that the mapping file or its name says."""
        rule = self.mapping.columns.get(name)
        lower_names = self.merger.table.lower_names
        if rule is None and number < len(lower_names):
            # Mapping files of earlier versions name columns by the lower of two rows.
            rule = self.mapping.columns.get(lower_names[number])
        if not isinstance(rule, ColumnRule):
            rule = ColumnRule(field=rule or self.guess_field(name))
        return make_column(number, rule.field, rule)

    def guess_field(self, name: str) -> str:
        """Return the field of a column without a mapping: its name, in lower case if needed."""
        lower_name = name.lower()
        known_fields = self.merger.fields.list_names(())
        is_other_case = name not in known_fields and lower_name in known_fields
        return lower_name if is_other_case else name

    def is_history_column(self, name: str) -> bool:
        """Return True for a column with the release day or revision of new cards."""
        rule = self.mapping.columns.get(name)
        field_name = rule.field if isinstance(rule, ColumnRule) else rule
        return (field_name or find_history_field(name)) in HISTORY_FIELDS

    def has_known_field(self, column: Column) -> bool:
        """Return True if the kind has a column's field, and the pack has its language."""
        if column.path == COPIES:
            return self.loaded.products is not None
        langs = self.loaded.whole.manifest.languages.translations
        is_known = bool(
            self.merger.fields.find_schemas(self.merger.find_pattern(column))
        )
        return is_known and column.lang in ("", *langs)

    def report_unknown(self, column: Column) -> Finding:
        """Report a column that belongs to no field, with the nearest field as a hint."""
        table = self.merger.table
        number = table.rows[0].number
        name = column.rule.field
        place = table.name(number, column.number)
        message = _("{cell}: no field is called {name}", cell=place, name=name)
        hint: str = ""
        if column.path == COPIES:
            hint = _(
                "Add a products.yaml, or name the column under `skip` of a mapping file."
            )
        else:
            fields = set(self.merger.fields.list_names(())).difference(PROTECTED_FIELDS)
            nearest = find_standard_field(name) or find_nearest(name, fields)
            if nearest:
                hint = _("Did you mean {word}?", word=nearest)
        return file_codes.TABLE_COLUMN.finding(
            message, table.place(number, column.number), hint
        )
