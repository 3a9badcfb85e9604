"""Make a new pack from tables: fields are guessed from cells, the design from columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import UsageError
from builder.findings import Finding, has_errors
from builder.messages import Message, gettext as _, ngettext
from builder.model.base import Json
from builder.model.loaded import LoadedPack
from builder.model.table import ColumnRule, TableMapping
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import make_pack_id
from builder.packs.schema.validation import read_model
from builder.packs.tables.card_kinds import KindTable, guess_kinds
from builder.packs.tables.cleaning import list_skipped_texts
from builder.packs.tables.inference import GuessedColumn, find_column
from builder.packs.tables.languages import guess_language
from builder.packs.tables.mapping_file import format_mapping, make_mapping_path
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table, get_cell, name_sheet
from builder.usecases.table_design import CardKind, list_design_files, plan_card_kind
from builder.usecases.table_fit import DesignTarget, fit_design
from builder.usecases.tables.copies import write_copies
from builder.usecases.tables.import_kind import (
    MIN_LONG_TABLE_ROWS,
    find_first_errors,
    has_unusable_files,
    import_rows,
)
from builder.usecases.tables.picture_folder import PictureMatcher, match_pictures
from builder.usecases.tables.pictures import leave_out_pictures, read_pictures
from builder.usecases.tables.stand_in_icons import choose_icons
from builder.usecases.tables.table_fonts import choose_fonts
from builder.usecases.tables.table_import import (
    ImportMonitor,
    KindCopies,
    TableImport,
    TableOptions,
)

NO_MONITOR = ImportMonitor()
MAX_SUMMARY_LINES = 10
MAX_SUMMARY_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class PackRequest:
    """The request for a new pack: its folder, tables, and card size in mm.

    `day` is the release day of its cards. `pictures` is a folder with pictures that have the ids or
    names of cards.
    """

    folder: Path
    tables: TableRequest
    size: tuple[float, float] | None = None
    day: date | None = None
    skip_errors: bool = False
    pictures: Path | None = None


@dataclass(slots=True)
class NewPack:
    """The files of a new pack, findings, and lines about how its tables were read."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    summary: list[Message] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlannedKind:
    """A kind of card of a new pack: its raw table, its guessed columns and its design.

    `constants` are values that all its cards get.
    """

    raw_table: Table
    guess: KindTable
    design: CardKind
    constants: Mapping[str, Json] = field(default_factory=dict)


def make_pack(request: PackRequest, monitor: ImportMonitor = NO_MONITOR) -> NewPack:
    """Make a new pack from tables. Raise UsageError if the tables have no cards."""
    monitor.show_status(_("reading the tables"))
    tables, findings = request.tables.read_tables()
    pack = make_pack_id(request.folder)
    result = NewPack(findings=findings)
    kinds = plan_kinds(request, tables, result)
    if not kinds:
        hint = _("Its first row names the columns, the others are cards.")
        raise UsageError(_("{file} holds no cards", file=request.tables.files[0]), hint)
    kind_tables = list_tables(kinds.values())
    pictures: dict[str, bytes | None] = {}
    picture_folder = request.pictures or request.tables.folder
    for table in kind_tables:
        table_pictures, problems = read_pictures(
            table, picture_folder, find_column(table, "art")
        )
        pictures |= table_pictures
        result.findings += problems
    source = choose_language(request.tables, kinds.values())
    matcher = match_pictures(request.pictures) if request.pictures is not None else None
    with TemporaryDirectory(prefix="squadpress-") as draft:
        project = Project(Path(draft).resolve())
        icons, notes = choose_icons(project, pack, kind_tables)
        fonts = choose_fonts(project, pack, kind_tables, source)
        result.findings += [*notes, *fonts.findings]
        designs: dict[str, CardKind] = {}
        for name, kind in kinds.items():
            designs[name] = replace(
                kind.design,
                has_pictures=matcher is not None,
                icons=icons,
                fonts=fonts.families,
                font_files=fonts.files,
            )
        design_files = list_design_files(pack, source, designs)
        write_draft_files({project.root / name: data for name, data in design_files})
        # The pack is loaded once, without cards: loading it for each kind would check the cards of
        # all earlier kinds.
        loaded = PackFiles(project).load_pack(pack)
        draft_pack = DraftPack(project, loaded, source, pictures, matcher)
        report_first_findings(draft_pack, request, kinds, result.findings, monitor)
        for name, kind in kinds.items():
            monitor.show_status(_("importing cards: {kind}", kind=name))
            add_cards(draft_pack, request, (name, kind), result)
        draft_pack.write_cards(result.findings)
        art_folder = project.get_cards_dir(pack) / "art"
        write_draft_files({art_folder / name: data for name, data in pictures.items()})
        if matcher is not None:
            write_draft_files({**matcher.read_pictures(art_folder)})
            result.summary += matcher.summarize_matches()
        if not has_errors(result.findings):
            monitor.show_status(_("fitting the design to the longest cards"))
            is_size_fixed = request.size is not None
            fit_design(DesignTarget(project.root, pack, source, is_size_fixed), designs)
        result.files = collect_files(project.root)
    # Several kinds of one table report the same problems of its cells.
    result.findings = list(dict.fromkeys(result.findings))
    return result


