"""Texts: their marks close, their tags exist and name what exists; they are typeset, not typed.

In every language.

Of the typewriter are straight apostrophes and quotes, hyphens for dashes and minus signs, words of
two alphabets, and dice written with the letter of another language.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _
from builder.model.base import parse_path, walk_values
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.markup import TAGS, MarkupError, list_tags, parse_and_check
from builder.model.words import list_words, suggest_word

UNBALANCED = define(
    "text/unbalanced",
    _("A brace or an asterisk is not closed"),
    _("It would be printed as it is, or the rest of the text would be missing."),
    _("Close it, or put a backslash before a character that is meant literally."),
)
UNKNOWN_TAG = define(
    "text/unknown-tag",
    _("Unknown tag in a text"),
    _("Only known tags can be printed."),
    _(
        "Use one of the tags {listed}, for example {example}.",
        listed=", ".join(TAGS),
        example="{key:id}",
    ),
)
NUMBER = define(
    "text/number",
    _("Dice or a distance cannot be read"),
    _("Dice and distances are printed with symbols and must be numbers."),
    _("Write for example {dice:2d6+1} or {dist:1.5}."),
)
TYPED = define(
    "text/typography",
    _("A text has straight quotes, a hyphen as a dash, or letters of two alphabets"),
    _(
        "Straight quotes and hyphens look careless in print. A search does not find a word "
        "that contains a letter of another alphabet."
    ),
    _("Use typographic quotes and dashes, and one alphabet per word."),
    Severity.WARNING,
)

QUOTED_CHARACTERS = 20
"""Characters before and after a mistake that the message quotes."""
_SORT = {
    "key": "keyword",
    "stat": "stat",
    "term": "term",
    "icon": "icon",
    "card": "card",
}
_UNBALANCED = {
    "unclosed": _("a brace is opened in {spot} and never closed"),
    "unopened": _("a brace is closed in {spot} but was never opened"),
    "stars": _("an asterisk is opened in {spot} and never closed"),
}
_TAG = re.compile(r"\{[a-z]+:[^{}|]*")
"""The part of a tag that is not printed; its closing brace stays, for what may follow it."""
_LAWS: tuple[tuple[re.Pattern[str], Message, Message], ...] = (
    # inside a word (or after a tag), or at the end of one that ends with s
    (
        re.compile(r"(?<=[\w}])'(?=\w)|(?<=s)'(?=[\s.,;:!?)]|$)"),
        _("a straight apostrophe: {spot}"),
        _("Write a curly apostrophe: ’."),
    ),
    # after a number, the sign means inches
    (
        re.compile(r"(?<![\d}])\""),
        _("straight quotes: {spot}"),
        _("Write the quotation marks of the language, such as “ ” or « »."),
    ),
    # between spaces, before a number, or between two numbers that are no date
    (
        re.compile(r"(?<=\S) - (?=\S)|(?<![\w-])-(?=\d)|(?<![\d-])\d+-\d+(?![\d-])"),
        _("a hyphen instead of a dash or minus: {spot}"),
        _("Write a dash (– or —) or a minus (−)."),
    ),
    (
        # A Latin letter in a Cyrillic word may look right, but a search does not find the word.
        re.compile(r"[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]"),
        _("letters of two alphabets in one word: {spot}"),
        _("Type the word again in one alphabet."),
    ),
)
# the letter of dice before a usual number of faces, and after a number or no letter
_DICE = re.compile(r"(?<![^\W\d_])[dD](?=(?:[34680]|10|12|20|66|100)(?!\d))")


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the markup and typography of all texts, in every language."""
    pack = loaded.whole
    names = KnownNames.collect(loaded)
    languages = pack.manifest.languages
    # Each language has its own letter for dice, such as d, к or W.
    labels = pack.vocabulary.labels.get("die", {})
    # Lists of other programs write dice with any letter; the import makes it a D.
    default_sign = "D" if pack.manifest.imported else "d"
    signs = {lang: labels.get(lang, default_sign) for lang in languages.all}
    for text, lang, is_marked_up, place in _list_texts(loaded):
        if is_marked_up:
            yield from check_markup(text, place, names)
        if lang in signs:
            yield from _check_typography(text, signs[lang], place)
    for document in loaded.sources.values():
        yield from _check_file(document, signs)


