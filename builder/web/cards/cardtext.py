"""A card as text: for search, for screen readers, for whoever cannot read the picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Test
from builder.render.html.markup import rich
from builder.render.html.view import TemplateWords, localised
from builder.rules.names import ENVELOPE_WORDS, Names

NOT_TEXT = frozenset({"x", "y", "polygon", "from", "to", *Test.model_fields})
"""Keys of what is drawn or asked for by rules: what a card says of it stands in its texts."""
DRAWN = frozenset({"icon", "picture", "art", "shape", "colour"})
"""Fields that name a picture, not a word."""
HEADS = ("name", "title")
"""Fields that say what a part of a card is called."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a card: what it is called, its numbers with their names, its texts."""

    title: str
    facts: tuple[tuple[str, str], ...]
    texts: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """All that a card says, in one language. `keywords` come with what they mean."""

    name: str
    kind: str
    faction: str
    cost: str
    keywords: tuple[tuple[str, str], ...]
    passages: tuple[Passage, ...]

    @property
    def words(self) -> str:
        """All of it in small letters, for search."""
        told = [self.name, self.kind, self.faction, *(word for word, _help in self.keywords)]
        for passage in self.passages:
            told += [passage.title, *(value for _label, value in passage.facts)]
            told += (str(text.striptags()) for text in passage.texts)
        return " ".join(told).casefold()


def card_text(pack: Pack, card: Card, lang: str, like: str = "") -> CardText:
    """A card's text; `lang` is one of the game's. A card as it was chosen is `like` one of the game's by its id."""
    names = Names(pack, lang)
    name, data = localised(pack, card, lang)
    words = pack.vocabulary.keywords
    keywords = tuple((names.value("keywords", key), names.of(words[key].help, "") if key in words else "")
                     for key in card.keywords)  # fmt: skip
    kind = pack.manifest.kinds[card.kind]
    return CardText(
        name,
        names.of(kind.name, card.kind),
        names.value("faction", card.faction) if card.faction else "",
        f"{card.cost:g}" if card.cost is not None else "",
        keywords,
        tuple(_CardReader(pack, like or card.id, lang, names).passages("", data, "")),
    )


class _SpokenWords(TemplateWords):
    """Look-ups for a text that is read aloud: an icon is the word that it stands for."""

    def icon(self, name: str) -> Markup:
        """The word with this icon, else the icon's own name."""
        words = self.pack.vocabulary
        for table in (words.terms, words.stats, words.keywords):
            for term in table.values():
                if term.icon == name:
                    return Markup.escape(f" {self._said(term.name)}")
        return Markup.escape(f" {_plain(name)}")


class _CardReader:
    """Takes the fields of one card apart."""

    def __init__(self, pack: Pack, card: str, lang: str, names: Names) -> None:
        self.names, self.rich = names, pack.rich.get(card, frozenset())
        self.texts = frozenset(pack.texts.get(card, ()))
        self.words = _SpokenWords(pack, lang, {})

    def passages(self, title: str, fields: Mapping[str, Json], path: str) -> Iterator[Passage]:
        """A part's own numbers and texts, then the parts in it, each called as it says, else as what it is part of."""
        facts: list[tuple[str, str]] = []
        texts: list[Markup] = []
        inner: dict[str, Mapping[str, Json]] = {}
        for key, value in fields.items():
            place = f"{path}{key}"
            if isinstance(value, Mapping) and (key[-1].isdigit() or not self._flat(value, place)):
                inner[key] = value
            elif place in self.texts and isinstance(value, str):
                if path == "" or key not in HEADS or not title:
                    texts.append(
                        rich(value, self.words)
                        if place in self.rich
                        else Markup("<p>{}</p>").format(value)
                    )
            elif told := self._told(place, value):
                label = self._label(place)
                if label or not isinstance(value, str if self.names.lang == "en" else str | list):
                    facts.append((label or _plain(key), told))
                else:
                    texts.append(
                        Markup("<p>{}</p>").format(told[:1].upper() + told[1:])
                    )  # a word tells itself
        if facts or texts:
            yield Passage(title, tuple(facts), tuple(texts))
        for key, part in inner.items():
            yield from self._inner(title, part, f"{path}{key}")

    def _inner(self, title: str, part: Mapping[str, Json], place: str) -> Iterator[Passage]:
        """A part of a part; at least its name, where it has one."""
        if NOT_TEXT & part.keys() or place.rpartition(".")[2] in DRAWN:
            return
        own = next((str(part[head]) for head in HEADS if f"{place}.{head}" in self.texts), "")
        found = list(self.passages(own or self._label(place) or title, part, f"{place}."))
        yield from found or ([Passage(own, (), ())] if own else [])

    def _flat(self, value: Mapping[str, Json], place: str) -> bool:
        """True for numbers and words that make one fact."""
        return all(
            not isinstance(one, Mapping) and f"{place}.{key}" not in self.texts
            for key, one in value.items()
        )

    def _told(self, place: str, value: Json) -> str:
        """A value in words; empty for what is no text."""
        if place.rpartition(".")[2] in DRAWN:
            return ""
        if isinstance(value, Mapping):
            parts = () if NOT_TEXT & value.keys() else value.items()
            told = (
                (
                    self._label(f"{place}.{key}") or _plain(key),
                    self._told(f"{place}.{key}", one),
                    one,
                )
                for key, one in parts
            )
            return ", ".join(
                label if one is True else f"{label} {text}" for label, text, one in told if text
            )
        if isinstance(value, list | tuple):
            return ", ".join(filter(None, (self._told(place, one) for one in value)))
        if isinstance(value, bool) or value is None:
            return (
                self.names.say(_("yes"))
                if value and (self.names.lang == "en" or self._label(place))
                else ""
            )
        if isinstance(value, int | float):
            return f"{value:g}".replace("-", "\N{MINUS SIGN}")
        if place.rpartition(".")[2] in ("slot", "slots"):
            return self.names.slot(value)
        found = self._label(value) or self.names.value(place, value)
        return found if found != value or self._label(place) or self._label(value) else ""

    def _label(self, place: str) -> str:
        """What a field is called; empty where the game has no word for it."""
        words, last = self.names.pack.vocabulary, place.rpartition(".")[2]
        for word in (place, last, last.replace("-", "_")):
            if word in ENVELOPE_WORDS or any(
                word in one for one in (words.stats, words.labels, words.terms, words.keywords)
            ):
                return self.names.field(word)
        return ""


def _plain(key: str) -> str:
    """A field's own name, where there is no better."""
    return key.replace("-", " ").replace("_", " ")
