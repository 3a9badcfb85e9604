"""The view of a card in templates, and the words and pictures that templates look up by id."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic_core import to_json

from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack, Vocabulary
from builder.model.words import get_term
from builder.render.html.typography import keep_name_together, keep_text_together
from builder.render.html.values import format_value

if TYPE_CHECKING:
    from markupsafe import Markup

T = TypeVar("T")

FUNCTIONS = (
    *(
        "keyword",
        "keyword_help",
        "term",
        "term_help",
        "stat",
        "stat_name",
        "label",
        "colour",
    ),
    *("icon", "card_of", "card_name", "dice", "distance", "qr"),
)
"""The functions that templates call, by name."""


TemplateView: TypeAlias = MappingProxyType[str, object]
"""A map that templates read by attribute or key. A missing field is undefined for them; `get` gives
None for it.
"""


class HashedFields:
    """A base class for dataclasses whose hash covers all of their fields."""

    def hash_fields(self) -> str:
        """Return a hash of all fields. The order of maps counts, because templates print it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return hashlib.sha256(to_json(values, fallback=str)).hexdigest()


@dataclass(frozen=True, slots=True)
class PackValues(HashedFields):
    """Everything that a template can read of a pack, except its cards.

    Templates read it only from here, so all of it is part of each face's cache key.
    """

    id: str
    name: Mapping[str, str]
    source_lang: str
    distance_unit: str
    vocabulary: Vocabulary
    icons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CardValues(HashedFields):
    """Everything that a template can read of one card in one language.

    `translations` are texts by their dotted paths. They are empty in the source language.
    """

    id: str
    kind: str
    name: str
    faction: str | None
    keywords: tuple[str, ...]
    cost: int | float | None
    revision: int
    released: str
    data: Mapping[str, Json]
    translations: Mapping[str, str]


def collect_pack_values(pack: Pack) -> PackValues:
    """Return the values that templates can read of a pack, without its cards."""
    manifest = pack.manifest
    return PackValues(
        manifest.id,
        dict(manifest.name),
        manifest.languages.source,
        manifest.distance_unit,
        pack.vocabulary,
        dict(manifest.icons),
    )


def collect_card_values(pack: Pack, card: Card, lang: str) -> CardValues:
    """Return the values that templates can read of a card in a language."""
    translations: dict[str, str] = {}
    if lang != pack.manifest.languages.source:
        strings = pack.translations.get(lang, {}).get(card.id, {})
        translations = {path: string.text for path, string in strings.items()}
    return CardValues(
        card.id,
        card.kind,
        card.name,
        card.faction,
        card.keywords,
        card.cost,
        card.revision,
        card.released.isoformat(),
        dict(card.data),
        translations,
    )


def localize_card(pack: Pack, card: Card, lang: str) -> tuple[str, Mapping[str, Json]]:
    """Return the name and the fields of a card in a language.

    Missing translations are the source text.
    """
    return _localize_values(collect_card_values(pack, card, lang))


def _localize_values(card: CardValues) -> tuple[str, Mapping[str, Json]]:
    data: Json = dict(card.data)
    for path, text in card.translations.items():
        if path != "name":
            data = _replace_at_path(data, path.split("."), text)
    assert isinstance(data, dict)
    return card.translations.get("name", card.name), data


def _replace_at_path(value: Json, path: list[str], text: str) -> Json:
    """Return a copy of a value with the text at a path replaced.

    The value itself if the path leads nowhere.
    """
    if not path:
        return text if isinstance(value, str) else value
    key, *rest = path
    if isinstance(value, Mapping) and key in value:
        return {**value, key: _replace_at_path(value[key], rest, text)}
    if isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
        items = list(value)
        items[int(key)] = _replace_at_path(value[int(key)], rest, text)
        return items
    return value


def make_card_view(card: CardValues, pack: PackValues, lang: str) -> TemplateView:
    """Return a card as a template sees it."""
    name, data = _localize_values(card)
    fields: dict[str, object] = {}
    for key, value in data.items():
        fields[key] = freeze_value(value)
    # The program's own fields come later: a field of the pack cannot replace them.
    keywords = [_make_keyword_view(pack, keyword, lang) for keyword in card.keywords]
    fields |= {
        "id": card.id,
        "kind": card.kind,
        "name": keep_name_together(name),
        "keywords": tuple(keywords),
        "revision": card.revision,
        "released": card.released,
    }
    # A missing value is undefined in templates, and not None.
    if card.cost is not None:
        fields["cost"] = card.cost
    if card.faction is not None:
        fields["faction"] = card.faction
    return TemplateView(fields)


