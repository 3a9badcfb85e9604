"""Correct the typography of a pack's texts: quotes, dashes, spaces and dice notation."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TypeAlias

from builder.errors import OutputNotWritten
from builder.files import is_within, write_files
from builder.messages import gettext as _, translate
from builder.model.base import DataPath, format_path, look_up, parse_path, walk_values
from builder.model.card import ChangeType, HistoryEntry, hash_source
from builder.model.loaded import Document, LoadedPack
from builder.model.markup import parse_and_check
from builder.model.typography import correct_text
from builder.packs.pack_files import PackFiles, bump_revision, read_text

NOTE = _("Typography corrected.")
PRINTED_FILES = ("pack.yaml", "vocabulary.yaml")
"""Files with words that cards print."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A text of a pack before and after the correction of its typography.

    `path` leads to the text in its file. `card` is empty for other texts, such as words of the
    vocabulary.
    """

    card: str
    lang: str
    file: str
    line: int
    path: DataPath
    before: str
    after: str

    @property
    def card_or_place(self) -> str:
        """The id of the card, or the path of the text in its file."""
        return self.card or format_path(self.path[:-1])


@dataclass(frozen=True, slots=True)
class TextCorrections:
    """The typographic corrections of a pack.

    `released_ids` are cards that a release has with the same revision. `released_files` are
    files with words that released cards print. `current_hashes` are the paths of source hashes
    to update, by file.
    """

    corrections: tuple[Correction, ...]
    released_ids: frozenset[str] = frozenset()
    released_files: frozenset[str] = frozenset()
    current_hashes: Mapping[str, tuple[tuple[str, DataPath, str], ...]] = field(
        default_factory=dict
    )

    def is_released(self, correction: Correction) -> bool:
        """Return True if the correction would change released cards."""
        return (
            correction.card in self.released_ids
            or correction.file in self.released_files
        )


def find_corrections(packs: PackFiles, pack: str) -> TextCorrections:
    """Find all typographic corrections in the texts of a pack. Nothing is written."""
    loaded = packs.load_pack(pack)
    if loaded.pack is None:
        return TextCorrections(())
    released_ids = _find_released_ids(packs, pack, loaded)
    released_files = frozenset[str]()
    if packs.open_releases(pack).list_releases():
        printed_files = [
            loaded.sources[name] for name in PRINTED_FILES if name in loaded.sources
        ]
        released_files = frozenset(document.file for document in printed_files)
    corrections = [
        *_find_in_cards(loaded),
        *_find_in_translations(loaded),
        *_find_in_notes(loaded, released_ids),
    ]
    for document in loaded.sources.values():
        corrections += _find_in_localized_texts(loaded, document, ())
    # A corrected source text would otherwise make its translations look stale.
    hashes: dict[str, tuple[tuple[str, DataPath, str], ...]] = {}
    source = loaded.pack.manifest.languages.source
    for correction in corrections:
        if correction.lang != source or not correction.card:
            continue
        for file, path in _list_current_hashes(loaded, correction):
            change = (correction.card, path, hash_source(correction.after))
            hashes[file] = (*hashes.get(file, ()), change)
    return TextCorrections(tuple(corrections), released_ids, released_files, hashes)


def _find_in_cards(loaded: LoadedPack) -> Iterator[Correction]:
    """Yield the corrections of card texts in the source language."""
    pack = loaded.whole
    lang = pack.manifest.languages.source
    for card_id, paths in pack.texts.items():
        document = loaded.documents[card_id]
        for path in paths:
            before = str(pack.cards[card_id].get_field(path))
            after = _correct_card_text(loaded, card_id, path, before, lang)
            if after != before:
                place = parse_path(path)
                line = document.locate(place).line or 0
                yield Correction(
                    card_id, lang, document.file, line, place, before, after
                )


def _find_in_translations(loaded: LoadedPack) -> Iterator[Correction]:
    """Yield the corrections of translated card texts."""
    for lang, cards in loaded.whole.translations.items():
        for card_id, strings in cards.items():
            document = loaded.translations.get((lang, card_id))
            if document is None:
                continue
            for path, string in strings.items():
                before = string.text
                after = _correct_card_text(loaded, card_id, path, before, lang)
                if after != before:
                    place: DataPath = ("strings", path, "text")
                    line = document.locate(place).line or 0
                    yield Correction(
                        card_id, lang, document.file, line, place, before, after
                    )


def _find_in_notes(
    loaded: LoadedPack, released_ids: Collection[str]
) -> Iterator[Correction]:
    """Yield the corrections in notes of unreleased changes to cards."""
    for card_id, document in loaded.documents.items():
        history = look_up(document.value, ("history",))
        if card_id in released_ids or not isinstance(history, list) or not history:
            continue
        # Releases have published the notes of all earlier revisions.
        start: DataPath = ("history", len(history) - 1, "note")
        for correction in _find_in_localized_texts(loaded, document, start):
            yield replace(correction, card=card_id)


def _find_in_localized_texts(
    loaded: LoadedPack, document: Document, start: DataPath
) -> Iterator[Correction]:
    """Yield the corrections of texts that a file, from a path on, has in several languages."""
    langs = set(loaded.whole.manifest.languages.all)
    for path, value in walk_values(look_up(document.value, start), start):
        # `languages` of pack.yaml has languages as keys, too, but no texts.
        if not isinstance(value, dict) or not value or path[:1] == ("languages",):
            continue
        if not langs.issuperset(map(str, value)):
            continue
        for lang, text in value.items():
            if not isinstance(text, str):
                continue
            after = _correct_words(loaded, text, lang, is_marked_up="{" in text)
            if after != text:
                place = (*path, lang)
                line = document.locate(place).line or 0
                yield Correction("", lang, document.file, line, place, text, after)


def _correct_card_text(
    loaded: LoadedPack, card: str, path: str, text: str, lang: str
) -> str:
    """Return the text at a path of a card with corrected typography."""
    is_marked_up = path in loaded.whole.rich.get(card, frozenset())
    return _correct_words(loaded, text, lang, is_marked_up=is_marked_up)


def _correct_words(
    loaded: LoadedPack, text: str, lang: str, *, is_marked_up: bool
) -> str:
    """Correct the typography of a text. Return it unchanged if its markup would break."""
    pack = loaded.whole
    die = pack.vocabulary.labels.get("die", {}).get(lang, "d")
    after = correct_text(text, lang, die, is_marked_up=is_marked_up)
    if is_marked_up:
        new_errors = len(parse_and_check(after).errors)
        if new_errors > len(parse_and_check(text).errors):
            return text
    return after


def _list_current_hashes(
    loaded: LoadedPack, correction: Correction
) -> Iterator[tuple[str, DataPath]]:
    """Yield (file, path) of each translation's hash that matches the text before a correction."""
    path = ".".join(map(str, correction.path))
    for lang, cards in loaded.whole.translations.items():
        string = cards.get(correction.card, {}).get(path)
        document = loaded.translations.get((lang, correction.card))
        if string is None or document is None:
            continue
        if string.source == hash_source(correction.before):
            yield document.file, ("strings", path, "source")


