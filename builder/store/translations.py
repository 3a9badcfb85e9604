"""The translation files of a pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.diskmap import Shelf
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Translation
from builder.model.loaded import Document
from builder.model.pack import TranslatedString
from builder.store import codes
from builder.store.sources import Reader, yaml_files


@dataclass
class Translations:
    """All translations of one pack: documents by language and file name, strings by language and card id."""

    reader: Reader
    folder: Path
    documents: dict[tuple[str, str], Document] = field(default_factory=dict)
    strings: dict[str, Shelf[str, Mapping[str, TranslatedString]]] = field(default_factory=dict)
    _values: Shelf[str, Json] = field(default_factory=Shelf)

    def load(self) -> None:
        """Read every file under i18n/<lang>/."""
        for path in yaml_files(self.folder):
            lang = path.relative_to(self.folder).parts[0]
            document = self.reader.document(path)
            translation = self.reader.model(document, Translation) if document else None
            if document is None or translation is None:
                continue
            first = self.documents.get((lang, path.stem))
            if first is not None:
                message = _("{file} translates {card} already", file=first.file, card=path.stem)
                self.reader.add([codes.DUPLICATE_TRANSLATION.finding(message, document.locate(("id",)))])
                continue
            self.documents[lang, path.stem] = self.reader.kept(document, self._values)
            strings = self.strings.setdefault(lang, Shelf())
            if translation.id not in strings:
                strings[translation.id] = {
                    at: TranslatedString(string.text, string.source, string.same)
                    for at, string in translation.strings.items()
                }
