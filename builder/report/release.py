"""Formats the difference of two states, release notes, and the changes of a table. Pure."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from builder.errata.change import (
    ABSENT,
    LANGUAGE,
    CardChange,
    ChangeClass,
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

MIN_LONG_CHARACTERS = 30
"""A text of at least this length is shown by its changed words."""
MIN_STATUS_WIDTH = 9
"""Characters of the column with what happened to a card."""
Marks: TypeAlias = Mapping[str, str]
"""The characters around words that are the same, gone or new."""

PLAIN_MARKS: Marks = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
MARKDOWN_SPECIAL_CHARACTERS = re.compile(r"([\\`*_<|~])")
MARKDOWN_MARKS: Marks = {"same": "{}", "gone": "~~{}~~", "new": "**{}**"}


def format_text(difference: Difference, lang: str = "en") -> str:
    """Format the difference of two releases for the terminal, one line per card and field."""
    pack = difference.pack
    old = get_term(difference.old)
    new = get_term(difference.new)
    if difference.empty:
        heading = _("{pack}: {old} and {new} are equal", pack=pack, old=old, new=new)
        return translate(heading, lang) + "\n"
    count = _count_changes(difference)
    heading = _(
        "{pack}: {old} -> {new}, {count}", pack=pack, old=old, new=new, count=count
    )
    lines = [translate(heading, lang)]
    words = [translate(get_term(card.status.value), lang) for card in difference.cards]
    width = max(map(len, words), default=0)
    width = max(width, MIN_STATUS_WIDTH)
    for card, word in zip(difference.cards, words, strict=True):
        lines.append(f"{word:{width}} {_format_card_title(card, lang)}")
        lines += [
            f"{'':{width}} {text}" for text in _list_fields(card, PLAIN_MARKS, lang)
        ]
    lines += [
        f"{part.part:{width}} {part.path}: {_format_part_change(part, lang)}"
        for part in difference.parts
    ]
    lines += _list_restyled(difference, lang)
    return "\n".join(lines) + "\n"


def format_markdown(difference: Difference, lang: str = "en") -> str:
    """Format the difference of two releases as Markdown, grouped by status of the cards."""
    old = translate(get_term(difference.old), lang)
    new = translate(get_term(difference.new), lang)
    lines = [f"# {difference.pack} {old} → {new}", ""]
    if difference.empty:
        return "\n".join([*lines, translate(_("Nothing changed."), lang), ""])
    # groupby needs all cards of a status side by side.
    ordered = sorted(difference.cards, key=lambda card: (card.status.value, card.id))
    for status, cards in groupby(ordered, key=lambda card: card.status.value):
        lines += [f"## {translate(get_term(status), lang).capitalize()}", ""]
        for card in cards:
            lines.append(f"- **{_format_card_title(card, lang)}**")
            lines += [
                f"  - {text}" for text in _list_fields(card, MARKDOWN_MARKS, lang)
            ]
        lines.append("")
    if difference.parts:
        lines += [f"## {translate(_('Other changes'), lang)}", ""]
        for part in difference.parts:
            lines.append(
                f"- {part.part} `{part.path}`: {_format_part_change(part, lang)}"
            )
        lines.append("")
    lines += [f"- {line}" for line in _list_restyled(difference, lang)]
    return "\n".join(lines).rstrip("\n") + "\n"


def format_pictures(notes: Notes, folder: str, files: Collection[str]) -> str:
    """Format the before-and-after pictures of changed cards as Markdown."""
    blocks: list[str] = []
    for note in notes.cards:
        if f"{note.card}.png" in files:
            name = _escape_markdown(note.name)
            blocks.append(f"**{name}**\n\n![{name}]({folder}/{note.card}.png)")
    heading = translate(_("Before and after"), notes.lang)
    return "\n" + "\n\n".join([f"## {heading}", *blocks]) + "\n" if blocks else ""


def _list_restyled(difference: Difference, lang: str) -> list[str]:
    """Return a line with the names of cards that only look different. Empty without such cards."""
    names = ", ".join(sorted(difference.restyled))
    return (
        [translate(_("Looks different: {names}", names=names), lang)] if names else []
    )


def _list_fields(card: CardChange, marks: Marks, lang: str) -> list[str]:
    """Return a line for each changed field of a card. Typographic changes share one line."""
    lines: list[str] = []
    names: list[str] = []
    for field in card.fields:
        if field.is_typographic:
            names.append(f"{field.path} [{field.lang}]" if field.lang else field.path)
        else:
            lines.append(_format_field(field, marks, lang))
    if names:
        label = translate(_("Quotation marks, dashes, spaces"), lang)
        lines.append(f"{label}: {', '.join(names)}")
    return lines


def format_json(difference: Difference, _lang: str = "en") -> str:
    """Format the difference of two releases as JSON. Absent values are left out."""
    return dump_json(make_difference_data(difference))


def make_difference_data(
    difference: Difference, state: Snapshot | None = None
) -> dict[str, object]:
    """Return the difference of two releases as JSON data.

    With `state`, added cards are listed in full.
    """
    added = state.cards if state is not None else {}
    parts: list[dict[str, object]] = []
    for part in difference.parts:
        values = _make_old_new_data(part.old, part.new)
        parts.append({"part": part.part, "path": part.path, **values})
    return {
        "pack": difference.pack,
        "old": difference.old,
        "new": difference.new,
        "cards": [
            _make_card_data(card, added.get(card.id)) for card in difference.cards
        ],
        "parts": parts,
        "restyled": {
            card: appearance.value for card, appearance in difference.restyled.items()
        },
    }


FORMATS: Mapping[str, Callable[[Difference, str], str]] = {
    "text": format_text,
    "json": format_json,
    "markdown": format_markdown,
}


def _make_card_data(
    card: CardChange, added: RawCard | None = None
) -> dict[str, object]:
    data: dict[str, object] = {
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
        "effect": card.effect and card.effect.value,
        "fields": [_make_field_data(field) for field in card.fields],
    }
    if card.status is Status.ADDED and added is not None:
        own_fields = {
            key: value for key, value in added.items() if key not in BOOKKEEPING
        }
        changes = compare_leaves({}, own_fields)
        data["fields"] = [
            {"path": format_path(change.path), "new": change.new} for change in changes
        ]
    return {key: value for key, value in data.items() if value not in (None, [])}


def _make_field_data(field: FieldChange) -> dict[str, object]:
    pieces = compare_long_texts(field.old, field.new)
    data = {
        "path": field.path,
        "class": field.type.value,
        "lang": field.lang,
        **_make_old_new_data(field.old, field.new),
        "words": [[piece.kind, piece.text] for piece in pieces],
    }
    if field.effect is not None:
        data["effect"] = field.effect.value
    if field.reverts:
        data["reverts"] = field.reverts
    return data


def _make_old_new_data(old: Value, new: Value) -> dict[str, object]:
    values = {"old": old, "new": new}
    return {name: value for name, value in values.items() if value is not ABSENT}


def compare_long_texts(old: Value, new: Value) -> tuple[TextPiece, ...]:
    """Return the changed words of two texts. Empty if both are short or one is no text."""
    if not isinstance(old, str) or not isinstance(new, str):
        return ()
    is_long = max(len(old), len(new)) >= MIN_LONG_CHARACTERS
    return compare_words(old, new) if is_long else ()


def _count_changes(difference: Difference) -> str:
    parts = len(difference.parts)
    counted = summarize_changes(difference.cards)
    if not parts:
        return counted
    if not difference.cards:
        return ngettext(
            "{count} change outside the cards",
            "{count} changes outside the cards",
            parts,
        )
    return ngettext(
        "{cards}, {count} other change",
        "{cards}, {count} other changes",
        parts,
        cards=counted,
    )


def _format_card_title(card: CardChange, lang: str) -> str:
    title = f"{card.id} ({card.name})" if card.name else card.id
    if card.old_id and card.old_id != card.id:
        title += translate(_(", was {old}", old=card.old_id), lang)
    if card.successors:
        title += f" -> {', '.join(card.successors)}"
    old = card.old_revision
    new = card.new_revision
    if old and new and old != new:
        title += translate(_(", revision {old} -> {new}", old=old, new=new), lang)
    # The class of an added or removed card says no more than its status.
    if card.status in (Status.CHANGED, Status.RENAMED):
        title += f": {translate(card.card_class.words, lang)}"
    return title


def _format_field(field: FieldChange, marks: Marks, lang: str) -> str:
    """Format one changed field of a card, such as `wording: abilities.relay.text: ...`."""
    pieces = compare_long_texts(field.old, field.new)
    if field.redrawn:
        change = translate(_("new picture"), lang)
    elif pieces:
        marked_text = mark_pieces(pieces, lambda kind, text: marks[kind].format(text))
        # The change is one line, also of a text with paragraphs.
        change = " ".join(marked_text.split())
    else:
        change = f"{format_value(field.old, lang)} -> {format_value(field.new, lang)}"
    # A text that contains the new name of a card is no name itself.
    is_text = field.type is ChangeClass.NAME and not field.path.endswith("name")
    change_class = ChangeClass.WORDING if is_text else field.type
    field_type = translate(get_term(change_class.value), lang)
    language = f" [{field.lang}]" if field.lang else ""
    path = "" if field.path == field.type.value else f" {field.path}:"
    remark = f" ({translate(field.remark, lang)})" if field.remark else ""
    return f"{field_type}{language}:{path} {change}{remark}"


def _format_part_change(part: PartChange, lang: str) -> str:
    if part.part == LANGUAGE:
        return translate(describe_language(part), lang)
    # These are files, whose content would not fit on a line.
    if part.part in ("schema", "template", "art"):
        word = _("changed")
        if part.old is ABSENT:
            word = _("new")
        elif part.new is ABSENT:
            word = _("gone")
        return translate(word, lang)
    return f"{format_value(part.old, lang)} -> {format_value(part.new, lang)}"


def format_value(value: Value, lang: str = "en") -> str:
    """Format a value for people: a text as it is, other values as JSON."""
    if value is ABSENT:
        return translate(_("nothing"), lang)
    if isinstance(value, str):
        return value if value else translate(_("an empty text"), lang)
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change that an imported table makes to one card. `what` is `new`, `changed` or `gone`.

    A leaf's last step names the language of a translation: `name@de`.
    """

    file: str
    what: str
    leaves: tuple[LeafChange, ...] = ()


