"""Release notes as plain text that fits into one message of a chat."""

from collections.abc import Iterator

from builder.errata.change import Status
from builder.errata.note_sections import arrange_notes
from builder.errata.notes import Notes, PointsRow, RuleNote
from builder.errata.reader import DASH, ENVELOPE_FIELDS
from builder.errata.rows import NoteRow
from builder.messages import gettext as _, ngettext, translate
from builder.report.release import format_dates, format_heading, format_row

MAX_CHAT_CHARACTERS = 2000
"""The longest message of common chats."""


def format_chat(notes: Notes, limit: int = MAX_CHAT_CHARACTERS) -> str:
    """Format release notes as plain text of at most `limit` characters.

    The last line counts omitted lines.
    """
    lines = [line for line in _list_lines(notes) if line]
    printed_lines: list[str] = []
    length = 0
    for index, line in enumerate(lines):
        rest = _format_omitted_count(len(lines) - index, notes.lang)
        is_last = index + 1 == len(lines)
        # Each line has a line break. Before the last one there must be space for the rest.
        length += len(line) + 1
        if length + (0 if is_last else len(rest) + 1) > limit:
            printed_lines.append(rest)
            break
        printed_lines.append(line)
    # The slice holds the limit where even the first line is too long.
    return "\n".join(printed_lines)[:limit] + "\n"


def _format_omitted_count(count: int, lang: str) -> str:
    message = ngettext("... and {count} more line", "... and {count} more lines", count)
    return translate(message, lang)


def _format_change(row: NoteRow | PointsRow) -> str:
    remark = f" ({row.remark})" if row.remark else ""
    if row.old in ("", DASH):  # a new card has no earlier value
        return f"{row.new}{remark}"
    return f"{row.old} → {row.new}{remark}"


def _format_rule(rule: RuleNote) -> str:
    text = f"{rule.title}: {rule.summary}" if rule.summary else rule.title
    return f"{text} {rule.announcement}".rstrip()


def _list_lines(notes: Notes) -> Iterator[str]:
    """Yield the notes line by line, changes of rules and costs first."""
    yield format_heading(notes)
    yield format_dates(notes)
    yield notes.announcement
    yield notes.withdrawn
    yield from notes.summary[:1]
    yield from map(_format_rule, notes.rules)
    sections = arrange_notes(notes)
    for faction, rows in sections.costs:
        listed = ", ".join(f"{row.name} {_format_change(row)}" for row in rows)
        yield f"{faction}: {listed}"
    yield from _list_values(notes)
    for shared in (*sections.statuses, *sections.reasons):
        yield f"{', '.join(shared.names)}: {shared.text}"
    yield from _list_texts(notes)
    yield from _list_picture_changes(notes)


def _list_described_renames(notes: Notes) -> frozenset[tuple[str, str]]:
    """Return (card id, field label) of each rename that a sentence in the notes describes."""
    label = translate(ENVELOPE_FIELDS["name"], notes.lang)
    renamed = [
        note for note in notes.cards if note.status is Status.RENAMED and note.summary
    ]
    return frozenset((note.card, label) for note in renamed)


def _list_values(notes: Notes) -> Iterator[str]:
    described_renames = _list_described_renames(notes)
    for _kind, lines in arrange_notes(notes).values:
        for line in lines:
            rows = [
                row
                for row in line.rows
                if (line.anchor, row.field) not in described_renames
            ]
            changes = ", ".join(f"{row.field} {_format_change(row)}" for row in rows)
            yield f"{line.name}: {changes}" if changes else ""


def _list_texts(notes: Notes) -> Iterator[str]:
    described_renames = _list_described_renames(notes)
    for change in arrange_notes(notes).texts:
        for row in change.rows:
            if {(anchor, row.field) for anchor in change.anchors} <= described_renames:
                continue
            text = row.new or format_row(row, notes.lang, lambda _kind, words: words)
            yield f"{', '.join(change.names)}, {row.field}: {text}"


def _list_picture_changes(notes: Notes) -> Iterator[str]:
    """Yield the reasons for new pictures, then a line with all cards that look different."""
    for shared in arrange_notes(notes).looks:
        yield f"{', '.join(shared.names)}: {shared.text}"
    if notes.restyled:
        names = "; ".join(notes.restyled)
        yield translate(_("Looks different: {names}", names=names), notes.lang)
