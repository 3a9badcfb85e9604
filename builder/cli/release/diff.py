"""`squadpress release diff`."""

import click

from builder.cli.console import echo_findings, print_lines, write
from builder.cli.options import lang_option, pack_option, project_option
from builder.errata.change import Difference
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import FORMATS
from builder.usecases.pack_states import choose_pack, load_two_states
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
    help="Compare the working files with a revision of git, such as main, instead of OLD. Reports "
    "a history that disagrees with the changes, and releases of the same version.",
)
@lang_option
@pack_option
@project_option
def show_difference(
    old: str | None,
    new: str,
    form: str,
    against: str | None,
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
        _print_difference(comparison.difference, form, lang)
        return echo_findings(comparison.findings, lang, err=True)
    before, after, findings = load_two_states(packs, name, old, new)
    code = echo_findings(findings, lang, err=True)
    changes = compare_with_past(packs, before, after)
    if code and changes.empty:
        return code  # what could be read does not differ: that is not said of the whole
    _print_difference(changes, form, lang)
    return code


def _print_difference(changes: Difference, form: str, lang: str) -> None:
    text = FORMATS[form](changes, lang)
    if form == "text":
        print_lines(text)
    else:
        write(text, nl=False)
