"""The files beside a pack's cards name only what is there: cards, kinds, words, icons, fields, parameters, gauges."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from builder.checks.cards.references import UNKNOWN_FIELD, KnownNames
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import (
    CHOICE_STEP,
    DataPath,
    Json,
    Mention,
    find_mentions,
    list_items,
    look_up,
)
from builder.model.card import ENVELOPE, Card
from builder.model.loaded import Document, LoadedPack
from builder.model.words import suggest_word

FILES: Mapping[str, Callable[[LoadedPack], Iterator[Mention]]] = {
    "pack.yaml": lambda loaded: find_mentions(loaded.whole.manifest),
    "vocabulary.yaml": lambda loaded: find_mentions(loaded.whole.vocabulary),
    "rules.yaml": lambda loaded: (
        one for one in find_mentions(loaded.whole.rules) if _of_cards(one.path)
    ),
    "formats.yaml": lambda loaded: find_mentions(loaded.whole.formats, ("formats",)),
    "gauges.yaml": lambda loaded: find_mentions(loaded.gauges),
    "products.yaml": lambda loaded: find_mentions(loaded.products),
}
"""What each file names."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every name in every file, then what the squad's sheet shows of cards."""
    if loaded.pack is None:
        return
    known, stated = KnownNames.of(loaded), _stated(loaded)
    for file, document in loaded.sources.items():
        for one in FILES[file](loaded) if file in FILES else ():
            place = partial(document.locate, one.path, key=one.key)
            yield from _check_choice_steps(one, known, place)
            if one.value.startswith("choice."):
                yield from known.judge("choice", one.value[7:], place)
            elif one.ref != "field":
                yield from known.judge(one.ref, one.value, place)
            elif (fields := _fields(one.path, loaded, stated)) and one.value.partition(".")[
                0
            ] not in fields:
                message = _("no card has a field {name}", name=one.value)
                if one.path[0] == "kinds":
                    message = _(
                        "no {whose} has the field {name}", whose=one.path[1], name=one.value
                    )
                yield UNKNOWN_FIELD.finding(
                    message, place(), suggest_word(one.value, fields, _("Fields"))
                )
            if one.key and one.ref == "field" and "items" not in one.path:
                yield from known.tested(
                    one.value, look_up(document.value, one.path), one.path, document
                )
    if manifest := loaded.sources.get("pack.yaml"):
        yield from _sheet(loaded, manifest, known)


def _check_choice_steps(
    one: Mention, known: KnownNames, place: Callable[[], Location]
) -> Iterator[Finding]:
    """Yield what is wrong with the `{choice.NAME}` steps of a path: an unknown choice, or more than one step."""
    steps = CHOICE_STEP.findall(one.value)
    for name in steps:
        yield from known.judge("choice", name, place)
    if len(steps) > 1:
        message = _("{name} has more than one step in braces", name=one.value)
        yield UNKNOWN_FIELD.finding(message, place(), _("Use one `{choice.NAME}` in a path."))


def _of_cards(path: DataPath) -> bool:
    """True for what rules.yaml names of cards, not of a diagram's points."""
    return path[0] != "distances" or path[2] == "cards"


def _stated(loaded: LoadedPack) -> Mapping[str, set[str]]:
    """The fields that the cards of each kind state, also those of cards that are not valid; none are known while a
    file cannot be read."""
    stated: dict[str, set[str]] = {}
    for card in loaded.whole.cards.values() if not loaded.unread else ():
        stated.setdefault(card.kind, set(ENVELOPE)).update(card.data)
    for file in loaded.files if not loaded.unread else ():
        if isinstance(file.document.value, dict):
            stated.setdefault(file.kind or file.folder, set(ENVELOPE)).update(file.document.value)
    return stated


def _fields(
    path: DataPath, loaded: LoadedPack, stated: Mapping[str, Collection[str]]
) -> Collection[str]:
    """The fields that may be named at a place, as far as they are known: those of a kind, of what is chosen from a
    card's map, of any card."""
    match path:
        case ("kinds", str(kind), *_):
            return stated.get(kind, ())
        case ("roster", "choices", str(choice), "items", *_) if stated:
            field = loaded.whole.manifest.roster.choices[choice].field or ""
            maps = (card.field(field) for card in loaded.whole.cards.values())
            items = (
                item for found in maps if isinstance(found, Mapping) for item in found.values()
            )
            return {"id", *(key for item in items if isinstance(item, Mapping) for key in item)}
    return frozenset().union(*stated.values())


def _sheet(loaded: LoadedPack, document: Document, known: KnownNames) -> Iterator[Finding]:
    """What the squad's sheet shows of cards; while a card cannot be read it might have that."""
    cards, form = loaded.whole.cards, loaded.whole.manifest.roster.sheet
    named: list[tuple[DataPath, str, type]] = [(("boxes",), form.boxes, int)] if form.boxes else []
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
            said = (
                _("no card has a field {name}")
                if path[1:]
                else _("no card has a number of boxes {name}")
            )
            hint = suggest_word(
                field, {name for card in cards.values() for name in card.data}, _("Fields")
            )
            yield UNKNOWN_FIELD.finding(_(said, name=field), place(), hint, Severity.ERROR)
        elif path[0] == "stats":
            yield from known.judge("stat", field, place)


def _states(card: Card, path: str, sort: type) -> bool:
    """Has a card something of this sort at the path, in which `*` stands for any entry of a map? True is no number."""
    head, star, rest = path.partition(".*.")
    value: Json = card.field(head)
    found = (
        [look_up(entry, rest.split(".")) for _key, entry in list_items(value)] if star else [value]
    )
    return any(
        isinstance(one, sort) and (sort is object or type(one) is not bool)
        for one in found
        if one is not None
    )
