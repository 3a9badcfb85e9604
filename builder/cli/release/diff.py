"""`squadpress release diff`."""

import click

from builder.cli.console import echo_findings, print_lines, write
from builder.cli.options import lang_option, pack_option, project_option
from builder.errata.difference import compare_states
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import FORMATS
from builder.usecases.pack_states import choose_pack, load_two_states


@click.command("diff")
@click.argument("old")
@click.argument("new", default="work")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
)
@lang_option
@pack_option
@project_option
def show_difference(
    old: str, new: str, form: str, lang: str, pack: str | None, project: Project
) -> int:
    """Show what changed from OLD to NEW: versions, dates, `work` (the working files, default of
    NEW), or folders of other projects.

    Exit code: 1 if a part cannot be read.
    """
    name = choose_pack(project, pack)
    packs = PackFiles(project)
    before, after, findings = load_two_states(packs, name, old, new)
    code = echo_findings(findings, lang, err=True)
    changes = compare_states(before, after)
    if code and changes.empty:
        return code  # what could be read does not differ: that is not said of the whole
    text = FORMATS[form](changes, lang)
    if form == "text":
        print_lines(text)
    else:
        write(text, nl=False)
    return code
