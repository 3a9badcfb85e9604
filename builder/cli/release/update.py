"""`squadpress update`."""

from functools import cache
from pathlib import Path

import click

from builder.cli.console import echo, show
from builder.cli.options import PATH, project_option
from builder.cli.release.impact import tell_impact
from builder.cli.roster.options import lang_option
from builder.errata.difference import difference
from builder.errata.notes import notes
from builder.messages import gettext as _, ngettext, translate
from builder.report.release import heading
from builder.store.project import Project
from builder.usecases.files import PackFiles
from builder.usecases.release.impact import Comparison, compare
from builder.usecases.release.update import find_update, put_update


@click.command()
@click.argument("place", metavar="FOLDER|ARCHIVE", type=PATH)
@click.argument("rosters", nargs=-1, type=PATH)
@click.option("--write", is_flag=True, help="Keep the new releases here, and bring the squads' files to the last.")
@lang_option
@project_option
def update(place: Path, rosters: tuple[Path, ...], write: bool, lang: str | None, project: Project) -> int:
    """What a newer publication of a game changes for my squads. It is fetched by you, verified here, and nothing is
    written without --write.

    ROSTERS are squads' files, or folders of them. Ends with 1 if a squad that was legal no longer is.
    """
    found = find_update(project, place)
    comparison = compare(found.old, found.new, lang)
    told = notes(found.old, found.new, difference(found.old, found.new), comparison.lang)
    echo(_("Every file that was read is as the publication's own lists say."), comparison.lang)
    if not found.fresh:
        echo(_("{pack}: nothing newer than {version}", pack=found.pack, version=found.old.label), comparison.lang)
    else:
        show("\n".join((heading(told), *(f"  {line}" for line in told.summary))))
    releases = PackFiles(project).releases(found.pack)

    @cache
    def since(version: str) -> Comparison:
        kept = version != found.old.label and releases.has(version)
        return compare(releases.load(version)[0], found.new, lang) if kept else comparison

    status = tell_impact(comparison, rosters, project, found.findings, write=write, since=since)
    if write:
        folders = put_update(project, found)
        count = ngettext("{count} release is here now", "{count} releases are here now", len(folders))
        echo(translate(count, comparison.lang))
        form = _(
            "The files of cards/{pack} stay as they are: a squad that names no release is judged and printed by them."
        )
        echo(_(form, pack=found.pack), comparison.lang)
    return status