def _find_released_ids(
    packs: PackFiles, pack: str, loaded: LoadedPack
) -> frozenset[str]:
    """Return the cards whose current revision is in the last release."""
    releases = packs.open_releases(pack)
    all_releases = releases.list_releases()
    if not all_releases:
        return frozenset()
    released_cards = releases.load_state(all_releases[-1].version)[0].cards
    released_ids = set()
    for card_id, values in released_cards.items():
        card = loaded.whole.cards.get(card_id)
        if card is not None and card.revision == values.get("revision"):
            released_ids.add(card_id)
    return frozenset(released_ids)


def write_corrections(
    packs: PackFiles,
    pack: str,
    corrections: TextCorrections,
    *,
    bump: bool,
    released: date,
) -> tuple[str, ...]:
    """Write corrections to all files or none. Return the names of the changed files.

    With `bump`, released cards get a new revision of the type `misprint`. Without it, they stay as
    they are.
    """
    loaded = packs.load_pack(pack)
    texts = _edit_files(packs, _list_new_values(corrections, bump=bump))
    root = packs.project.root
    if bump:
        entry = _make_entry(loaded, released)
        corrected_ids = {correction.card for correction in corrections.corrections}
        for card_id in sorted(corrected_ids & corrections.released_ids):
            # A correction of a translation alone leaves the card's own file unedited.
            file = loaded.documents[card_id].file
            text = texts.get(file) or read_text(root / file)
            texts[file] = bump_revision(text, file, entry)[0]
    for file in texts:
        if not is_within(root, root / file):
            message = _("the link {name} leads outside the pack", name=Path(file).name)
            raise OutputNotWritten(message, _("Replace it with a folder."))
    write_files({root / file: text.encode() for file, text in texts.items()})
    return tuple(texts)


ValuesByFile: TypeAlias = Mapping[str, Sequence[tuple[DataPath, str]]]
"""Places and their new values, by file."""


def _list_new_values(corrections: TextCorrections, *, bump: bool) -> ValuesByFile:
    """Return the new texts and source hashes, by file. Skip released cards unless `bump`."""
    changes: dict[str, list[tuple[DataPath, str]]] = {}
    unchanged_ids = frozenset() if bump else corrections.released_ids
    for correction in corrections.corrections:
        if bump or not corrections.is_released(correction):
            change = (correction.path, correction.after)
            changes.setdefault(correction.file, []).append(change)
    for file, hashes in corrections.current_hashes.items():
        for card, path, value in hashes:
            if card not in unchanged_ids:
                changes.setdefault(file, []).append((path, value))
    return changes


def _edit_files(packs: PackFiles, changes: ValuesByFile) -> dict[str, str]:
    """Return the edited contents of files, by name. Nothing is written."""
    from builder.packs.yaml.editing import YamlText

    texts: dict[str, str] = {}
    for file, file_changes in changes.items():
        edit = YamlText(read_text(packs.project.root / file), file)
        for path, text in file_changes:
            edit.set_scalar(path, text)
        texts[file] = edit.text
    return texts


def _make_entry(loaded: LoadedPack, released: date) -> HistoryEntry:
    """Make the history entry of a corrected card, with a note in every language of the pack."""
    note = {lang: translate(NOTE, lang) for lang in loaded.whole.manifest.languages.all}
    # `bump_revision` replaces the revision by the next one of the card.
    return HistoryEntry(
        revision=1, released=released, type=ChangeType.MISPRINT, note=note
    )