def report_first_findings(
    draft: DraftPack,
    request: PackRequest,
    kinds: Mapping[str, PlannedKind],
    findings: Sequence[Finding],
    monitor: ImportMonitor,
) -> None:
    """Report errors in the first rows of long tables before all rows are imported."""
    row_count = sum(len(kind.raw_table.rows) for kind in kinds.values())
    if row_count <= MIN_LONG_TABLE_ROWS or has_unusable_files(draft.loaded):
        return
    first_findings = list(findings)
    for name, kind in kinds.items():
        options = make_options(draft, request, make_mapping(kind, draft.source))
        project, table = draft.project, kind.raw_table
        first_findings += [
            name_sheet(table, item) for item in kind.guess.table.findings
        ]
        first_findings += find_first_errors(project, draft.loaded, name, table, options)
    monitor.report_findings(list(dict.fromkeys(first_findings)))


def make_options(
    draft: DraftPack, request: PackRequest, mapping: TableMapping
) -> TableOptions:
    """Return the options for importing a table into a new pack."""
    missing_names = [name for name, data in draft.pictures.items() if data is None]
    return TableOptions(
        leave_out_pictures(mapping, missing_names),
        day=request.day or date.today(),
        skip_errors=request.skip_errors,
        is_new_pack=True,
        pictures=draft.matcher,
    )


def plan_kinds(
    request: PackRequest, tables: Sequence[Table], result: NewPack
) -> dict[str, PlannedKind]:
    """Guess the kinds of cards in the tables, and design each."""
    option_mapping = read_option_mapping(request.tables, result)
    name = request.tables.kind or request.tables.name or "cards"
    raw_tables = {(table.file, table.sheet): table for table in tables}
    kinds: dict[str, PlannedKind] = {}
    for guess in guess_kinds(tables, name, reads_notes=bool(request.tables.sheets)):
        if option_mapping is not None:
            guess = apply_mapping(guess, option_mapping)
        result.findings += guess.findings
        design = plan_card_kind(guess.table, guess.columns, request.size)
        raw_table = raw_tables[guess.table.file, guess.table.sheet]
        kinds[guess.kind] = PlannedKind(raw_table, guess, design)
    return kinds


def read_option_mapping(request: TableRequest, result: NewPack) -> TableMapping | None:
    """Read the mapping file of the option `--mapping`. None without the option."""
    if request.mapping is None:
        return None
    mapping, problems = read_model(TableMapping, request.mapping, request.mapping.name)
    result.findings += problems
    return mapping


def apply_mapping(guess: KindTable, mapping: TableMapping) -> KindTable:
    """Replace the guessed fields of columns by those that a mapping file names."""
    columns: list[GuessedColumn] = []
    for column in guess.columns:
        rule = mapping.columns.get(column.head)
        if column.head in mapping.skip:
            continue
        if isinstance(rule, str):
            rule = column.rule.model_copy(update={"field": rule})
        if rule is not None:
            # A mapping may name a field and leave its values to the guess.
            rule = rule.model_copy(update={"values": rule.values or column.rule.values})
        columns.append(replace(column, rule=rule or column.rule))
    return guess._replace(columns=columns)


def list_tables(kinds: Iterable[PlannedKind]) -> list[Table]:
    """Return the tables of all kinds without repetitions."""
    tables: list[Table] = []
    for kind in kinds:
        if kind.guess.table not in tables:
            tables.append(kind.guess.table)
    return tables


def choose_language(request: TableRequest, kinds: Collection[PlannedKind]) -> str:
    """Return the language of the tables: as requested, as columns say, or guessed by letters."""
    if request.lang:
        return request.lang
    texts: list[str] = []
    headings: list[str] = []
    for kind in kinds:
        if kind.guess.table.lang:
            return kind.guess.table.lang
        texts += list_source_texts(kind.guess)
        columns = kind.guess.columns
        headings += [column.head for column in columns if "@" not in column.rule.field]
    lang = guess_language(texts, headings)
    # Other columns are in the language of the translations. Those that have one decide.
    translated_texts = list_translated_texts(kinds, lang)
    return guess_language(translated_texts) if translated_texts is not None else lang


def list_translated_texts(
    kinds: Collection[PlannedKind], lang: str
) -> list[str] | None:
    """Return the cells of all columns that have a translation to a language.

    None if no column has one.
    """
    translated_fields: set[str] = set()
    for kind in kinds:
        for column in kind.guess.columns:
            if column.rule.field.endswith(f"@{lang}"):
                translated_fields.add(column.field)
    if not translated_fields:
        return None
    texts: list[str] = []
    for kind in kinds:
        columns = [
            column for column in kind.guess.columns if column.field in translated_fields
        ]
        texts += list_source_texts(kind.guess._replace(columns=columns))
    return texts


