"""Change card files as a maintainer: revisions, history entries, translations."""

from collections.abc import Mapping, Sequence
from typing import cast

from builder.checks.cards.reprints import find_reprints
from builder.errata.difference import compare_states
from builder.errata.release import find_newest
from builder.errata.translations import Coverage, measure_coverage
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.base import Json, look_up
from builder.model.card import HistoryEntry, hash_source
from builder.model.loaded import Document, LoadedPack
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.schema.validation import parse_model
from builder.packs.tables.sheet import Table, TableCell
from builder.packs.translation_files import FilledText
from builder.usecases.pack_states import (
    check_languages,
    load_named_state,
    read_working_pack,
)


def bump_cards(
    packs: PackFiles, pack: str, loaded: LoadedPack, entries: Mapping[str, HistoryEntry]
) -> tuple[tuple[str, int], ...]:
    """Add a new revision to cards. `entries` are their history entries by card id.

    Return the file name and the new revision of each card. All cards are changed or none. Raise
    UsageError for an unknown card or language and for a note that lacks a language, and
    InputUnreadable for a file that cannot be edited.

    A revision that no release has yet gets the new entry instead of another revision.
    """
    # In reverse, so that of two files with the same id the first one counts.
    files_by_card = {file.id or file.stem: file for file in reversed(loaded.files)}
    for card, entry in entries.items():
        if card not in files_by_card:
            raise UsageError(
                _("{pack} has no card {card}", pack=pack, card=card),
                suggest_word(card, files_by_card, _("Cards")),
            )
        if loaded.pack is not None:
            check_languages(pack, loaded.pack.manifest.languages.all, entry.note)
    check_note_languages(loaded, entries)
    changes = [(files_by_card[card], entry) for card, entry in entries.items()]
    numbers = packs.revise_cards(changes, find_pending_cards(packs, loaded))
    return tuple(
        (files_by_card[card].document.file, number)
        for card, number in zip(entries, numbers, strict=True)
    )


def check_note_languages(
    loaded: LoadedPack, entries: Mapping[str, HistoryEntry]
) -> None:
    """Raise UsageError if a note lacks a language that must be complete."""
    languages = (
        loaded.pack.manifest.languages.complete if loaded.pack is not None else ()
    )
    for card, entry in entries.items():
        missing = [lang for lang in languages if not entry.note.get(lang, "").strip()]
        if missing:
            form = _("{card}: the note is missing in {listed}")
            message = _(form, card=card, listed=", ".join(missing))
            raise UsageError(message, _("Add --note {lang}=TEXT.", lang=missing[0]))


def list_reprints(
    loaded: LoadedPack, entries: Mapping[str, HistoryEntry]
) -> dict[str, HistoryEntry]:
    """Return the other prints of these cards, each with the history entry of its card."""
    groups = find_reprints(loaded) if loaded.pack is not None else {}
    others: dict[str, HistoryEntry] = {}
    for card, entry in entries.items():
        for reprint in groups.get(card, ()):
            if reprint not in entries:
                others[reprint] = entry
    return others


def find_pending_cards(packs: PackFiles, loaded: LoadedPack) -> frozenset[str]:
    """Return the released cards whose last revision is not in a release or draft yet."""
    # A draft counts as a release: its readers may have seen the revision.
    releases = packs.open_releases(loaded.whole.id)
    last = find_newest(releases.list_releases())
    if last is None:
        return frozenset()
    released_cards = releases.load_state(last.version)[0].cards
    drafts = releases.drafts
    states = [drafts.load_state(draft.version)[0] for draft in drafts.list_releases()]
    released_states = [released_cards, *(state.cards for state in states)]
    pending_ids: set[str] = set()
    for file in loaded.files:
        card = file.id or file.stem
        revision = look_up(file.document.value, ("revision",))
        numbers = [cards.get(card, {}).get("revision") for cards in released_states]
        # A card that was never released has its first entry, which nothing may replace.
        if card in released_cards and revision not in numbers:
            pending_ids.add(card)
    return frozenset(pending_ids)


def find_unrevised_cards(packs: PackFiles, pack: str, since: str) -> frozenset[str]:
    """Return cards that changed since a version or day without a new revision."""
    old = load_named_state(packs, pack, since)[0]
    new = read_working_pack(packs, pack)[0]
    changes = compare_states(old, new).cards
    return frozenset(change.id for change in changes if change.unrevised)


COLUMNS = ("id", "type", "released", "effective", "note")
"""Columns of a table of notes, besides its languages. `note` is in the source language."""


def read_table_entries(
    table: Table, loaded: LoadedPack, common: Mapping[str, object]
) -> dict[str, HistoryEntry]:
    """Read history entries of cards from a table. Empty cells get the values of `common`.

    Raises UsageError, with the row, for an unknown column or an unusable row.
    """
    _check_columns(table, loaded)
    entries: dict[str, HistoryEntry] = {}
    for row, cells in table.rows[1:]:
        values = _read_row(table.head, cells)
        card = values.pop("id", "")
        hint = _("Write one row per card, with its id.")
        if len(cells) > len(table.head):
            raise _make_table_error(
                table.file, row, _("a row has more values than columns"), hint
            )
        if not card or card in entries:
            reason = _("a row has no card, or a card that an earlier row has")
            raise _make_table_error(table.file, row, reason, hint)
        notes = {
            lang: values.pop(lang) for lang in tuple(values) if lang not in COLUMNS
        }
        if "note" in values:
            notes |= group_notes_by_language(loaded, [values.pop("note")])
        stated_notes = {"note": notes} if notes else {}
        entries[card] = make_entry(
            {**common, **values, **stated_notes}, table.file, row
        )
    return entries


