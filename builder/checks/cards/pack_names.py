"""pack.yaml names only what is there: kinds, keywords, fields of cards, stats."""

from collections.abc import Iterator
from functools import partial

from builder.checks.cards.references import UNKNOWN_FIELD, KnownNames, unknown
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json, Path, items_of, lookup
from builder.model.card import ENVELOPE, Card
from builder.model.loaded import Document, LoadedPack
from builder.model.words import suggestion


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Kinds and keywords, the fields by which kinds are ordered, framed and priced, and those of the squad's sheet."""
    document, manifest = loaded.sources.get("pack.yaml"), loaded.whole.manifest
    if document is not None:
        for kind in manifest.schemas:
            yield from unknown("kind", kind, manifest.kinds, document, ("schemas", kind))
        for name, choice in manifest.roster.choices.items():
            path: Path = ("roster", "choices", name)
            if choice.cards is not None:
                yield from unknown("kind", choice.cards, manifest.kinds, document, (*path, "cards"))
            if choice.keyword is not None:
                keywords = loaded.whole.vocabulary.keywords
                yield from unknown("keyword", choice.keyword, keywords, document, (*path, "keyword"))
        yield from _fields(loaded, document)
        yield from _sheet(loaded, document)


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
        costs = [one.field or "id" for one in form.costs]
        listed = {"order_by": form.order_by, "frame_by": form.frame_by, "costs": costs}
        for key, index, name in ((key, *one) for key, fields in listed.items() for one in enumerate(fields)):
            if name.partition(".")[0] not in known:
                place = document.locate(("kinds", kind, key, index, "field"))
                message = _("no {kind} has a field {name}", kind=kind, name=name)
                yield UNKNOWN_FIELD.finding(message, place, suggestion(name, known))


def _sheet(loaded: LoadedPack, document: Document) -> Iterator[Finding]:
    """What the squad's sheet shows of cards; while a card cannot be read it might have that."""
    cards, form, names = loaded.whole.cards, loaded.whole.manifest.roster.sheet, KnownNames.of(loaded)
    named: list[tuple[Path, str, type]] = [(("boxes",), form.boxes, int)] if form.boxes else []
    for key, sort in (("stats", object), ("uses", int), ("reminders", str)):
        named += [((key, at), field, sort) for at, field in enumerate(getattr(form, key))]
    if not named or loaded.unread or len(loaded.files) > len(cards) or not cards:
        return
    lacking = set(named)
    for card in cards.values():
        lacking -= {item for item in lacking if _states(card, *item[1:])}
        if not lacking:
            break
    for path, field, kind in named:
        place = partial(document.locate, ("roster", "sheet", *path))
        if (path, field, kind) in lacking:
            said = _("no card has a field {name}") if path[1:] else _("no card has a number of boxes {name}")
            hint = suggestion(field, {name for card in cards.values() for name in card.data}, _("Fields"))
            yield UNKNOWN_FIELD.finding(_(said, name=field), place(), hint, Severity.ERROR)
        elif path[0] == "stats":
            yield from names.judge("stat", field, place)


def _states(card: Card, path: str, sort: type) -> bool:
    """Has a card something of this sort at the path, in which `*` stands for any entry of a map? True is no number."""
    head, star, rest = path.partition(".*.")
    value: Json = card.field(head)
    found = [lookup(entry, rest.split(".")) for _key, entry in items_of(value)] if star else [value]
    return any(isinstance(one, sort) and (sort is object or type(one) is not bool) for one in found if one is not None)
