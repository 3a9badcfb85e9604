"""`squadpress update`."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from builder.cli.console import echo, print_lines
from builder.cli.options import PATH
from builder.cli.release.impact_report import open_squads, print_impact
from builder.cli.roster.options import lang_option
from builder.errata.difference import compare_states
from builder.errata.notes import compose_notes
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.messages import gettext as _, ngettext, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project, find_project
from builder.packs.releases.folders import Releases
from builder.report.release import format_heading
from builder.usecases.release.impact import (
    Comparison,
    make_comparison,
)
from builder.usecases.release.update import (
    AvailableUpdate,
    find_oldest_state,
    find_update,
    find_update_alone,
    put_update,
    warn_of_withdrawn_versions,
)


def _find_optional_project(folder: Path | None) -> Project | None:
    """Return the project of the option or the current folder. None outside of a project."""
    if folder is not None:
        return find_project(folder)
    try:
        return find_project(Path())
    except UsageError:
        return None


@click.command()
@click.argument("place", metavar="FOLDER|ARCHIVE", type=PATH)
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write",
    is_flag=True,
    help=(
        "Save the new releases in this project, and move the squads to the release in force."
    ),
)
@click.option(
    "--to",
    metavar="VERSION",
    help=("Move squads to this release instead, even if it is not in force yet."),
)
@lang_option
@click.option(
    "--project",
    type=PATH,
    callback=lambda _context, _option, folder: _find_optional_project(folder),
    metavar="DIR",
    help="Folder of the project. Default: the project around the current folder, if any.",
)
def update(
    place: Path,
    rosters: tuple[Path, ...],
    write: bool,
    to: str | None,
    lang: str | None,
    project: Project | None,
) -> int:
    """Show what a newer release of a game changes for squads. Download the publication first; it
    is verified here. Without --write, nothing is saved.

    Squads are moved to the release in force today.

    Outside a project, squads are compared with the releases of the publication itself.

    ROSTERS are files or folders of files. Exit code: 1 if a legal squad becomes illegal.
    """
    if project is not None:
        newer = find_update(project, place, to)
        releases = PackFiles(project).open_releases(newer.pack)
        request = UpdateRequest(project, rosters, to, lang, write)
        return _update_squads(newer, releases, request)
    with TemporaryDirectory(prefix="squadpress-") as folder:
        newer, releases = find_update_alone(place, Path(folder), to)
        request = UpdateRequest(Project(Path(folder)), rosters, to, lang, write)
        return _update_squads(newer, releases, replace(request, adds_releases=False))


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """The options of the update command."""

    project: Project
    rosters: tuple[Path, ...]
    to: str | None
    lang: str | None
    write: bool
    adds_releases: bool = True

    def has_news(self, newer: AvailableUpdate, oldest: Snapshot) -> bool:
        """Return True if squads of the oldest state can move to a newer release."""
        if newer.new.label == oldest.label:
            return False
        is_asked = self.to is not None or oldest.label != newer.old.label
        return bool(newer.new_files) or is_asked or not self.adds_releases


def _update_squads(
    newer: AvailableUpdate, releases: Releases, request: UpdateRequest
) -> int:
    """Print what an update changes for squads, and write their files if requested."""
    lang = request.lang
    comparison = make_comparison(newer.old, newer.new, lang, findings=newer.findings)
    versions = open_squads(comparison, request.rosters, request.project).list_versions()
    oldest = find_oldest_state(newer, releases, versions)
    echo(_("All files match the publication's checksums."), comparison.lang)
    if not request.has_news(newer, oldest):
        form = _("{pack}: there is no release newer than {version}")
        if newer.planned:
            form = _("{pack}: no release after {version} is in force yet")
        echo(_(form, pack=newer.pack, version=oldest.label), comparison.lang)
    else:
        notes = compose_notes(
            oldest, newer.new, compare_states(oldest, newer.new), comparison.lang
        )
        notes = replace(notes, spans_releases=oldest.label != newer.previous)
        print_lines(
            "\n".join((format_heading(notes), *(f"  {line}" for line in notes.summary)))
        )
    for planned in newer.planned:
        form = _(
            "{version} takes effect on {day}. Squads stay at {current}. Use --to {version} "
            "to move them now."
        )
        values = {
            "version": planned.version,
            "day": planned.effective,
            "current": newer.new.label,
        }
        echo(_(form, **values), comparison.lang)

    @cache
    def compare_from_version(version: str) -> Comparison:
        if version == newer.old.label or not releases.has_version(version):
            return comparison
        old, flaws = releases.load_state(version)
        return make_comparison(old, newer.new, lang, findings=flaws)

    squads = open_squads(
        comparison,
        request.rosters,
        request.project,
        compare_from_version,
        {release.version for release in newer.withdrawn},
    )
    findings = (*newer.findings, *warn_of_withdrawn_versions(newer, versions))
    status = print_impact(squads, findings, write_files=request.write)
    if request.write and request.adds_releases:
        folders = put_update(request.project, newer)
        count = ngettext(
            "{count} release added", "{count} releases added", len(folders)
        )
        echo(translate(count, comparison.lang))
        form = _(
            "The files in cards/{pack} were not changed. Squads without a release still use them."
        )
        echo(_(form, pack=newer.pack), comparison.lang)
    return status
