"""Options of commands that render cards: each group is given to the command as one typed value."""

import re

import click

from builder.cli.options import PATH, as_of_option, engine_option, group_options
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.build.build_options import (
    STORE,
    WORKERS,
    HomeOptions,
    PublishOptions,
    Selection,
    make_worker_pool,
)


def _parse_grid(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Parse a grid such as `3x3` to columns and rows. Raise UsageError if it is not valid."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d+)x(\d+)", value.lower())
    if match is None or not int(match[1]) or not int(match[2]):
        raise UsageError(
            _("{grid!r} is not a grid", grid=value),
            _("Write columns x rows, for example --grid 3x3."),
        )
    return int(match[1]), int(match[2])


def _parse_skipped_positions(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[int, ...]:
    """Parse the sheet positions to skip. Raise UsageError for anything but numbers."""
    if value is None:
        return ()
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if not parts or not all(
        part.isdecimal() and 0 < int(part) <= 1000 for part in parts
    ):
        raise UsageError(
            _("{asked!r} is not a position on a sheet", asked=value),
            _("Write --skip 3 to skip the first three positions, or --skip 1,2,5."),
        )
    numbers = tuple(map(int, parts))
    # A single number is a count, and a list has positions.
    return numbers if "," in value else tuple(range(1, numbers[0] + 1))


lang_option = click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="LANG",
    help="Language, or `all`. Can be repeated. Default: all.",
)
only_option = click.option(
    "--only",
    multiple=True,
    metavar="SELECTOR",
    help="Choose cards: kind=A,B · faction=A,B · id patterns 'A*,B'.",
)
product_option = click.option(
    "--product",
    metavar="ID",
    help="Print the cards in one box of a product in products.yaml.",
)
selection_options = group_options(
    "select",
    Selection,
    lang_option,
    only_option,
    click.option("--roster", type=PATH, metavar="FILE", help="Print only this squad."),
    product_option,
    click.option(
        "--rulings",
        is_flag=True,
        help="With --roster: print the rulings about its cards on the squad sheet.",
    ),
    click.option(
        "--variant",
        type=click.Choice(["full", "ink", "foil", "white"]),
        default="full",
        show_default=True,
        help="`ink` saves ink; `foil` and `white` print the areas for these finishes.",
    ),
    engine_option,
    as_of_option,
)
"""The options that select cards, given to the command as `select`."""
publishing_options = group_options(
    "publish",
    PublishOptions,
    click.option(
        "--profile",
        default="home-a4",
        show_default=True,
        help=(
            "Print profile: home-a4, home-a3, home-letter, "
            "home-tabloid, screen, proof ... or shop:PRESET."
        ),
    ),
    click.option(
        "--output",
        type=PATH,
        metavar="DIR",
        help="Output folder. Default: output/PACK.",
    ),
    click.option(
        "--gauges",
        is_flag=True,
        callback=lambda _context, _option, only: "only" if only else "with",
        help="Print only the rulers, templates and tokens that come with a complete set.",
    ),
    click.option(
        "--zip",
        "zipped",
        is_flag=True,
        help="Write the print shop's files as an archive instead of a folder.",
    ),
    click.option(
        "--allow-untranslated",
        "untranslated",
        is_flag=True,
        help=(
            "Also print cards with missing or outdated translations. Each is marked at "
            "its bottom edge."
        ),
    ),
    click.option(
        "--strict",
        is_flag=True,
        help=(
            "Write nothing if a card has an error. Without it, a draft shows cards that do not fit."
        ),
    ),
    click.option(
        "--own-use",
        is_flag=True,
        help=(
            "Order an imported pack from a print shop. You confirm that the cards are for "
            "yourself only."
        ),
    ),
    click.option(
        "--icc",
        type=PATH,
        metavar="FILE",
        help=(
            "ICC profile of the shop's printing condition. `general` uses this machine's "
            "CMYK profile."
        ),
    ),
)
"""The options of the output, given to the command as `publish`."""
home_options = group_options(
    "home",
    HomeOptions,
    click.option(
        "--gap",
        type=click.FloatRange(0, 50),
        metavar="MM",
        help="Distance between cards on a sheet.",
    ),
    click.option(
        "--grid",
        metavar="CxR",
        callback=_parse_grid,
        help="Columns x rows on a sheet. Refused if they do not fit.",
    ),
    click.option(
        "--marks",
        type=click.Choice(["on", "off", "ticks", "crosses", "outline"]),
        help="Which cut marks to print.",
    ),
    click.option(
        "--duplex",
        type=click.Choice(["long-edge", "short-edge", "none"]),
        help="Edge over which the printer turns the paper. `none`: fronts only.",
    ),
    click.option(
        "--fold",
        is_flag=True,
        help="Print backs beside their fronts, for folding. Needs no two-sided printing.",
    ),
    click.option(
        "--printer",
        metavar="NAME",
        help="Move the backs by the offset saved for this printer (`squadpress printer`).",
    ),
    click.option(
        "--cut",
        type=click.Choice(["svg", "dxf"]),
        multiple=True,
        help="Write cut lines for a cutting machine.",
    ),
    click.option(
        "--silhouette",
        "registration",
        is_flag=True,
        callback=lambda _context, _option, is_set: "silhouette" if is_set else None,
        help="Print the registration marks of Silhouette machines (type 1).",
    ),
    click.option(
        "--mark-sides",
        type=click.Choice(["front", "back", "both"]),
        help="Sides that get cut marks.",
    ),
    click.option(
        "--outer-bleed",
        is_flag=True,
        help="Place cards edge to edge. Only the outer edges of the sheet have bleed.",
    ),
    click.option(
        "--skip",
        metavar="N|N,N",
        callback=_parse_skipped_positions,
        help="Positions of the first sheet to skip: the first N, or a list such as 1,2,5.",
    ),
)
"""The options of sheets for a home printer, given to the command as `home`."""
workers_option = click.option(
    "--workers",
    envvar=WORKERS,
    metavar="N|dask://HOST:PORT",
    help=(
        "Number of rendering processes. Default: one per core, at most 8. Or the address "
        "of a cluster; needs --store."
    ),
)
store_option = click.option(
    "--store",
    envvar=STORE,
    metavar="DIR|URL",
    help="Share rendered faces with other machines in this folder or URL. Or $SQUADPRESS_STORE.",
)
worker_options = group_options(
    "workers", make_worker_pool, workers_option, store_option
)
"""The options of worker processes, given to the command as `workers`."""