def format_table_changes(changes: Sequence[TableChange], lang: str) -> str:
    """Format the changes of imported tables: a line per card, an indented line per field."""
    lines = []
    for change in changes:
        lines.append(f"{translate(get_term(change.what), lang)} {change.file}")
        lines += [
            f"    {format_path(leaf.path)}: {format_leaf(leaf, lang)}"
            for leaf in change.leaves
        ]
    summary = _("Nothing changed.")
    if changes:
        summary = ngettext(
            "{count} card changed", "{count} cards changed", len(changes)
        )
    lines.append(translate(summary, lang))
    return "".join(f"{line}\n" for line in lines)


def format_leaf(leaf: LeafChange, lang: str) -> str:
    """Format a changed value as `old -> new`, or a long text with its changed words marked."""
    if leaf.old is ABSENT:
        return format_value(leaf.new, lang)
    pieces = compare_long_texts(leaf.old, leaf.new)
    if pieces:
        return "".join(PLAIN_MARKS[piece.kind].format(piece.text) for piece in pieces)
    return f"{format_value(leaf.old, lang)} -> {format_value(leaf.new, lang)}"


def format_notes(notes: Notes, parts: Collection[str] = NOTE_PARTS) -> str:
    """Format release notes as Markdown. `parts` names the sections to include."""
    return "\n\n".join(_list_note_blocks(notes, parts)) + "\n"


