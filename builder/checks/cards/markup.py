"""Rules text: its marks close, its tags exist, and what they name exists, in every language."""

from collections.abc import Callable, Iterator
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import steps_of
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.markup import TAGS, MarkupError, parse, tags_of
from builder.model.words import some, suggestion

UNBALANCED = define(
    "text/unbalanced",
    _("A brace or a star without its partner"),
    _("An unclosed mark would print as it stands, or swallow the rest of the text."),
    _("Close it, or put a backslash before a sign that means itself."),
)
UNKNOWN_TAG = define(
    "text/unknown-tag",
    _("A tag that does not exist"),
    _("Templates can set only the tags they know."),
    _("The tags are {listed}, as in {example}.", listed=", ".join(TAGS), example="{key:id}"),
)
NUMBER = define(
    "text/number",
    _("Dice or a distance that cannot be read"),
    _("Dice and distances are set with signs of their own and must be numbers."),
    _("Write {dice:2d6+1} or {dist:1.5}."),
)

_SORT = {"key": "keyword", "stat": "stat", "term": "term", "icon": "icon", "card": "card"}
_UNBALANCED = {
    "unclosed": _("a brace opens in {spot} and never closes"),
    "unopened": _("a brace closes in {spot} that never opened"),
    "stars": _("a star opens in {spot} and never closes"),
}


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """All rich texts of all cards and translations."""
    names = KnownNames.of(loaded)
    for card_id, paths in loaded.whole.rich.items():
        card = loaded.whole.cards[card_id]
        for path in sorted(paths):
            text = card.field(path)
            if isinstance(text, str):
                yield from _judge(text, partial(loaded.documents[card_id].locate, steps_of(path)), names)
        for lang, cards in loaded.whole.translations.items():
            document = loaded.translations.get((lang, card_id))
            for path, string in cards.get(card_id, {}).items():
                if path in paths and document is not None:
                    yield from _judge(string.text, partial(document.locate, ("strings", path, "text")), names)


def _judge(text: str, place: Callable[[], Location], names: KnownNames) -> Iterator[Finding]:
    """One text. The place is that of the text; the message quotes the spot."""
    markup = parse(text)
    for error in markup.errors:
        yield _mistake(error, text, place())
    for tag in tags_of(markup.nodes):
        if tag.type in _SORT and (finding := names.judge(_SORT[tag.type], tag.id, place)):
            yield finding


def _mistake(error: MarkupError, text: str, place: Location) -> Finding:
    spot = f"{text[max(0, error.offset - 20) : error.offset + 20]!r}"
    if error.code in _UNBALANCED:
        return UNBALANCED.finding(_(_UNBALANCED[error.code], spot=spot), place)
    if error.code in ("dice", "dist"):
        form = _("{value} is not a roll of dice") if error.code == "dice" else _("{value} is not a distance")
        return NUMBER.finding(_(form, value=error.value), place)
    name = error.value.strip("{}").partition(":")[0]
    wrong = _("Write {{tag:id}}; the tags are {listed}.", listed=some(TAGS))
    hint = suggestion(name, TAGS, _("Tags")) if ":" in error.value else wrong
    return UNKNOWN_TAG.finding(_("{value} is not a tag", value=error.value), place, hint)
