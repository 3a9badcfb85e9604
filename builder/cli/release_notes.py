"""`squadpress release notes`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import pack_option, project_option

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("old")
@click.argument("new", default="work")
@click.option("--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write files here instead of printing.")
@pack_option
@project_option
def notes(old: str, new: str, lang: tuple[str, ...], output: Path | None, pack: str | None, project: Project) -> int:
    """Release notes from OLD to NEW, from the cards' histories, with old and new values."""
    from builder.report.notes import markdown
    from builder.store.atomic import write_atomic
    from builder.usecases.release_notes import release_notes
    from builder.usecases.release_states import one_pack, state_of

    name = one_pack(project, pack)
    states = [state_of(project, name, state)[0] for state in (old, new)]
    for one in release_notes(states[0], states[1], lang):
        if output is None:
            click.echo(markdown(one))
        else:
            path = output / f"{name}-{one.new}-notes-{one.lang}.md"
            write_atomic(path, markdown(one).encode("utf-8"))
            click.echo(str(path))
    return 0
