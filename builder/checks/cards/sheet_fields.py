"""A squad's sheet shows what pack.yaml names under `roster.sheet`: boxes, stats, uses, reminders that cards have."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json, Path, lookup
from builder.model.card import Card
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.pack import SheetForm
from builder.model.words import suggestion

FIELD = define(
    "pack/sheet-field",
    _("The squad's sheet names a field that no card has"),
    _("Players would get a sheet without boxes to cross out, without the stat or without the reminder."),
    _("Correct the field's name under roster.sheet in pack.yaml; a field inside another is written with dots."),
)
STAT = define(
    "pack/sheet-stat",
    _("The squad's sheet shows a stat that the vocabulary does not know"),
    _("Its column would be headed by the field's name in the files instead of a word of the game."),
    _("Add it to stats in vocabulary.yaml under the same name."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every field that is named; while a card cannot be read it might have them."""
    pack, document = loaded.whole, loaded.sources.get("pack.yaml")
    form = pack.manifest.roster.sheet
    named = _named(form)
    if document is None or loaded.unread or len(loaded.files) > len(pack.cards) or not pack.cards:
        return
    lacking = dict(named)
    for card in pack.cards.values() if named else ():
        lacking = {path: item for path, item in lacking.items() if not item[1](card)}
        if not lacking:
            break
    stats = KnownNames.of(loaded).known.get("stat", form.stats)
    for path, (field, _unused) in named.items():
        place = document.locate(("roster", "sheet", *path))
        if path in lacking:
            fields = {name for card in pack.cards.values() for name in card.data}
            form_of = (
                _("no card has a number of boxes {name}") if path == ("boxes",) else _("no card has a field {name}")
            )
            yield FIELD.finding(_(form_of, name=field), place, suggestion(field, fields, _("Fields")))
        elif path[0] == "stats" and field not in stats:
            message = _("there is no {what} {name}", what=_("stat"), name=field)
            yield STAT.finding(message, place)


def _named(form: SheetForm) -> dict[Path, tuple[str, Callable[[Card], bool]]]:
    """Each field that is named, by its place: how it is written, and whether a card has it."""
    named: dict[Path, tuple[str, Callable[[Card], bool]]] = {}
    if form.boxes is not None:
        named["boxes",] = form.boxes, partial(_counts, form.boxes)
    for index, field in enumerate(form.stats):
        named["stats", index] = field, partial(_states, field)
    for index, field in enumerate(form.uses):
        named["uses", index] = field, partial(_lists, field, int)
    for index, field in enumerate(form.reminders):
        named["reminders", index] = field, partial(_lists, field, str)
    return named


def _counts(field: str, card: Card) -> bool:
    value = card.field(field)
    return isinstance(value, int) and not isinstance(value, bool)


def _states(field: str, card: Card) -> bool:
    """A stat may be null on one card; on all it is none."""
    return card.field(field) is not None


def _lists(path: str, sort: type[str] | type[int], card: Card) -> bool:
    """A text or number at the path, in which `*` stands for any entry of a map."""
    head, star, rest = path.partition(".*.")
    value: Json = card.field(head)
    if not star:
        return isinstance(value, sort)
    entries = value.values() if isinstance(value, Mapping) else ()
    return any(isinstance(lookup(entry, rest.split(".")), sort) for entry in entries)
