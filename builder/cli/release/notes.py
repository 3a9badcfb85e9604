"""`squadpress release notes`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.language import interface_language
from builder.cli.options import pack_option, project_option
from builder.messages import gettext as _

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("old")
@click.argument("new", default="work")
@click.option("--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write files here instead of printing.")
@click.option("--pdf", is_flag=True, help="With --output: a printable PDF too, with the cards before and after.")
@pack_option
@project_option
def notes(
    old: str, new: str, lang: tuple[str, ...], output: Path | None, pdf: bool, pack: str | None, project: Project
) -> int:
    """Release notes from OLD to NEW, from the cards' histories, with old and new values."""
    from builder.errors import UsageError
    from builder.files import write_atomic
    from builder.report.release import notes_markdown
    from builder.usecases.files import PackFiles
    from builder.usecases.release.notes import release_notes
    from builder.usecases.release.states import one_pack, state_of

    if pdf and output is None:
        raise UsageError(_("a PDF needs a folder"), _("Name one with --output DIR."))
    name = one_pack(project, pack)
    states = [state_of(PackFiles(project), name, state)[0] for state in (old, new)]
    made = release_notes(states[0], states[1], lang)
    for one in made:
        if output is None:
            click.echo(notes_markdown(one))
        else:
            path = output / f"{name}-{one.new}-notes-{one.lang}.md"
            write_atomic(path, notes_markdown(one).encode("utf-8"))
            click.echo(str(path))
    if pdf and output is not None:
        from builder.cli.console import Bar
        from builder.findings import has_errors
        from builder.report.findings import as_text
        from builder.usecases.release.notes import print_notes

        with Bar(quiet=False) as bar:
            files, findings = print_notes(project, states[0], states[1], made, output, os.cpu_count() or 1, bar.step)
        for file in files:
            click.echo(str(file))
        if findings:
            click.echo(as_text(findings, interface_language()), nl=False, err=True)
        return 1 if has_errors(findings) else 0
    return 0
