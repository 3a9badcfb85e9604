"""The table of `squadpress roster check FOLDER`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from builder.findings import Finding
    from builder.rules.phrases import Phrases
    from builder.store.project import Project
    from builder.usecases.roster.owning import Shelf
    from builder.usecases.roster.table import Listing, Row

WIDEST = 48
"""Columns of a cell; what is longer pushes the rest of its own line to the right."""


def print_table(
    project: Project, paths: tuple[Path, ...], as_of: str | None, sheet: Path | None, lang: str | None,
    shelf: Shelf | None,
) -> int:  # fmt: skip
    """Judge all lists, print a table, write the CSV if one is asked for; 0 if all are legal and owned."""
    from builder.report.formats import FORMATS
    from builder.rules.phrases import Phrases
    from builder.store.atomic import write_atomic
    from builder.usecases.roster.table import as_csv, listing

    found = listing(project, paths, as_of)
    say = Phrases(lang or found.lang)
    click.echo("\n".join(_lines(found.rows, say)))
    for file, what in found.skipped:
        click.echo(say("skipped", file=file, what=say(what)))
    legal = sum(row.legal for row in found.rows)
    click.echo(say("lists", many=len(found.rows), legal=legal, illegal=len(found.rows) - legal))
    lacking = _lacking(project, found, shelf, lang or found.lang)
    if lacking:
        click.echo(FORMATS["text"](lacking, lang or found.lang), nl=False)
    if sheet is not None:
        write_atomic(sheet, as_csv(found.rows).encode())
        click.echo(say("written", file=sheet))
    return 0 if legal == len(found.rows) and not lacking else 1


def _lacking(project: Project, found: Listing, shelf: Shelf | None, lang: str) -> Sequence[Finding]:
    """What the lists together claim and is not owned."""
    from builder.usecases.roster.owning import owning

    return owning(project, found.bench, found.squads, shelf, lang) if shelf is not None else ()


def _lines(rows: Sequence[Row], say: Phrases) -> Iterator[str]:
    """The table: a word for the verdict, then columns as wide as they need; a folder that all share is named once."""
    folders = {row.file.rpartition("/")[0] for row in rows}
    folder = f"{folders.pop()}/" if len(rows) > 1 and len(folders) == 1 and "" not in folders else ""
    files = f"{say('col-file')} ({folder})" if folder else say("col-file")
    heads = ("", files, *(say(f"col-{name}") for name in ("name", "spent", "broken")))
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


def _cells(row: Row, say: Phrases, folder: str) -> tuple[str, ...]:
    """One list, its file as it is called in the folder."""
    spent = "" if row.spent is None else f"{row.spent:g}" + (f"/{row.allowed:g}" if row.allowed is not None else "")
    return (
        say("legal" if row.legal else "illegal"),
        row.file.removeprefix(folder),
        row.name,
        spent,
        ", ".join(row.broken),
    )
