"""`squadpress translations`."""

from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.language import interface_language
from builder.cli.options import PATH, pack_option, project_option
from builder.files import write_atomic
from builder.messages import gettext as _, ngettext
from builder.report.translations import as_text
from builder.store.project import Project
from builder.store.translation_files import po_file, read_translations, xliff_file
from builder.usecases.files import PackFiles
from builder.usecases.release.translate import coverages, take
from builder.usecases.storage import one_pack


@click.command()
@click.option("--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all.")
@click.option("--template", type=PATH, metavar="DIR", help="Write a file for each language's translator here.")
@click.option("--as", "sort", type=click.Choice(["po", "xliff"]), default="po", show_default=True, help="Their format.")
@click.option("--take", "filled", type=PATH, metavar="FILE", help="Take in what such a file says now.")
@pack_option
@project_option
def translations(
    lang: tuple[str, ...], template: Path | None, sort: str, filled: Path | None, pack: str | None, project: Project
) -> int:
    """Which texts are missing, stale or mere copies of the source, per language.

    Ends with 0 if all that must be complete is fresh, and with 1 if not.
    """
    name, packs = one_pack(project, pack), PackFiles(project)
    if filled is not None:
        taken = take(packs, name, *read_translations(filled), str(filled))
        for file, count in taken:
            echo(ngettext("{file}: {count} text", "{file}: {count} texts", count, file=file))
        if not taken:
            echo(_("{file}: nothing new is filled in", file=filled))
        return 0
    found = coverages(packs, name, lang)
    if template is None:
        write(as_text(name, found, interface_language()), nl=False)
    else:
        for one in found:
            path = template / f"{name}-{one.lang}.{'po' if sort == 'po' else 'xlf'}"
            write_atomic(path, (po_file if sort == "po" else xliff_file)(name, one))
            echo(
                ngettext(
                    "{file}: {count} text to translate", "{file}: {count} texts to translate", len(one.open), file=path
                )
            )
    return 1 if any(one.open and not one.partial for one in found) else 0
