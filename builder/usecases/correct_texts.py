"""Correct the typography of cards: quotes, dashes, spaces and dice notation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeAlias

from builder.errors import OutputNotWritten
from builder.files import is_within, write_atomic
from builder.messages import gettext as _, translate
from builder.model.base import DataPath, parse_path
from builder.model.card import ChangeType, HistoryEntry, hash_source
from builder.model.loaded import LoadedPack
from builder.model.markup import parse_and_check
from builder.model.typography import correct_text
from builder.packs.pack_files import PackFiles, bump_revision, read_text

NOTE = _("Typography corrected.")


@dataclass(frozen=True, slots=True)
class Correction:
    """A text before and after its correction; `path` is the place of the text in its file."""

    card: str
    lang: str
    file: str
    line: int
    path: DataPath
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TextCorrections:
    """The corrections of a pack.

    `released_ids` are cards that a release has with the same revision.

    `current_hashes` are the places of source hashes to update, by file.
    """

    corrections: tuple[Correction, ...]
    released_ids: frozenset[str] = frozenset()
    current_hashes: Mapping[str, tuple[tuple[str, DataPath, str], ...]] = field(
        default_factory=dict
    )


def find_corrections(packs: PackFiles, pack: str) -> TextCorrections:
    """Return the corrections of all texts of cards. Nothing is written."""
    loaded = packs.load_pack(pack)
    if loaded.pack is None:
        return TextCorrections(())
    corrections = (*_correct_cards(loaded), *_correct_translations(loaded))
    hashes: dict[str, tuple[tuple[str, DataPath, str], ...]] = {}
    source = loaded.pack.manifest.languages.source
    for correction in corrections:
        if correction.lang == source:
            for file, path in _list_current_hashes(loaded, correction):
                change = (correction.card, path, hash_source(correction.after))
                hashes[file] = (*hashes.get(file, ()), change)
    return TextCorrections(corrections, _find_released_ids(packs, pack, loaded), hashes)


def _correct_cards(loaded: LoadedPack) -> Iterator[Correction]:
    """Yield the corrections of texts in the source language."""
    pack = loaded.whole
    lang = pack.manifest.languages.source
    for card_id, paths in pack.texts.items():
        document = loaded.documents[card_id]
        for path in paths:
            before = str(pack.cards[card_id].get_field(path))
            after = _correct_text(loaded, card_id, path, before, lang)
            if after != before:
                place = parse_path(path)
                line = document.locate(place).line or 0
                yield Correction(card_id, lang, document.file, line, place, before, after)


def _correct_translations(loaded: LoadedPack) -> Iterator[Correction]:
    """Yield the corrections of translated texts."""
    for lang, cards in loaded.whole.translations.items():
        for card_id, strings in cards.items():
            document = loaded.translations.get((lang, card_id))
            if document is None:
                continue
            for path, string in strings.items():
                after = _correct_text(loaded, card_id, path, string.text, lang)
                if after != string.text:
                    place: DataPath = ("strings", path, "text")
                    line = document.locate(place).line or 0
                    before = string.text
                    yield Correction(card_id, lang, document.file, line, place, before, after)


def _correct_text(loaded: LoadedPack, card: str, path: str, text: str, lang: str) -> str:
    """Return a corrected text; the text itself if its markup would break."""
    pack = loaded.whole
    is_marked_up = path in pack.rich.get(card, frozenset())
    die = pack.vocabulary.labels.get("die", {}).get(lang, "d")
    after = correct_text(text, lang, die, is_marked_up=is_marked_up)
    if is_marked_up and len(parse_and_check(after).errors) > len(parse_and_check(text).errors):
        return text
    return after


def _list_current_hashes(
    loaded: LoadedPack, correction: Correction
) -> Iterator[tuple[str, DataPath]]:
    """Yield file and place of each source hash that is current before a correction."""
    path = ".".join(map(str, correction.path))
    for lang, cards in loaded.whole.translations.items():
        string = cards.get(correction.card, {}).get(path)
        document = loaded.translations.get((lang, correction.card))
        if string is None or document is None:
            continue
        if string.source == hash_source(correction.before):
            yield document.file, ("strings", path, "source")


def _find_released_ids(packs: PackFiles, pack: str, loaded: LoadedPack) -> frozenset[str]:
    """Return the cards that the last release has with the revision that they have now."""
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
    packs: PackFiles, pack: str, found: TextCorrections, *, bump: bool, released: date
) -> tuple[str, ...]:
    """Write the corrections, and return the names of the changed files.

    Cards of a release get a new revision of the type `misprint` if `bump`, else they stay as they
    are. All files are written or none.
    """
    loaded = packs.load_pack(pack)
    texts = _edit_files(packs, _list_changes(found, bump=bump))
    corrected_ids = {correction.card for correction in found.corrections}
    for card_id in sorted(corrected_ids & found.released_ids) if bump else ():
        file = loaded.documents[card_id].file
        text = texts.get(file) or read_text(packs.project.root / file)
        texts[file] = bump_revision(text, file, _make_entry(loaded, released))[0]
    for file in texts:
        if not is_within(packs.project.root, packs.project.root / file):
            message = _("the link {name} leads outside the pack", name=Path(file).name)
            raise OutputNotWritten(message, _("Replace it with a folder."))
    for file, text in texts.items():
        write_atomic(packs.project.root / file, text.encode())
    return tuple(texts)


Changes: TypeAlias = Mapping[str, Sequence[tuple[DataPath, str]]]
"""Places and their new values, by file."""


def _list_changes(found: TextCorrections, *, bump: bool) -> Changes:
    """Return the changes of texts and source hashes.

    Those of released cards only if they are bumped.
    """
    changes: dict[str, list[tuple[DataPath, str]]] = {}
    kept_ids = frozenset() if bump else found.released_ids
    for correction in found.corrections:
        if correction.card not in kept_ids:
            change = (correction.path, correction.after)
            changes.setdefault(correction.file, []).append(change)
    for file, hashes in found.current_hashes.items():
        for card, path, value in hashes:
            if card not in kept_ids:
                changes.setdefault(file, []).append((path, value))
    return changes


def _edit_files(packs: PackFiles, changes: Changes) -> dict[str, str]:
    """Return the edited texts by file. Nothing is written."""
    from builder.packs.yaml.editing import YamlText

    texts: dict[str, str] = {}
    for file, file_changes in changes.items():
        edit = YamlText(read_text(packs.project.root / file), file)
        for path, text in file_changes:
            edit.set_scalar(path, text)
        texts[file] = edit.text
    return texts


def _make_entry(loaded: LoadedPack, released: date) -> HistoryEntry:
    """Return the history entry of a corrected card, with a note in every language of the pack."""
    note = {lang: translate(NOTE, lang) for lang in loaded.whole.manifest.languages.all}
    return HistoryEntry(revision=1, released=released, type=ChangeType.MISPRINT, note=note)
