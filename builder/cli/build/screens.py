"""`squadpress screens`."""

from itertools import product
from pathlib import Path

import click

from builder.cli.build.options import lang_option, only_option, product_option
from builder.cli.console import (
    ProgressBar,
    echo,
    echo_engine,
    echo_findings,
    echo_old_files,
    shorten_path,
)
from builder.cli.options import PATH, as_of_option, group_options, project_option
from builder.cli.private_packs import omit_imported_packs
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import gettext as _, ngettext
from builder.packs.project import Project
from builder.usecases.build.build_options import CORES, Selection, WorkerPool
from builder.usecases.build.pictures import Form, PictureOptions
from builder.usecases.build.screens import build_screens


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--as",
    "forms",
    type=click.Choice(["png", "webp", "tabletop", "cgs", "overview", "gallery"]),
    multiple=True,
    default=["png"],
    show_default=True,
    help="What to write. Can be repeated.",
)
@click.option(
    "--dpi",
    type=click.IntRange(36, 1200),
    default=150,
    show_default=True,
    help="Pixels per inch of card.",
)
@click.option(
    "--url",
    metavar="URL",
    help="tabletop, cgs: the address at which the folder will be found. Default: this disk.",
)
@group_options(
    "select",
    Selection,
    lang_option,
    only_option,
    click.option(
        "--roster", type=PATH, metavar="FILE", help="Only the cards of this squad."
    ),
    product_option,
    as_of_option,
)
@click.option(
    "--output", type=PATH, metavar="DIR", help="Output folder. Default: output/PACK."
)
@click.option(
    "--strict", is_flag=True, help="Write nothing if a card has an error: no draft."
)
@project_option
def screens(
    project: Project,
    pack: str | None,
    forms: tuple[Form, ...],
    dpi: int,
    url: str | None,
    output: Path | None,
    strict: bool,
    select: Selection,
) -> int:
    """Write pictures of the cards of PACK: one file per face, deck sheets for tabletop simulators,
    an overview, a gallery.

    If a card does not fit, they are written to a folder whose name ends in -draft, with the faults
    in red frames.

    Exit code: 0, or 1 if a card could not be rendered.
    """
    results = []
    packs = list(project.choose_packs(pack))
    if pack is None and ("gallery" in forms or url is not None):
        packs = omit_imported_packs(project, packs)
    for pack_id, form in product(packs, dict.fromkeys(forms)):
        picture_options = PictureOptions(form, dpi, url, output, strict)
        with ProgressBar() as bar:
            workers = WorkerPool(CORES, progress=bar.step)
            result = build_screens(project, pack_id, select, picture_options, workers)
        results.append(result)
        echo_engine(pack_id, result.engine_choice)
        for file in result.files:
            cards = ngettext("{count} card", "{count} cards", file.cards)
            pictures = ngettext("{count} picture", "{count} pictures", file.pages)
            line = _("{folder}: {cards} in {pictures}")
            if file.draft:
                line = _("{folder}: draft, {cards} in {pictures}")
            folder = shorten_path(file.path)
            echo(_(line, folder=folder, cards=cards, pictures=pictures))
        echo_old_files(file.path for file in result.files if file.draft)
    all_findings: list[Finding] = []
    for result in results:
        all_findings += result.findings
    # Each form of pictures reports the same cards.
    findings = sort_findings(dict.fromkeys(all_findings))
    return echo_findings(findings, err=not has_errors(findings))
