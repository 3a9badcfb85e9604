"""`squadpress release diff`."""

from pathlib import Path

import click

from builder.cli.console import ProgressBar, echo_findings, print_lines, write
from builder.cli.options import PATH, lang_option, pack_option, project_option
from builder.errata.change import Difference
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import FORMATS, format_pictures
from builder.usecases.build.build_options import CORES, WorkerPool, get_render_folders
from builder.usecases.pack_states import choose_pack, load_two_states
from builder.usecases.release.branches import find_lost_changes_between
from builder.usecases.release.past import compare_with_past
from builder.usecases.release.revision import compare_with_revision


@click.command("diff")
@click.argument("old", required=False)
@click.argument("new", default="work")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
)
@click.option(
    "--against",
    metavar="REVISION",
    help="Compare the working files with the commit at which the branch left a revision of git, "
    "such as main, instead of OLD. Reports a history that disagrees with the changes, and releases "
    "of the same version.",
)
@click.option(
    "--pictures",
    type=PATH,
    metavar="DIR",
    help="Also write a picture of each changed card before and after, as DIR/PACK/CARD.png. With "
    "--format markdown, the text shows them.",
)
@lang_option
@pack_option
@project_option
def show_difference(
    old: str | None,
    new: str,
    form: str,
    against: str | None,
    pictures: Path | None,
    lang: str,
    pack: str | None,
    project: Project,
) -> int:
    """Show what changed from OLD to NEW: versions, dates, `work` (the working files, default of
    NEW), or folders of other projects.

    Exit code: 1 if a part cannot be read, or with --against if there are errors.
    """
    name = choose_pack(project, pack)
    if (old is None) == (against is None):
        hint = _("Give OLD, or --against REVISION.")
        raise UsageError(_("the older state is not given, or is given twice"), hint)
    packs = PackFiles(project)
    if old is None:
        comparison = compare_with_revision(project, name, str(against))
        states = (comparison.old, comparison.new)
        changes, findings = comparison.difference, comparison.findings
    else:
        before, after, findings = load_two_states(packs, name, old, new)
        states = (before, after)
        # Two releases of different branches: the later one may take back the earlier one.
        releases = packs.open_releases(name)
        lost_changes = find_lost_changes_between(releases, before.label, after.label)
        findings = (*findings, *lost_changes)
        changes = compare_with_past(packs, before, after)
    code = echo_findings(findings, lang, err=True)
    if code and changes.empty and old is not None:
        return code  # what could be read does not differ: that is not said of the whole
    _print_difference(changes, form, lang)
    if pictures is not None:
        _write_pictures(project, states, changes, pictures, form)
    return code


def _print_difference(changes: Difference, form: str, lang: str) -> None:
    text = FORMATS[form](changes, lang)
    if form == "text":
        print_lines(text)
    else:
        write(text, nl=False)


def _write_pictures(
    project: Project,
    states: tuple[Snapshot, Snapshot],
    changes: Difference,
    folder: Path,
    form: str,
) -> None:
    """Write a picture of each changed card. In Markdown, links to them follow the text.

    Cards that cannot be rendered have no picture: `check` reports their errors.
    """
    from builder.usecases.release.notes import compose_release_notes, print_notes

    old, new = states
    notes = compose_release_notes(old, new, (new.source,), difference=changes)
    with ProgressBar() as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        places = get_render_folders(project, changes.pack)
        files = print_notes(places, old, new, notes, workers, ("png",))[0]
    for name, data in files.items():
        write_atomic(folder / changes.pack / name, data)
    if form == "markdown":
        write(
            format_pictures(notes[0], f"{folder.as_posix()}/{changes.pack}", files),
            nl=False,
        )
