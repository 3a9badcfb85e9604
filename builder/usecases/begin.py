"""A new pack from nothing but a table: what cards state is told from their cells, their look from the columns."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import UsageError
from builder.files import is_within, read_limited, write_files
from builder.findings import Finding, has_errors
from builder.messages import describe_os_error, gettext as _
from builder.model.table import TableMapping
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.scaffold import make_pack_id
from builder.packs.tables.inference import kinds_of, own_field
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table
from builder.packs.tables.tabular import cell_text
from builder.usecases.table import TableOptions, import_table
from builder.usecases.table_design import CardKind, list_design_files, plan_card_kind
from builder.usecases.table_fit import fit_design


def table_project(
    folder: Path, request: TableRequest, size: tuple[float, float] | None = None
) -> tuple[list[tuple[str, bytes]], list[Finding]]:
    """The files of a new pack whose cards are a table's, of a trimmed size in mm or one that suits them, and what is
    wrong with its cells. UsageError where the table holds no cards.
    """
    tables, found = request.read()
    pack, kinds, art = make_pack_id(folder), dict[str, CardKind](), dict[str, bytes | None]()
    for kind, table, columns, notes in kinds_of(tables, request.kind or request.name):
        found += notes
        art |= (
            _pictures(table, request.folder, found)
            if table not in [own.table for own in kinds.values()]
            else ()
        )
        kinds[kind] = plan_card_kind(table, columns, size)
    if not kinds:
        told = _("Its first row names the columns, the others are cards.")
        raise UsageError(_("{file} holds no cards", file=request.files[0]), told)
    whole = " ".join(
        cell.text
        for kind in kinds.values()
        for _row, cells in kind.table.rows[1:]
        for cell in cells
    )
    guess = "ru" if len(re.findall("[а-яё]", whole)) > len(re.findall("[a-z]", whole)) else "en"
    source = request.lang or next(
        (own.table.lang for own in kinds.values() if own.table.lang), guess
    )
    with TemporaryDirectory(prefix="squadpress-") as draft:
        root = Path(draft).resolve()
        for name, data in list_design_files(pack, source, kinds):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        for name, own in kinds.items():
            lost = {"values": {name: None for name, data in art.items() if data is None}}
            rules = {
                one.head: one.rule.model_copy(update=lost if one.sort == "art" else {})
                for one in own.columns
            }
            mapping = TableMapping(columns=rules, skip=own.skipped)
            options = TableOptions(mapping, day=date.today())
            made = import_table(Project(root), pack, name, own.table, options)
            write_files({} if has_errors(made.findings) else made.files)
            found += made.findings
        write_files(
            {root / "cards" / pack / "art" / name: data for name, data in art.items() if data}
        )
        if not has_errors(found):
            fit_design(root, pack, source, kinds, is_size_fixed=size is not None)
        files = sorted(
            path for path in root.rglob("*") if path.is_file() and ".cache" not in path.parts
        )
        return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in files], [
            *dict.fromkeys(found)
        ]


def _pictures(
    table: Table, folder: Path, found: list[Finding]
) -> Iterator[tuple[str, bytes | None]]:
    """The pictures that cards name and that lie beside the table. What cannot be read is told, and None."""
    art = next(
        (place for place, head in enumerate(table.head) if own_field(head) == "art"),
        len(table.head),
    )
    for row, cells in table.rows[1:]:
        name = cell_text(cells[art]) if art < len(cells) else ""
        if not name:
            continue
        path, cell, data = folder / name, table.name(row, art), None
        told = _("{cell}: no picture beside the table is called {name}", cell=cell, name=name)
        try:
            if ".." not in Path(name).parts and is_within(folder, path) and path.is_file():
                data = read_limited(path)
        except (OSError, ValueError) as error:
            told = _("{cell}: {reason}", cell=cell, reason=describe_os_error(error))
        yield name, data
        if data is None:
            found.append(file_codes.TABLE_PICTURE.finding(told, table.place(row, art)))
