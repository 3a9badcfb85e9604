"""`squadpress print`."""

from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, shorten_path
from builder.cli.options import PATH
from builder.errors import UsageError
from builder.findings import has_errors
from builder.imported.card import ImportedList
from builder.messages import gettext as _, ngettext
from builder.usecases.imports.list_findings import report_list
from builder.usecases.imports.pack_files import FORMATS
from builder.usecases.imports.print_list import (
    PrintedList,
    PrintOptions,
    print_list,
    print_squad,
    read_list,
)


@click.command(name="print")
@click.argument("file", type=PATH)
@click.option(
    "--size",
    type=click.Choice(list(FORMATS)),
    help="Size of the cards in mm. Default: 120x70, or a6 for long texts.",
)
@click.option("--lang", metavar="LANG", help="Language of the list. Default: found by its letters.")
@click.option(
    "--profile",
    default="home-a4",
    metavar="NAME",
    help="Print profile: home-a4, home-letter ... [default: home-a4]",
)
@click.option("--output", type=PATH, help="The PDF to write. Default: FILE-cards.pdf next to FILE.")
def print_cards(file: Path, size: str | None, lang: str, profile: str, output: Path | None) -> int:
    """Print cards and a squad sheet for a list from another program, or for your own squad.

    FILE is a BattleScribe file (.ros, .rosz), a JSON file of New Recruit or ListForge, or a squad
    of a pack. Nothing of it is sent anywhere.

    Exit code: 0, or 1 if a card cannot be printed.
    """
    options = PrintOptions(format=size, lang=lang, profile=profile, output=output)
    imported = read_list(file)
    if imported is None:
        return print_own_squad(file, options)
    printed = print_list(imported, file, options)
    if has_errors(printed.findings):
        return echo_findings(printed.findings, err=True)
    echo_findings(tuple(report_list(imported, shorten_path(file))), err=True)
    echo_list(imported)
    echo_file(printed)
    return 0


def print_own_squad(file: Path, options: PrintOptions) -> int:
    """Print a squad of a pack, as `build --roster` does. Card sizes are those of the pack."""
    if options.format:
        raise UsageError(
            _("{file} is a squad of a pack, whose cards have their own sizes", file=file),
            _("Leave out --size."),
        )
    if options.output:
        raise UsageError(
            _("{file} is a squad of a pack: it has a PDF for each language", file=file),
            _("Use: squadpress build --roster {file} --output DIR", file=file),
        )
    result = print_squad(file, options)
    for built_file in result.files:
        echo(_("{file}: {pages} pages", file=shorten_path(built_file.path), pages=built_file.pages))
    return echo_findings(result.findings, err=not has_errors(result.findings))


def echo_list(imported: ImportedList) -> None:
    """Print a summary of the list: game, units and costs."""
    units = sum(card.copies for card in imported.cards)
    echo(
        ngettext(
            "{name} ({system}): {count} unit",
            "{name} ({system}): {count} units",
            units,
            name=imported.name,
            system=imported.system_name or _("unknown game"),
        )
    )
    form = _("Total {total:g} {unit}: {cards:g} on cards, {rest:g} without a card")
    if not imported.has_equal_costs:
        form = _(
            "Warning: the file says {total:g} {unit}, but its entries cost {cards:g} on cards and "
            "{rest:g} without a card"
        )
    if imported.cost_name:
        echo(
            _(
                form,
                total=imported.total,
                unit=imported.cost_name,
                cards=imported.card_cost,
                rest=imported.leftover_cost,
            )
        )


def echo_file(printed: PrintedList) -> None:
    """Print where the PDF is."""
    assert printed.file is not None
    echo(
        ngettext(
            "{file}: {count} card {size} and a squad sheet on {pages} pages",
            "{file}: {count} cards {size} and a squad sheet on {pages} pages",
            printed.card_count,
            file=shorten_path(printed.file),
            size=printed.format,
            pages=printed.page_count,
        )
    )
