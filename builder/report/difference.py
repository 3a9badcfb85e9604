"""A difference of two releases as text, Markdown and JSON."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeAlias

from builder.errata.change import CardChange, Difference, FieldChange, PartChange
from builder.errata.leaves import ABSENT, Value
from builder.errata.words import Piece, word_difference

LONG = 30
"""From this many characters on a text is shown by its changed words."""

Marks: TypeAlias = tuple[tuple[str, str], tuple[str, str]]
"""What stands around gone and around new words."""

PLAIN: Marks = (("[-", "-]"), ("{+", "+}"))
MARKDOWN: Marks = (("~~", "~~"), ("**", "**"))


def text(difference: Difference) -> str:
    """For the terminal: one line per card, one indented line per field."""
    if difference.empty:
        return f"{difference.pack}: {difference.old} and {difference.new} do not differ\n"
    lines = [f"{difference.pack}: {difference.old} -> {difference.new}, {_count(difference)}"]
    for card in difference.cards:
        lines.append(f"{card.status.value:9} {_title(card)}")
        lines += [f"          {_field(field, PLAIN)}" for field in card.fields]
    lines += [f"{part.part:9} {part.path}: {_values(part)}" for part in difference.parts]
    return "\n".join(lines) + "\n"


def markdown(difference: Difference) -> str:
    """For people to read and keep: grouped by what became of the cards."""
    lines = [f"# {difference.pack} {difference.old} → {difference.new}", ""]
    if difference.empty:
        return "\n".join([*lines, "Nothing differs.", ""])
    ordered = sorted(difference.cards, key=lambda card: (card.status.value, card.id))
    for status, cards in groupby(ordered, key=lambda card: card.status.value):
        lines += [f"## {status.capitalize()}", ""]
        for card in cards:
            lines.append(f"- **{_title(card)}**")
            lines += [f"  - {_field(field, MARKDOWN)}" for field in card.fields]
        lines.append("")
    if difference.parts:
        lines += ["## Besides the cards", ""]
        lines += [f"- {part.part} `{part.path}`: {_values(part)}" for part in difference.parts]
        lines.append("")
    return "\n".join(lines)


def json(difference: Difference) -> str:
    """For programs; a value that was not there is left out, and the words of changed texts are listed."""
    return jsonlib.dumps(as_data(difference), ensure_ascii=False, indent=2) + "\n"


def as_data(difference: Difference) -> dict[str, Any]:
    """The difference as JSON data."""
    return {
        "pack": difference.pack,
        "old": difference.old,
        "new": difference.new,
        "cards": [_card_data(card) for card in difference.cards],
        "parts": [{"part": part.part, "path": part.path} | _pair_data(part.old, part.new) for part in difference.parts],
    }


FORMATS: Mapping[str, Callable[[Difference], str]] = {"text": text, "json": json, "markdown": markdown}


def _card_data(card: CardChange) -> dict[str, Any]:
    head = {
        "id": card.id,
        "status": card.status.value,
        "kind": card.kind,
        "name": card.name,
        "faction": card.faction,
        "oldId": card.old_id,
        "successors": list(card.successors),
        "oldRevision": card.old_revision,
        "newRevision": card.new_revision,
        "history": [dict(entry) for entry in card.history],
    }
    fields = [
        {"path": field.path, "class": field.type.value, "lang": field.lang}
        | _pair_data(field.old, field.new)
        | {"words": [[piece.kind, piece.text] for piece in words(field.old, field.new)]}
        for field in card.fields
    ]
    return {key: value for key, value in {**head, "fields": fields}.items() if value not in (None, [])}


def _pair_data(old: Value, new: Value) -> dict[str, Any]:
    return {name: value for name, value in (("old", old), ("new", new)) if value is not ABSENT}


def words(old: Value, new: Value) -> tuple[Piece, ...]:
    """The word-level difference of two long texts; empty for everything else."""
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) >= LONG:
        return word_difference(old, new)
    return ()


def _count(difference: Difference) -> str:
    cards, parts = len(difference.cards), len(difference.parts)
    others = f", {parts} places besides" if parts else ""
    return f"{cards} card{'s' * (cards != 1)}{others}"


def _title(card: CardChange) -> str:
    name = f"{card.id} ({card.name})" if card.name else card.id
    renamed = f", was {card.old_id}" if card.old_id and card.old_id != card.id else ""
    after = f" -> {', '.join(card.successors)}" if card.successors else ""
    numbers = (card.old_revision, card.new_revision)
    revision = f", revision {numbers[0]} -> {numbers[1]}" if all(numbers) and numbers[0] != numbers[1] else ""
    return f"{name}{renamed}{after}{revision}"


def _field(field: FieldChange, marks: Marks) -> str:
    lang = f" [{field.lang}]" if field.lang else ""
    pieces = words(field.old, field.new)
    change = _marked(pieces, marks) if pieces else f"{show(field.old)} -> {show(field.new)}"
    return f"{field.type.value}{lang}: {field.path}: {change}"


def _marked(pieces: tuple[Piece, ...], marks: Marks) -> str:
    def parts() -> Iterator[str]:
        for piece in pieces:
            if piece.kind == "same":
                yield piece.text
            else:
                before, after = marks[piece.kind == "new"]
                yield f"{before}{piece.text}{after}"

    return " ".join("".join(parts()).split())


def _values(part: PartChange) -> str:
    if part.part in ("schema", "template", "art"):
        return "new" if part.old is ABSENT else "gone" if part.new is ABSENT else "changed"
    return f"{show(part.old)} -> {show(part.new)}"


def show(value: Value) -> str:
    """A value as people write it."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return value if value else "an empty text"
    return jsonlib.dumps(value, ensure_ascii=False)
