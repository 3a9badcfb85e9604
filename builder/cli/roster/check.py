"""`squadpress roster check` and `verify`: squads judged, and a verdict judged again."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from builder.cli.console import console, echo, echo_findings, put, write
from builder.cli.options import PATH, as_of_option, format_option, project_option
from builder.cli.roster.options import (
    SquadLimits,
    exit_code,
    files_argument,
    lang_option,
    limit_options,
    print_judged,
)
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import escape_controls, gettext as _, ngettext, translate
from builder.model.formats import FormatDay
from builder.packs.exchange import read_json
from builder.packs.pack_files import PackFiles, write_json
from builder.packs.project import Project
from builder.usecases.roster.check_roster import (
    JudgedRoster,
    Judges,
    OwnedCards,
    find_missing_copies,
)
from builder.usecases.roster.explain import explain_roster
from builder.usecases.roster.roster_files import judge_files, judge_folders
from builder.usecases.roster.verdict import (
    REMEDY,
    ListRow,
    format_csv,
    make_verdict,
    release_of,
    verify as repeat,
)


@click.command()
@files_argument
@lang_option
@as_of_option
@click.option(
    "--explain",
    is_flag=True,
    help="Show the smallest conflict, the cheapest repairs, and the headroom of each rule.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="With --explain: show all repairs found, not only the cheapest three.",
)
@click.option(
    "--verdict",
    is_flag=True,
    help=("Write NAME.verdict.json next to each FILE, for `roster verify`."),
)
@click.option(
    "--csv", "sheet", type=PATH, metavar="OUT", help="Write a table of all rosters as CSV."
)
@limit_options
@format_option
@project_option
def check(
    files: tuple[Path, ...], lang: str | None, as_of: str | None, explain: bool, every: bool, verdict: bool,
    sheet: Path | None, limits: SquadLimits, form: str, project: Project,
) -> int:  # fmt: skip
    """Check each roster FILE against the current rules of its pack, or against the release it is
    pinned to.

    Give a folder to check all rosters in it; the result is a table.

    Exit code: 0 if all are legal, 1 if not, 3 if a pack cannot be read (no verdict).
    """
    if every and not explain:
        raise UsageError(_("--all needs --explain"), _("Add --explain."))
    respected, played = limits.owned(project), limits.played(as_of)
    if sheet is not None or any(path.is_dir() for path in files):
        if explain or verdict or form != "text":
            raise UsageError(
                _("--explain, --verdict and --format cannot be used with a folder"),
                _("Give the files: FOLDER/*.yaml."),
            )
        return print_table(project, files, as_of, sheet, lang, respected, played)
    judged, screen, packs = [], console(), PackFiles(project)
    found = judge_files(project, files, lang, as_of, not explain, played)
    for file, one in zip(files, found, strict=True):
        judged.append(one)
        if verdict:
            _write_verdict(packs, file, one, as_of)
        if form == "text":
            print_judged(screen, one)
            if explain:
                _print_explained(screen, one, respected, every)
    squads = {
        one.file: one.roster for one in judged if one.roster is not None and not one.unreadable
    }
    lacking = (
        find_missing_copies(Judges(packs, as_of), squads, respected, judged[0].lang)
        if respected is not None
        else ()
    )
    mine = (
        [finding.translate(one.lang) for one in judged for finding in one.findings]
        if form != "text"
        else []
    )
    if form != "text" or lacking:
        echo_findings([*mine, *lacking], judged[0].lang, form)
    return exit_code(judged) or (1 if lacking else 0)


def _write_verdict(packs: PackFiles, file: Path, judged: JudgedRoster, as_of: str | None) -> None:
    """NAME.verdict.json beside the file; no verdict on what cannot be judged."""
    release = (
        release_of(packs, judged.roster.pack, as_of) if judged.roster and judged.judge else None
    )
    value = make_verdict(judged, release)
    if value is None:
        echo(
            _("{file}: no verdict, because it cannot be checked", file=file), judged.lang, err=True
        )
        return
    target = file.with_name(f"{file.stem}.verdict.json")
    write_json(target, value)
    echo(_("written: {file}", file=target), judged.lang, err=True)


def _print_explained(
    screen: Console, judged: JudgedRoster, owned: OwnedCards | None, every: bool
) -> None:
    copies = owned.copies(judged.judge.pack) if owned and judged.judge else None
    for told in explain_roster(judged, copies, every):
        put(screen, f"  {told}", 8)


WIDEST = 48
"""Columns of a cell; what is longer pushes the rest of its own line to the right."""


def print_table(
    project: Project, paths: tuple[Path, ...], as_of: str | None, sheet: Path | None, lang: str | None,
    owned: OwnedCards | None, played: FormatDay | None,
) -> int:  # fmt: skip
    """Judge all lists, print a table, write the CSV if one is asked for; 0 if all are legal and owned."""
    found = judge_folders(project, paths, as_of, played)
    lang = lang or found.lang
    click.echo("\n".join(_lines(found.rows, partial(translate, lang=lang))))
    for file, what in found.skipped:
        echo(_("{file} is not a roster ({what})", file=file, what=what), lang)
    legal, undecided = (
        sum(row.legal for row in found.rows),
        sum(row.is_undecided for row in found.rows),
    )
    total = ngettext(
        "{count} roster, {legal} legal, {illegal} illegal",
        "{count} rosters, {legal} legal, {illegal} illegal",
        len(found.rows),
        legal=legal,
        illegal=len(found.rows) - legal - undecided,
    )
    echo(total, lang)
    if undecided:
        echo(
            ngettext(
                "{count} roster could not be decided",
                "{count} rosters could not be decided",
                undecided,
            ),
            lang,
        )
    lacking = (
        find_missing_copies(found.judges, found.squads, owned, lang) if owned is not None else ()
    )
    if lacking:
        echo_findings(lacking, lang)
    if sheet is not None:
        write_atomic(sheet, format_csv(found.rows, ListRow).encode())
        echo(_("written: {file}", file=sheet), lang)
    return 0 if legal == len(found.rows) and not lacking else 1


def _lines(rows: Sequence[ListRow], say: Callable[[str], str]) -> Iterator[str]:
    """The table: a word for the verdict, then columns as wide as they need; a folder that all share is named once."""
    folders = {row.file.rpartition("/")[0] for row in rows}
    folder = (
        f"{folders.pop()}/" if len(rows) > 1 and len(folders) == 1 and "" not in folders else ""
    )
    file = say(_("file"))
    table = [
        (
            "",
            f"{file} ({folder})" if folder else file,
            say(_("name")),
            say(_("spent")),
            say(_("broken")),
        )
    ]
    for row in rows:
        spent = (
            ""
            if row.spent is None
            else f"{row.spent:g}" + (f"/{row.allowed:g}" if row.allowed is not None else "")
        )
        word = say(
            _("legal") if row.legal else _("NOT DECIDED") if row.is_undecided else _("ILLEGAL")
        )
        table.append((word, row.file.removeprefix(folder), row.name, spent, ", ".join(row.broken)))
    widths = [min(WIDEST, max(map(len, column))) for column in zip(*table, strict=True)]
    for line, listed in zip(table, (None, *rows), strict=True):
        padded = [
            escape_controls(cell, keep_line_breaks=False).ljust(width)
            for cell, width in zip(line, widths, strict=True)
        ]
        if listed is not None:
            colour = "green" if listed.legal else "yellow" if listed.is_undecided else "red"
            padded[0] = click.style(padded[0], fg=colour, bold=True)
        yield "  ".join(padded).rstrip()


@click.command()
@files_argument
@lang_option
@project_option
def verify(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Repeat the check of a verdict FILE (NAME.verdict.json) and report whether the result is the
    same.

    Exit code: 1 if anything differs, 3 if the pack or release is missing or cannot be read.
    """
    fine, say = True, partial(translate, lang=lang or "en")
    for file in files:
        again = repeat(PackFiles(project), read_json(file, REMEDY), str(file))
        fine = fine and not again.differences
        by = f"{again.pack} {again.release}" if again.release else again.pack
        word = say(_("DIFFERS  ") if again.differences else _("confirmed"))
        stated = say(
            _("legal") if again.legal else _("NOT DECIDED") if again.is_undecided else _("ILLEGAL")
        )
        write(f"{word} {file}: {stated}, {by}")
        for told in again.differences:
            write(f"  {say(told)}")
    return 0 if fine else 1
