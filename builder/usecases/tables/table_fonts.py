"""Fonts for the letters of a table that neither the program nor the pack has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from unicodedata import category

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.tables.sheet import Table
from builder.render.fonts import find_covered_characters
from builder.render.html.packfonts import load_pack_fonts
from builder.render.installed_fonts import find_family
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.tables.stand_in_icons import is_covered

LETTER_CATEGORIES = ("L", "M", "N", "P", "Sc", "Sk")
"""Beginnings of the Unicode categories of characters that texts consist of, unlike symbols."""
MAX_FAMILIES = 3
MAX_LISTED_LETTERS = 12


class ChosenFonts(NamedTuple):
    """Fonts that a pack needs for the letters of its tables: families, files and findings."""

    families: tuple[str, ...]
    files: dict[str, bytes]
    findings: list[Finding]


def choose_fonts(
    project: Project, pack: str, tables: Sequence[Table], lang: str
) -> ChosenFonts:
    """Find installed fonts for letters of tables that no font of the pack has."""
    fonts = load_pack_fonts(get_render_folders(project, pack), is_written=False)
    ranges = find_covered_characters(fonts.paths, fonts.hash, project.cache)
    missing = {
        letter for letter in list_letters(tables) if not is_covered(letter, ranges)
    }
    families: list[str] = []
    files: dict[str, bytes] = {}
    # One family seldom has the letters of several scripts.
    while missing and len(families) < MAX_FAMILIES:
        copy = find_family([ord(letter) for letter in missing], lang)
        if copy is None:
            break
        families.append(copy.family)
        files |= copy.files
        missing = {letter for letter in missing if ord(letter) not in copy.characters}
    findings: list[Finding] = []
    if families:
        findings.append(report_copies(tables[0], pack, families, files))
    if missing:
        findings.append(report_missing(tables[0], pack, missing))
    return ChosenFonts(tuple(families), files, findings)


def list_letters(tables: Iterable[Table]) -> list[str]:
    """Return the letters, digits and marks of all cells without repetitions."""
    letters: dict[str, None] = {}
    for table in tables:
        for row in table.rows:
            for cell in row.cells:
                letters.update(dict.fromkeys(cell.text))
    return [
        letter for letter in letters if category(letter).startswith(LETTER_CATEGORIES)
    ]


def report_copies(
    table: Table, pack: str, families: Iterable[str], files: Iterable[str]
) -> Finding:
    """Report which installed fonts are copied into the pack."""
    folder = f"templates/{pack}/fonts"
    form = _(
        "the letters of the table are printed with {families}, copied to {folder}: {files}"
    )
    message = _(
        form, families=", ".join(families), folder=folder, files=", ".join(files)
    )
    hint = _(
        "Read the licence of the font before you sell cards, or replace the files."
    )
    location = table.place(table.rows[0].number, 0)
    return file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)


def report_missing(table: Table, pack: str, letters: Iterable[str]) -> Finding:
    """Report characters that no font of this machine has."""
    ordered_letters = sorted(letters)
    listed = " ".join(ordered_letters[:MAX_LISTED_LETTERS])
    message = _("no font on this machine has the characters {listed}", listed=listed)
    form = _(
        "Add a font file (.ttf) with these characters to templates/{pack}/fonts, for example "
        "Noto Sans. No other setting is needed."
    )
    location = table.place(table.rows[0].number, 0)
    hint = _(form, pack=pack)
    return file_codes.TABLE_ROW.finding(message, location, hint, Severity.WARNING)
