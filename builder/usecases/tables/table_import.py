"""What an import is asked to do, and what it changes so far. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from builder.findings import Finding, Severity
from builder.messages import Message, gettext as _
from builder.model.base import Json, get_map
from builder.model.loaded import CardFile
from builder.model.table import TableMapping
from builder.packs import file_codes
from builder.packs.tables.sheet import Table
from builder.report.release import TableChange
from builder.usecases.tables.picture_folder import PictureMatcher


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table import.

    `bump` are type and dates of the next revision of cards that change; None leaves their
    revisions. `day` and `notes` are those of new cards too. `skip_errors` leaves out cards with
    errors. In a new pack no row is an old card. `pictures` gives pictures to cards without one.
    """

    mapping: TableMapping = field(default_factory=TableMapping)
    clear: bool = False
    delete: bool = False
    bump: Mapping[str, object] | None = None
    notes: tuple[str, ...] = ()
    day: date = date(2000, 1, 1)
    skip_errors: bool = False
    is_new_pack: bool = False
    pictures: PictureMatcher | None = None


def ignore_report(_report: object) -> None:
    """Do nothing. The default callback of an import that nobody watches."""


@dataclass(frozen=True, slots=True)
class ImportMonitor:
    """Callbacks of a table import: for findings, and for the current step."""

    report_findings: Callable[[Sequence[Finding]], None] = ignore_report
    show_status: Callable[[Message], None] = ignore_report


@dataclass(frozen=True, slots=True)
class RowReporter:
    """Collects findings about rows of a table. With `skip_errors`, errors become warnings."""

    table: Table
    skip_errors: bool
    findings: list[Finding]

    def report_row(
        self, row: int, reason: Message | str, hint: str = "", column: int = 0
    ) -> None:
        """Report an error in a row. `row` is its index in the table."""
        number = self.table.rows[row].number
        message = _(
            "{cell}: {reason}", cell=self.table.name(number, column), reason=reason
        )
        location = self.table.place(number, column)
        self.add_finding(file_codes.TABLE_ROW.finding(message, location, hint))

    def add_finding(self, finding: Finding) -> None:
        """Add a finding. With `skip_errors`, an error becomes a warning."""
        if self.skip_errors and finding.severity is Severity.ERROR:
            finding = replace(finding, severity=Severity.WARNING)
        self.findings.append(finding)


@dataclass(frozen=True, slots=True)
class KindCopies:
    """The numbers of copies of one kind's cards, by id, and the cells that state them.

    `rows` are the indices of the cards' rows, `column` is the number of the column.
    """

    kind: str
    counts: Mapping[str, int]
    rows: Mapping[str, int]
    column: int
    reporter: RowReporter


@dataclass(slots=True)
class TableImport:
    """The result of a table import: changed files, findings and card ids.

    A file with None is deleted. `keys_by_id` are keys for the mapping file. `made_ids` counts ids
    that were made. `copies` are written by `write_copies` after all kinds are read.
    """

    changes: list[TableChange] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: dict[Path, bytes | None] = field(default_factory=dict)
    keys_by_id: dict[str, str] = field(default_factory=dict)
    made_ids: int = 0
    copies: list[KindCopies] = field(default_factory=list)


def get_card_value(file: CardFile | None) -> dict[str, Json]:
    """Return the value of a card file. Empty without a file."""
    return get_map(file.document.value if file else None)
