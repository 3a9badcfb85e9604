"""`squadpress translations`."""

from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.language import get_interface_language
from builder.cli.options import PATH, pack_option, project_option
from builder.errata.translations import Coverage
from builder.files import write_atomic
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.translation_files import (
    make_po_file,
    make_xliff_file,
    read_translations,
)
from builder.report.translations import format_text
from builder.usecases.pack_states import choose_pack
from builder.usecases.release.cards import (
    measure_coverages,
    take_texts,
)


@click.command()
@click.option(
    "--lang",
    multiple=True,
    metavar="LANG",
    help="Language. Can be repeated. Default: all.",
)
@click.option(
    "--template",
    type=PATH,
    metavar="DIR",
    help=("Write one file per language for translators into this folder."),
)
@click.option(
    "--as",
    "file_format",
    type=click.Choice(["po", "xliff"]),
    default="po",
    show_default=True,
    help="Format of these files.",
)
@click.option(
    "--take",
    "filled",
    type=PATH,
    metavar="FILE",
    help=("Import a file that a translator has filled in."),
)
@pack_option
@project_option
def translations(
    lang: tuple[str, ...],
    template: Path | None,
    file_format: str,
    filled: Path | None,
    pack: str | None,
    project: Project,
) -> int:
    """List texts that are not translated, outdated, or identical to the source, per language.

    Exit code: 0 if all required translations are up to date, 1 if not.
    """
    name = choose_pack(project, pack)
    packs = PackFiles(project)
    if filled is not None:
        result = take_texts(packs, name, *read_translations(filled), str(filled))
        for file, count in result:
            echo(
                ngettext(
                    "{file}: {count} text", "{file}: {count} texts", count, file=file
                )
            )
        if not result:
            echo(_("{file}: no new translations", file=filled))
        return 0
    coverages = measure_coverages(packs, name, lang)
    if template is None:
        write(format_text(name, coverages, get_interface_language()), nl=False)
    else:
        for coverage in coverages:
            _write_template(template, name, coverage, file_format)
    return (
        1
        if any(coverage.open and not coverage.partial for coverage in coverages)
        else 0
    )


def _write_template(
    folder: Path, name: str, coverage: Coverage, file_format: str
) -> None:
    """Write a file for a translator to fill in."""
    if file_format == "po":
        path = folder / f"{name}-{coverage.lang}.po"
        data = make_po_file(name, coverage)
    else:
        path = folder / f"{name}-{coverage.lang}.xlf"
        data = make_xliff_file(name, coverage)
    write_atomic(path, data)
    message = ngettext(
        "{file}: {count} text to translate",
        "{file}: {count} texts to translate",
        len(coverage.open),
        file=path,
    )
    echo(message)
