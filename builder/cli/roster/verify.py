"""`squadpress roster verify`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import project_option
from builder.cli.roster.options import lang_option
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@lang_option
@project_option
def verify(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Judge again what a verdict FILE (NAME.verdict.json) holds, and say whether it is confirmed.

    Ends with 1 if anything differs.
    """
    from builder.store.jsonfile import read_json
    from builder.usecases.files import PackFiles
    from builder.usecases.roster.verdict import REMEDY
    from builder.usecases.roster.verdict import verify as repeat

    fine, say = True, partial(translate, lang=lang or "en")
    for file in files:
        again = repeat(PackFiles(project), read_json(file, REMEDY), str(file))
        fine = fine and not again.differences
        by = f"{again.pack} {again.release}" if again.release else again.pack
        word = say(_("REFUTED  ") if again.differences else _("confirmed"))
        stated = say(_("legal") if again.legal else _("ILLEGAL"))
        click.echo(f"{word} {file}: {stated}, {by}")
        for told in again.differences:
            click.echo(f"  {say(told)}")
    return 0 if fine else 1
