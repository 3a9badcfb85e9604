"""Import tables as cards of one or several kinds: all changes, or none. Nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from builder.errors import UsageError
from builder.files import is_within
from builder.findings import Finding, Location, Severity, has_errors
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.model.table import TableMapping
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.pack_files import PackFiles, read_text
from builder.packs.project import Project
from builder.packs.scaffold import make_id
from builder.packs.schema.validation import read_model
from builder.packs.tables.cleaning import clean_table
from builder.packs.tables.inference import find_column
from builder.packs.tables.mapping_file import (
    StoredMapping,
    find_mappings_by_columns,
    format_mapping,
    load_mappings,
    make_mapping_path,
    require_inside,
    update_rows,
)
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table, get_cell
from builder.packs.tables.symbols import draw_icons
from builder.packs.yaml.editing import YamlText
from builder.usecases.tables.copies import write_copies
from builder.usecases.tables.import_kind import (
    find_first_errors,
    has_unusable_files,
    import_rows,
)
from builder.usecases.tables.pictures import (
    find_picture_column,
    leave_out_pictures,
    read_pictures,
)
from builder.usecases.tables.stand_in_icons import choose_icons
from builder.usecases.tables.table_import import (
    ImportMonitor,
    TableImport,
    TableOptions,
)

NO_MONITOR = ImportMonitor()


@dataclass(frozen=True, slots=True)
class KindImport:
    """A table to import as cards of one kind, with its mapping of columns.

    `stored` is the mapping file that gets the ids of new rows.
    """

    table: Table
    kind: str
    mapping: TableMapping
    stored: StoredMapping | None = None


@dataclass(slots=True)
class ImportPlan:
    """The tables that a command imports, and problems that were found while planning."""

    imports: list[KindImport] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def import_tables(
    project: Project,
    pack: str,
    request: TableRequest,
    options: TableOptions,
    monitor: ImportMonitor = NO_MONITOR,
) -> TableImport:
    """Import tables as cards of a pack. Return the changed files without writing them.

    Raise UsageError if the kind of a table is not known, and InputUnreadable if a table cannot be
    read.
    """
    loaded = PackFiles(project).load_pack(pack)
    result = TableImport()
    if has_unusable_files(loaded):
        result.findings += loaded.findings
        return result
    tables, file_findings = request.read_tables()
    result.findings += file_findings
    plan = plan_imports(project, loaded, request, tables)
    result.findings += plan.findings
    report_first_findings(project, loaded, plan, options, monitor)
    pictures_by_path: dict[Path, bytes] = {}
    for kind_import in plan.imports:
        kind, table = kind_import.kind, kind_import.table
        monitor.show_status(_("importing cards: {kind}", kind=kind))
        # The copies of both maps show afterwards which entries this table changed.
        kind_result = TableImport(
            files=dict(result.files), keys_by_id=dict(result.keys_by_id)
        )
        mapping, pictures = find_table_pictures(
            project, pack, request, kind_import, result
        )
        import_rows(
            project, loaded, kind, table, replace(options, mapping=mapping), kind_result
        )
        refuse_shared_cards(project, result.files, kind_result.files)
        add_mapping_file(project, pack, kind_import, result.keys_by_id, kind_result)
        result.changes += kind_result.changes
        result.findings += kind_result.findings
        result.files = kind_result.files
        result.keys_by_id = kind_result.keys_by_id
        result.copies += kind_result.copies
        pictures_by_path |= pictures
    # One deck may hold cards of several kinds, so copies are written after all of them.
    write_copies(project, loaded, result)
    if options.pictures is not None:
        art_folder = project.get_cards_dir(pack) / "art"
        pictures_by_path |= options.pictures.read_pictures(art_folder)
    result.files |= list_new_files(pictures_by_path)
    if result.files:
        add_icons(project, loaded, [item.table for item in plan.imports], result)
    # Several kinds of one table report the same problems of its cells.
    result.findings[:] = dict.fromkeys(result.findings)
    return result


def report_first_findings(
    project: Project,
    loaded: LoadedPack,
    plan: ImportPlan,
    options: TableOptions,
    monitor: ImportMonitor,
) -> None:
    """Report errors in the first rows of long tables, before all rows are imported."""
    findings: list[Finding] = []
    for item in plan.imports:
        if item.mapping.columns:
            kind_options = replace(options, mapping=item.mapping)
            findings += find_first_errors(
                project, loaded, item.kind, item.table, kind_options
            )
    if findings:
        monitor.report_findings(list(dict.fromkeys(findings)))


def find_table_pictures(
    project: Project,
    pack: str,
    request: TableRequest,
    kind_import: KindImport,
    result: TableImport,
) -> tuple[TableMapping, dict[Path, bytes]]:
    """Read the picture files that a table names.

    Return the column mapping without missing pictures, and the contents of the files by path.
    Pictures that neither the folder of the table nor the pack contains are reported.
    """
    mapping = kind_import.mapping
    table = clean_table(
        kind_import.table, mapping.skip_rows if mapping.columns else None
    )
    column = find_picture_column(table, mapping)
    pictures, problems = read_pictures(
        table, request.pictures or request.folder, column
    )
    art_folder = project.get_cards_dir(pack) / "art"
    found_pictures: dict[Path, bytes] = {}
    missing_names: list[str] = []
    for name, data in pictures.items():
        path = art_folder / name
        if data is not None:
            found_pictures[path] = data
        elif is_within(art_folder, path) and path.is_file():
            # The message about a missing picture ends with its name.
            problems = [
                item for item in problems if not str(item.message).endswith(f" {name}")
            ]
        else:
            missing_names.append(name)
    if column is not None and mapping.columns:
        mapping = leave_out_pictures(mapping, missing_names)
        result.findings += problems
    return mapping, found_pictures


def list_new_files(contents: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """Return the files that do not exist yet, so that pictures of a pack are never replaced."""
    return {path: data for path, data in contents.items() if not path.exists()}


def add_icons(
    project: Project, loaded: LoadedPack, tables: Sequence[Table], result: TableImport
) -> None:
    """Add icons to the pack for symbols in tables that no font of the pack has."""
    pack = loaded.whole
    icons, notes = choose_icons(
        project, pack.id, tables, pack.manifest.icons, pack.icons
    )
    if not icons:
        return
    path = project.get_cards_dir(pack.id) / "pack.yaml"
    edit = YamlText(read_text(path), project.shorten_path(path))
    if pack.manifest.icons:
        for symbol, name in icons.items():
            edit.set_entry(("icons",), symbol, name)
    else:
        edit.set_entry((), "icons", dict(icons))
    result.files[path] = edit.text.encode()
    folder = project.get_templates_dir(pack.id) / "icons"
    for name, drawing in draw_icons(icons).items():
        result.files[folder / f"{name}.svg"] = drawing
    result.findings += notes


def plan_imports(
    project: Project, loaded: LoadedPack, request: TableRequest, tables: Sequence[Table]
) -> ImportPlan:
    """Choose the kind and the mapping of each table."""
    plan = ImportPlan()
    option_mapping: TableMapping | None = None
    if request.mapping is not None:
        name = project.shorten_path(request.mapping)
        option_mapping, mapping_problems = read_model(
            TableMapping, request.mapping, name
        )
        plan.findings += mapping_problems
        if option_mapping is None:
            return plan
    if request.kind:
        tables = request.choose_tables(tables, request.kind)
    stored_mappings, problems = load_mappings(project, loaded.whole.id)
    plan.findings += problems
    if has_errors(problems):
        # Without the mapping file, each cell of the table would be another error.
        return plan
    if not (request.kind or request.sheets or request.mapping):
        tables, notes = choose_mapped_tables(tables, stored_mappings)
        plan.findings += notes
    for table in tables:
        stored, notes = find_mappings(stored_mappings, table, request)
        plan.findings += notes
        if option_mapping is not None:
            add_option_mapping(plan, loaded, request, table, (option_mapping, stored))
        elif stored:
            add_mapped_table(plan, loaded, request, table, stored)
        else:
            add_unmapped_table(plan, loaded, request, table)
    return plan


def find_mappings(
    mappings: Sequence[StoredMapping], table: Table, request: TableRequest
) -> tuple[list[StoredMapping], list[Finding]]:
    """Return the stored mappings of a table, found by its name or by its columns."""
    notes: list[Finding] = []
    stored = [item for item in mappings if item.is_mapping_of(table)]
    if not stored and request.mapping is None:
        stored, notes = find_mappings_by_columns(mappings, table)
    if request.kind:
        stored = [item for item in stored if item.mapping.kind in (None, request.kind)]
    return stored, notes


def choose_mapped_tables(
    tables: Sequence[Table], stored_mappings: Sequence[StoredMapping]
) -> tuple[list[Table], list[Finding]]:
    """Return the sheets that have a mapping file. In a file without any, return all sheets.

    Also return a note about the other sheets.
    """

    def has_mapping(table: Table) -> bool:
        return any(item.is_mapping_of(table) for item in stored_mappings)

    mapped_tables = [table for table in tables if has_mapping(table)]
    mapped_files = {table.file for table in mapped_tables}
    chosen_tables: list[Table] = []
    unread_tables: list[Table] = []
    for table in tables:
        is_read = table in mapped_tables or table.file not in mapped_files
        matching_tables = chosen_tables if is_read else unread_tables
        matching_tables.append(table)
    if not unread_tables:
        return chosen_tables, []
    listed = ", ".join(table.sheet for table in unread_tables)
    message = _("sheets without a mapping file are not read: {listed}", listed=listed)
    form = _(
        "Make a kind of them with `squadpress kind add`, or choose one: --sheet {sheet}."
    )
    hint = _(form, sheet=unread_tables[0].sheet)
    location = Location(file=unread_tables[0].file)
    note = file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.NOTE)
    return chosen_tables, [note]


def add_mapped_table(
    plan: ImportPlan,
    loaded: LoadedPack,
    request: TableRequest,
    table: Table,
    stored: Sequence[StoredMapping],
) -> None:
    """Plan the import of a table that has mapping files: one import for each."""
    for item in stored:
        kind = item.mapping.kind or find_kind(loaded, request, table)
        plan.imports.append(KindImport(table, kind, item.mapping, item))
    if not request.kind:
        plan.findings += report_unknown_kinds(table, list_mapped_kinds(stored))


def add_option_mapping(
    plan: ImportPlan,
    loaded: LoadedPack,
    request: TableRequest,
    table: Table,
    mappings: tuple[TableMapping, Sequence[StoredMapping]],
) -> None:
    """Plan the import of a table with the mapping of the option `--mapping`.

    The ids of rows stay those of the stored mapping.
    """
    option_mapping, stored = mappings
    kind = request.kind or option_mapping.kind or find_kind(loaded, request, table)
    rows: dict[str, str] = {}
    for item in stored:
        if item.mapping.kind in (None, kind):
            rows |= item.mapping.rows
    mapping = option_mapping.model_copy(
        update={"rows": {**rows, **option_mapping.rows}}
    )
    # With several stored mappings it is unclear which of them gets the ids of new rows.
    updated_mapping = stored[0] if len(stored) == 1 else None
    plan.imports.append(KindImport(table, kind, mapping, updated_mapping))


def add_unmapped_table(
    plan: ImportPlan, loaded: LoadedPack, request: TableRequest, table: Table
) -> None:
    """Plan the import of a table without a mapping file, by its column `kind` or as one kind."""
    cleaned_table = clean_table(table)
    column = find_column(cleaned_table, "kind")
    if request.kind or column is None:
        plan.imports.append(
            KindImport(table, find_kind(loaded, request, table), TableMapping())
        )
        return
    kinds: dict[str, str] = {}
    known_kinds = loaded.whole.manifest.kinds
    for row in cleaned_table.rows[1:]:
        text = get_cell(row, column).text
        if not text or text in kinds:
            continue
        kind = text if text in known_kinds else make_id(text)
        if kind in known_kinds:
            kinds[text] = kind
        else:
            plan.findings.append(
                report_unknown_kind(table, (row.number, column), text, loaded)
            )
    if not kinds:
        kinds[""] = find_kind(loaded, request, table)
    for kind in dict.fromkeys(kinds.values()):
        plan.imports.append(KindImport(table, kind, TableMapping()))


def report_unknown_kind(
    table: Table, place: tuple[int, int], text: str, loaded: LoadedPack
) -> Finding:
    """Report a cell of the column `kind` that names no kind of the pack."""
    row, column = place
    pack = loaded.whole
    form = _("{cell}: {pack} has no kind {kind}")
    message = _(form, cell=table.name(row, column), pack=pack.id, kind=text)
    hint = suggest_word(text, pack.manifest.kinds, _("Kinds"))
    return file_codes.TABLE_ROW.finding(message, table.place(row, column), hint)


def list_mapped_kinds(stored: Sequence[StoredMapping]) -> Mapping[str, object]:
    """Return the kinds that mapping files list as values of a column `kind`."""
    known_cells: dict[str, object] = {}
    for item in stored:
        for rule in item.mapping.columns.values():
            if not isinstance(rule, str) and rule.field == "kind":
                known_cells |= rule.values
    return known_cells


def report_unknown_kinds(
    table: Table, known_cells: Mapping[str, object]
) -> list[Finding]:
    """Report cells of the column `kind` that no mapping file has.

    Otherwise their rows would be lost silently.
    """
    column = find_column(table, "kind")
    findings: list[Finding] = []
    if column is None or not known_cells:
        return findings
    for row in table.rows[1:]:
        text = get_cell(row, column).text
        if text and text not in known_cells:
            place = table.name(row.number, column)
            message = _(
                "{cell}: no mapping file has the kind {kind}", cell=place, kind=text
            )
            hint = _("Add it with `squadpress kind add`, or to `values` of the column.")
            location = table.place(row.number, column)
            findings.append(file_codes.TABLE_ROW.finding(message, location, hint))
    return findings


def find_kind(loaded: LoadedPack, request: TableRequest, table: Table) -> str:
    """Return the kind of a table's cards: as requested, by sheet or file name, or the only one."""
    kinds = loaded.whole.manifest.kinds
    stem = Path(table.file).stem
    candidates = (table.sheet, make_id(table.sheet), stem, make_id(stem))
    kind = request.kind
    if not kind:
        kind = next((name for name in candidates if name in kinds), "")
    if not kind and len(kinds) == 1:
        (kind,) = kinds
    if not kind:
        hint = suggest_word(table.sheet or stem, kinds, _("Kinds"))
        form = _("the kind of the cards in {table} is not known")
        message = _(form, table=table.sheet or table.file)
        raise UsageError(message, _("Add --kind KIND. {kinds}", kinds=hint))
    return kind


