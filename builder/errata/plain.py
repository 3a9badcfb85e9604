"""Values of a state as a person reads them: markup without its tags, ids as names. Tolerant: what is unknown stays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.errata.leaves import ABSENT, Value
from builder.errata.snapshot import Snapshot
from builder.model.base import Json, lookup
from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup

SECTIONS = {"key": "keywords", "stat": "stats", "term": "terms", "faction": "factions"}
DASH = "—"


@dataclass(frozen=True)
class Reader:
    """Reads one state in one language."""

    state: Snapshot
    lang: str

    def text(self, markup: str) -> str:
        """A marked-up text as plain letters."""
        return " ".join(self._nodes(parse_markup(markup)).split())

    def _nodes(self, nodes: Iterable[Node]) -> str:
        parts: list[str] = []
        for node in nodes:
            match node:
                case Text():
                    parts.append(node.text)
                case Break():
                    parts.append(" ")
                case Emphasis() | Strong():
                    parts.append(self._nodes(node.children))
                case Tag():
                    parts.append(self._tag(node))
        return "".join(parts)

    def _tag(self, tag: Tag) -> str:
        if tag.shown:
            return tag.shown.replace("\\", "")
        if tag.type == "dist":
            return f"{tag.id}{self.state.manifest.get('distance_unit', '')}"
        if tag.type == "card":
            return self.card(tag.id)
        if tag.type in SECTIONS:
            return self.word(SECTIONS[tag.type], tag.id)
        return tag.id

    def word(self, section: str, word: str) -> str:
        """The name of a word of the vocabulary, or the word itself."""
        return self.localized(lookup(self.state.vocabulary, (section, word, "name"))) or word

    def localized(self, names: Json) -> str:
        """One text of several languages: this one, else the source, else any."""
        if isinstance(names, str):
            return names
        if not isinstance(names, Mapping):
            return ""
        for lang in (self.lang, self.state.source, *names):
            if isinstance(names.get(lang), str):
                return str(names[lang])
        return ""

    def card(self, card: str) -> str:
        """A card's name, or its id."""
        return self.string(card, "name") or card

    def string(self, card: str, path: str) -> str:
        """A translatable string of a card in this language; empty where there is none."""
        if self.lang != self.state.source:
            item = self.state.translations.get(self.lang, {}).get(card, {}).get(path)
            text = item.get("text") if isinstance(item, Mapping) else None
            if isinstance(text, str):
                return text
        value = lookup(self.state.cards.get(card, {}), path.split("."))
        return value if isinstance(value, str) else ""

    def kind(self, kind: str) -> str:
        """What a kind's cards are called together."""
        stated = lookup(self.state.manifest, ("kinds", kind))
        if not isinstance(stated, Mapping):
            return kind
        return self.localized(stated.get("plural")) or self.localized(stated.get("name")) or kind

    def faction(self, faction: str | None) -> str:
        """A faction's name; empty for none."""
        return self.word("factions", faction) if faction else ""

    def value(self, path: str, value: Value) -> str:
        """A field's value as a person reads it."""
        if value is ABSENT or value is None:
            return DASH
        if isinstance(value, bool):
            return "+" if value else DASH
        if isinstance(value, str):
            head = path.partition(".")[0]
            return self.word("factions", value) if head == "faction" else self.text(value)
        if isinstance(value, list):
            section = "keywords" if path == "keywords" else "terms"
            return ", ".join(self.word(section, item) if isinstance(item, str) else str(item) for item in value) or DASH
        return f"{value:g}" if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)

    def field(self, card: str, path: str) -> str:
        """What a field is called: stats, labels and named parts of the card by their names."""
        names: list[str] = []
        steps = path.split(".")
        for index, step in enumerate(steps):
            own = self.string(card, ".".join([*steps[: index + 1], "name"])) if index else ""
            word = self.localized(lookup(self.state.vocabulary, ("stats", step, "name")))
            label = self.localized(lookup(self.state.vocabulary, ("labels", step)))
            last = index == len(steps) - 1
            if last and names and step in ("text", "name"):
                break
            names.append(own or word or label or step)
        named = [name for name, step in zip(names, steps, strict=False) if name != step]
        return ": ".join(named or names)
