"""`squadpress screens` and `fit`: pictures of cards, and how their texts came out."""

from itertools import product
from pathlib import Path

import click

from builder.cli.build.options import lang_option, only_option, product_option
from builder.cli.console import Bar, echo, echo_findings, shown, write
from builder.cli.language import interface_language
from builder.cli.options import PATH, as_of_option, grouped, project_option
from builder.findings import has_errors, sort_findings
from builder.messages import gettext as _, ngettext
from builder.packs.project import Project
from builder.report.fit import fit_text
from builder.usecases.build.build_options import CORES, Selection, WorkerPool
from builder.usecases.build.pictures import Form, Screen
from builder.usecases.build.screens import build_screens
from builder.usecases.build.typeset import fit_report


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--as", "forms", type=click.Choice(["png", "webp", "tabletop", "cgs", "overview", "gallery"]), multiple=True,
    default=["png"], show_default=True, help="What is made; may be given again."
)  # fmt: skip
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
    help="tabletop, cgs: where the folder will be found; by default this disk.",
)
@grouped(
    "select", Selection, lang_option, only_option,
    click.option("--roster", type=PATH, metavar="FILE", help="Just the cards of this squad."),
    product_option,
    as_of_option,
)  # fmt: skip
@click.option("--output", type=PATH, metavar="DIR", help="Where folders go; else output/PACK.")
@project_option
def screens(
    project: Project, pack: str | None, forms: tuple[Form, ...], dpi: int, url: str | None, output: Path | None,
    select: Selection,
) -> int:  # fmt: skip
    """Make pictures of PACK's cards: a file per face, deck sheets for a simulated table, an overview, a gallery.

    Ends with 0, or 1 where cards could not be set.
    """
    results = []
    for each, form in product(project.choose(pack), dict.fromkeys(forms)):
        with Bar() as bar:
            screen = Screen(form, dpi, url, output)
            results.append(
                build_screens(project, each, select, screen, WorkerPool(CORES, progress=bar.step))
            )
        for file in results[-1].files:
            cards = ngettext("{count} card", "{count} cards", file.cards)
            pictures = ngettext("{count} picture", "{count} pictures", file.pages)
            echo(
                _(
                    "{folder}: {cards} in {pictures}",
                    folder=shown(file.path),
                    cards=cards,
                    pictures=pictures,
                )
            )
    findings = sort_findings(
        dict.fromkeys(finding for result in results for finding in result.findings)
    )
    return echo_findings(findings, err=not has_errors(findings))


@click.command()
@click.argument("pack", required=False)
@grouped("select", Selection, lang_option, only_option, as_of_option)
@project_option
def fit(project: Project, pack: str | None, select: Selection) -> int:
    """List every text block of PACK that had to shrink, worst first, and the emptiest.

    Ends with 0, or 1 where cards could not be set at all.
    """
    status = 0
    for each in project.choose(pack):
        with Bar() as bar:
            report, findings = fit_report(
                project, each, select, WorkerPool(CORES, progress=bar.step)
            )
        write(fit_text(report, interface_language()), nl=False)
        status = max(status, echo_findings(findings, err=True))
    return status
