"""Report problems of a list with its own names: its file, its units and the titles of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from builder.findings import Finding, Location, Severity
from builder.imported.card import ImportedList, TitledText
from builder.messages import gettext as _
from builder.render import render_codes
from builder.usecases.imports import import_codes
from builder.usecases.imports.pack_files import PaperCard
from builder.usecases.imports.symbols import SymbolFiles

SPACE_CODES = frozenset(
    {render_codes.OVERFLOW.code, render_codes.CUT_OFF.code, render_codes.PAGES.code}
)
MAX_TITLE_CHARACTERS = 40
MAX_LISTED_LETTERS = 20


def report_list(imported: ImportedList, source: Path) -> Iterator[Finding]:
    """Yield warnings about unreadable numbers and unknown parts in a foreign file."""
    location = Location(file=str(source))
    for problem in imported.problems:
        yield import_codes.NUMBER.finding(problem, location)
    if imported.unknown_elements:
        names = ", ".join(
            f"{name} ({count})" for name, count in imported.unknown_elements.items()
        )
        message = _(
            "these parts of the file are unknown and not printed: {names}", names=names
        )
        yield import_codes.UNKNOWN_PART.finding(message, location)


def report_missing_letters(symbols: SymbolFiles) -> Iterator[Finding]:
    """Yield a warning about letters that are printed as frames because no font has them."""
    if symbols.missing:
        letters = " ".join(symbols.missing[:MAX_LISTED_LETTERS])
        message = _(
            "no installed font has these characters: {letters}", letters=letters
        )
        hint = _(
            "They are printed as frames. Install a font that has them, and print again."
        )
        yield import_codes.CHARACTERS.finding(message, None, hint, Severity.WARNING)


def relocate_findings(
    findings: Iterable[Finding], paper_cards: Sequence[PaperCard], source: Path
) -> list[Finding]:
    """Convert findings about a temporary pack to findings about the list it was made of."""
    cards_by_id = {paper_card.id: paper_card for paper_card in paper_cards}
    translated_findings: dict[Finding, None] = {}
    for finding in findings:
        stem = PurePosixPath(finding.location.file or "").stem
        paper_card = cards_by_id.get(stem)
        if paper_card is not None:
            finding = _name_unit(finding, paper_card)
        # A finding about a template repeats the findings about cards that lack space.
        elif finding.code in SPACE_CODES and translated_findings:
            continue
        location = Location(file=str(source))
        translated_findings[replace(finding, location=location)] = None
    return list(translated_findings)


def _name_unit(finding: Finding, paper_card: PaperCard) -> Finding:
    """Return a finding with the unit's name, and its longest text if that does not fit."""
    unit = _shorten_title(paper_card.card.name or _("shared texts"))
    if finding.code in SPACE_CODES:
        longest = max(_list_texts(paper_card), key=lambda passage: len(passage.text))
        form = _("{unit}: {title} has {count} characters and does not fit")
        title = _shorten_title(longest.title) or _("a text")
        return import_codes.TOO_LONG.finding(
            _(form, unit=unit, title=title, count=len(longest.text))
        )
    # The message begins with the card and the side of the temporary pack.
    reason = finding.message.partition("]: ")[2] or finding.message
    message = _("{unit}: {reason}", unit=unit, reason=reason)
    if finding.code == render_codes.GLYPH.code:
        return import_codes.CHARACTERS.finding(message)
    return replace(finding, message=message)


def _list_texts(paper_card: PaperCard) -> Iterator[TitledText]:
    """Yield all texts on a printed card with their titles."""
    card = paper_card.card
    yield TitledText(_("the name"), card.name)
    yield TitledText(_("the player's name"), card.custom_name)
    for face in (paper_card.page.front, paper_card.page.back):
        yield from face.passages
        for table in (*face.stats, *face.tables):
            for row in table.rows:
                yield TitledText(row.name, " ".join((row.name, *row.values)))


def _shorten_title(text: str) -> str:
    if len(text) <= MAX_TITLE_CHARACTERS:
        return text
    return text[:MAX_TITLE_CHARACTERS].rstrip() + "…"
