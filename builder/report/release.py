"""Formats the difference of two states, release notes, and the changes of a table. Pure."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TypeAlias

from builder.errata.change import (
    ABSENT,
    LANGUAGE,
    CardChange,
    Difference,
    FieldChange,
    LeafChange,
    PartChange,
    Status,
    TextPiece,
    Value,
    compare_leaves,
    compare_words,
    describe_language,
    mark_pieces,
    summarize_changes,
)
from builder.errata.difference import BOOKKEEPING
from builder.errata.note_sections import join_equal_notes
from builder.errata.notes import Note, Notes, RuleNote
from builder.errata.rows import NoteRow
from builder.errata.snapshot import WORK, RawCard, Snapshot
from builder.messages import gettext as _, ngettext, translate
from builder.model.base import format_path
from builder.model.words import NOTE_PARTS, get_term
from builder.report.faq import format_commentary, format_ruling
from builder.report.json_text import dump_json

LONG = 30
"""From this many characters on a text is shown by its changed words."""
Marks: TypeAlias = Mapping[str, str]
"""The characters around words that are the same, gone or new."""

PLAIN_MARKS: Marks = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
SIGNS = re.compile(r"([\\`*_<|~])")
MARKDOWN_MARKS: Marks = {"same": "{}", "gone": "~~{}~~", "new": "**{}**"}


def format_text(difference: Difference, lang: str = "en") -> str:
    """Return the difference for the terminal: one line per card, one indented line per field."""
    head = {
        "pack": difference.pack,
        "old": get_term(difference.old),
        "new": get_term(difference.new),
    }
    if difference.empty:
        return translate(_("{pack}: {old} and {new} are equal", **head), lang) + "\n"
    lines = [
        translate(
            _("{pack}: {old} -> {new}, {count}", **head, count=_count_changes(difference)), lang
        )
    ]
    words = [translate(get_term(card.status.value), lang) for card in difference.cards]
    wide = max(9, *map(len, words)) if words else 9
    for card, word in zip(difference.cards, words, strict=True):
        lines.append(f"{word:{wide}} {_format_title(card, lang)}")
        lines += [f"{'':{wide}} {text}" for text in _list_fields(card, PLAIN_MARKS, lang)]
    lines += [
        f"{part.part:{wide}} {part.path}: {_format_values(part, lang)}" for part in difference.parts
    ]
    lines += _list_restyled(difference, lang)
    return "\n".join(lines) + "\n"


def format_markdown(difference: Difference, lang: str = "en") -> str:
    """Return the difference as Markdown, grouped by what happened to the cards."""
    states = " → ".join(
        translate(get_term(state), lang) for state in (difference.old, difference.new)
    )
    lines = [f"# {difference.pack} {states}", ""]
    if difference.empty:
        return "\n".join([*lines, translate(_("Nothing changed."), lang), ""])
    ordered = sorted(difference.cards, key=lambda card: (card.status.value, card.id))
    for status, cards in groupby(ordered, key=lambda card: card.status.value):
        lines += [f"## {translate(get_term(status), lang).capitalize()}", ""]
        for card in cards:
            lines.append(f"- **{_format_title(card, lang)}**")
            lines += [f"  - {text}" for text in _list_fields(card, MARKDOWN_MARKS, lang)]
        lines.append("")
    if difference.parts:
        lines += [f"## {translate(_('Other changes'), lang)}", ""]
        lines += [
            f"- {part.part} `{part.path}`: {_format_values(part, lang)}"
            for part in difference.parts
        ]
        lines.append("")
    lines += [f"- {line}" for line in _list_restyled(difference, lang)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _list_restyled(difference: Difference, lang: str) -> list[str]:
    """Return the line that names the cards that only look different."""
    names = ", ".join(sorted(difference.restyled))
    return [translate(_("Looks different: {names}", names=names), lang)] if names else []


def _list_fields(card: CardChange, marks: Marks, lang: str) -> list[str]:
    """Return a line for each changed field. Fields with new typography share one line."""
    lines = [_format_field(field, marks, lang) for field in card.fields if not field.is_typographic]
    names = [
        f"{field.path} [{field.lang}]" if field.lang else field.path
        for field in card.fields
        if field.is_typographic
    ]
    if names:
        label = translate(_("Quotation marks, dashes, spaces"), lang)
        lines.append(f"{label}: {', '.join(names)}")
    return lines


def format_json(difference: Difference, _lang: str = "en") -> str:
    """Return the difference as JSON. Values that did not exist are left out."""
    return dump_json(make_data(difference))


def make_data(difference: Difference, state: Snapshot | None = None) -> dict[str, object]:
    """Return the difference as JSON data. With the new `state`, new cards are listed in full."""
    added = state.cards if state is not None else {}
    return {
        "pack": difference.pack,
        "old": difference.old,
        "new": difference.new,
        "cards": [_make_card_data(card, added.get(card.id)) for card in difference.cards],
        "parts": [
            {"part": part.part, "path": part.path} | _make_pair_data(part.old, part.new)
            for part in difference.parts
        ],
        "restyled": {card: appearance.value for card, appearance in difference.restyled.items()},
    }


FORMATS: Mapping[str, Callable[[Difference, str], str]] = {
    "text": format_text,
    "json": format_json,
    "markdown": format_markdown,
}


def _make_card_data(card: CardChange, added: RawCard | None = None) -> dict[str, object]:
    head = {
        "id": card.id,
        "status": card.status.value,
        "class": card.card_class.value,
        "kind": card.kind,
        "name": card.name,
        "faction": card.faction,
        "oldId": card.old_id,
        "successors": list(card.successors),
        "oldRevision": card.old_revision,
        "newRevision": card.new_revision,
        "history": [dict(entry) for entry in card.history],
        "effective": card.effective and str(card.effective),
        "languages": list(card.languages),
        "appearance": card.appearance.value if card.fields else None,
    }
    fields = [_make_field_data(field) for field in card.fields]
    if card.status is Status.ADDED and added is not None:
        own_fields = {key: value for key, value in added.items() if key not in BOOKKEEPING}
        fields = [
            {"path": format_path(change.path), "new": change.new}
            for change in compare_leaves({}, own_fields)
        ]
    return {
        key: value for key, value in {**head, "fields": fields}.items() if value not in (None, [])
    }


def _make_field_data(field: FieldChange) -> dict[str, object]:
    pieces = compare_long_texts(field.old, field.new)
    return {
        "path": field.path,
        "class": field.type.value,
        "lang": field.lang,
        **_make_pair_data(field.old, field.new),
        "words": [[piece.kind, piece.text] for piece in pieces],
    }


def _make_pair_data(old: Value, new: Value) -> dict[str, object]:
    return {name: value for name, value in (("old", old), ("new", new)) if value is not ABSENT}


def compare_long_texts(old: Value, new: Value) -> tuple[TextPiece, ...]:
    """Return the word-level difference of two long texts; empty for everything else."""
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) >= LONG:
        return compare_words(old, new)
    return ()


def _count_changes(difference: Difference) -> str:
    parts = len(difference.parts)
    counted = summarize_changes(difference.cards)
    if not parts:
        return counted
    if not difference.cards:
        return ngettext(
            "{count} change outside the cards", "{count} changes outside the cards", parts
        )
    return ngettext(
        "{cards}, {count} other change", "{cards}, {count} other changes", parts, cards=counted
    )


def _format_title(card: CardChange, lang: str) -> str:
    name = f"{card.id} ({card.name})" if card.name else card.id
    renamed = (
        translate(_(", was {old}", old=card.old_id), lang)
        if card.old_id and card.old_id != card.id
        else ""
    )
    after = f" -> {', '.join(card.successors)}" if card.successors else ""
    old, new = card.old_revision, card.new_revision
    revision = (
        translate(_(", revision {old} -> {new}", old=old, new=new), lang)
        if old and new and old != new
        else ""
    )
    continues = card.status in (Status.CHANGED, Status.RENAMED)
    card_class = f": {translate(card.card_class.words, lang)}" if continues else ""
    return f"{name}{renamed}{after}{revision}{card_class}"


def _format_field(field: FieldChange, marks: Marks, lang: str) -> str:
    """Return `wording: abilities.relay.text: ...`. A path that equals the type is left out."""
    translated = f" [{field.lang}]" if field.lang else ""
    pieces = compare_long_texts(field.old, field.new)
    words_marked = mark_pieces(pieces, lambda kind, text: marks[kind].format(text))
    change = (
        " ".join(words_marked.split())
        if pieces
        else f"{format_value(field.old, lang)} -> {format_value(field.new, lang)}"
    )
    if field.redrawn:
        change = translate(_("new picture"), lang)
    path = "" if field.path == field.type.value else f" {field.path}:"
    return f"{translate(get_term(field.type.value), lang)}{translated}:{path} {change}"


def _format_values(part: PartChange, lang: str) -> str:
    if part.part == LANGUAGE:
        return translate(describe_language(part), lang)
    if part.part in ("schema", "template", "art"):
        return translate(
            _("new") if part.old is ABSENT else _("gone") if part.new is ABSENT else _("changed"),
            lang,
        )
    return f"{format_value(part.old, lang)} -> {format_value(part.new, lang)}"


def format_value(value: Value, lang: str = "en") -> str:
    """Return a value as text for people, in a language."""
    if value is ABSENT:
        return translate(_("nothing"), lang)
    if isinstance(value, str):
        return value if value else translate(_("an empty text"), lang)
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a table changes on one card: it is `new`, `changed` or `gone`.

    A leaf's last step names the language of a translation: `name@de`.
    """

    file: str
    what: str
    leaves: tuple[LeafChange, ...] = ()


