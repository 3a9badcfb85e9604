"""Import tables again that were edited while a pack is watched."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from builder.files import write_files
from builder.findings import Finding, has_errors
from builder.model.table import TableMapping
from builder.packs.loading import MAPPING_SUFFIX
from builder.packs.project import Project
from builder.packs.schema.validation import read_model
from builder.packs.tables.mapping_file import get_stem
from builder.packs.tables.request import TableRequest
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.table_import import TableOptions

TABLE_EXTENSIONS = frozenset({".csv", ".tsv", ".xlsx", ".xls", ".ods", ".json"})


class EditedTables:
    """Finds tables that were edited since the last look, and imports them into a pack.

    Tables are files in the project or in `tables` that a mapping file names.
    """

    def __init__(self, project: Project, pack: str) -> None:
        self._project = project
        self._pack = pack
        self._times = self._list_times()

    def import_changes(self) -> tuple[Finding, ...]:
        """Import the tables that changed since the last call. Return the findings about them.

        All changes of a table are written or none. Raise SquadpressError if a table cannot be read.
        """
        earlier_times = self._times
        # Stored before the import: a table that cannot be read is tried again after its next save.
        self._times = times = self._list_times()
        findings: list[Finding] = []
        for path, time in times.items():
            if earlier_times.get(path) == time:
                continue
            options = TableOptions(day=date.today())
            result = import_tables(
                self._project, self._pack, TableRequest((path,)), options
            )
            findings += result.findings
            if result.files and not has_errors(result.findings):
                write_files(result.files)
        return tuple(findings)

    def _list_times(self) -> dict[Path, int]:
        """Return the time of the last change of each table in ns."""
        stems = set(self._list_table_names())
        times: dict[Path, int] = {}
        if not stems:
            return times
        for folder in (self._project.root, self._get_folder()):
            for path in sorted(folder.glob("*")):
                is_table = path.suffix.lower() in TABLE_EXTENSIONS and path.is_file()
                if is_table and get_stem(path.name) in stems:
                    times[path] = path.stat().st_mtime_ns
        return times

    def _list_table_names(self) -> Iterator[str]:
        """Yield the names, without extension, of the tables that mapping files name."""
        for path in sorted(self._get_folder().glob(f"*{MAPPING_SUFFIX}")):
            mapping = read_model(TableMapping, path, self._project.shorten_path(path))[
                0
            ]
            if mapping is not None:
                yield get_stem(mapping.file or path.name.removesuffix(MAPPING_SUFFIX))

    def _get_folder(self) -> Path:
        return self._project.get_cards_dir(self._pack) / "tables"
