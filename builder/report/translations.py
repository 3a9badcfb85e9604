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
    """Format the state of a pack's translations: a table per language and kind, then open texts."""
    state_names = {state: translate(word, lang) for state, word in STATE_NAMES.items()}
    if not all_coverage:
        return translate(_("{pack} has no translations", pack=pack), lang) + "\n"
    partial = translate(_("partial"), lang)
    rows = [["", translate(_("texts"), lang), *state_names.values(), ""]]
    for coverage in all_coverage:
        name = f"{coverage.lang} ({partial})" if coverage.partial else coverage.lang
        rows.append(_format_row(name, coverage))
        rows += [_format_row(f"  {kind}", coverage, kind) for kind in coverage.kinds]
    lines = _align_columns(rows)
    open_texts: list[str] = []
    for coverage in all_coverage:
        for item in coverage.open:
            state = state_names[item.state]
            open_texts.append(f"{state}: {coverage.lang} {item.card} {item.path}")
    lines += open_texts[:MAX_LISTED_TEXTS]
    hidden_count = len(open_texts) - MAX_LISTED_TEXTS
    if hidden_count > 0:
        lines.append(translate(_("and {many} more", many=hidden_count), lang))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Join the cells of each row, with names aligned left and numbers right."""
    columns = zip(*rows, strict=True)
    name_width, *number_widths = [max(map(len, column)) for column in columns]
    lines: list[str] = []
    for name, *numbers in rows:
        cells = map(str.rjust, numbers, number_widths)
        lines.append("  ".join([name.ljust(name_width), *cells]))
    return lines


def _format_row(name: str, coverage: Coverage, kind: str | None = None) -> list[str]:
    """Return a table row: number of texts, number per state, and the finished share."""
    numbers = [coverage.count_strings(state, kind) for state in TranslationState]
    total = sum(numbers)
    # The first state is "up to date". Without texts there is nothing to do.
    finished_share = numbers[0] / total if total else 1
    cells = [str(number or "") for number in numbers]
    return [name, str(total), *cells, f"{finished_share:.0%}"]
