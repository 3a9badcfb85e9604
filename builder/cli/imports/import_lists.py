"""`squadpress import`."""

import shlex
from pathlib import Path
from shutil import rmtree

import click

from builder.cli.console import (
    echo,
    echo_findings,
    print_lines,
    run_uninterrupted,
    shorten_path,
)
from builder.cli.imports.print_list import MAX_TEXT_SIZE_PT, MIN_TEXT_SIZE_PT, echo_list
from builder.cli.language import get_interface_language
from builder.cli.options import PATH
from builder.errors import OutputNotWritten
from builder.files import make_draft_path, write_files
from builder.imported.cardmaker import CardScope
from builder.messages import gettext as _, ngettext
from builder.report.import_changes import format_import_changes
from builder.usecases.imports.import_design import ImportRequest
from builder.usecases.imports.import_lists import ListImport, import_lists
from builder.usecases.imports.pack_files import FORMATS


@click.command(name="import")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--into",
    "folder",
    type=PATH,
    required=True,
    metavar="DIR",
    help="The project: a new or empty folder, or a project with earlier imports.",
)
@click.option(
    "--cards",
    type=click.Choice([scope.value for scope in CardScope]),
    help="A card for each unit, or for each model of a unit. Default: unit.",
)
@click.option(
    "--size",
    type=click.Choice(list(FORMATS)),
    help="Size of the cards in mm. Default: 120x70, or a6 for long texts.",
)
@click.option(
    "--text-size",
    type=click.FloatRange(MIN_TEXT_SIZE_PT, MAX_TEXT_SIZE_PT),
    metavar="PT",
    help="Size of the texts in pt, from 7 to 12. Default: 7.5.",
)
@click.option(
    "--theme",
    metavar="NAME|FILE",
    help="Colours and columns of the cards. Default: by the game system; see docs/players.md.",
)
@click.option(
    "--lang", metavar="LANG", help="Language of the lists. Default: by their letters."
)
@click.option("--dry-run", is_flag=True, help="Show the changes but write nothing.")
def import_command(
    files: tuple[Path, ...],
    folder: Path,
    cards: str | None,
    size: str | None,
    text_size: float | None,
    theme: str | None,
    lang: str | None,
    dry_run: bool,
) -> int:
    """Make an editable pack of lists from other programs: cards, designs and a squad for each list.

    FILE is a BattleScribe file (.ros, .rosz) or a JSON file of New Recruit or ListForge. Import a
    newer file of the same list into the same DIR: the changes are shown, and your own edits stay.
    If you and the list changed the same value, your edit stays and a warning shows both.

    Size, theme and the other options are chosen at the first import into DIR. Later imports use
    them and refuse other values.

    The pack is private, and has a copy of each FILE. Nothing is sent anywhere.

    Exit code: 0; 1 if a card cannot be printed as it is; 2 for a wrong option; 3 if a FILE cannot
    be read; 5 if DIR cannot be written.
    """
    result = import_lists(
        folder, files, ImportRequest(size, cards, text_size, theme, lang)
    )
    for squad, imported in result.lists.items():
        echo_list(imported)
        echo(_("Squad: {file}", file=shorten_path(squad)))
    if result.changes:
        print_lines(format_import_changes(result.changes, get_interface_language()))
    if not result.files:
        echo(_("Nothing changed."))
    elif dry_run:
        echo(_("Nothing was written. Leave out --dry-run to write the changes."))
    else:
        with run_uninterrupted():
            write_project(result)
        count = len(result.files)
        echo(ngettext("{count} file written", "{count} files written", count))
        echo_next_steps(folder, result)
    return echo_findings(tuple(dict.fromkeys(result.findings)), err=True)


def write_project(result: ListImport) -> None:
    """Write the files of an import. A new project folder appears only when it is complete."""
    folder = result.project.root
    if folder.exists():
        write_files(result.files)
        return
    draft = make_draft_path(folder)
    draft_files: dict[Path, bytes | None] = {}
    for path, data in result.files.items():
        draft_files[draft / path.relative_to(folder)] = data
    try:
        write_files(draft_files)
        draft.replace(folder)
    except OSError as error:
        raise OutputNotWritten.from_os_error(folder, error) from error
    finally:
        rmtree(draft, ignore_errors=True)


def echo_next_steps(folder: Path, result: ListImport) -> None:
    """Print the commands that a user may run after an import."""
    commands = [f"cd {shlex.quote(str(folder))}", f"squadpress watch {result.pack}"]
    squads = list(result.lists)
    if squads:
        commands.append(f"squadpress print {result.project.shorten_path(squads[0])}")
    echo(_("Next steps:"))
    for command in commands:
        echo(f"  {command}")
    echo(
        _(
            "`squadpress watch` shows the cards in a browser and updates them while you edit."
        )
    )
