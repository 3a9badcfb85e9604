"""`squadpress update`."""

from functools import cache
from pathlib import Path

import click

from builder.cli.console import echo, print_lines
from builder.cli.options import PATH, project_option
from builder.cli.release.impact_report import print_impact
from builder.cli.roster.options import lang_option
from builder.errata.difference import compare_states
from builder.errata.notes import compose_notes
from builder.messages import gettext as _, ngettext, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import format_heading
from builder.usecases.release.impact import (
    Comparison,
    make_comparison,
)
from builder.usecases.release.update import find_update, put_update


@click.command()
@click.argument("place", metavar="FOLDER|ARCHIVE", type=PATH)
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write",
    is_flag=True,
    help=("Save the new releases in this project, and move the squads to the release in force."),
)
@click.option(
    "--to",
    metavar="VERSION",
    help=("Move squads to this release instead, even if it is not in force yet."),
)
@lang_option
@project_option
def update(
    place: Path,
    rosters: tuple[Path, ...],
    write: bool,
    to: str | None,
    lang: str | None,
    project: Project,
) -> int:
    """Show what a newer release of a game changes for squads. Download the publication first; it
    is verified here. Without --write, nothing is saved.

    Squads are moved to the release in force today.

    ROSTERS are files or folders of files. Exit code: 1 if a legal squad becomes illegal.
    """
    newer = find_update(project, place, to)
    comparison = make_comparison(newer.old, newer.new, lang, findings=newer.findings)
    difference = compare_states(newer.old, newer.new)
    notes = compose_notes(newer.old, newer.new, difference, comparison.lang)
    echo(_("All files match the publication's checksums."), comparison.lang)
    if newer.new.label == newer.old.label or (not newer.new_files and to is None):
        form = _("{pack}: there is no release newer than {version}")
        echo(_(form, pack=newer.pack, version=newer.old.label), comparison.lang)
    else:
        print_lines("\n".join((format_heading(notes), *(f"  {line}" for line in notes.summary))))
    for planned in newer.planned:
        form = _(
            "{version} takes effect on {day}. Squads stay at {current}. Use --to {version} "
            "to move them now."
        )
        values = {"version": planned.version, "day": planned.effective, "current": newer.new.label}
        echo(_(form, **values), comparison.lang)
    releases = PackFiles(project).open_releases(newer.pack)

    @cache
    def compare_from_version(version: str) -> Comparison:
        if version == newer.old.label or not releases.has_version(version):
            return comparison
        old, flaws = releases.load_state(version)
        return make_comparison(old, newer.new, lang, findings=flaws)

    status = print_impact(
        comparison,
        rosters,
        project,
        newer.findings,
        write_files=write,
        find_comparison=compare_from_version,
    )
    if write:
        folders = put_update(project, newer)
        count = ngettext("{count} release added", "{count} releases added", len(folders))
        echo(translate(count, comparison.lang))
        form = _(
            "The files in cards/{pack} were not changed. Squads without a release still use them."
        )
        echo(_(form, pack=newer.pack), comparison.lang)
    return status
