"""What a state of a pack says, read in one language: names, texts and values as a person reads them. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from builder.errata.change import ABSENT, Value
from builder.errata.release import card_in
from builder.errata.snapshot import Snapshot
from builder.messages import gettext as _, translate
from builder.model.base import Json, lookup
from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup

SECTIONS = {"key": "keywords", "stat": "stats", "term": "terms", "faction": "factions"}
DASH = "—"

OPEN, CLOSE = "\ue000", "\ue001"
"""Around an icon's name, until it is known whether it needs a space there."""
APART = (
    (re.compile(CLOSE + OPEN), " "),
    (re.compile(rf"(?<=[\w)″”\"+]){OPEN}"), " "),
    (re.compile(rf"{CLOSE}(?=[\w(+−-])"), " "),
    (re.compile(f"[{OPEN}{CLOSE}]"), ""),
)


def in_words(name: str) -> str:
    """An id or a field's name for people, where nothing else is known: `art_crop` is `art crop`."""
    return name.replace("_", " ").replace("-", " ").strip()


@dataclass(frozen=True)
class NoteReader:
    """Reads one state in one language."""

    state: Snapshot
    lang: str

    def say(self, message: str) -> str:
        """What the program itself says, in the language."""
        return translate(message, self.lang)

    def text(self, markup: str) -> str:
        """A marked-up text as plain letters: a line a paragraph, an icon by its name, apart from what it counts."""
        plain = "".join(map(self._plain, parse_markup(markup)))
        for found, instead in APART:
            plain = found.sub(instead, plain)
        return "\n".join(filter(None, (" ".join(line.split()) for line in plain.split("\n"))))

    def _plain(self, node: Node) -> str:
        match node:
            case Text():
                return node.text
            case Break():
                return "\n"
            case Emphasis() | Strong():
                return "".join(map(self._plain, node.children))
            case Tag():
                return self._tag(node)

    def _tag(self, tag: Tag) -> str:
        if tag.shown:
            return tag.shown.replace("\\", "")
        if tag.type == "dist":
            return f"{tag.id}{self.state.manifest.get('distance_unit', '')}"
        if tag.type == "card":
            return self.card(tag.id)
        if tag.type == "icon":
            return f"{OPEN}{self._icon(tag.id)}{CLOSE}"
        if tag.type in SECTIONS:
            return self.word(SECTIONS[tag.type], tag.id)
        return tag.id

    def _icon(self, icon: str) -> str:
        """What an icon stands for, by the vocabulary; its own name where that does not say."""
        for words in (self.state.vocabulary.get(section) for section in SECTIONS.values()):
            for word in words.values() if isinstance(words, Mapping) else ():
                if lookup(word, ("icon",)) == icon and (name := self.localized(lookup(word, ("name",)))):
                    return name
        return in_words(icon)

    def word(self, section: str, word: str) -> str:
        """The name of a word of the vocabulary, or the word itself."""
        return self.localized(lookup(self.state.vocabulary, (section, word, "name"))) or word

    def localized(self, names: Json) -> str:
        """One text of several languages: this one, else English, else the source, else any."""
        if isinstance(names, str):
            return names
        if not isinstance(names, Mapping):
            return ""
        texts = (names.get(lang) for lang in (self.lang, "en", self.state.source, *names))
        return next((text for text in texts if isinstance(text, str)), "")

    def card(self, card: str) -> str:
        """A card's name, or its id."""
        return self.string(card, "name") or card

    def string(self, card: str, path: str) -> str:
        """A translatable string of a card in this language; empty where there is none."""
        value = lookup(self.state.cards.get(card, {}), path.split("."))
        return self.state.strings(self.lang, card).get(path, value if isinstance(value, str) else "")

    def kind(self, kind: str) -> str:
        """What a kind's cards are called together."""
        stated = lookup(self.state.manifest, ("kinds", kind))
        if not isinstance(stated, Mapping):
            return kind
        return self.localized(stated.get("plural")) or self.localized(stated.get("name")) or kind

    def faction(self, faction: str | None) -> str:
        """A faction's name; empty for none."""
        return self.word("factions", faction) if faction else ""

    def spoken(self, card: str) -> Json:
        """A card with its texts in this language, in the source language where they are not translated."""
        return card_in(self.state, self.lang, card)

    def value(self, value: Value, *, text: bool = False) -> str:
        """A field's value as a person reads it; of strings only a `text` holds markup, another may be an id."""
        if value is ABSENT or value is None:
            return DASH
        if isinstance(value, bool):
            return self.say(_("yes") if value else _("no"))
        if isinstance(value, str):
            return self.text(value) if text else self.called(value)
        if isinstance(value, list | tuple):
            return ", ".join(self.value(item) for item in value) or DASH
        if isinstance(value, Mapping):
            return self.item(value)
        return f"{value:g}"

    def item(self, value: Mapping[str, Json], key: str = "") -> str:
        """A part of a card: its name, what it counts, what it says."""
        texts = [self.text(said) for key in ("text", "detail") if isinstance(said := value.get(key), str)]
        own = {key: one for key, one in value.items() if key not in ("name", "text", "detail")}
        counted = ", ".join(f"{self.label(key) or in_words(key)} {self.value(one)}" for key, one in own.items())
        name = value.get("name", "" if key.isdigit() else key and self.called(key))
        head = str(name) if not counted else f"{name} ({counted})" if name else counted
        return ": ".join(filter(None, (head, " ".join(texts))))

    def called(self, word: str) -> str:
        """What an id stands for: a word of the vocabulary, a label, another card; any other text as it stands."""
        for section in (*SECTIONS.values(), "labels"):
            entry = lookup(self.state.vocabulary, (section, word))
            if name := self.localized(entry if section == "labels" else lookup(entry, ("name",))):
                return name
        return self.card(word) if word in self.state.cards else self.text(word)

    def label(self, step: str) -> str:
        """What a field is called by the pack; empty where it does not say."""
        word = self.localized(lookup(self.state.vocabulary, ("stats", step, "name")))
        return word or self.localized(lookup(self.state.vocabulary, ("labels", step)))

    def field(self, card: Mapping[str, Json], path: tuple[str | int, ...]) -> str:
        """What a field of a card is called: stats, labels and named parts of the card by their names."""
        names: list[str] = []
        for index, step in enumerate(map(str, path)):
            last = index == len(path) - 1
            if names and last and step in ("text", "name", "detail"):
                break
            own = lookup(card, (*path[: index + 1], "name")) if index else None
            name = own if isinstance(own, str) else self.label(step)
            if not name and last and not step.isdigit():
                name = self.called(step) if self.called(step) != step else in_words(step).capitalize()
            names += [name] if name else []
        return ": ".join(names) or in_words(str(path[0])).capitalize()
