"""`squadpress print`."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import click

from builder.cli.console import echo, echo_findings, shorten_path
from builder.cli.options import PATH
from builder.errors import UsageError
from builder.findings import has_errors
from builder.imported.card import ImportedCard, ImportedList
from builder.imported.cardmaker import CardScope
from builder.messages import gettext as _, ngettext
from builder.packs.project import find_project
from builder.usecases.build.select import read_roster
from builder.usecases.imports.list_findings import report_list
from builder.usecases.imports.pack_files import FORMATS
from builder.usecases.imports.print_list import (
    PrintedList,
    PrintOptions,
    print_list,
    print_squad,
    read_imported_list,
)
from builder.usecases.imports.themes import (
    DEFAULT_THEME,
    find_system_theme,
    list_themes,
)

MIN_TEXT_SIZE_PT = 7
MAX_TEXT_SIZE_PT = 12
DESIGN_OPTIONS = frozenset({"--cards", "--size", "--text-size", "--theme"})
"""The options that `squadpress import` has too."""


@click.command(name="print")
@click.argument("file", type=PATH)
@click.option(
    "--cards",
    type=click.Choice([scope.value for scope in CardScope]),
    default=CardScope.UNIT.value,
    help="A card for each unit, or for each model of a unit. [default: unit]",
)
@click.option(
    "--size",
    type=click.Choice(list(FORMATS)),
    help="Size of the cards in mm. Default: 120x70, or a6 for long texts.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help=(
        "Print only these units: names or patterns such as 'Ash*', or `title` or `reference` for "
        "these cards. The squad sheet still shows the whole list. Can be repeated."
    ),
)
@click.option(
    "--copies",
    type=click.IntRange(1, 20),
    default=1,
    help="Copies of the card of each unit. [default: 1]",
)
@click.option(
    "--reference/--no-reference",
    "has_references",
    default=True,
    help="Print or leave out the cards with texts that several units share. [default: print]",
)
@click.option(
    "--rulings",
    "has_rulings",
    is_flag=True,
    help="For a squad of a pack: print the rulings about its cards on the squad sheet.",
)
@click.option(
    "--text-size",
    type=click.FloatRange(MIN_TEXT_SIZE_PT, MAX_TEXT_SIZE_PT),
    metavar="PT",
    help=(
        "Size of the texts in pt, from 7 to 12. Default: 7.5 to 10.5, as large as the cards permit."
    ),
)
@click.option(
    "--variant",
    type=click.Choice(["full", "ink"]),
    default="full",
    help="`ink` saves ink: black on white, without coloured areas. [default: full]",
)
@click.option(
    "--theme",
    metavar="NAME|FILE",
    help=(
        f"Colours and columns of the cards: a theme file, or {', '.join(list_themes())}. "
        "Default: by the game system."
    ),
)
@click.option(
    "--lang",
    metavar="LANG",
    help="Language of the list. Default: found by its letters.",
)
@click.option(
    "--profile",
    default="home-a4",
    metavar="NAME",
    help=(
        "Paper: home-a4, home-letter, home-a3 or home-tabloid; or a face per page: screen or "
        "proof. [default: home-a4]"
    ),
)
@click.option(
    "--output",
    type=PATH,
    help=(
        "The PDF to write. Default: FILE-cards.pdf next to FILE; for a squad of a pack, a file in "
        "output/PACK/."
    ),
)
def print_cards(
    file: Path,
    cards: str,
    size: str | None,
    only: tuple[str, ...],
    copies: int,
    has_references: bool,
    has_rulings: bool,
    text_size: float | None,
    variant: Literal["full", "ink"],
    theme: str | None,
    lang: str,
    profile: str,
    output: Path | None,
) -> int:
    """Print cards and a squad sheet for a list from another program, or for a squad of a pack.

    FILE is a BattleScribe file (.ros, .rosz), a JSON file of New Recruit or ListForge, or a squad
    of a pack. Nothing of it is sent anywhere.

    A squad of a pack has its own cards. It refuses --cards, --size, --only, --copies,
    --no-reference, --text-size and --theme. Its PDF is in output/PACK/ of its project.

    Exit code: 0; 1 if a card cannot be printed; 2 for a wrong option; 3 if FILE cannot be read;
    5 if the PDF cannot be written.
    """
    options = PrintOptions(
        format=size,
        lang=lang,
        theme=theme,
        text_size=text_size,
        scope=CardScope(cards),
        only=only,
        copies=copies,
        has_references=has_references,
        has_rulings=has_rulings,
        variant=variant,
        profile=profile,
        output=output,
    )
    imported = read_imported_list(file, options)
    if imported is None:
        return print_own_squad(file, options)
    if has_rulings:
        hint = _("Rulings belong to a pack. Leave out --rulings.")
        raise UsageError(_("{file} is not a squad of a pack", file=file), hint)
    printed = print_list(imported, file, options)
    if has_errors(printed.findings):
        return echo_findings(printed.findings, err=True)
    findings = (*report_list(imported, shorten_path(file)), *printed.findings)
    echo_findings(findings, err=True)
    if options.only:
        echo_selection(printed)
    if not options.only or not imported.has_equal_costs:
        echo_list(imported)
    else:
        echo_excess(imported)
    echo_file(printed)
    echo_theme(imported, options)
    return 0


def print_own_squad(file: Path, options: PrintOptions) -> int:
    """Print a squad of a pack, as `build --roster` does. Refuse options for foreign lists."""
    used_options = {
        "--cards": options.scope is not CardScope.UNIT,
        "--size": options.format is not None,
        "--only": bool(options.only),
        "--copies": options.copies > 1,
        "--no-reference": not options.has_references,
        "--text-size": options.text_size is not None,
        "--theme": options.theme is not None,
    }
    unusable_options = [name for name, is_used in used_options.items() if is_used]
    if unusable_options:
        roster = read_roster(find_project(file.parent), file)
        hints = [_("Leave out {names}.", names=", ".join(unusable_options))]
        if options.only:
            form = _(
                "To print some cards, use `squadpress build {pack} --only CARD_ID`."
            )
            hints.append(_(form, pack=roster.pack))
        design_options = sorted(DESIGN_OPTIONS.intersection(unusable_options))
        # The squad of an imported list can be imported again with another design.
        if roster.origin is not None and design_options:
            form = _(
                "To change the design, import the list into a new folder with {names}."
            )
            hints.append(_(form, names=", ".join(design_options)))
        message = _("{file} is a squad of a pack, which has its own cards", file=file)
        raise UsageError(message, " ".join(hints))
    result = print_squad(file, options)
    for built_file in result.files:
        echo(
            _(
                "{file}: {pages} pages",
                file=shorten_path(built_file.path),
                pages=built_file.pages,
            )
        )
    return echo_findings(result.findings, err=not has_errors(result.findings))


def _count_units(cards: Iterable[ImportedCard]) -> int:
    return sum(card.copies for card in cards)


def echo_selection(printed: PrintedList) -> None:
    """Print how many units of the list get cards with `--only`, and their cost."""
    imported = printed.imported
    form = _("{name}: {count} of {all} units, {cost:.12g} of {total:.12g} {unit}")
    if not imported.cost_name:
        form = _("{name}: {count} of {all} units")
    echo(
        _(
            form,
            name=imported.name,
            count=_count_units(printed.units),
            all=_count_units(imported.cards),
            cost=sum(card.cost * card.copies for card in printed.units),
            total=imported.total,
            unit=imported.cost_name,
        )
    )


def echo_list(imported: ImportedList) -> None:
    """Print a summary of an imported list: name, game, units and costs."""
    units = _count_units(imported.cards)
    echo(
        ngettext(
            "{name} ({system}): {count} unit",
            "{name} ({system}): {count} units",
            units,
            name=imported.name,
            system=imported.system_name or _("unknown game"),
        )
    )
    form = _(
        "Total {total:.12g} {unit}: {cards:.12g} on cards, {rest:.12g} without a card"
    )
    if not imported.has_equal_costs:
        form = _(
            "Warning: the file says {total:.12g} {unit}, but its entries cost {cards:.12g} "
            "on cards and {rest:.12g} without a card"
        )
    if imported.cost_name and imported.has_costs:
        echo(
            _(
                form,
                total=imported.total,
                unit=imported.cost_name,
                cards=imported.card_cost,
                rest=imported.leftover_cost,
            )
        )
    echo_excess(imported)


def echo_excess(imported: ImportedList) -> None:
    """Print how far the list is over its cost limit, if it is."""
    if imported.excess_cost:
        echo(
            _(
                "{excess:.12g} {unit} over the limit of {limit:.12g}",
                excess=imported.excess_cost,
                unit=imported.cost_name,
                limit=imported.cost_limit,
            )
        )


def echo_file(printed: PrintedList) -> None:
    """Print the path of the PDF with its numbers of cards and pages."""
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
    counts: Counter[str] = Counter()
    for card, copies in printed.copies_by_card:
        counts["continued" if card.part > 1 else card.card_type.value] += copies
    texts = {
        "unit": ngettext("{count} unit", "{count} units", counts["unit"]),
        "continued": _("{count} continued", count=counts["continued"]),
        "title": _("{count} title", count=counts["title"]),
        "reference": _("{count} reference", count=counts["reference"]),
    }
    parts = [text for name, text in texts.items() if counts[name]]
    echo(_("Cards: {parts}", parts=", ".join(parts)))


def echo_theme(imported: ImportedList, options: PrintOptions) -> None:
    """Print which theme was used, and how it was chosen."""
    system_theme = find_system_theme(imported.system_id)
    if options.theme:
        echo(_("Theme: {theme}", theme=options.theme))
    elif system_theme:
        echo(_("Theme: {theme} (by the game system)", theme=system_theme))
    else:
        echo(_("Theme: {theme} (default)", theme=DEFAULT_THEME))
