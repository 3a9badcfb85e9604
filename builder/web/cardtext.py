"""A card as text: for search, for screen readers, for whoever cannot read the picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack
from builder.render.html.markup import rich
from builder.render.html.view import TemplateWords, localised
from builder.rules.names import Names


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
            told += [passage.title, *(str(text.striptags()) for text in passage.texts)]
        return " ".join(told).casefold()


def card_text(pack: Pack, card: Card, lang: str) -> CardText:
    """A card's text; `lang` is one of the game's."""
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
        tuple(_CardReader(pack, card, lang, names).passages(data)),
    )


class _CardReader:
    """Takes the fields of one card apart."""

    def __init__(self, pack: Pack, card: Card, lang: str, names: Names) -> None:
        self.names, self.rich = names, pack.rich.get(card.id, frozenset())
        self.texts = frozenset(pack.texts.get(card.id, ()))
        self.words = TemplateWords(pack, lang, dict.fromkeys(pack.icons, ""))

    def passages(self, data: Mapping[str, Json]) -> Iterator[Passage]:
        """The card's own numbers and texts, then each part that has a name."""
        yield self._passage("", data, "")
        for key, value in data.items():
            for index, item in value.items() if isinstance(value, Mapping) else ():
                if isinstance(item, Mapping):
                    title = item.get("name")
                    found = self._passage(str(title) if title else "", item, f"{key}.{index}.")
                    if found.title or found.texts:
                        yield found

    def _passage(self, title: str, fields: Mapping[str, Json], path: str) -> Passage:
        facts: list[tuple[str, str]] = []
        texts: list[Markup] = []
        for key, value in fields.items():
            place = f"{path}{key}"
            if place in self.texts and isinstance(value, str) and (key != "name" or not title):
                texts.append(rich(value, self.words) if place in self.rich else Markup("<p>{}</p>").format(value))
            elif isinstance(value, int | float | str) and not isinstance(value, bool) and place not in self.texts:
                label = self.names.field(place)
                if label not in (place, key):
                    facts.append((label, f"{value:g}" if isinstance(value, float) else self.names.value(key, value)))
        return Passage(title, tuple(facts), tuple(texts))
