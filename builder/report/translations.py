"""The state of a pack's translations as a table."""

from collections.abc import Sequence

from builder.errata.translations import Coverage, Standing
from builder.messages import gettext as _, translate

STANDINGS = {
    Standing.FRESH: _("fresh"),
    Standing.MISSING: _("missing"),
    Standing.STALE: _("stale"),
    Standing.IDENTICAL: _("identical"),
}
"""Where a string stands, for people."""


LISTED = 30
"""So many open texts are named; the file for the translator has them all."""


def as_text(pack: str, all_coverage: Sequence[Coverage], lang: str) -> str:
    """For a person, in a language: a table with a row per language and kind, then what is left to do."""
    words = {standing: translate(word, lang) for standing, word in STANDINGS.items()}
    if not all_coverage:
        return translate(_("{pack} has no translations", pack=pack), lang) + "\n"
    partial = translate(_("partial"), lang)
    rows = [["", translate(_("texts"), lang), *words.values(), ""]]
    for one in all_coverage:
        name = f"{one.lang} ({partial})" if one.partial else one.lang
        rows += [_row(name, one), *(_row(f"  {kind}", one, kind) for kind in one.kinds)]
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            [
                row[0].ljust(wide[0]),
                *(cell.rjust(room) for cell, room in zip(row[1:], wide[1:], strict=True)),
            ]
        )
        for row in rows
    ]
    left = [
        f"{words[item.standing]}: {one.lang} {item.card} {item.path}"
        for one in all_coverage
        for item in one.open
    ]
    if len(left) > LISTED:
        left[LISTED:] = [translate(_("and {many} more", many=len(left) - LISTED), lang)]
    return "\n".join(line.rstrip() for line in (*lines, *left)) + "\n"


def _row(name: str, one: Coverage, kind: str | None = None) -> list[str]:
    """A row of the table: all texts, how many stand where, and the share that needs nothing."""
    numbers = [one.count(standing, kind) for standing in Standing]
    total = sum(numbers)
    return [
        name,
        str(total),
        *(str(number or "") for number in numbers),
        f"{numbers[0] / total if total else 1:.0%}",
    ]
