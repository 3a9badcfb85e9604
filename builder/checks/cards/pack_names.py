"""pack.yaml and gauges.yaml name only what is there: kinds, keywords, fields, icons; texts in every language."""

from collections.abc import Collection, Iterator, Mapping

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Path, walk
from builder.model.card import ENVELOPE
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.words import suggestion, term

UNKNOWN_NAME = define(
    "pack/unknown-name",
    _("A kind or keyword in pack.yaml that does not exist"),
    _("What it says about the name would never apply."),
    _("Correct the name, or add the kind to pack.yaml or the keyword to vocabulary.yaml."),
)
UNKNOWN_FIELD = define(
    "pack/unknown-field",
    _("A field in pack.yaml by which no card can be ordered, framed or priced"),
    _("All cards would fall together, and a frame could not tell them apart."),
    _("Correct the field's name; a field inside another is written with dots."),
    Severity.WARNING,
)
UNKNOWN_ICON = define(
    "gauges/unknown-icon",
    _("A gauge names an icon that the pack does not have"),
    _("The place of the icon would stay blank in print."),
    _("Draw templates/<pack>/icons/<name>.svg, or correct the name."),
)
MISSING_LANGUAGE = define(
    "gauges/missing-language",
    _("A text of a gauge is missing in a language of the pack"),
    _("The sheet of that language would carry a word of another one."),
    _("Add the text in this language."),
    Severity.WARNING,
)

TEXTS = frozenset({"name", "note", "title", "label", "text", "base", "table", "sign"})
"""Keys whose value, where it is a map, is a text per language."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Names in the manifest, then every icon and every text of the gauges."""
    document, manifest = loaded.sources.get("pack.yaml"), loaded.whole.manifest
    if document is not None:
        for kind in manifest.schemas:
            yield from _name("kind", kind, manifest.kinds, ("schemas", kind), document)
        for name, choice in manifest.roster.choices.items():
            path: Path = ("roster", "choices", name)
            if choice.cards is not None:
                yield from _name("kind", choice.cards, manifest.kinds, (*path, "cards"), document)
            if choice.keyword is not None:
                keywords = loaded.whole.vocabulary.keywords
                yield from _name("keyword", choice.keyword, keywords, (*path, "keyword"), document)
        yield from _fields(loaded, document)
    gauges = loaded.sources.get("gauges.yaml")
    if gauges is not None and loaded.gauges is not None:
        yield from _gauges(gauges, loaded.whole.icons, manifest.languages.complete)


def _name(what: str, name: str, known: Collection[str], path: Path, document: Document) -> Iterator[Finding]:
    if name not in known:
        message = _("there is no {what} {name}", what=term(what), name=name)
        yield UNKNOWN_NAME.finding(message, document.locate(path), suggestion(name, known))


def _fields(loaded: LoadedPack, document: Document) -> Iterator[Finding]:
    """The fields that order a kind in print, that its frame depends on, and that hold steps in costs."""
    stated: dict[str, set[str]] = {}
    for file in loaded.files:
        if isinstance(file.document.value, dict):
            stated.setdefault(file.kind or file.folder, set()).update(file.document.value)
    for kind, form in loaded.whole.manifest.kinds.items():
        if kind not in stated or loaded.unread:
            continue
        known = stated[kind] | ENVELOPE
        listed = {
            "order_by": form.order_by,
            "frame_by": form.frame_by,
            "costs": [one.field or "id" for one in form.costs],
        }
        for key, index, name in ((key, *one) for key, fields in listed.items() for one in enumerate(fields)):
            if name.partition(".")[0] not in known:
                place = document.locate(("kinds", kind, key, index, "field"))
                message = _("no {kind} has a field {name}", kind=kind, name=name)
                yield UNKNOWN_FIELD.finding(message, place, suggestion(name, known))


def _gauges(document: Document, icons: Collection[str], languages: tuple[str, ...]) -> Iterator[Finding]:
    for path, value in walk(document.value):
        key = path[-1] if path else ""
        if key == "icon" and isinstance(value, str) and value not in icons:
            hint = suggestion(value, sorted(icons), _("Icons"))
            yield UNKNOWN_ICON.finding(_("there is no icon {value}", value=value), document.locate(path), hint)
        if key in TEXTS and isinstance(value, Mapping):
            missing = [lang for lang in languages if not value.get(lang)]
            if missing and value:
                message = _("{key} is missing in {where}", key=key, where=", ".join(missing))
                yield MISSING_LANGUAGE.finding(message, document.locate(path))
