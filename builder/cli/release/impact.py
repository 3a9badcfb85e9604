"""`squadpress release impact`."""

from datetime import date
from pathlib import Path

import click

from builder.cli.options import PATH, pack_option, project_option
from builder.cli.release.impact_report import open_squads, print_impact
from builder.cli.roster.options import lang_option, on_option, play_format_option
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack, load_two_states
from builder.usecases.release.impact import (
    make_comparison,
)


@click.command("impact")
@click.argument("old")
@click.argument("new")
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write",
    is_flag=True,
    help=(
        "Write renamed ids into the roster files, with NEW as the version of those that have one. "
        "Of these, those that would become illegal or have a later version stay."
    ),
)
@lang_option
@play_format_option
@on_option
@pack_option
@project_option
def show_impact(
    old: str,
    new: str,
    rosters: tuple[Path, ...],
    write: bool,
    lang: str | None,
    play_format: str | None,
    day: date | None,
    pack: str | None,
    project: Project,
) -> int:
    """Show what the changes from OLD to NEW do to squads. ROSTERS are files or folders of files.

    Without rosters, list the rules and cards that make legal squads illegal. Exit code: 1 if a
    legal squad becomes illegal.
    """
    name = choose_pack(project, pack)
    packs = PackFiles(project)
    before, after, findings = load_two_states(packs, name, old, new)
    comparison = make_comparison(before, after, lang, play_format, day, findings)
    squads = open_squads(comparison, rosters, project)
    return print_impact(squads, findings, write_files=write)
