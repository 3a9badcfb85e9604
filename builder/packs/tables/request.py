"""What a command reads: files, sheets, and how their columns and cells are understood."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builder.findings import Finding
from builder.packs.tables.reader import STANDARD_INPUT, read_tables
from builder.packs.tables.sheet import Table


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The tables that a command reads, and how. Empty values are guessed from the tables.

    `sheets` are names of sheets, `mapping` is a mapping file, `kind` is the kind of all cards,
    `lang` is the language of columns that name none.
    """

    files: tuple[Path, ...]
    sheets: tuple[str, ...] = ()
    mapping: Path | None = None
    kind: str = ""
    lang: str = ""
    pictures: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of the first file, in which the pictures of the table are searched."""
        return self.files[0].parent

    @property
    def name(self) -> str:
        """The name of the first file without extension, or "" for standard input."""
        return "" if self.files[0] == STANDARD_INPUT else self.files[0].stem

    def read_tables(self) -> tuple[list[Table], list[Finding]]:
        """Read the tables. Return them with the findings about whole files."""
        tables, findings = read_tables(*self.files, sheets=self.sheets)
        if self.lang:
            tables = [replace(table, lang=self.lang) for table in tables]
        return tables, findings

    def choose_tables(self, tables: Sequence[Table], kind: str) -> list[Table]:
        """Return the tables that have cards of this kind.

        These are the sheets of its name, else the first sheet of each file.
        """
        if self.sheets:
            return list(tables)
        named_tables = [table for table in tables if table.sheet == kind]
        if named_tables:
            return named_tables
        first_tables: dict[str, Table] = {}
        for table in tables:
            first_tables.setdefault(table.file, table)
        return list(first_tables.values())
