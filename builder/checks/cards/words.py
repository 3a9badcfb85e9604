"""Names and sentences outside cards (pack, vocabulary, rules, history notes) exist in every language of the pack."""

from __future__ import annotations

from collections.abc import Iterator

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json, Path
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack

MISSING_WORD = define(
    "i18n/missing-word",
    _("A name or note lacks a language"),
    _("Cards, sheets and explanations are printed in all languages of the pack."),
    _("Add the text in the missing language."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every map of texts by language."""
    assert loaded.pack is not None
    languages = loaded.pack.manifest.languages.all
    for name, document in loaded.sources.items():
        if name == "gauges.yaml":  # has a check of its own, which knows its keys
            continue
        yield from _inside(document.value, (), document, languages)
    for document in loaded.documents.values():
        history = document.value.get("history") if isinstance(document.value, dict) else None
        yield from _inside(history, ("history",), document, languages)


def _inside(value: Json, path: Path, document: Document, languages: tuple[str, ...]) -> Iterator[Finding]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(item, (*path, index), document, languages)
    elif isinstance(value, dict):
        if value and all(key in languages and isinstance(item, str) for key, item in value.items()):
            lacking = [lang for lang in languages if lang not in value]
            if lacking:
                message = _(
                    "{path} has no text in {listed}", path=path[-1] if path else _("this"), listed=", ".join(lacking)
                )
                yield MISSING_WORD.finding(message, document.locate(path, key=True))
            return
        for key, item in value.items():
            yield from _inside(item, (*path, key), document, languages)
