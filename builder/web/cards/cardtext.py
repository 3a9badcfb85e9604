"""A card as text, for search and for everyone who cannot read its picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Test
from builder.render.html.markup import render_markup
from builder.render.html.view import TemplateWords, localize_card
from builder.rules.names import ENVELOPE_WORDS, Names

DRAWING_KEYS = frozenset({"x", "y", "polygon", "from", "to", *Test.model_fields})
"""Keys of drawings and of conditions for rules. What a card says about them is in its texts."""
PICTURE_FIELDS = frozenset({"icon", "picture", "art", "shape", "colour"})
TITLE_FIELDS = ("name", "title")


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a card's text: title, labelled values and paragraphs."""

    title: str
    facts: tuple[tuple[str, str], ...]
    texts: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """The text of a card in one language. `keywords` are (word, explanation)."""

    name: str
    kind: str
    faction: str
    cost: str
    keywords: tuple[tuple[str, str], ...]
    passages: tuple[Passage, ...]

    @property
    def words(self) -> str:
        """All words of the text in lower case, for search."""
        parts = [
            self.name,
            self.kind,
            self.faction,
            *(word for word, _help in self.keywords),
        ]
        for passage in self.passages:
            parts += [passage.title, *(value for _label, value in passage.facts)]
            parts += [str(text.striptags()) for text in passage.texts]
        return " ".join(parts).casefold()


def make_card_text(
    pack: Pack, card: Card, lang: str, original_id: str = ""
) -> CardText:
    """Return the text of a card in a language of the game.

    `original_id` is the id of the game's card if this one was changed by choices.
    """
    names = Names(pack, lang)
    name, data = localize_card(pack, card, lang)
    terms = pack.vocabulary.keywords
    keywords = []
    for key in card.keywords:
        meaning = names.choose_name(terms[key].help, "") if key in terms else ""
        keywords.append((names.name_value("keywords", key), meaning))
    reader = _CardReader(pack, original_id or card.id, lang, names)
    return CardText(
        name,
        names.choose_name(pack.manifest.kinds[card.kind].name, card.kind),
        names.name_value("faction", card.faction) if card.faction else "",
        f"{card.cost:.12g}" if card.cost is not None else "",
        tuple(keywords),
        tuple(reader.read_passages("", data, "")),
    )


class SpokenWords(TemplateWords):
    """Replaces icons in texts by the words they stand for, for screen readers."""

    def icon(self, name: str) -> Markup:
        """Return the word for an icon, or the icon's own name."""
        vocabulary = self.pack.vocabulary
        for terms in (vocabulary.terms, vocabulary.stats, vocabulary.keywords):
            for term in terms.values():
                if term.icon == name:
                    return Markup.escape(f" {self._format_name(term.name)}")
        return Markup.escape(f" {_split_key(name)}")


