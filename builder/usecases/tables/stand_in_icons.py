"""Icons that are printed for the symbols of a table that no typeface has."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.tables.column_types import NO_MARKS, YES_MARKS
from builder.packs.tables.sheet import Table
from builder.packs.tables.symbols import find_symbols, name_icons
from builder.render.fonts import find_covered_characters
from builder.render.html.packfonts import load_pack_fonts
from builder.usecases.build.build_options import get_render_folders


def choose_icons(
    project: Project,
    pack: str,
    tables: Iterable[Table],
    known_symbols: Collection[str] = (),
    taken_names: Collection[str] = (),
) -> tuple[dict[str, str], list[Finding]]:
    """Choose simple icons for symbols in tables that no font of a pack has.

    Return the icon names by symbol, and notes about them.
    """
    fonts = load_pack_fonts(get_render_folders(project, pack), is_written=False)
    ranges = find_covered_characters(fonts.paths, fonts.hash, project.cache)
    icons: dict[str, str] = {}
    findings: list[Finding] = []
    for table in tables:
        missing_symbols = []
        for symbol in find_symbols(list_texts(table)):
            has_icon = symbol in known_symbols or symbol in icons
            if not has_icon and not is_covered(symbol, ranges):
                missing_symbols.append(symbol)
        new_icons = name_icons(
            missing_symbols, {*taken_names, *icons.values()}, len(icons)
        )
        icons |= new_icons
        if new_icons:
            findings.append(report_icons(table, pack, new_icons))
    return icons, findings


CHECKBOX_MARKS = YES_MARKS | NO_MARKS
"""Cells that say yes or no, and are not printed."""


def list_texts(table: Table) -> list[str]:
    """Return the texts of all cells below the names of the columns."""
    texts: list[str] = []
    for row in table.rows[1:]:
        texts += [cell.text for cell in row.cells if cell.text not in CHECKBOX_MARKS]
    return texts


def is_covered(symbol: str, ranges: Collection[tuple[int, int]]) -> bool:
    """Return True if the fonts have each character of a symbol. `ranges` are their characters.

    Joined symbols are printed one by one.
    """
    # The ranges are sorted and do not overlap.
    starts = [first for first, _last in ranges]
    ends = [last for _first, last in ranges]
    for number in map(ord, symbol):
        index = bisect_right(starts, number) - 1
        if index < 0 or number > ends[index]:
            return False
    return True


def report_icons(table: Table, pack: str, icons: Mapping[str, str]) -> Finding:
    """Report which symbols are printed as simple icons."""
    listed = ", ".join(f"{symbol} {name}.svg" for symbol, name in icons.items())
    folder = f"templates/{pack}/icons"
    form = _(
        "no typeface has these symbols; they are printed as simple shapes of {folder}: {listed}"
    )
    message = _(form, folder=folder, listed=listed)
    hint = _("Replace the files with drawings of your own; see docs/templates.md.")
    location = table.place(table.rows[0].number, 0)
    return file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)