def _check_file(
    document: Document, die_letters: Mapping[str, str]
) -> Iterator[Finding]:
    """Check the texts by language in a file other than a card.

    `die_letters` are the letters of dice by language.
    """
    for path, value in walk_values(document.value):
        lang = str(path[-1]) if path else ""
        if isinstance(value, str) and lang in die_letters:
            yield from _check_typography(
                value, die_letters[lang], partial(document.locate, path)
            )


def _list_texts(
    loaded: LoadedPack,
) -> Iterator[tuple[str, str, bool, Callable[[], Location]]]:
    """Yield each text of a card, its language, whether it has markup, and its location."""
    pack = loaded.whole
    for card_id, paths in pack.texts.items():
        card = pack.cards[card_id]
        marked_up_paths = pack.rich.get(card_id, frozenset())
        locate = loaded.documents[card_id].locate
        for path in paths:
            text = str(card.get_field(path))
            place = partial(locate, parse_path(path))
            yield text, pack.manifest.languages.source, path in marked_up_paths, place
    for lang, cards in pack.translations.items():
        for card_id, strings in cards.items():
            marked_up_paths = pack.rich.get(card_id, frozenset())
            document = loaded.translations.get((lang, card_id))
            if document is None:
                continue
            for path, string in strings.items():
                place = partial(document.locate, ("strings", path, "text"))
                yield string.text, lang, path in marked_up_paths, place


def check_markup(
    text: str, get_location: Callable[[], Location], names: KnownNames
) -> Iterator[Finding]:
    """Report unclosed marks, unknown tags and unknown names in one text."""
    markup = parse_and_check(text)
    for error in markup.errors:
        yield _describe_mistake(error, text, get_location())
    for tag in list_tags(markup.nodes):
        if tag.type in _SORT:
            yield from names.check_name(_SORT[tag.type], tag.id, get_location)


def _describe_mistake(error: MarkupError, text: str, place: Location) -> Finding:
    start = max(0, error.offset - QUOTED_CHARACTERS)
    spot = repr(text[start : error.offset + QUOTED_CHARACTERS])
    if error.code in _UNBALANCED:
        return UNBALANCED.finding(_(_UNBALANCED[error.code], spot=spot), place)
    if error.code in ("dice", "dist"):
        form = _("{value} is not a distance")
        if error.code == "dice":
            form = _("{value} is not a roll of dice")
        return NUMBER.finding(_(form, value=error.value), place)
    name = error.value.strip("{}").partition(":")[0]
    if ":" in error.value:
        hint = suggest_word(name, TAGS, _("Tags"))
    else:
        hint = _(
            "Write {{tag:id}} with one of the tags {listed}.", listed=list_words(TAGS)
        )
    return UNKNOWN_TAG.finding(
        _("{value} is not a tag", value=error.value), place, hint
    )


def _check_typography(
    text: str, die_letter: str, get_location: Callable[[], Location]
) -> Iterator[Finding]:
    """Report the first straight quote, wrong dash, mixed alphabet or wrong die letter."""
    # ids in tags have hyphens, which are not printed
    printed = _TAG.sub("", text)
    for pattern, message, remedy in _LAWS:
        match = pattern.search(printed)
        if match is not None:
            spot = _quote_surroundings(printed, match)
            yield TYPED.finding(_(message, spot=spot), get_location(), remedy)
    match = _DICE.search(printed)
    if match is not None and match[0] != die_letter:
        spot = _quote_surroundings(printed, match)
        message = _(
            "{spot}, but this pack prints dice with {sign}", spot=spot, sign=die_letter
        )
        remedy = _(
            "Write {dice:2d6}, or use the letter that vocabulary.yaml gives as the label `die`."
        )
        yield TYPED.finding(message, get_location(), remedy)


def _quote_surroundings(text: str, match: re.Match[str]) -> str:
    return repr(
        text[max(0, match.start() - 15) : match.end() + 15].strip().replace("}", "…")
    )
