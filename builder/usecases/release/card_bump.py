"""Raise a card's revision: number, date and history entry, everything else in its text byte for byte as it was."""

from collections.abc import Sequence

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import HistoryEntry
from builder.model.loaded import LoadedPack
from builder.model.words import suggestion
from builder.store.yaml import parse_document
from builder.store.yaml_edit import YamlText
from builder.usecases.storage import PackStorage, check_languages


def bump_card(packs: PackStorage, pack: str, loaded: LoadedPack, card: str, entry: HistoryEntry) -> tuple[str, int]:
    """Give a card of a pack its next revision, which the entry tells of whatever number it has itself; what the card's
    file is called, and the number. UsageError if there is no such card or language.
    """
    known = {file.id or file.stem: file for file in reversed(loaded.files)}
    if card not in known:
        raise UsageError(_("{pack} has no card {card}", pack=pack, card=card), suggestion(card, known, _("Cards")))
    if loaded.pack is not None:
        check_languages(pack, loaded.pack.manifest.languages.all, entry.note)
    return known[card].document.file, packs.revise(known[card], entry)


def by_language(loaded: LoadedPack, notes: Sequence[str]) -> dict[str, str]:
    """Notes written `LANG=TEXT`, or bare for the pack's source language, as one text per language."""
    languages = loaded.pack.manifest.languages if loaded.pack else None
    found = {}
    for note in notes:
        lang, equals, text = note.partition("=")
        named = bool(equals) and languages is not None and lang in languages.all
        source = languages.source if languages else "und"
        found[lang if named else source] = text if named else note
    return found


def bumped(text: str, file: str, entry: HistoryEntry) -> tuple[str, int]:
    """The text with the next revision, and its number. Reading it back proves that nothing else changed."""
    before = _value(text, file)
    old = before.get("revision")
    if not isinstance(old, int):
        raise _refused(file, _("it has no revision"))
    change = entry.model_copy(update={"revision": old + 1}).model_dump(mode="json", exclude_none=True)
    head = {"revision": old + 1, "released": change["released"]}
    edit = YamlText(text, file)
    for key, value in head.items():
        edit.set_scalar((key,), value)
    edit.append(("history",), change, after="released")
    listed = before.get("history")
    history = [*(listed if isinstance(listed, list) else ()), change]
    if _value(edit.text, file) != {**before, **head, "history": history}:
        raise _refused(file, _("its layout is too unusual to be edited safely"))
    return edit.text, old + 1


def _value(text: str, file: str) -> dict[str, Json]:
    document, findings = parse_document(text.removeprefix("\ufeff"), file)
    if document is None or not isinstance(document.value, dict):
        raise _refused(file, findings[0].message if findings else _("it is not a card"))
    return document.value


def _refused(file: str, reason: str) -> InputUnreadable:
    message = _("{file} was not edited: {reason}", file=file, reason=reason)
    return InputUnreadable(message, _("Mend it (`squadpress check` says where), or edit it by hand."))