def list_source_texts(guess: KindTable) -> list[str]:
    """Return the cells of a table that are not translations."""
    headings = {column.head for column in guess.columns if "@" not in column.rule.field}
    numbers = [
        number for number, head in enumerate(guess.table.head) if head in headings
    ]
    texts: list[str] = []
    for row in guess.table.rows[1:]:
        texts += [get_cell(row, number).text for number in numbers]
    return texts


@dataclass(slots=True)
class DraftPack:
    """A pack in a temporary folder that gets cards, with the files and ids added so far."""

    project: Project
    loaded: LoadedPack
    source: str
    pictures: Mapping[str, bytes | None]
    matcher: PictureMatcher | None = None
    files: dict[Path, bytes | None] = field(default_factory=dict)
    keys_by_id: dict[str, str] = field(default_factory=dict)
    copies: list[KindCopies] = field(default_factory=list)

    def write_cards(self, findings: list[Finding]) -> None:
        """Write the cards of all kinds and their numbers of copies into the folder."""
        result = TableImport(findings=findings, files=self.files, copies=self.copies)
        write_copies(self.project, self.loaded, result)
        write_draft_files(self.files)


def add_cards(
    draft: DraftPack,
    request: PackRequest,
    planned: tuple[str, PlannedKind],
    result: NewPack,
) -> None:
    """Import the cards of a kind into the draft, and add its mapping file."""
    name, kind = planned
    project = draft.project
    mapping = make_mapping(kind, draft.source)
    options = make_options(draft, request, mapping)
    cards = TableImport(files=dict(draft.files), keys_by_id=dict(draft.keys_by_id))
    if has_unusable_files(draft.loaded):
        result.findings += draft.loaded.findings
        return
    import_rows(project, draft.loaded, name, kind.raw_table, options, cards)
    result.findings += cards.findings
    if has_errors(cards.findings):
        return
    path = make_mapping_path(project, draft.loaded.whole.id, kind.raw_table, name)
    # The import adds to the ids of earlier kinds, whose mapping files are written already.
    rows = {
        key: card_id
        for card_id, key in cards.keys_by_id.items()
        if card_id not in draft.keys_by_id
    }
    stored_mapping = mapping.model_copy(update={"rows": rows})
    text = format_mapping(stored_mapping, project.shorten_path(path))
    draft.files = {**cards.files, path: text.encode()}
    draft.copies += cards.copies
    draft.keys_by_id = cards.keys_by_id
    result.summary += summarize_kind(
        mapping, name, len(rows), path.relative_to(project.root)
    )
    del result.summary[MAX_SUMMARY_LINES:]


def write_draft_files(files: Mapping[Path, bytes | None]) -> None:
    """Write files into the temporary folder. They are not flushed to the disk, which is faster."""
    for path, data in files.items():
        if data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def make_mapping(kind: PlannedKind, source: str) -> TableMapping:
    """Return the mapping of columns that a kind's design uses."""
    rules: dict[str, str | ColumnRule] = {}
    for column in kind.design.columns:
        rules[column.head] = column.rule
    skipped_columns = [
        name for name in kind.guess.table.head if name and name not in rules
    ]
    return TableMapping(
        file=kind.raw_table.file,
        sheet=kind.raw_table.sheet,
        kind=kind.guess.kind,
        lang=source,
        columns=rules,
        constants=kind.constants,
        skip=tuple(skipped_columns),
        skip_rows=tuple(filter(None, list_skipped_texts(kind.raw_table))),
    )


def summarize_kind(
    mapping: TableMapping, kind: str, count: int, path: Path
) -> list[Message]:
    """Return lines about the number of cards of a kind and the fields of its columns."""
    columns: list[str] = []
    for name, rule in mapping.columns.items():
        if isinstance(rule, str):
            rule = ColumnRule(field=rule)
        type_text = f" ({rule.type})" if rule.type else ""
        columns.append(f"{name} -> {rule.field}{type_text}")
    listed = ", ".join(columns[:MAX_SUMMARY_COLUMNS])
    if len(columns) > MAX_SUMMARY_COLUMNS:
        listed += " ..."
    cards = ngettext("{count} card", "{count} cards", count)
    return [
        _(
            "{kind}: {cards}. Columns: {columns}",
            kind=kind,
            cards=cards,
            columns=listed,
        ),
        _("  How the table is read: {file}", file=path.as_posix()),
    ]


def collect_files(root: Path) -> list[tuple[str, bytes]]:
    """Return (relative path, bytes) of all files below a folder, without caches."""
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return [
        (path.relative_to(root).as_posix(), path.read_bytes())
        for path in paths
        if ".cache" not in path.parts
    ]