def format_table_changes(changes: Sequence[TableChange], lang: str) -> str:
    """Return the changes for the terminal: one line per card, one indented line per field."""
    lines = []
    for change in changes:
        lines.append(f"{translate(get_term(change.what), lang)} {change.file}")
        lines += [
            f"    {format_path(leaf.path)}: {format_leaf(leaf, lang)}" for leaf in change.leaves
        ]
    count = ngettext("{count} card changed", "{count} cards changed", len(changes))
    return "\n".join([*lines, translate(count if changes else _("Nothing changed."), lang), ""])


def format_leaf(leaf: LeafChange, lang: str) -> str:
    """Return the old and new value of a leaf, or the changed words of a long text."""
    if leaf.old is ABSENT:
        return format_value(leaf.new, lang)
    pieces = "".join(
        PLAIN_MARKS[piece.kind].format(piece.text)
        for piece in compare_long_texts(leaf.old, leaf.new)
    )
    return pieces or f"{format_value(leaf.old, lang)} -> {format_value(leaf.new, lang)}"


def format_notes(notes: Notes, parts: Collection[str] = NOTE_PARTS) -> str:
    """Return the notes as Markdown, all of them or some `parts`."""
    say = partial(translate, lang=notes.lang)
    blocks = [f"# {_escape_markdown(format_heading(notes))}", _escape_markdown(format_dates(notes))]
    if notes.withdrawn:
        blocks.append(f"> **{_escape_markdown(notes.withdrawn)}**")
    if not notes.groups and not notes.rules and not notes.restyled:
        blocks.append(say(_("No card changed.")))
    if "summary" in parts and notes.summary:
        blocks += [
            f"## {say(_('Summary'))}",
            "\n".join(f"- {_escape_markdown(line)}" for line in notes.summary),
        ]
    blocks += format_commentary(notes.commentary)
    if "points" in parts and notes.points:
        blocks += [f"## {say(_('Points'))}", format_points_table(notes)]
    if "cards" in parts:
        blocks += _format_cards(notes)
        if notes.rulings:
            blocks.append(f"## {say(_('Questions and answers'))}")
            blocks += ["\n".join(format_ruling(entry, notes.lang)) for entry in notes.rulings]
    return "\n\n".join(blocks) + "\n"


