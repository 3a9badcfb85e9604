"""Checks that files beside the cards name only cards, words, fields and icons that exist."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from builder.checks.cards.references import UNKNOWN_FIELD, KnownNames
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import (
    CHOICE_STEP,
    DataPath,
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
        mention
        for mention in find_mentions(loaded.whole.rules)
        if _is_about_cards(mention.path)
    ),
    "formats.yaml": lambda loaded: find_mentions(loaded.whole.formats, ("formats",)),
    "gauges.yaml": lambda loaded: find_mentions(loaded.gauges),
    "products.yaml": lambda loaded: find_mentions(loaded.products),
}
"""The types of names that each file may contain."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that the pack's files name only cards, words, fields and icons that exist."""
    if loaded.pack is None:
        return
    known_names = KnownNames.collect(loaded)
    fields_by_kind = _collect_fields_by_kind(loaded)
    for file, document in loaded.sources.items():
        for mention in FILES[file](loaded) if file in FILES else ():
            place = partial(document.locate, mention.path, key=mention.key)
            yield from _check_choice_steps(mention, known_names, place)
            if mention.value.startswith("choice."):
                yield from known_names.check_name("choice", mention.value[7:], place)
            elif mention.ref != "field":
                yield from known_names.check_name(mention.ref, mention.value, place)
            else:
                fields = _list_fields(mention.path, loaded, fields_by_kind)
                yield from _check_field(mention, fields, place)
            if _is_comparison_field(mention):
                test = look_up(document.value, mention.path)
                yield from known_names.check_test(
                    mention.value, test, mention.path, document
                )
    manifest = loaded.sources.get("pack.yaml")
    if manifest is not None:
        yield from _check_sheet(loaded, manifest, known_names)


def _is_comparison_field(mention: Mention) -> bool:
    """Return True if the name is a field in a condition, compared with a value."""
    # `items` and `better` have fields as keys too, but no tests.
    is_field = mention.key and mention.ref == "field"
    return (
        bool(is_field) and "items" not in mention.path and mention.path[0] != "better"
    )


def _check_field(
    mention: Mention, fields: Collection[str], get_location: Callable[[], Location]
) -> Iterator[Finding]:
    """Report a field that no card has."""
    name = mention.value
    if not fields or name.partition(".")[0] in fields:
        return
    message = _("no card has a field {name}", name=name)
    if mention.path[0] == "kinds":
        message = _("no {whose} has the field {name}", whose=mention.path[1], name=name)
    yield UNKNOWN_FIELD.finding(
        message, get_location(), suggest_word(name, fields, _("Fields"))
    )


def _check_choice_steps(
    mention: Mention, known_names: KnownNames, get_location: Callable[[], Location]
) -> Iterator[Finding]:
    """Report unknown or repeated choices in a path such as `profile.{choice.mode}.cost`.

    An unknown choice, or more than one step.
    """
    steps = CHOICE_STEP.findall(mention.value)
    for name in steps:
        yield from known_names.check_name("choice", name, get_location)
    if len(steps) > 1:
        message = _("{name} has more than one part in braces", name=mention.value)
        yield UNKNOWN_FIELD.finding(
            message, get_location(), _("Use one `{choice.NAME}` in a path.")
        )


def _is_about_cards(path: DataPath) -> bool:
    """Return False for a path in rules.yaml that names fields of diagram points."""
    return path[0] != "distances" or path[2] == "cards"


def _collect_fields_by_kind(loaded: LoadedPack) -> Mapping[str, set[str]]:
    """Return all fields that cards of each kind have. Empty if a file cannot be read.

    None are known while a file cannot be read.
    """
    fields_by_kind: dict[str, set[str]] = {}
    if loaded.unread:
        return fields_by_kind
    for card in loaded.whole.cards.values():
        fields = fields_by_kind.setdefault(card.kind, set(ENVELOPE))
        fields.update(card.data)
    for file in loaded.files:
        content = file.document.value
        if isinstance(content, dict):
            # an invalid card may lack its kind: its folder says it
            fields = fields_by_kind.setdefault(file.kind or file.folder, set(ENVELOPE))
            fields.update(content)
    return fields_by_kind


def _list_fields(
    mention_path: DataPath,
    loaded: LoadedPack,
    fields_by_kind: Mapping[str, Collection[str]],
) -> Collection[str]:
    """Return the fields that exist at a path: of a kind, of an item, or of any card."""
    match mention_path:
        case ("kinds", str(kind), *_):
            return fields_by_kind.get(kind, ())
        case ("roster", "choices", str(choice), "items", *_) if fields_by_kind:
            field = loaded.whole.manifest.roster.choices[choice].field or ""
            return {"id", *_list_item_fields(loaded, field)}
    return frozenset().union(*fields_by_kind.values())


def _list_item_fields(loaded: LoadedPack, field: str) -> set[str]:
    """Return the fields of all items in the map that cards have under `field`."""
    fields: set[str] = set()
    for card in loaded.whole.cards.values():
        items = card.get_field(field)
        if not isinstance(items, Mapping):
            continue
        for item in items.values():
            if isinstance(item, Mapping):
                fields.update(item)
    return fields


def _check_sheet(
    loaded: LoadedPack, document: Document, known_names: KnownNames
) -> Iterator[Finding]:
    """Check that some card has each field that the squad sheet shows."""
    cards = loaded.whole.cards
    # an invalid card may be the one that has the field
    if loaded.unread or len(loaded.files) > len(cards) or not cards:
        return
    sheet_fields = _list_sheet_fields(loaded)
    missing_fields = set(sheet_fields)
    for card in cards.values():
        missing_fields -= {
            item for item in missing_fields if _has_value(card, *item[1:])
        }
        if not missing_fields:
            break
    for path, field, value_type in sheet_fields:
        place = partial(document.locate, ("roster", "sheet", *path))
        if (path, field, value_type) in missing_fields:
            form = _("no card has a field {name}")
            if path == ("boxes",):
                form = _("no card has a number of boxes {name}")
            known_fields: set[str] = set()
            known_fields.update(*(card.data for card in cards.values()))
            hint = suggest_word(field, known_fields, _("Fields"))
            yield UNKNOWN_FIELD.finding(
                _(form, name=field), place(), hint, Severity.ERROR
            )
        elif path[0] == "stats":
            yield from known_names.check_name("stat", field, place)


def _list_sheet_fields(loaded: LoadedPack) -> list[tuple[DataPath, str, type]]:
    """Return the fields shown on the squad sheet: path in pack.yaml, field, type of value."""
    sheet = loaded.whole.manifest.roster.sheet
    fields: list[tuple[DataPath, str, type]] = []
    if sheet.boxes:
        fields.append((("boxes",), sheet.boxes, int))
    for key, value_type in (("stats", object), ("uses", int), ("reminders", str)):
        for index, field in enumerate(getattr(sheet, key)):
            fields.append(((key, index), field, value_type))
    return fields


def _has_value(card: Card, field_path: str, value_type: type) -> bool:
    """Return True if the card has a value of this type at the path. `*` is any key of a map."""
    map_path, star, item_path = field_path.partition(".*.")
    values = [card.get_field(map_path)]
    if star:
        values = [
            look_up(item, item_path.split(".")) for _key, item in list_items(values[0])
        ]
    for value in values:
        # to Python, true is a number
        is_wrong_bool = isinstance(value, bool) and value_type is not object
        if value is not None and isinstance(value, value_type) and not is_wrong_bool:
            return True
    return False
