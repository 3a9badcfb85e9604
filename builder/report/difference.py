"""A difference of two releases as text, Markdown and JSON."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeAlias

from builder.errata.change import ABSENT, CardChange, Difference, FieldChange, PartChange, Piece, Value, word_difference
from builder.messages import gettext as _
from builder.messages import translate

LONG = 30
"""From this many characters on a text is shown by its changed words."""

Marks: TypeAlias = tuple[tuple[str, str], tuple[str, str]]
"""What stands around gone and around new words."""

PLAIN: Marks = (("[-", "-]"), ("{+", "+}"))
MARKDOWN: Marks = (("~~", "~~"), ("**", "**"))


def text(difference: Difference, lang: str = "en") -> str:
    """For the terminal: one line per card, one indented line per field."""
    head = {"pack": difference.pack, "old": difference.old, "new": difference.new}
    if difference.empty:
        return translate(_("{pack}: {old} and {new} do not differ", **head), lang) + "\n"
    lines = [translate(_("{pack}: {old} -> {new}, {count}", **head, count=_count(difference)), lang)]
    words = [translate(card.status.value, lang) for card in difference.cards]
    wide = max(9, *map(len, words)) if words else 9
    for card, word in zip(difference.cards, words, strict=True):
        lines.append(f"{word:{wide}} {_title(card, lang)}")
        lines += [f"{'':{wide}} {_field(field, PLAIN, lang)}" for field in card.fields]
    lines += [f"{part.part:{wide}} {part.path}: {_values(part, lang)}" for part in difference.parts]
    return "\n".join(lines) + "\n"


def markdown(difference: Difference, lang: str = "en") -> str:
    """For people to read and keep: grouped by what became of the cards."""
    lines = [f"# {difference.pack} {difference.old} → {difference.new}", ""]
    if difference.empty:
        return "\n".join([*lines, translate(_("Nothing differs."), lang), ""])
    ordered = sorted(difference.cards, key=lambda card: (card.status.value, card.id))
    for status, cards in groupby(ordered, key=lambda card: card.status.value):
        lines += [f"## {translate(status, lang).capitalize()}", ""]
        for card in cards:
            lines.append(f"- **{_title(card, lang)}**")
            lines += [f"  - {_field(field, MARKDOWN, lang)}" for field in card.fields]
        lines.append("")
    if difference.parts:
        lines += [f"## {translate('Besides the cards', lang)}", ""]
        lines += [f"- {part.part} `{part.path}`: {_values(part, lang)}" for part in difference.parts]
        lines.append("")
    return "\n".join(lines)


def json(difference: Difference, _lang: str = "en") -> str:
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


FORMATS: Mapping[str, Callable[[Difference, str], str]] = {"text": text, "json": json, "markdown": markdown}


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
    counted = _("{many} card" if cards == 1 else "{many} cards", many=cards)
    return _("{cards}, {parts} places besides", cards=counted, parts=parts) if parts else counted


def _title(card: CardChange, lang: str) -> str:
    name = f"{card.id} ({card.name})" if card.name else card.id
    renamed = translate(_(", was {old}", old=card.old_id), lang) if card.old_id and card.old_id != card.id else ""
    after = f" -> {', '.join(card.successors)}" if card.successors else ""
    old, new = card.old_revision, card.new_revision
    revision = translate(_(", revision {old} -> {new}", old=old, new=new), lang) if old and new and old != new else ""
    return f"{name}{renamed}{after}{revision}"


def _field(field: FieldChange, marks: Marks, lang: str) -> str:
    """`wording: abilities.relay.text: ...`; a field that says by its name what it is, once."""
    translated = f" [{field.lang}]" if field.lang else ""
    pieces = words(field.old, field.new)
    change = _marked(pieces, marks) if pieces else f"{show(field.old, lang)} -> {show(field.new, lang)}"
    path = "" if field.path == field.type.value else f" {field.path}:"
    return f"{translate(field.type.value, lang)}{translated}:{path} {change}"


def _marked(pieces: tuple[Piece, ...], marks: Marks) -> str:
    def parts() -> Iterator[str]:
        for piece in pieces:
            if piece.kind == "same":
                yield piece.text
            else:
                before, after = marks[piece.kind == "new"]
                yield f"{before}{piece.text}{after}"

    return " ".join("".join(parts()).split())


def _values(part: PartChange, lang: str) -> str:
    if part.part in ("schema", "template", "art"):
        return translate("new" if part.old is ABSENT else "gone" if part.new is ABSENT else "changed", lang)
    return f"{show(part.old, lang)} -> {show(part.new, lang)}"


def show(value: Value, lang: str = "en") -> str:
    """A value as people write it."""
    if value is ABSENT:
        return translate("nothing", lang)
    if isinstance(value, str):
        return value if value else translate(_("an empty text"), lang)
    return jsonlib.dumps(value, ensure_ascii=False)
