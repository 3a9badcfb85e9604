"""The table of `squadpress roster check FOLDER`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.roster.owned import OwnedCards
    from builder.usecases.roster.table import Row

WIDEST = 48
"""Columns of a cell; what is longer pushes the rest of its own line to the right."""


def print_table(
    project: Project, paths: tuple[Path, ...], as_of: str | None, sheet: Path | None, lang: str | None,
    owned: OwnedCards | None,
) -> int:  # fmt: skip
    """Judge all lists, print a table, write the CSV if one is asked for; 0 if all are legal and owned."""
    from builder.files import write_atomic
    from builder.report.findings import FORMATS
    from builder.usecases.files import judge_folders
    from builder.usecases.roster.owned import not_owned
    from builder.usecases.roster.table import as_csv

    found = judge_folders(project, paths, as_of)
    say = partial(translate, lang=lang or found.lang)
    click.echo("\n".join(_lines(found.rows, say)))
    for file, what in found.skipped:
        click.echo(say(_("not a roster: {file} ({what})", file=file, what=what)))
    legal = sum(row.legal for row in found.rows)
    counts = {"count": len(found.rows), "legal": legal, "illegal": len(found.rows) - legal}
    click.echo(
        say(
            ngettext(
                "{count} list, {legal} legal, {illegal} illegal",
                "{count} lists, {legal} legal, {illegal} illegal",
                **counts,
            )
        )
    )
    lacking = not_owned(found.judges, found.squads, owned, lang or found.lang) if owned is not None else ()
    if lacking:
        click.echo(FORMATS["text"](lacking, lang or found.lang), nl=False)
    if sheet is not None:
        write_atomic(sheet, as_csv(found.rows).encode())
        click.echo(say(_("written: {file}", file=sheet)))
    return 0 if legal == len(found.rows) and not lacking else 1


def _lines(rows: Sequence[Row], say: Callable[[str], str]) -> Iterator[str]:
    """The table: a word for the verdict, then columns as wide as they need; a folder that all share is named once."""
    folders = {row.file.rpartition("/")[0] for row in rows}
    folder = f"{folders.pop()}/" if len(rows) > 1 and len(folders) == 1 and "" not in folders else ""
    file = say(_("file"))
    files = f"{file} ({folder})" if folder else file
    heads = ("", files, say(_("name")), say(_("spent")), say(_("broken")))
    cells = [_cells(row, say, folder) for row in rows]
    table = [heads, *cells]
    widths = [min(WIDEST, max(len(line[column]) for line in table)) for column in range(len(heads))]
    for number, line in enumerate(table):
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        text = "  ".join(padded).rstrip()
        if number:
            legal = rows[number - 1].legal
            text = click.style(padded[0], fg="green" if legal else "red", bold=True) + text[len(padded[0]) :]
        yield text


def _cells(row: Row, say: Callable[[str], str], folder: str) -> tuple[str, ...]:
    """One list, its file as it is called in the folder."""
    spent = "" if row.spent is None else f"{row.spent:g}" + (f"/{row.allowed:g}" if row.allowed is not None else "")
    return (
        say(_("legal") if row.legal else _("ILLEGAL")),
        row.file.removeprefix(folder),
        row.name,
        spent,
        ", ".join(row.broken),
    )
