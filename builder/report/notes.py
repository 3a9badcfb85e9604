"""Release notes as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from builder.errata.notes import Note, Notes, Row
from builder.errata.phrases import phrase
from builder.errata.snapshot import WORK


def markdown(notes: Notes) -> str:
    """The whole document."""
    lines = [f"# {heading(notes)}", "", dates(notes), ""]
    if not notes.groups and not notes.rules:
        lines += [phrase(notes.lang, "none"), ""]
    for faction, groups in groupby(notes.groups, key=lambda group: group.faction):
        lines += [f"## {faction}", ""]
        for group in groups:
            lines += [f"### {group.kind}", ""]
            for note in group.notes:
                lines += [*_note(note, notes.lang), ""]
    if notes.rules:
        lines += [f"## {phrase(notes.lang, 'rules')}", ""]
        lines += [f"- **{rule.title}** ({rule.source}). {rule.summary}" for rule in notes.rules] + [""]
    return "\n".join(lines).rstrip() + "\n"


def heading(notes: Notes) -> str:
    """The title of the notes."""
    return phrase(notes.lang, "title-work" if notes.new == WORK else "title", pack=notes.pack, new=notes.new)


def dates(notes: Notes) -> str:
    """When the release was published and from when it counts."""
    if notes.released is None or notes.effective is None:
        return phrase(notes.lang, "dates-work", old=notes.old)
    return phrase(notes.lang, "dates", released=notes.released, effective=notes.effective, old=notes.old)


def _note(note: Note, lang: str) -> Iterator[str]:
    revision = f" ({phrase(lang, 'revision', number=note.revision)})" if note.revision and not note.status.gone else ""
    yield f"**{note.name}**{revision}"
    if note.summary:
        yield f"- {note.summary}"
    for sort, text in note.told:
        if text:
            yield f"- *{sort}.* {text}" if sort else f"- {text}"
    for row in note.rows:
        yield f"  - {row.field}: {_change(row)}"


def _change(row: Row) -> str:
    if not row.pieces:
        return f"{row.old} → {row.new}"
    marks = {"same": "", "gone": "~~", "new": "**"}
    parts = []
    for piece in row.pieces:
        mark, text = marks[piece.kind], piece.text
        core = text.strip()
        # A mark beside a space is not a mark in Markdown: the spaces stay outside.
        parts.append(text.replace(core, f"{mark}{core}{mark}", 1) if mark and core else text)
    return "".join(parts)
