"""Mapping files: where they are, which one belongs to a table, and how they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from builder.files import is_within, require_within
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.table import ColumnRule, TableMapping
from builder.packs.loading import MAPPING_SUFFIX
from builder.packs.pack_files import read_text
from builder.packs.project import Project
from builder.packs.scaffold import make_id
from builder.packs.schema.validation import read_model
from builder.packs.tables.sheet import Table
from builder.packs.yaml.editing import (
    YamlText,
    format_block,
    format_flow,
    format_scalar,
)
from builder.packs.yaml.reading import make_schema_line

INTRODUCTION = """\
# How {file} is read. Squadpress guessed it. Correct what is wrong, and import the table again:
# squadpress table import {file} --write
"""
COMMENTS = {
    "file": "the table",
    "sheet": "the sheet of the workbook",
    "kind": "the kind of the cards",
    "lang": "the language of columns that name none",
    "skip": "columns that are not read",
    "skip_rows": "rows that are no cards, by the text of their first cell",
}
BLOCK_COMMENTS = {
    "columns": (
        "# The field of each column. `field@de` is its German translation. `split` is the sign "
        "between the items of a list.\n"
        "# `values` are what cells stand for, `replace` replaces parts of texts. Unknown columns "
        "are errors."
    ),
    "rows": (
        "# The id of each row's card, by its id or name, or by a hash of the row. Keep ids that are"
        " printed."
    ),
}
MIN_EQUAL_COLUMNS = 2
"""Tables with fewer columns are not recognised by them."""


@dataclass(frozen=True, slots=True)
class StoredMapping:
    """A mapping and its file."""

    path: Path
    mapping: TableMapping

    def is_mapping_of(self, table: Table) -> bool:
        """Return True if the mapping belongs to this table, by its file name and sheet.

        The extension of the file may differ.
        """
        file = self.mapping.file or self.path.name.removesuffix(MAPPING_SUFFIX)
        is_same_file = get_stem(file) == get_stem(table.file)
        return is_same_file and self.mapping.sheet in ("", table.sheet)


def load_mappings(
    project: Project, pack: str
) -> tuple[list[StoredMapping], list[Finding]]:
    """Load all mapping files of a pack. Return them with the findings."""
    stored: list[StoredMapping] = []
    findings: list[Finding] = []
    folder = project.get_cards_dir(pack) / "tables"
    for path in sorted(folder.glob(f"*{MAPPING_SUFFIX}")):
        if not is_within(project.root, path):
            continue
        mapping, problems = read_model(TableMapping, path, project.shorten_path(path))
        findings += problems
        if mapping is not None:
            stored.append(StoredMapping(path, mapping))
    return stored, findings


def find_mappings_by_columns(
    mappings: Sequence[StoredMapping], table: Table
) -> tuple[list[StoredMapping], list[Finding]]:
    """Return the mappings of another file that have all columns of the table.

    Authors rename their tables: `cards v2.csv` has the columns of `cards.csv`. A finding reports
    what the table is read with. Return nothing if mappings of two files suit.
    """
    names = {name for name in table.head if name}
    suitable: list[StoredMapping] = []
    for item in mappings:
        known_names = {*item.mapping.columns, *item.mapping.skip}
        if len(names) >= MIN_EQUAL_COLUMNS and names <= known_names:
            suitable.append(item)
    files = {(item.mapping.file, item.mapping.sheet) for item in suitable}
    if len(files) != 1:
        return [], []
    form = _("{table} has the columns of {file}, and is read in the same way")
    file = suitable[0].mapping.file or suitable[0].path.name
    message = _(form, table=Path(table.file).name, file=file)
    hint = _("Use --mapping to read it with another mapping file.")
    return suitable, [table.report_columns(message, hint)]


def get_stem(file: str) -> str:
    """Return the name of a file in lower case, without folder and extension."""
    return PurePath(file).stem.lower()


def make_mapping_path(project: Project, pack: str, table: Table, kind: str) -> Path:
    """Return the path of the mapping file for one kind of card in a table."""
    stem = make_id(get_stem(table.file)) or "table"
    name = stem if kind == stem else f"{stem}-{kind}"
    return project.get_cards_dir(pack) / "tables" / f"{name}{MAPPING_SUFFIX}"


def format_mapping(mapping: TableMapping, file: str) -> str:
    """Return the text of a mapping file, with comments."""
    # A line break in the name of the table would end the comment.
    table_name = " ".join((mapping.file or "this table").split())
    lines = [make_schema_line("core/table", file)]
    lines += INTRODUCTION.format(file=table_name).splitlines()
    for key, value in collect_values(mapping).items():
        if isinstance(value, dict) and key in BLOCK_COMMENTS:
            lines += [BLOCK_COMMENTS[key], f"{key}:"]
            for name, item in value.items():
                lines += format_block({name: item}, "  ")
        else:
            comment = f"   # {COMMENTS[key]}" if key in COMMENTS else ""
            lines.append(f"{key}: {format_flow(value)}{comment}")
    return "\n".join([*lines, ""])


def collect_values(mapping: TableMapping) -> dict[str, Json]:
    """Return the values of a mapping that are not empty, in the order of the file."""
    values: dict[str, Json] = mapping.model_dump(mode="json")
    values["columns"] = {
        name: describe_rule(rule) for name, rule in mapping.columns.items()
    }
    return {key: value for key, value in values.items() if value}


def describe_rule(rule: str | ColumnRule) -> Json:
    """Return the rule of a column as it is written in the file, as short as possible."""
    if isinstance(rule, str):
        return rule
    parts: dict[str, Json] = rule.model_dump(mode="json", exclude_defaults=True)
    return rule.field if parts.keys() == {"field"} else parts


def update_rows(
    path: Path, name: str, old_mapping: TableMapping, keys_by_id: Mapping[str, str]
) -> str:
    """Return the text of a mapping file with the ids of new rows added.

    Ids of rows that are missing now stay in it.
    """
    edit = YamlText(read_text(path), name)
    rows = merge_rows(old_mapping.rows, keys_by_id)
    if old_mapping.rows:
        # Equal rows are not touched.
        edit.change_value(("rows",), {**old_mapping.rows}, {**rows})
    elif rows and "rows" not in old_mapping.model_fields_set:
        return append_rows(edit.text, rows)
    return edit.text


def append_rows(text: str, rows: Mapping[str, str]) -> str:
    """Return the text of a mapping file with the ids of rows added at its end."""
    lines = [text.rstrip("\n"), BLOCK_COMMENTS["rows"], "rows:"]
    lines += [
        f"  {format_scalar(key)}: {format_flow(value)}" for key, value in rows.items()
    ]
    return "\n".join([*lines, ""])


def merge_rows(
    rows: Mapping[str, str], keys_by_id: Mapping[str, str]
) -> dict[str, str]:
    """Return the stored ids of rows together with those of this table."""
    other_rows = {
        key: card_id for key, card_id in rows.items() if card_id not in keys_by_id
    }
    new_rows = {key: card_id for card_id, key in keys_by_id.items()}
    return {**other_rows, **new_rows}


def require_inside(project: Project, paths: Sequence[Path]) -> None:
    """Raise OutputNotWritten if a link leads one of these files outside the project."""
    for path in paths:
        require_within(project.root, path, path.name)
