"""`squadpress roster check`."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from builder.cli.console import echo, echo_findings, make_console, print_wrapped
from builder.cli.options import PATH, as_of_option, format_option, project_option
from builder.cli.roster.options import (
    SquadLimits,
    files_argument,
    get_exit_code,
    get_verdict_colour,
    get_verdict_word,
    lang_option,
    limit_options,
    print_result,
)
from builder.errors import UsageError
from builder.files import write_atomic
from builder.findings import Finding
from builder.messages import escape_controls, gettext as _, ngettext, translate
from builder.packs.pack_files import PackFiles, write_json
from builder.packs.project import Project
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    OwnedCards,
    RosterCheckers,
    find_missing_copies,
)
from builder.usecases.roster.explain import explain_roster
from builder.usecases.roster.roster_files import (
    check_roster_files,
    check_roster_folders,
)
from builder.usecases.roster.verdict import (
    RosterRow,
    find_release_version,
    format_rows_csv,
    make_verdict,
)


@click.command()
@files_argument
@lang_option
@as_of_option
@click.option(
    "--explain",
    is_flag=True,
    help="Show the smallest conflict, the cheapest fixes, and the headroom of each rule.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="With --explain: show all fixes found, not only the cheapest three.",
)
@click.option(
    "--verdict",
    is_flag=True,
    help="Write NAME.verdict.json next to each FILE, for `roster verify`.",
)
@click.option(
    "--csv",
    "sheet",
    type=PATH,
    metavar="OUT",
    help="Write a table of all rosters as CSV.",
)
@limit_options
@format_option
@project_option
def check(
    files: tuple[Path, ...],
    lang: str | None,
    as_of: str | None,
    explain: bool,
    every: bool,
    verdict: bool,
    sheet: Path | None,
    limits: SquadLimits,
    form: str,
    project: Project,
) -> int:
    """Check each roster FILE against the current rules of its pack, or against the release it is
    pinned to.

    Give a folder to check all rosters in it; the result is a table.

    Exit code: 0 if all are legal, 1 if not, 3 if a pack cannot be read (no verdict).
    """
    if every and not explain:
        raise UsageError(_("--all needs --explain"), _("Add --explain."))
    if sheet is not None or any(path.is_dir() for path in files):
        refuse_options_of_files(explain or verdict or form != "text")
        return print_roster_table(project, files, as_of, sheet, lang, limits)
    owned = limits.load_owned_cards(project)
    play_format = limits.get_play_format(as_of)
    packs = PackFiles(project)
    results = tuple(
        check_roster_files(project, files, lang, as_of, not explain, play_format)
    )
    screen = make_console()
    for file, result in zip(files, results, strict=True):
        if verdict:
            write_verdict(packs, file, result, as_of)
        if form == "text":
            print_result(screen, result)
        if form == "text" and explain:
            print_repairs(screen, result, owned, every)
    missing = find_missing_cards(RosterCheckers(packs, as_of), results, owned)
    if form != "text":
        echo_all_findings(results, missing, form)
    elif missing:
        echo_findings(missing, results[0].lang)
    return get_exit_code(results) or int(bool(missing))


def echo_all_findings(
    results: Sequence[CheckedRoster], missing: Sequence[Finding], form: str
) -> None:
    """Print the findings of all squads in a format, then those about missing copies."""
    findings: list[Finding] = []
    for result in results:
        findings += [finding.translate(result.lang) for finding in result.findings]
    echo_findings([*findings, *missing], results[0].lang, form)


def refuse_options_of_files(is_given: bool) -> None:
    """Raise UsageError if `--explain`, `--verdict` or `--format` is given with a folder."""
    if is_given:
        message = _("--explain, --verdict and --format cannot be used with a folder")
        raise UsageError(message, _("Give the files: FOLDER/*.yaml."))


def find_missing_cards(
    checkers: RosterCheckers, results: Sequence[CheckedRoster], owned: OwnedCards | None
) -> Sequence[Finding]:
    """Return an error for each card of which the squads need more copies than the user owns."""
    if owned is None:
        return ()
    squads = {}
    for result in results:
        if result.roster is not None and not result.unreadable:
            squads[result.file] = result.roster
    return find_missing_copies(checkers, squads, owned, results[0].lang)


def write_verdict(
    packs: PackFiles, file: Path, result: CheckedRoster, as_of: str | None
) -> None:
    """Write the result of a check as NAME.verdict.json beside the roster file.

    Nothing is written if the squad could not be checked.
    """
    release = None
    if result.roster and result.checker:
        release = find_release_version(packs, result.roster.pack, as_of)
    value = make_verdict(result, release)
    if value is None:
        message = _("{file}: no verdict, because it cannot be checked", file=file)
        echo(message, result.lang, err=True)
        return
    target = file.with_name(f"{file.stem}.verdict.json")
    write_json(target, value)
    echo(_("written: {file}", file=target), result.lang, err=True)


def print_repairs(
    screen: Console, result: CheckedRoster, owned: OwnedCards | None, every: bool
) -> None:
    """Print the conflict between broken rules, possible repairs, and the headroom of rules."""
    copies = (
        owned.count_copies(result.checker.pack) if owned and result.checker else None
    )
    for line in explain_roster(result, copies, every):
        print_wrapped(screen, f"  {line}", 8)


MAX_CELL_COLUMNS = 48
"""Width of a table cell. A longer text pushes the rest of its line to the right."""


def print_roster_table(
    project: Project,
    paths: tuple[Path, ...],
    as_of: str | None,
    sheet: Path | None,
    lang: str | None,
    limits: SquadLimits,
) -> int:
    """Check all rosters of files and folders, and print them as a table. Write a CSV to `sheet`.

    Return the exit code: 0 if all are legal and owned, otherwise 1.
    """
    owned = limits.load_owned_cards(project)
    checked = check_roster_folders(project, paths, as_of, limits.get_play_format(as_of))
    lang = lang or checked.lang
    click.echo("\n".join(format_roster_table(checked.rows, lang)))
    for file, reason in checked.skipped:
        echo(_("{file} is not a roster ({what})", file=file, what=reason), lang)
    print_totals(checked.rows, lang)
    missing: Sequence[Finding] = ()
    if owned is not None:
        missing = find_missing_copies(checked.checkers, checked.squads, owned, lang)
    if missing:
        echo_findings(missing, lang)
    if sheet is not None:
        write_atomic(sheet, format_rows_csv(checked.rows, RosterRow).encode())
        echo(_("written: {file}", file=sheet), lang)
    return 0 if all(row.legal for row in checked.rows) and not missing else 1


def print_totals(rows: Sequence[RosterRow], lang: str) -> None:
    """Print how many rosters are legal, illegal and undecided."""
    legal = sum(row.legal for row in rows)
    undecided = sum(row.is_undecided for row in rows)
    total = ngettext(
        "{count} roster, {legal} legal, {illegal} illegal",
        "{count} rosters, {legal} legal, {illegal} illegal",
        len(rows),
        legal=legal,
        illegal=len(rows) - legal - undecided,
    )
    echo(total, lang)
    if undecided:
        message = ngettext(
            "{count} roster could not be decided",
            "{count} rosters could not be decided",
            undecided,
        )
        echo(message, lang)


def format_roster_table(rows: Sequence[RosterRow], lang: str) -> list[str]:
    """Return the lines of a table of checked rosters, one line per roster.

    If all files are in one folder, only the heading names it.
    """
    folders = {row.file.rpartition("/")[0] for row in rows}
    folder = ""
    # Files in the current folder have an empty one.
    if len(rows) > 1 and len(folders) == 1 and folders != {""}:
        folder = f"{folders.pop()}/"
    headings = [
        translate(text, lang)
        for text in (_("file"), _("name"), _("spent"), _("broken"))
    ]
    if folder:
        headings[0] = f"{headings[0]} ({folder})"
    table = [("", *headings)]
    for row in rows:
        verdict = translate(get_verdict_word(row.legal, row.is_undecided), lang)
        points = "" if row.spent is None else f"{row.spent:g}"
        if row.spent is not None and row.allowed is not None:
            points += f"/{row.allowed:g}"
        file = row.file.removeprefix(folder)
        table.append((verdict, file, row.name, points, ", ".join(row.broken)))
    widths = [
        min(MAX_CELL_COLUMNS, max(map(len, column)))
        for column in zip(*table, strict=True)
    ]
    lines = [format_cells(table[0], widths)]
    for row, cells in zip(rows, table[1:], strict=True):
        colour = get_verdict_colour(row.legal, row.is_undecided)
        lines.append(format_cells(cells, widths, colour))
    return lines


def format_cells(
    cells: Sequence[str], widths: Sequence[int], colour: str | None = None
) -> str:
    """Join table cells with padding. The first one is coloured."""
    padded_cells = []
    for cell, width in zip(cells, widths, strict=True):
        # A name with a line break in it must not look like a further row.
        text = escape_controls(cell, keep_line_breaks=False)
        padded_cells.append(text.ljust(width))
    # Colour codes have no width, so they come after padding.
    if colour is not None:
        padded_cells[0] = click.style(padded_cells[0], fg=colour, bold=True)
    return "  ".join(padded_cells).rstrip()
