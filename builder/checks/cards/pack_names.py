"""pack.yaml names only what is there: kinds, keywords, fields of cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Path
from builder.model.card import ENVELOPE
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.spelling import suggestion
from builder.model.terms import term

UNKNOWN_NAME = define(
    "pack/unknown-name",
    _("A kind or keyword in pack.yaml that does not exist"),
    _("What it says about the name would never apply."),
    _("Correct the name, or add the kind to pack.yaml or the keyword to vocabulary.yaml."),
)
UNKNOWN_FIELD = define(
    "pack/unknown-field",
    _("A field in pack.yaml by which no card can be ordered or framed"),
    _("All cards would fall together, and a frame could not tell them apart."),
    _("Correct the field's name; a field inside another is written with dots."),
    Severity.WARNING,
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Names in the manifest."""
    document = loaded.sources.get("pack.yaml")
    if loaded.pack is None or document is None:
        return
    manifest = loaded.pack.manifest
    for kind in manifest.schemas:
        yield from _name("kind", kind, manifest.kinds, ("schemas", kind), document)
    for name, choice in manifest.roster.choices.items():
        path: Path = ("roster", "choices", name)
        if choice.cards is not None:
            yield from _name("kind", choice.cards, manifest.kinds, (*path, "cards"), document)
        if choice.keyword is not None:
            yield from _name("keyword", choice.keyword, loaded.pack.vocabulary.keywords, (*path, "keyword"), document)
    yield from _fields(loaded, document)


def _name(what: str, name: str, known: Collection[str], path: Path, document: Document) -> Iterator[Finding]:
    if name not in known:
        hint = suggestion(name, known)
        yield UNKNOWN_NAME.finding(
            _("there is no {what} {name}", what=term(what), name=name), document.locate(path), hint
        )


def _fields(loaded: LoadedPack, document: Document) -> Iterator[Finding]:
    """The fields that order a kind in print and that its frame depends on."""
    assert loaded.pack is not None
    stated: dict[str, set[str]] = {}
    for file in loaded.files:
        if isinstance(file.document.value, dict):
            stated.setdefault(file.kind or file.folder, set()).update(file.document.value)
    for kind, form in loaded.pack.manifest.kinds.items():
        if kind not in stated or loaded.unread:
            continue
        known = stated[kind] | ENVELOPE
        for key, fields in (("order_by", form.order_by), ("frame_by", form.frame_by)):
            for index, name in enumerate(fields):
                if name.partition(".")[0] not in known:
                    place = document.locate(("kinds", kind, key, index))
                    yield UNKNOWN_FIELD.finding(
                        _("no {kind} has a field {name}", kind=kind, name=name), place, suggestion(name, known)
                    )