def _check_columns(table: Table, loaded: LoadedPack) -> None:
    """Raise UsageError for an unknown column of the table."""
    languages = loaded.pack.manifest.languages.all if loaded.pack else ()
    known_columns = (*COLUMNS, *languages)
    for column in table.head:
        if column not in known_columns:
            message = _("there is no column {name}", name=column)
            raise _make_table_error(
                table.file, 1, message, suggest_word(column, known_columns)
            )


def _read_row(columns: Sequence[str], cells: Sequence[TableCell]) -> dict[str, str]:
    """Return the non-empty cells of a table row, by column."""
    texts = {column: cell.text for column, cell in zip(columns, cells, strict=False)}
    return {column: text for column, text in texts.items() if text}


def make_entry(
    values: Mapping[str, object], name: str = "", line: int = 0
) -> HistoryEntry:
    """Make a history entry from values of a table row or options. Raise UsageError if invalid."""
    document = Document(name, cast("Json", {"revision": 1, **values}))
    entry, findings = parse_model(HistoryEntry, document)
    if entry is None:
        hint = _("Each card needs type, note and released, in its row or as options.")
        raise _make_table_error(name, line, findings[0].message, hint)
    return entry


def _make_table_error(name: str, line: int, why: str, hint: str) -> UsageError:
    place = f"{name}:{line}" if line else _("the options")
    return UsageError(_("{place}: {reason}", place=place, reason=why), hint)


def group_notes_by_language(loaded: LoadedPack, notes: Sequence[str]) -> dict[str, str]:
    """Return notes such as `de=Text` by language.

    They are written `LANG=TEXT`, or bare for the pack's source language. Raise UsageError for two
    notes of one language, such as a bare note and one of an unknown language.
    """
    languages = loaded.pack.manifest.languages if loaded.pack else None
    source = languages.source if languages else "und"
    notes_by_language: dict[str, str] = {}
    for note in notes:
        lang, equals, text = note.partition("=")
        # A note may contain an equals sign of its own, as in `cost=5`.
        if not equals or languages is None or lang not in languages.all:
            lang, text = source, note
        if lang in notes_by_language:
            form = _("there are two texts in {lang}: {first!r} and {second!r}")
            message = _(form, lang=lang, first=notes_by_language[lang], second=text)
            listed = ", ".join(languages.all) if languages else source
            raise UsageError(message, _("Languages: {listed}", listed=listed))
        notes_by_language[lang] = text
    return notes_by_language


def measure_coverages(
    packs: PackFiles, pack: str, langs: tuple[str, ...] = ()
) -> tuple[Coverage, ...]:
    """Measure how complete the translations of a pack are, in the requested languages or all.

    Raise UsageError for a language that the pack does not have.
    """
    state = read_working_pack(packs, pack)[0]
    translated_langs = state.languages[1:]
    for lang in langs:
        if lang not in translated_langs:
            message = _("{pack} is not translated into {lang}", pack=pack, lang=lang)
            raise UsageError(
                message, suggest_word(lang, translated_langs, _("Its translations"))
            )
    releases = packs.open_releases(pack)
    older = [
        releases.load_state(release.version)[0]
        for release in reversed(releases.list_releases())
    ]
    return tuple(
        measure_coverage(state, lang, older) for lang in langs or translated_langs
    )


def take_texts(
    packs: PackFiles, pack: str, lang: str, texts: Sequence[FilledText], file: str
) -> tuple[tuple[str, int], ...]:
    """Write the texts of a translator's file into the translations of a pack.

    Return the name of each changed translation and its number of new texts. A text that was made
    from an older source text stays out of date. Raise UsageError if the file names something that
    the pack does not have.
    """
    state = read_working_pack(packs, pack)[0]
    if lang not in state.languages[1:]:
        message = _(
            "{file} is for {lang!r}, but {pack} is not translated into it",
            file=file,
            lang=lang,
            pack=pack,
        )
        raise UsageError(
            message, suggest_word(lang, state.languages[1:], _("Its translations"))
        )
    by_card: dict[str, dict[str, Json]] = {}
    for filled_text in texts:
        card = state.cards.get(filled_text.card, {})
        # The card may have changed since the translator got the file.
        if not isinstance(look_up(card, filled_text.path.split(".")), str):
            message = _(
                "{card} has no text {path}",
                card=filled_text.card,
                path=filled_text.path,
            )
            raise UsageError(
                message, _("Create the file again. The card has changed since then.")
            )
        # A translator who returns the source text has decided that it stays.
        same: dict[str, Json] = (
            {"same": True} if filled_text.text == filled_text.source else {}
        )
        entry: Json = {
            "text": filled_text.text,
            "source": hash_source(filled_text.source),
            **same,
        }
        stored_texts = state.translations.get(lang, {}).get(filled_text.card, {})
        # Only new texts are written, so that files without any keep their bytes.
        if stored_texts.get(filled_text.path) != entry:
            by_card.setdefault(filled_text.card, {})[filled_text.path] = entry
    places = {card: f"{state.cards[card].get('kind')}/{card}" for card in by_card}
    return tuple(
        (packs.write_translation(pack, lang, places[card], new), len(new))
        for card, new in by_card.items()
    )
