"""Arrange release notes as publishers print them: rules, costs, values, reasons, texts, looks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from builder.errata.change import CardClass
from builder.errata.notes import Note, Notes, PointsRow
from builder.errata.reader import ENVELOPE_FIELDS
from builder.errata.rows import NoteRow
from builder.messages import translate

MAX_VALUE_CHARACTERS = 24
"""A longer value is shown with the texts, word by word."""


@dataclass(frozen=True, slots=True)
class ValueLine:
    """The changed values of one card in release notes, as one line."""

    anchor: str
    name: str
    rows: tuple[NoteRow, ...]


@dataclass(frozen=True, slots=True)
class SharedSentence:
    """A sentence in release notes that is true for several cards."""

    label: str
    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextChange:
    """A changed text in release notes, with all cards that share it."""

    anchors: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[NoteRow, ...]


@dataclass(frozen=True, slots=True)
class NoteSections:
    """The changes in release notes, arranged by what changed.

    `costs` are by faction, `values` by kind. `looks` names the cards that only look different.
    """

    costs: tuple[tuple[str, tuple[PointsRow, ...]], ...]
    values: tuple[tuple[str, tuple[ValueLine, ...]], ...]
    statuses: tuple[SharedSentence, ...]
    reasons: tuple[SharedSentence, ...]
    texts: tuple[TextChange, ...]
    looks: tuple[SharedSentence, ...]


def arrange_notes(notes: Notes) -> NoteSections:
    """Arrange release notes by costs, values, texts and looks. Each change occurs once."""
    costs: dict[str, list[PointsRow]] = {}
    for row in notes.points:
        costs.setdefault(row.faction, []).append(row)
    # Cards with only a new picture come last, because nobody needs them to play.
    redrawn = [note for note in notes.cards if note.change_class is CardClass.REDRAWN]
    others = [
        note for note in notes.cards if note.change_class is not CardClass.REDRAWN
    ]
    statuses = [("", note.summary, note.name) for note in others]
    return NoteSections(
        tuple((faction, tuple(rows)) for faction, rows in costs.items()),
        _list_values(notes),
        _join_equal_texts(statuses),
        _join_equal_texts(_list_reasons(others)),
        _join_equal_changes(others),
        _join_equal_texts(_list_reasons(redrawn)),
    )


def _list_values(notes: Notes) -> tuple[tuple[str, tuple[ValueLine, ...]], ...]:
    """Return the short values except costs, by kind."""
    cost_label = translate(ENVELOPE_FIELDS["cost"], notes.lang)
    lines_by_kind: dict[str, list[ValueLine]] = {}
    for group in notes.groups:
        for note in group.notes:
            # Costs have a table of their own, so they are not repeated among the values.
            rows = [
                row for row in note.rows if is_value(row) and row.field != cost_label
            ]
            if rows and note.change_class is not CardClass.REDRAWN:
                line = ValueLine(note.card, note.name, tuple(rows))
                lines_by_kind.setdefault(group.kind, []).append(line)
    return tuple((kind, tuple(lines)) for kind, lines in lines_by_kind.items())


def _join_equal_changes(notes: Iterable[Note]) -> tuple[TextChange, ...]:
    """Return each change of texts once, with all its cards."""
    # Rows are hashable, so cards with the same change meet in one list.
    notes_by_rows: dict[tuple[NoteRow, ...], list[Note]] = {}
    for note in notes:
        rows = tuple(row for row in note.rows if not is_value(row))
        if rows:
            notes_by_rows.setdefault(rows, []).append(note)
    changes: list[TextChange] = []
    for rows, same_notes in notes_by_rows.items():
        ids = tuple(note.card for note in same_notes)
        changes.append(TextChange(ids, _list_names(same_notes), rows))
    return tuple(changes)


def is_value(row: NoteRow) -> bool:
    """Return True if the old and new value of a row are short, such as numbers."""
    # A moved part has places instead of values, and a new value has nothing before the arrow.
    has_both = bool(row.old) and not row.pieces and not row.is_moved
    return has_both and max(len(row.old), len(row.new)) <= MAX_VALUE_CHARACTERS


def _list_reasons(notes: Iterable[Note]) -> Iterable[tuple[str, str, str]]:
    for note in notes:
        for label, text in note.texts:
            yield label, text, note.name


def _join_equal_texts(
    items: Iterable[tuple[str, str, str]],
) -> tuple[SharedSentence, ...]:
    """Return each label and text once, with the names of all its cards."""
    names_by_text: dict[tuple[str, str], list[str]] = {}
    for label, text, name in items:
        if text:
            names_by_text.setdefault((label, text), []).append(name)
    shared_texts = []
    for (label, text), names in names_by_text.items():
        # Two cards may have the same name, which is printed once.
        shared_texts.append(SharedSentence(label, text, tuple(dict.fromkeys(names))))
    return tuple(shared_texts)


def join_equal_notes(notes: Sequence[Note]) -> list[tuple[Note, tuple[str, ...]]]:
    """Join equal notes about several cards. Return each with the names of its cards."""
    names_by_note: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        # The name and the card differ, so they are not in the key.
        key = (
            note.summary,
            note.texts,
            note.rows,
            note.revision,
            note.effective,
            note.commentary,
        )
        names_by_note.setdefault(key, []).append(note)
    return [
        (same_notes[0], _list_names(same_notes))
        for same_notes in names_by_note.values()
    ]


def _list_names(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(note.name for note in notes)