class _CardReader:
    """Converts the fields of one card to passages of text."""

    def __init__(self, pack: Pack, card: str, lang: str, names: Names) -> None:
        self.names = names
        self.rich_paths = pack.rich.get(card, frozenset())
        self.text_paths = frozenset(pack.texts.get(card, ()))
        self.words = SpokenWords(pack, lang, {})

    def read_passages(
        self, title: str, fields: Mapping[str, Json], prefix: str
    ) -> Iterator[Passage]:
        """Yield the passage of a part of a card, then those of nested parts.

        A part in it has its own title, or that of the whole.
        """
        facts: list[tuple[str, str]] = []
        texts: list[Markup] = []
        inner_parts: dict[str, Mapping[str, Json]] = {}
        for key, value in fields.items():
            path = f"{prefix}{key}"
            if self._is_part(key, value, path):
                inner_parts[path] = value  # type: ignore[assignment]
            elif path in self.text_paths and isinstance(value, str):
                is_title = prefix != "" and key in TITLE_FIELDS and bool(title)
                if not is_title:
                    texts.append(self._format_text(value, path))
            else:
                self._add_fact(key, value, path, facts, texts)
        if facts or texts:
            yield Passage(title, tuple(facts), tuple(texts))
        for path, part in inner_parts.items():
            yield from self._read_inner(title, part, path)

    def _is_part(self, key: str, value: Json, path: str) -> bool:
        """Return True if a field is a part with texts of its own, not a row of values."""
        if not isinstance(value, Mapping):
            return False
        is_flat = not any(
            isinstance(item, Mapping) or f"{path}.{name}" in self.text_paths
            for name, item in value.items()
        )
        return key[-1].isdigit() or not is_flat

    def _format_text(self, value: str, path: str) -> Markup:
        if path in self.rich_paths:
            return render_markup(value, self.words)
        return Markup("<p>{}</p>").format(value)

    def _add_fact(
        self,
        key: str,
        value: Json,
        path: str,
        facts: list[tuple[str, str]],
        texts: list[Markup],
    ) -> None:
        """Add a value with its label. A word without a label explains itself and becomes a text."""
        text = self._format_value(path, value)
        if not text:
            return
        label = self._find_label(path)
        self_explaining = str if self.names.lang == "en" else str | list
        if label or not isinstance(value, self_explaining):
            facts.append((label or _split_key(key), text))
        else:
            texts.append(Markup("<p>{}</p>").format(text[:1].upper() + text[1:]))

    def _read_inner(
        self, title: str, part: Mapping[str, Json], path: str
    ) -> Iterator[Passage]:
        """Yield the passages of a part inside a part. Without content, yield only its title."""
        if DRAWING_KEYS & part.keys() or _get_last_key(path) in PICTURE_FIELDS:
            return
        own_title = ""
        for field in reversed(TITLE_FIELDS):
            if f"{path}.{field}" in self.text_paths:
                own_title = str(part[field])
        inner_title = own_title or self._find_label(path) or title
        passages = list(self.read_passages(inner_title, part, f"{path}."))
        if not passages and own_title:
            passages = [Passage(own_title, (), ())]
        yield from passages

    def _format_value(self, path: str, value: Json) -> str:
        """Return a value as text. Empty if it cannot be shown as text."""
        if _get_last_key(path) in PICTURE_FIELDS or value is None:
            return ""
        if isinstance(value, Mapping):
            return self._format_mapping(path, value)
        if isinstance(value, list | tuple):
            return ", ".join(
                filter(None, (self._format_value(path, item) for item in value))
            )
        if isinstance(value, bool):
            is_named = self.names.lang == "en" or self._find_label(path) != ""
            return self.names.translate(_("yes")) if value and is_named else ""
        if isinstance(value, int | float):
            return f"{value:.12g}".replace("-", "\N{MINUS SIGN}")
        if _get_last_key(path) in ("slot", "slots"):
            return self.names.name_slot(value)
        label = self._find_label(value)
        word = label or self.names.name_value(path, value)
        return word if word != value or label or self._find_label(path) else ""

    def _format_mapping(self, path: str, value: Mapping[str, Json]) -> str:
        if DRAWING_KEYS & value.keys():
            return ""
        parts = []
        for key, item in value.items():
            item_path = f"{path}.{key}"
            text = self._format_value(item_path, item)
            label = self._find_label(item_path) or _split_key(key)
            if text:
                parts.append(label if item is True else f"{label} {text}")
        return ", ".join(parts)

    def _find_label(self, path: str) -> str:
        """Return the game's name for a field. Empty if it has none."""
        vocabulary = self.names.pack.vocabulary
        key = _get_last_key(path)
        tables = (
            vocabulary.stats,
            vocabulary.labels,
            vocabulary.terms,
            vocabulary.keywords,
        )
        for word in (path, key, key.replace("-", "_")):
            if word in ENVELOPE_WORDS or any(word in table for table in tables):
                return self.names.name_field(word)
        return ""


def _get_last_key(path: str) -> str:
    return path.rpartition(".")[2]


def _split_key(key: str) -> str:
    """Return the key of a field as words, for fields without a name."""
    return key.replace("-", " ").replace("_", " ")
