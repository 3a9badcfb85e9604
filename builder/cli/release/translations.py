"""`squadpress translations`."""

from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.language import interface_language
from builder.cli.options import PATH, pack_option, project_option
from builder.files import write_atomic
from builder.messages import gettext as _, ngettext
from builder.store.project import Project


@click.command()
@click.option("--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all.")
@click.option("--template", type=PATH, metavar="DIR", help="Write files for translators here.")
@click.option("--take", "filled", type=PATH, metavar="FILE", help="Take in a filled file.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@pack_option
@project_option
def translations(
    lang: tuple[str, ...], template: Path | None, filled: Path | None, form: str, pack: str | None, project: Project
) -> int:
    """Which texts are missing, stale or mere copies of the source, per language.

    Ends with 0 if all are fresh and with 1 if not.
    """
    from builder.report import translations as report
    from builder.usecases.files import PackFiles, read_form
    from builder.usecases.release.translate import coverages, take
    from builder.usecases.storage import one_pack

    name, packs = one_pack(project, pack), PackFiles(project)
    if filled is not None:
        taken = take(packs, name, read_form(filled), str(filled))
        for file, count in taken:
            echo(ngettext("{file}: {count} text", "{file}: {count} texts", count, file=file))
        if not taken:
            echo(_("{file}: no text is filled in", file=filled))
        return 0
    found = coverages(packs, name, lang)
    if template is None:
        write((report.as_json if form == "json" else report.as_text)(name, found, interface_language()), nl=False)
    else:
        for one in found:
            path = template / f"{name}-{one.lang}.yaml"
            write_atomic(path, report.template(name, one, interface_language()).encode("utf-8"))
            echo(
                ngettext(
                    "{file}: {count} text to translate", "{file}: {count} texts to translate", len(one.open), file=path
                )
            )
    return 1 if any(one.open for one in found) else 0