def _list_note_blocks(notes: Notes, parts: Collection[str]) -> Iterator[str]:
    """Yield the Markdown blocks of release notes: headings, paragraphs, lists and tables."""
    yield from _format_notes_header(notes)
    if not notes.groups and not notes.rules and not notes.restyled:
        yield translate(_("No card changed."), notes.lang)
    if "summary" in parts and notes.summary:
        yield f"## {translate(_('Summary'), notes.lang)}"
        yield _format_list(notes.summary)
    yield from format_commentary(notes.commentary)
    if "points" in parts and notes.points:
        yield f"## {translate(_('Points'), notes.lang)}"
        yield format_points_table(notes)
    if "cards" in parts:
        yield from _format_cards(notes)
        if notes.rulings:
            yield f"## {translate(_('Questions and answers'), notes.lang)}"
        for entry in notes.rulings:
            yield "\n".join(format_ruling(entry, notes.lang))


def _format_notes_header(notes: Notes) -> Iterator[str]:
    yield f"# {_escape_markdown(format_heading(notes))}"
    yield _escape_markdown(format_dates(notes))
    if notes.announcement:
        yield _format_link(notes.announcement, notes.lang)
    if notes.withdrawn:
        yield f"> **{_escape_markdown(notes.withdrawn)}**"


def _format_list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {_escape_markdown(text)}" for text in texts)


def format_points_table(notes: Notes) -> str:
    """Format the changed points costs of cards as a Markdown table."""
    before = translate(_("before"), notes.lang)
    now = translate(_("now"), notes.lang)
    # The colons align the costs to the right.
    lines = [f"|  |  | {before} | {now} |  |", "| --- | --- | ---: | ---: | --- |"]
    for row in notes.points:
        name = _escape_markdown(row.name)
        faction = _escape_markdown(row.faction)
        lines.append(
            f"| {name} | {faction} | {row.old} | **{row.new}** | {row.remark} |"
        )
    return "\n".join(lines)


