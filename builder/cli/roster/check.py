"""`squadpress roster check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.console import console, put
from builder.cli.options import as_of_option, format_option, project_option
from builder.cli.roster.options import (
    files_argument,
    lang_option,
    own_option,
    owned_cards,
    painted_option,
    print_judged,
)
from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.findings import Finding
    from builder.store.project import Project
    from builder.usecases.roster.check import OwnedCards
    from builder.usecases.roster.table import ListRow


@click.command()
@files_argument
@lang_option
@as_of_option
@click.option("--explain", is_flag=True, help="The smallest conflict and the cheapest repairs; how close each rule is.")
@click.option(
    "--all", "every", is_flag=True, help="With --explain: all repairs that are found, not the cheapest three."
)
@click.option("--verdict", is_flag=True, help="Write NAME.verdict.json beside each FILE, for `roster verify`.")
@click.option("--csv", "sheet", type=click.Path(path_type=Path), metavar="OUT", help="A table of all lists, as CSV.")
@own_option
@painted_option
@format_option
@project_option
def check(
    files: tuple[Path, ...], lang: str | None, as_of: str | None, explain: bool, every: bool, verdict: bool,
    sheet: Path | None, own: Path | None, painted: bool, form: str, project: Project,
) -> int:  # fmt: skip
    """Judge each roster FILE by the rules of its pack: as they are, or as the release it is pinned to had them.

    A folder stands for all rosters in it: they are judged as a table, for an organiser.
    Ends with 0 if all are legal and with 1 if not.
    """
    from builder.report.findings import FORMATS
    from builder.usecases.files import PackFiles, judge_files, write_json

    table = sheet is not None or any(path.is_dir() for path in files)
    _fitting(every and not explain, table and (explain or verdict or form != "text"))
    if table:
        return print_table(project, files, as_of, sheet, lang, owned_cards(project, own, painted))
    if explain:
        from builder.usecases.roster.explain import explained
    judged, respected = [], owned_cards(project, own, painted)
    screen, packs = console(), PackFiles(project)
    for file, one in zip(files, judge_files(project, files, lang, as_of, repaired=not explain), strict=True):
        judged.append(one)
        if verdict:
            from builder.usecases.roster.verdict import release_of
            from builder.usecases.roster.verdict import verdict as verdict_on

            line = _("no verdict on {file}: it cannot be judged", file=file)
            value = verdict_on(one, release_of(packs, one.roster.pack, as_of)) if one.roster and one.judge else None
            if value is not None:
                target = file.with_name(f"{file.stem}.verdict.json")
                write_json(target, value)
                line = _("written: {file}", file=target)
            click.echo(translate(line, one.lang), err=True)
        if form == "text":
            print_judged(screen, one)
            owned = respected.copies(one.judge.pack) if explain and respected and one.judge else None
            for told in explained(one, owned, every) if explain else ():
                put(screen, f"  {told}", 8)
    lacking: tuple[Finding, ...] = ()
    if respected is not None:
        from builder.usecases.roster.check import Judges, not_owned

        squads = {one.file: one.roster for one in judged if one.roster is not None}
        lacking = not_owned(Judges(packs, as_of), squads, respected, judged[0].lang)
    if form != "text" or lacking:
        mine = [finding.translated(one.lang) for one in judged for finding in one.findings]
        click.echo(FORMATS[form]([*([] if form == "text" else mine), *lacking], judged[0].lang), nl=False)
    return 0 if all(one.legal for one in judged) and not lacking else 1


def _fitting(all_alone: bool, more_than_a_table: bool) -> None:
    """UsageError for options that do not go together."""
    from builder.errors import UsageError

    if all_alone:
        raise UsageError(_("--all belongs to --explain"), _("Add --explain."))
    if more_than_a_table:
        raise UsageError(
            _("a table of lists has no --explain, --verdict or --format"), _("Name the files: FOLDER/*.yaml.")
        )


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
    from builder.usecases.roster.check import not_owned
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


def _lines(rows: Sequence[ListRow], say: Callable[[str], str]) -> Iterator[str]:
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


def _cells(row: ListRow, say: Callable[[str], str], folder: str) -> tuple[str, ...]:
    """One list, its file as it is called in the folder."""
    spent = "" if row.spent is None else f"{row.spent:g}" + (f"/{row.allowed:g}" if row.allowed is not None else "")
    return (
        say(_("legal") if row.legal else _("ILLEGAL")),
        row.file.removeprefix(folder),
        row.name,
        spent,
        ", ".join(row.broken),
    )
