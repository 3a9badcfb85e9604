"""Options of commands that set cards: each group is given to the command as one typed value."""

import click

from builder.cli.options import PATH, as_of_option, engine_option, grouped
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.build.build_options import (
    STORE,
    WORKERS,
    Home,
    Publishing,
    Selection,
    worker_pool,
)


def _grid(
    _context: click.Context, _option: click.Parameter, asked: str | None
) -> tuple[int, int] | None:
    """Columns and rows. UsageError for a grid that is none."""
    columns, _unused, rows = (asked or "1x1").lower().partition("x")
    if not (columns.isdigit() and rows.isdigit() and int(columns) and int(rows)):
        raise UsageError(
            _("{grid!r} is no grid", grid=asked), _("Write columns x rows: --grid 3x3.")
        )
    return (int(columns), int(rows)) if asked is not None else None


def _skip(_context: click.Context, _option: click.Parameter, asked: str | None) -> tuple[int, ...]:
    """Places of a sheet. UsageError for what is no number."""
    parts = [part.strip() for part in (asked or "").split(",") if part.strip()]
    if not all(part.isdecimal() and 0 < int(part) <= 1000 for part in parts) or (
        asked is not None and not parts
    ):
        raise UsageError(
            _("{asked!r} is no place on a sheet", asked=asked),
            _("Write --skip 3, or --skip 1,2,5."),
        )
    numbers = tuple(map(int, parts))
    return numbers if "," in (asked or "") else tuple(range(1, numbers[0] + 1)) if numbers else ()


lang_option = click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="LANG",
    help="A language, or all; may be given again. Default: all.",
)
only_option = click.option(
    "--only", multiple=True, metavar="SELECTOR", help="kind=A,B · faction=A,B · id patterns 'A*,B'."
)
product_option = click.option(
    "--product", metavar="ID", help="What a box holds: a product of products.yaml."
)
selection_options = grouped(
    "select",
    Selection,
    lang_option,
    only_option,
    click.option("--roster", type=PATH, metavar="FILE", help="Print just this squad."),
    product_option,
    click.option(
        "--variant",
        type=click.Choice(["full", "ink", "foil", "white"]),
        default="full",
        show_default=True,
        help="ink saves ink; foil and white show where these go.",
    ),
    engine_option,
    as_of_option,
)
"""Which cards are meant, given to the command as `select`."""
publishing_options = grouped(
    "publish",
    Publishing,
    click.option(
        "--profile",
        default="home-a4",
        show_default=True,
        help="home-a4, home-letter, screen, proof ... or shop:PRESET.",
    ),
    click.option(
        "--output", type=PATH, metavar="DIR", help="Where files go. Default: output/PACK."
    ),
    click.option(
        "--gauges",
        is_flag=True,
        callback=lambda _context, _option, only: "only" if only else "with",
        help="Only rulers, templates and tokens, which a whole set brings along.",
    ),
    click.option(
        "--zip",
        "zipped",
        is_flag=True,
        help="A print shop's package as an archive instead of a folder.",
    ),
    click.option(
        "--allow-untranslated",
        "untranslated",
        is_flag=True,
        help="Print cards whose translation is missing or out of date; each is marked at its foot.",
    ),
    click.option(
        "--icc",
        type=PATH,
        metavar="FILE",
        help="ICC profile of the shop's printing condition; `general` accepts this machine's CMYK profile.",
    ),
)
"""How they are published, given to the command as `publish`."""
home_options = grouped(
    "home",
    Home,
    click.option(
        "--gap",
        type=click.FloatRange(0, 50),
        metavar="MM",
        help="Distance between cards on a sheet.",
    ),
    click.option(
        "--grid",
        metavar="CxR",
        callback=_grid,
        help="Columns x rows on a sheet; refused with what fits where it does not.",
    ),
    click.option(
        "--marks",
        type=click.Choice(["on", "off", "ticks", "crosses", "outline"]),
        help="Cut marks.",
    ),
    click.option(
        "--duplex",
        type=click.Choice(["long-edge", "short-edge", "none"]),
        help="How the printer turns; none: fronts only.",
    ),
    click.option(
        "--fold",
        is_flag=True,
        help="Backs beside their fronts, to be folded: no two-sided printing.",
    ),
    click.option(
        "--printer",
        metavar="NAME",
        help="Move backs as this printer needs it (squadpress printer).",
    ),
    click.option(
        "--cut",
        type=click.Choice(["svg", "dxf"]),
        multiple=True,
        help="Cut lines for a cutting machine.",
    ),
    click.option(
        "--silhouette",
        "registration",
        is_flag=True,
        callback=lambda _context, _option, asked: "silhouette" if asked else None,
        help="Print the registration marks of Silhouette's machines (type 1).",
    ),
    click.option(
        "--mark-sides",
        type=click.Choice(["front", "back", "both"]),
        help="Which sides have cut marks.",
    ),
    click.option(
        "--outer-bleed", is_flag=True, help="Cards touch; bleed at the sheet's outer edges alone."
    ),
    click.option(
        "--skip",
        metavar="N|N,N",
        callback=_skip,
        help="Places of the first sheet that are used: the first N, or a list.",
    ),
)
"""What is asked of sheets from a home printer, given to the command as `home`."""
workers_option = click.option(
    "--workers",
    envvar=WORKERS,
    metavar="N|dask://HOST:PORT",
    help="Processes that set cards, by default one per core, up to 8; or a cluster, which needs --store.",
)
store_option = click.option(
    "--store",
    envvar=STORE,
    metavar="DIR|URL",
    help="Take set faces from a store that machines share, and put new ones there. Or $SQUADPRESS_STORE.",
)
worker_options = grouped("workers", worker_pool, workers_option, store_option)
"""Who sets faces, given to the command as `workers`."""