def format_points_table(notes: Notes) -> str:
    """Return the changed costs as a table in Markdown."""
    heads = ("", "", translate(_("before"), notes.lang), translate(_("now"), notes.lang))
    rows = [heads, ("---", "---", "---:", "---:")]
    rows += [
        (_escape_markdown(row.name), _escape_markdown(row.faction), row.old, f"**{row.new}**")
        for row in notes.points
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _format_cards(notes: Notes) -> Iterator[str]:
    if notes.rules:
        yield f"## {translate(_('Rules'), notes.lang)}"
        rule_lines: list[str] = []
        for rule in notes.rules:
            rule_lines += _format_rule(rule, notes.lang)
        yield "\n".join(map(str.rstrip, rule_lines))
    for faction, groups in groupby(notes.groups, key=lambda group: group.faction):
        yield f"## {_escape_markdown(faction)}"
        for group in groups:
            yield f"### {_escape_markdown(group.kind)}"
            for note, names in join_equal_notes(group.notes):
                yield "\n".join(_format_note(note, ", ".join(names), notes.lang))
    if notes.restyled:
        yield f"## {translate(_('Looks different'), notes.lang)}"
        yield "\n".join(f"- {_escape_markdown(line)}" for line in notes.restyled)


def _format_rule(rule: RuleNote, lang: str) -> Iterator[str]:
    yield f"- **{_escape_markdown(rule.title)}** ({rule.source}). {rule.summary}"
    for row in rule.rows:
        yield f"  - {_escape_markdown(row.field)}: {format_row(row, lang, _mark_text)}"


def format_heading(notes: Notes) -> str:
    """Return the title of the notes."""
    form = (
        _("{pack}: what the next release changes")
        if notes.new == WORK
        else _("{pack}: what changed in {new}")
    )
    return translate(_(form, pack=notes.pack, new=notes.new), notes.lang)


def format_dates(notes: Notes) -> str:
    """Return when the release was published and from when it is in force."""
    if notes.released is None or notes.effective is None:
        return translate(_("Not yet published. Compared with {old}.", old=notes.old), notes.lang)
    form = _("Published {released}, in force from {effective}. Compared with {old}.")
    return translate(
        _(form, released=notes.released, effective=notes.effective, old=notes.old), notes.lang
    )


def format_revision(note: Note, lang: str) -> str:
    """Return the card's new revision; empty for a removed card."""
    has_revision = note.revision and not note.status.gone
    return translate(_("revision {number}", number=note.revision), lang) if has_revision else ""


def _format_note(note: Note, names: str, lang: str) -> Iterator[str]:
    revision = format_revision(note, lang)
    yield f"**{_escape_markdown(names)}**" + (f" ({revision})" if revision else "") + "\n"
    if note.summary:
        yield f"- {_escape_markdown(note.summary)}"
    if note.effective:
        yield f"- {translate(_('Applies from {day}.', day=note.effective), lang)}"
    for sort, text in note.texts:
        if text:
            yield f"- *{sort}.* {_escape_markdown(text)}" if sort else f"- {_escape_markdown(text)}"
    yield from (f"- {line}" for line in format_commentary(note.commentary))
    for row in note.rows:
        yield f"- {_escape_markdown(row.field)}: " + format_row(row, lang, _mark_text).replace(
            "\n", "\n\n  "
        )


def format_row(row: NoteRow, lang: str, mark: Callable[[str, str], str]) -> str:
    """Return the old and new value of a field. `mark` gets the kind of each piece and its text."""
    if row.joined or row.removed:
        changes = (
            (_("Added: {names}"), row.joined, "new"),
            (_("Removed: {names}"), row.removed, "gone"),
        )
        sentences: list[str] = []
        for form, items, kind in changes:
            if items:
                names = ", ".join(mark(kind, item) for item in items)
                sentences.append(translate(_(form, names=names), lang))
        return "; ".join(sentences)
    if row.is_moved:
        return translate(
            _("moved: {old} → {new}", old=mark("same", row.old), new=mark("same", row.new)), lang
        )
    if row.pieces:
        return mark_pieces(row.pieces, mark)
    return f"{mark('gone', row.old)} → {mark('new', row.new)}" if row.old else mark("same", row.new)


def _mark_text(kind: str, text: str) -> str:
    return MARKDOWN_MARKS[kind].format(_escape_markdown(text))


def _escape_markdown(text: str) -> str:
    """Escape the characters that Markdown would read as marks."""
    return SIGNS.sub(r"\\\1", text)
