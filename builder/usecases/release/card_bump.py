"""Raise a card's revision in its file: revision, date and history entry, everything else byte for byte as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from builder.errors import InputUnreadable, UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import ChangeType
from builder.model.words import suggestion
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.store.yaml import parse_document
from builder.store.yaml_edit import YamlText
from builder.usecases.storage import check_languages


@dataclass(frozen=True)
class Bump:
    """What the new revision says. `notes` is one text per language."""

    type: ChangeType
    notes: Mapping[str, str]
    released: date
    effective: date | None = None

    def entry(self, revision: int) -> dict[str, Json]:
        """The history entry."""
        head: dict[str, Json] = {"revision": revision, "released": self.released.isoformat()}
        if self.effective is not None:
            head["effective"] = self.effective.isoformat()
        return {**head, "type": self.type.value, "note": dict(self.notes)}


def bump_card(project: Project, pack: str, card: str, bump: Bump) -> tuple[str, int]:
    """Edit the card's file; its path and the new revision. UsageError if there is no such card or language."""
    loaded = load_pack(project, pack)
    file = next((file for file in loaded.files if (file.id or file.stem) == card), None)
    if file is None:
        known = [file.id or file.stem for file in loaded.files]
        raise UsageError(_("{pack} has no card {card}", pack=pack, card=card), suggestion(card, known, _("Cards")))
    languages = loaded.pack.manifest.languages.all if loaded.pack else ()
    check_languages(pack, languages, bump.notes if languages else ())
    path = project.root / file.document.file
    data = path.read_bytes()
    edited, revision = bumped(data.decode("utf-8"), file.document.file, bump)
    write_atomic(path, edited.encode("utf-8"))
    return file.document.file, revision


def by_language(project: Project, pack: str, notes: tuple[str, ...]) -> dict[str, str]:
    """Notes written `LANG=TEXT`, or bare for the pack's source language, as one text per language."""
    loaded = load_pack(project, pack)
    languages = loaded.pack.manifest.languages if loaded.pack else None
    found = {}
    for note in notes:
        lang, equals, text = note.partition("=")
        named = bool(equals) and languages is not None and lang in languages.all
        source = languages.source if languages else "und"
        found[lang if named else source] = text if named else note
    return found


def bumped(text: str, file: str, bump: Bump) -> tuple[str, int]:
    """The text with the next revision, and its number. Reading it back proves that nothing else changed."""
    before = _value(text, file)
    old = before.get("revision")
    if not isinstance(old, int):
        raise _refused(file, _("it has no revision"))
    entry = bump.entry(old + 1)
    edit = YamlText(text, file)
    edit.set_scalar(("revision",), old + 1)
    edit.set_scalar(("released",), bump.released.isoformat())
    edit.append(("history",), entry, after="released")
    listed = before.get("history")
    expected = {
        **before,
        "revision": old + 1,
        "released": bump.released.isoformat(),
        "history": [*(listed if isinstance(listed, list) else ()), entry],
    }
    if _value(edit.text, file) != expected:
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
