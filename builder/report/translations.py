"""Format the state of a pack's translations as a table."""

from collections.abc import Sequence

from builder.errata.translations import Coverage, TranslationState
from builder.messages import gettext as _, translate

STATE_NAMES = {
    TranslationState.CURRENT: _("up to date"),
    TranslationState.MISSING: _("missing"),
    TranslationState.STALE: _("out of date"),
    TranslationState.IDENTICAL: _("identical"),
}
"""The states of translations as messages."""


MAX_LISTED_TEXTS = 30
"""The maximum number of open texts in the list. The file for translators has all of them."""


def format_text(pack: str, all_coverage: Sequence[Coverage], lang: str) -> str:
    """Return a table with one row per language and kind, then the open texts."""
    state_names = {state: translate(word, lang) for state, word in STATE_NAMES.items()}
    if not all_coverage:
        return translate(_("{pack} has no translations", pack=pack), lang) + "\n"
    partial = translate(_("partial"), lang)
    rows = [["", translate(_("texts"), lang), *state_names.values(), ""]]
    for coverage in all_coverage:
        name = f"{coverage.lang} ({partial})" if coverage.partial else coverage.lang
        rows += [
            _format_row(name, coverage),
            *(_format_row(f"  {kind}", coverage, kind) for kind in coverage.kinds),
        ]
    lines = _align_columns(rows)
    open_texts: list[str] = []
    for coverage in all_coverage:
        for item in coverage.open:
            state = state_names[item.state]
            open_texts.append(f"{state}: {coverage.lang} {item.card} {item.path}")
    if len(open_texts) > MAX_LISTED_TEXTS:
        open_texts[MAX_LISTED_TEXTS:] = [
            translate(_("and {many} more", many=len(open_texts) - MAX_LISTED_TEXTS), lang)
        ]
    return "\n".join(line.rstrip() for line in (*lines, *open_texts)) + "\n"


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]))
    return lines


def _format_row(name: str, coverage: Coverage, kind: str | None = None) -> list[str]:
    """Return a row of the table: all texts, their number per state, and the finished share."""
    numbers = [coverage.count_strings(state, kind) for state in TranslationState]
    total = sum(numbers)
    return [
        name,
        str(total),
        *(str(number or "") for number in numbers),
        f"{numbers[0] / total if total else 1:.0%}",
    ]