def refuse_shared_cards(
    project: Project,
    first: Mapping[Path, bytes | None],
    second: Mapping[Path, bytes | None],
) -> None:
    """Raise UsageError if two tables change the same card, as one change would be lost."""
    for path, content in first.items():
        # The second map began as a copy, so another object means another change.
        if path.name != "products.yaml" and second[path] is not content:
            message = _("two tables change {file}", file=project.shorten_path(path))
            raise UsageError(message, _("Import them one after the other."))


def add_mapping_file(
    project: Project,
    pack: str,
    kind_import: KindImport,
    earlier_keys: Mapping[str, str],
    result: TableImport,
) -> None:
    """Add a mapping file with the ids of new rows to the result, if they need one."""
    keys_by_id = {
        card_id: key
        for card_id, key in result.keys_by_id.items()
        if card_id not in earlier_keys
    }
    stored = kind_import.stored
    if stored is None:
        if not result.made_ids:
            return
        table = kind_import.table
        path = make_mapping_path(project, pack, table, kind_import.kind)
        mapping = complete_mapping(kind_import, keys_by_id)
        text = format_mapping(mapping, project.shorten_path(path))
    else:
        path = stored.path
        text = update_rows(path, project.shorten_path(path), stored.mapping, keys_by_id)
        # An unchanged mapping file is not written.
        if text.encode() == path.read_bytes():
            return
    require_inside(project, [path])
    result.files[path] = text.encode()


def complete_mapping(
    kind_import: KindImport, keys_by_id: Mapping[str, str]
) -> TableMapping:
    """Return a complete mapping for a table that had no mapping file."""
    mapping, table = kind_import.mapping, clean_table(kind_import.table)
    columns = dict(mapping.columns)
    for name in table.head:
        if name and name not in columns and name not in mapping.skip:
            columns[name] = name
    fields = {
        "file": Path(table.file).name,
        "sheet": table.sheet,
        "kind": kind_import.kind,
        "columns": columns,
        "rows": {key: card_id for card_id, key in keys_by_id.items()},
    }
    return mapping.model_copy(update=fields)