def _format_cards(notes: Notes) -> Iterator[str]:
    if notes.rules:
        yield f"## {translate(_('Rules'), notes.lang)}"
        rule_lines: list[str] = []
        for rule in notes.rules:
            rule_lines += _format_rule(rule, notes.lang)
        # A rule without a summary ends with a space.
        yield "\n".join(map(str.rstrip, rule_lines))
    for faction, groups in groupby(notes.groups, key=lambda group: group.faction):
        yield f"## {_escape_markdown(faction)}"
        for group in groups:
            yield f"### {_escape_markdown(group.kind)}"
            for note, names in join_equal_notes(group.notes):
                yield "\n".join(_format_note(note, ", ".join(names), notes.lang))
    if notes.restyled:
        yield f"## {translate(_('Looks different'), notes.lang)}"
        yield _format_list(notes.restyled)


def _format_rule(rule: RuleNote, lang: str) -> Iterator[str]:
    link = f" {_format_link(rule.announcement, lang)}" if rule.announcement else ""
    yield f"- **{_escape_markdown(rule.title)}** ({rule.source}). {rule.summary}{link}"
    for row in rule.rows:
        yield f"  - {_escape_markdown(row.field)}: {format_row(row, lang, _mark_text)}"


def _format_link(announcement: str, lang: str) -> str:
    return (
        f"[{translate(_('Announcement'), lang)}](<{announcement}>)"
        if announcement
        else ""
    )


def format_heading(notes: Notes) -> str:
    """Return the title of release notes, such as `toy: what changed in 2.0`."""
    form = _("{pack}: what changed in {new}")
    if notes.new == WORK:
        form = _("{pack}: what the next release changes")
    if notes.spans_releases:
        form = _("{pack}: what changed from {old} to {new}")
        if notes.new == WORK:
            form = _("{pack}: what changed since {old}")
    return translate(_(form, pack=notes.pack, old=notes.old, new=notes.new), notes.lang)


def format_dates(notes: Notes) -> str:
    """Return a sentence with the dates of publication and of coming into force."""
    if notes.spans_releases and notes.new == WORK:
        form = _("With changes that are not published yet. Compared with {old}.")
        return translate(_(form, old=notes.old), notes.lang)
    if notes.released is None or notes.effective is None:
        return translate(
            _("Not yet published. Compared with {old}.", old=notes.old), notes.lang
        )
    form = _("Published {released}, in force from {effective}. Compared with {old}.")
    message = _(form, released=notes.released, effective=notes.effective, old=notes.old)
    return translate(message, notes.lang)


def format_revision(note: Note, lang: str) -> str:
    """Return `revision 3` for a card in release notes. Empty for a removed card."""
    if not note.revision or note.status.gone:
        return ""
    return translate(_("revision {number}", number=note.revision), lang)


def _format_note(note: Note, names: str, lang: str) -> Iterator[str]:
    revision = format_revision(note, lang)
    suffix = f" ({revision})" if revision else ""
    # Without an empty line, some readers of Markdown do not start the list.
    yield f"**{_escape_markdown(names)}**{suffix}\n"
    if note.summary:
        yield f"- {_escape_markdown(note.summary)}"
    if note.effective:
        yield f"- {translate(_('Applies from {day}.', day=note.effective), lang)}"
    for text_type, text in note.texts:
        if text:
            prefix = f"*{text_type}.* " if text_type else ""
            yield f"- {prefix}{_escape_markdown(text)}"
    yield from (f"- {line}" for line in format_commentary(note.commentary))
    for row in note.rows:
        # Indented paragraphs belong to the item of the list.
        change = format_row(row, lang, _mark_text).replace("\n", "\n\n  ")
        yield f"- {_escape_markdown(row.field)}: {change}"


def format_row(row: NoteRow, lang: str, mark: Callable[[str, str], str]) -> str:
    """Format the old and new value of a changed field. `mark(kind, text)` marks each piece.

    The kinds are `same`, `gone` and `new`. A remark follows in brackets.
    """
    text = _format_row_values(row, lang, mark)
    return f"{text} ({row.remark})" if row.remark else text


def _format_row_values(row: NoteRow, lang: str, mark: Callable[[str, str], str]) -> str:
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
        old = mark("same", row.old)
        return translate(
            _("moved: {old} → {new}", old=old, new=mark("same", row.new)), lang
        )
    if row.pieces:
        return mark_pieces(row.pieces, mark)
    if not row.old:
        return mark("same", row.new)
    return f"{mark('gone', row.old)} → {mark('new', row.new)}"


def _mark_text(kind: str, text: str) -> str:
    return MARKDOWN_MARKS[kind].format(_escape_markdown(text))


def _escape_markdown(text: str) -> str:
    """Escape characters that Markdown would read as formatting."""
    return MARKDOWN_SPECIAL_CHARACTERS.sub(r"\\\1", text)
