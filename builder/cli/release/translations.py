"""`squadpress translations`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.language import interface_language
from builder.cli.options import pack_option, project_option
from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.option("--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all.")
@click.option("--template", type=click.Path(path_type=Path), metavar="DIR", help="Write files for translators here.")
@click.option("--take", "filled", type=click.Path(path_type=Path), metavar="FILE", help="Take in a filled file.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@pack_option
@project_option
def translations(
    lang: tuple[str, ...], template: Path | None, filled: Path | None, form: str, pack: str | None, project: Project
) -> int:
    """Which texts are missing, stale or mere copies of the source, per language.

    Ends with 0 if all are fresh and with 1 if not.
    """
    from builder.files import write_atomic
    from builder.report import translations as report
    from builder.usecases.files import PackFiles
    from builder.usecases.release.states import one_pack
    from builder.usecases.release.translate import coverages, take

    name = one_pack(project, pack)
    if filled is not None:
        taken = list(take(project, name, filled))
        for file, count in taken:
            told = ngettext("{file}: {count} text", "{file}: {count} texts", count, file=file)
            click.echo(translate(told, interface_language()))
        if not taken:
            click.echo(translate(_("{file}: no text is filled in", file=filled), interface_language()))
        return 0
    found = coverages(PackFiles(project), name, lang)
    for one in found if template is not None else ():
        assert template is not None
        path = template / f"{name}-{one.lang}.yaml"
        write_atomic(path, report.template(name, one).encode("utf-8"))
        told = ngettext(
            "{file}: {count} text to translate", "{file}: {count} texts to translate", len(one.open), file=path
        )
        click.echo(translate(told, interface_language()))
    if template is None:
        click.echo((report.as_json if form == "json" else report.as_text)(name, found), nl=False)
    return 1 if any(one.open for one in found) else 0
