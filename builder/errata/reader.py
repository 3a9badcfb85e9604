"""What a state of a pack says, read in one language: names, texts and values as a person reads them. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from builder.errata.change import ABSENT, Value
from builder.errata.snapshot import Snapshot, replace_texts
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
    """Reads one state in one language.

    `text_lang` is the language of the cards' texts where it is another one than that of the program's own words.
    """

    state: Snapshot
    lang: str
    text_lang: str = ""

    @property
    def reading(self) -> str:
        """The language of the cards' texts."""
        return self.text_lang or self.lang

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
                if lookup(word, ("icon",)) == icon and (
                    name := self.localized(lookup(word, ("name",)))
                ):
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
        texts = (names.get(lang) for lang in (self.reading, "en", self.state.source, *names))
        return next((text for text in texts if isinstance(text, str)), "")

    def card(self, card: str) -> str:
        """A card's name, or its id."""
        return self.string(card, "name") or card

    def string(self, card: str, path: str) -> str:
        """A translatable string of a card in this language; empty where there is none."""
        value = lookup(self.state.cards.get(card, {}), path.split("."))
        return self.state.strings(self.reading, card).get(
            path, value if isinstance(value, str) else ""
        )

    def kind(self, kind: str) -> str:
        """What a kind's cards are called together."""
        stated = lookup(self.state.manifest, ("kinds", kind))
        if not isinstance(stated, Mapping):
            return kind
        return self.localized(stated.get("plural")) or self.localized(stated.get("name")) or kind

    def faction(self, faction: str | None) -> str:
        """A faction's name; empty for none."""
        return self.word("factions", faction) if faction else ""

    def texts(self, card: str) -> dict[str, str]:
        """The card's texts that are there in this very language, by dotted path."""
        if self.reading == self.state.source:
            return self.source_texts(card)
        return (
            self.state.strings(self.reading, card) if self.reading in self.state.languages else {}
        )

    def source_texts(self, card: str) -> dict[str, str]:
        """The card's texts in the language it is written in, by dotted path."""
        raw = self.state.cards.get(card, {})
        found = {
            path: lookup(raw, path.split(".")) for path in ("name", *self.state.texts.get(card, ()))
        }
        return {path: text for path, text in found.items() if isinstance(text, str)}

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
        texts = [
            self.text(said) for key in ("text", "detail") if isinstance(said := value.get(key), str)
        ]
        own = {key: one for key, one in value.items() if key not in ("name", "text", "detail")}
        counted = ", ".join(
            f"{self.label(key) or in_words(key)} {self.value(one)}" for key, one in own.items()
        )
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
                name = (
                    self.called(step) if self.called(step) != step else in_words(step).capitalize()
                )
            names += [name] if name else []
        return ": ".join(names) or in_words(str(path[0])).capitalize()


@dataclass(frozen=True)
class ReaderPair:
    """Reads two states of a pack so that no text is compared with one of another language."""

    before: NoteReader
    after: NoteReader

    def texts(self, old: str, new: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the texts of a card in both states by dotted path, each pair in one language.

        If one state lacks a text in the language, both texts are in the source language. If the states have different
        source languages, both texts are empty.
        """
        was, now = self.before.texts(old), self.after.texts(new)
        old_source, new_source = self.before.source_texts(old), self.after.source_texts(new)
        one_source = self.before.state.source == self.after.state.source
        both = {
            path for path in old_source.keys() & new_source.keys() if (path in was) != (path in now)
        }
        both |= {
            path
            for path in old_source.keys() & new_source.keys()
            if path not in was and path not in now
        }
        in_lists = any(step.isdigit() for path in both for step in path.split("."))
        if (
            both and in_lists
        ):  # a part may have moved to another place of its list, under another path
            both = old_source.keys() | new_source.keys()
        if not one_source:
            return {**was, **dict.fromkeys(both, "")}, {**now, **dict.fromkeys(both, "")}
        return (
            {**was, **{path: old_source[path] for path in both if path in old_source}},
            {**now, **{path: new_source[path] for path in both if path in new_source}},
        )

    def cards(self, old: str, new: str) -> tuple[Json, Json]:
        """Return a card as both states have it, its texts as `texts` gives them."""
        was, now = self.texts(old, new)
        return replace_texts(dict(self.before.state.cards[old]), was), replace_texts(
            dict(self.after.state.cards[new]), now
        )

    def names(self, old: str, new: str) -> tuple[str, str]:
        """Return the old and the new name of a card in one language; the new one twice if there is no such language."""
        was, now = (texts.get("name", "") for texts in self.texts(old, new))
        current = self.after.card(new)
        return (was, now) if was and now else (current, current)