def _make_keyword_view(pack: PackValues, keyword: str, lang: str) -> TemplateView:
    term = pack.vocabulary.keywords.get(keyword)
    source = pack.source_lang
    word = pick_text(term.name, lang, source) if term else keyword
    help_text = keep_text_together(pick_text(term.help, lang, source)) if term else ""
    return TemplateView(
        {
            "id": keyword,
            "name": keep_name_together(word or keyword),
            "help": help_text,
            "group": term.group if term else None,
            "icon": term.icon if term else None,
        }
    )


def pick_text(texts: Mapping[str, str], lang: str, source: str) -> str:
    """Return a text in this language, else in the source language, else in any language."""
    any_text = next(iter(texts.values()), "")
    return texts.get(lang) or texts.get(source) or any_text


def freeze_value(value: object) -> object:
    """Return a JSON value as templates see it: maps become views, lists become tuples."""
    if isinstance(value, Mapping):
        return TemplateView(
            {str(key): freeze_value(item) for key, item in value.items()}
        )
    if isinstance(value, list | tuple):
        return tuple(freeze_value(item) for item in value)
    return value


class TemplateWords:
    """The functions by which templates look up names and labels in one language.

    `glyphs` has the character of each icon. `used` collects the ids of cards whose text was
    read: if one of them changes, the face is rendered again.
    """

    def __init__(self, pack: Pack, lang: str, glyphs: Mapping[str, str]) -> None:
        # Templates reach the pack only through values that the cache key covers.
        self.pack = collect_pack_values(pack)
        self.lang = lang
        self._card_ids = pack.cards.keys()
        self._read_card: Callable[[str], CardValues] = lambda card: collect_card_values(
            pack, pack.cards[card], lang
        )
        self.glyphs = glyphs
        self._symbols = _compile_symbols(self.pack.icons)
        self.used: set[str] = set()

    def _pick_name(self, texts: Mapping[str, str]) -> str:
        return pick_text(texts, self.lang, self.pack.source_lang)

    def _format_name(self, texts: Mapping[str, str]) -> str:
        return keep_name_together(self._pick_name(texts))

    def _format_text(self, texts: Mapping[str, str]) -> str:
        return keep_text_together(self._pick_name(texts))

    @property
    def pack_name(self) -> str:
        """The name of the game."""
        return self._pick_name(self.pack.name)

    def keyword(self, word: str) -> str:
        """Return the printed name of a keyword."""
        return self._format_name(
            _find_entry(self.pack.vocabulary.keywords, word, "keyword").name
        )

    def keyword_group(self, word: str) -> str | None:
        """Return the group of a keyword, or None if it has none or is unknown."""
        term = self.pack.vocabulary.keywords.get(word)
        return term.group if term else None

    def keyword_help(self, word: str) -> str:
        """Return the explanation of a keyword, or "" if the vocabulary has none."""
        return self._format_text(
            _find_entry(self.pack.vocabulary.keywords, word, "keyword").help
        )

    def term(self, word: str) -> str:
        """Return the printed name of a term."""
        return self._format_name(
            _find_entry(self.pack.vocabulary.terms, word, "term").name
        )

    def term_help(self, word: str) -> str:
        """Return the explanation of a term, or "" if the vocabulary has none."""
        return self._format_text(
            _find_entry(self.pack.vocabulary.terms, word, "term").help
        )

    def stat(self, word: str) -> str:
        """Return the abbreviation of a stat, or its name if it has none."""
        term = _find_entry(self.pack.vocabulary.stats, word, "stat")
        return self._pick_name(term.short) or self._pick_name(term.name)

    def stat_name(self, word: str) -> str:
        """Return the full name of a stat."""
        return self._pick_name(
            _find_entry(self.pack.vocabulary.stats, word, "stat").name
        )

    def label(self, name: str) -> str:
        """Return a fixed text of the pack's templates in this language."""
        return self._format_text(
            _find_entry(self.pack.vocabulary.labels, name, "label")
        )

    def colour(self, faction: str) -> str:
        """Return the color of a faction."""
        return _find_entry(self.pack.vocabulary.factions, faction, "faction").colour

    def icon(self, name: str) -> Markup:
        """Return an icon as an HTML element in the icon font."""
        from markupsafe import Markup

        return Markup('<i class="icon">{}</i>').format(
            _find_entry(self.glyphs, name, "icon")
        )

    def replace_symbols(self, text: str) -> Markup:
        """Return a text as HTML with icons in place of the symbols listed in pack.yaml."""
        from markupsafe import Markup, escape

        if self._symbols is None:
            return escape(text)
        parts: list[Markup] = []
        for part in self._symbols.split(text):
            icon = self.pack.icons.get(part)
            parts.append(escape(part) if icon is None else self.icon(icon))
        return Markup("").join(parts)

    def card_of(self, card: str) -> TemplateView:
        """Return the values of another card, to be read by a template."""
        _check_name(self._card_ids, card, "card")
        self.used.add(card)
        return make_card_view(self._read_card(card), self.pack, self.lang)

    def card_name(self, card: str) -> str:
        """Return the name of another card."""
        return str(self.card_of(card)["name"])

    def dice(self, expression: str) -> str:
        """Return a dice expression with the letter that this language uses, as in "2d6".

        It is the label `die`, or `d`.
        """
        return expression.replace("d", self._get_symbol("die", "d")).replace(
            "-", "\N{MINUS SIGN}"
        )

    def distance(self, number: str) -> str:
        """Return a distance with the pack's unit, as in 6".

        The decimal sign is the label `decimal`, or a point.
        """
        return (
            number.replace(".", self._get_symbol("decimal", "."))
            + self.pack.distance_unit
        )

    def format_value(self, value: object) -> str:
        """Return a value of a card as text. Templates call this filter `value`."""
        return format_value(value, self.lang, lambda label: self._get_symbol(label, ""))

    def qr(self, text: str, level: str = "m") -> Markup:
        """Return a QR code as an SVG drawing, with the empty border that readers need."""
        from markupsafe import Markup

        from builder.render.html.qr import draw_code

        modules, path = draw_code(text, level)
        box = f"-4 -4 {modules + 8} {modules + 8}"
        form = '<svg class="qr" viewBox="{}"><path d="{}" fill="#000"/></svg>'
        return Markup(form).format(box, path)

    def _get_symbol(self, label: str, otherwise: str) -> str:
        labels = self.pack.vocabulary.labels
        return self._pick_name(labels[label]) if label in labels else otherwise

    def faction(self, faction: str | None) -> TemplateView | None:
        """Return the name, emblem and colors of a faction, or None."""
        details = self.pack.vocabulary.factions.get(faction) if faction else None
        if details is None:
            return None
        return TemplateView(
            {
                "id": faction,
                "name": self._format_name(details.name),
                "help": self._format_text(details.help),
                "emblem": details.emblem,
                "colour": details.colour,
                "tint": details.tint,
            }
        )


def _compile_symbols(symbols: Collection[str]) -> re.Pattern[str] | None:
    """Return a regular expression that matches these symbols, the longest first, or None."""
    if not symbols:
        return None
    longest_first = sorted(symbols, key=len, reverse=True)
    # An emoji may be followed by a sign that only chooses its colours.
    return re.compile(f"({'|'.join(map(re.escape, longest_first))})\ufe0f?")


def _find_entry(table: Mapping[str, T], word: str, group: str) -> T:
    """Return an entry of the vocabulary.

    Raise UndefinedError with the most similar name if missing.
    """
    _check_name(table.keys(), word, group)
    return table[word]


def _check_name(names: Collection[str], word: str, group: str) -> None:
    """Raise UndefinedError with the most similar name if a name is unknown."""
    if word in names:
        return
    from difflib import get_close_matches

    from jinja2 import UndefinedError

    similar_names = get_close_matches(word, list(names), 1)
    if similar_names:
        form = _("there is no {group} {name!r}; did you mean {near!r}?")
        message = _(form, group=get_term(group), name=word, near=similar_names[0])
        raise UndefinedError(message)
    raise UndefinedError(
        _("there is no {group} {name!r}", group=get_term(group), name=word)
    )
