"""`squadpress screens`."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.build.options import grouped, lang_option, only_option, selection
from builder.cli.language import interface_language
from builder.cli.options import as_of_option, project_option
from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.build.options import Selection
    from builder.usecases.build.screens import Form

shown_options = grouped(
    "select", selection, lang_option, only_option,
    click.option("--roster", type=click.Path(path_type=Path), metavar="FILE", help="Just the cards of this squad."),
    as_of_option,
)  # fmt: skip
FORMS = ["png", "webp", "tabletop", "overview", "gallery"]


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--as", "forms", type=click.Choice(FORMS), multiple=True, default=["png"], show_default=True,
    help="What is made; may be given again.",
)  # fmt: skip
@click.option("--dpi", type=click.IntRange(36, 1200), default=150, show_default=True, help="Pixels per inch of card.")
@click.option("--url", metavar="URL", help="tabletop: where the sheets will be found; by default this disk.")
@shown_options
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Where folders go; else output/PACK.")
@project_option
def screens(
    project: Project,
    pack: str | None,
    forms: tuple[Form, ...],
    dpi: int,
    url: str | None,
    output: Path | None,
    select: Selection,
) -> int:
    """Make pictures of PACK's cards: a file per face, deck sheets for a simulated table, an overview, a gallery.

    Ends with 0, or 1 where cards could not be set.
    """
    from builder.cli.console import Bar
    from builder.findings import has_errors
    from builder.report.findings import FORMATS
    from builder.usecases.build.options import WorkerPool
    from builder.usecases.build.screens import Screen, build_screens
    from builder.usecases.build.typeset import collect

    workers = WorkerPool(min(os.cpu_count() or 1, 8))
    results = []
    for each, form in product(project.choose(pack), dict.fromkeys(forms)):
        with Bar(quiet=False) as bar:
            screen = Screen(form, dpi, url, output)
            results.append(build_screens(project, each, select, screen, workers, bar.step))
        for file in results[-1].files:
            cards = ngettext("{count} card", "{count} cards", file.cards)
            pictures = ngettext("{count} picture", "{count} pictures", file.pages)
            told = _("{folder}: {cards} in {pictures}", folder=file.path, cards=cards, pictures=pictures)
            click.echo(translate(told, interface_language()))
    findings = tuple(dict.fromkeys(collect(results)))
    if findings:
        click.echo(FORMATS["text"](findings, interface_language()), nl=False, err=not has_errors(findings))
    return 1 if has_errors(findings) else 0
