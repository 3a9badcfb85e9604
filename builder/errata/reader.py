"""Read a state of a pack in one language: names, texts and values as a person reads them. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from builder.errata.change import ABSENT, Value
from builder.errata.snapshot import Snapshot, replace_texts
from builder.messages import gettext as _, translate
from builder.model.base import DataPath, Json, look_up
from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup

SECTIONS = {"key": "keywords", "stat": "stats", "term": "terms", "faction": "factions"}
"""The sections of the vocabulary by the type of the tag that names one of their words."""
DASH = "—"
TEXT_KEYS = ("text", "detail")
"""The fields of a part that hold rules text."""

ENVELOPE_FIELDS: Mapping[str, str] = {
    "cost": _("Cost"),
    "name": _("Name"),
    "keywords": _("Keywords"),
    "faction": _("Faction"),
    "kind": _("Kind"),
    "art": _("Picture"),
}
CONDITION = "where"
"""The key of a condition for cards, in rules and on cards."""
OPERATOR_WORDS: Mapping[str, str] = {
    "eq": _("is {value}"),
    "ne": _("is not {value}"),
    "lt": _("less than {value}"),
    "le": _("at most {value}"),
    "gt": _("more than {value}"),
    "ge": _("at least {value}"),
    "one_of": _("is one of: {value}"),
    "has": _("contains {value}"),
    "has_any": _("contains one of: {value}"),
    "lacks": _("does not contain {value}"),
}
GROUP_WORDS: Mapping[str, str] = {
    "any": _("at least one of: {listed}"),
    "all": _("all of: {listed}"),
    "none": _("none of: {listed}"),
}
RULE_WORDS: Mapping[str, str] = {
    "max": _("Maximum"),
    "min": _("Minimum"),
    "exactly": _("Exact number"),
    "measure": _("Counted"),
    "select": _("Selected cards"),
    CONDITION: _("Condition"),
    "from": _("Part of the squad"),
    "sum": _("Sum of"),
    "param": _("Parameter"),
    "type": _("Form of the rule"),
    "when": _("In force when"),
    "exists": _("Required cards"),
    "not_exists": _("Excluded cards"),
    "limit": _("Limit"),
}
"""The words for the keys of a rule."""

# Characters of the private use area are in no text of a pack.
OPEN, CLOSE = "\ue000", "\ue001"
"""Characters around an icon's name, until it is known whether it needs a space there."""
ICON_SPACES = (
    (re.compile(CLOSE + OPEN), " "),
    (re.compile(rf"(?<=[\w)″”\"+]){OPEN}"), " "),
    (re.compile(rf"{CLOSE}(?=[\w(+−-])"), " "),
    (re.compile(f"[{OPEN}{CLOSE}]"), ""),
)
"""Patterns and their replacements, in this order."""


def format_id(name: str) -> str:
    """Return an id or a field's name as words: `art_crop` becomes `art crop`."""
    return name.replace("_", " ").replace("-", " ").strip()


@dataclass(frozen=True)
class NoteReader:
    """Formats the values of one state of a pack for readers of a language.

    `text_lang` is the language of the cards' texts if it differs from that of the program's own
    words.
    """

    state: Snapshot
    lang: str
    text_lang: str = ""

    @property
    def reading(self) -> str:
        """The language of the cards' texts."""
        return self.text_lang or self.lang

    def translate(self, message: str) -> str:
        """Return a message of the program in the language."""
        return translate(message, self.lang)

    def format_text(self, markup: str) -> str:
        """Return a marked-up text as plain text: one line a paragraph, icons by their names."""
        text = "".join(map(self._format_node, parse_markup(markup)))
        for pattern, replacement in ICON_SPACES:
            text = pattern.sub(replacement, text)
        lines = [" ".join(line.split()) for line in text.split("\n")]
        return "\n".join(filter(None, lines))

    def _format_node(self, node: Node) -> str:
        match node:
            case Text():
                return node.text
            case Break():
                return "\n"
            case Emphasis() | Strong():
                return "".join(map(self._format_node, node.children))
            case Tag():
                return self._format_tag(node)

    def _format_tag(self, tag: Tag) -> str:
        if tag.label:
            return tag.label.replace("\\", "")
        if tag.type == "dist":
            return f"{tag.id}{self.state.manifest.get('distance_unit', '')}"
        if tag.type == "card":
            return self.name_card(tag.id)
        if tag.type == "icon":
            return f"{OPEN}{self._name_icon(tag.id)}{CLOSE}"
        if tag.type in SECTIONS:
            return self.name_word(SECTIONS[tag.type], tag.id)
        return tag.id

    def _name_icon(self, icon: str) -> str:
        """Return the name of the vocabulary entry with this icon, else the icon's own name."""
        for section in SECTIONS.values():
            words = self.state.vocabulary.get(section)
            for word in words.values() if isinstance(words, Mapping) else ():
                name = self.pick_language(look_up(word, ("name",)))
                if name and look_up(word, ("icon",)) == icon:
                    return name
        return format_id(icon)

    def name_word(self, section: str, word: str) -> str:
        """Return the name of a word of the vocabulary, or the word itself."""
        return (
            self.pick_language(look_up(self.state.vocabulary, (section, word, "name")))
            or word
        )

    def pick_language(self, names: Json) -> str:
        """Choose a text in the reader's language, or in English, the source or any language."""
        if isinstance(names, str):
            return names
        if not isinstance(names, Mapping):
            return ""
        # A text in another language is better than none, and English is read by most.
        texts = (
            names.get(lang) for lang in (self.reading, "en", self.state.source, *names)
        )
        return next((text for text in texts if isinstance(text, str)), "")

    def name_card(self, card: str) -> str:
        """Return a card's name, or its id."""
        name = look_up(self.state.cards.get(card, {}), ("name",))
        source_name = name if isinstance(name, str) else ""
        translated_texts = self.state.get_strings(self.reading, card)
        return translated_texts.get("name", source_name) or card

    def name_kind(self, kind: str) -> str:
        """Return the name of a kind's cards in the plural."""
        entry = look_up(self.state.manifest, ("kinds", kind))
        if not isinstance(entry, Mapping):
            return kind
        plural = self.pick_language(entry.get("plural"))
        return plural or self.pick_language(entry.get("name")) or kind

    def name_single_kind(self, kind: str) -> str:
        """Return the name of one card of a kind."""
        return (
            self.pick_language(look_up(self.state.manifest, ("kinds", kind, "name")))
            or kind
        )

    def name_faction(self, faction: str | None) -> str:
        """Return a faction's name, or an empty text for none."""
        return self.name_word("factions", faction) if faction else ""

    def read_texts(self, card: str) -> dict[str, str]:
        """Return the card's texts that exist in this very language, by dotted path."""
        if self.reading == self.state.source:
            return self.read_source_texts(card)
        if self.reading not in self.state.languages:
            return {}
        return self.state.get_strings(self.reading, card)

    def read_source_texts(self, card: str) -> dict[str, str]:
        """Return the card's texts in the language it is written in, by dotted path."""
        raw = self.state.cards.get(card, {})
        values = {
            path: look_up(raw, path.split("."))
            for path in ("name", *self.state.texts.get(card, ()))
        }
        return {path: text for path, text in values.items() if isinstance(text, str)}

    def format_value(self, value: Value, *, is_text: bool = False) -> str:
        """Return a field's value as a person reads it.

        Only a text holds markup; another string may be an id.
        """
        if value is ABSENT or value is None:
            return DASH
        if isinstance(value, bool):
            return self.translate(_("yes") if value else _("no"))
        if isinstance(value, str):
            return self.format_text(value) if is_text else self.name_id(value)
        if isinstance(value, list | tuple):
            return ", ".join(self.format_value(item) for item in value) or DASH
        if isinstance(value, Mapping):
            return self.format_part(value)
        return f"{value:g}"

    def format_part(self, part: Mapping[str, Json], key: str = "") -> str:
        """Return a part of a card as `name (field value, ...): text`.

        Without a name, `key` names it.
        """
        values = []
        for field, value in part.items():
            if field not in ("name", *TEXT_KEYS):
                values.append(
                    f"{self.label_field(field) or format_id(field)} {self.format_value(value)}"
                )
        # An index of a list means nothing to readers.
        name = part.get("name", "" if key.isdigit() else key and self.name_id(key))
        head = str(name)
        if values:
            counted = ", ".join(values)
            head = f"{name} ({counted})" if name else counted
        texts = [part.get(text_key) for text_key in TEXT_KEYS]
        plain_texts = [
            self.format_text(text) for text in texts if isinstance(text, str)
        ]
        return ": ".join(filter(None, (head, " ".join(plain_texts))))

    def format_condition(self, condition: Mapping[str, Json]) -> str:
        """Return a condition for cards as a clause: `Keywords contains Swift; Cost at most 3`."""
        clauses: list[str] = []
        for field, test in (condition.get("fields") or condition).items():  # type: ignore[union-attr]
            if field in GROUP_WORDS and isinstance(test, list):
                parts = [
                    self.format_condition(part)
                    for part in test
                    if isinstance(part, Mapping)
                ]
                clauses.append(
                    self.translate(_(GROUP_WORDS[field], listed=" / ".join(parts)))
                )
                continue
            clauses.append(self._format_tests(field, test))
        return "; ".join(clauses)

    def _format_tests(self, field: str, test: Json) -> str:
        """Return the tests of one field in words: `Cost at least 2, less than 5`."""
        name = (
            self.translate(ENVELOPE_FIELDS[field]) if field in ENVELOPE_FIELDS else ""
        )
        name = name or self.name_field({}, tuple(field.split(".")))
        # Authors write a bare value instead of `eq`, and a list instead of `one_of`.
        short_form = "one_of" if isinstance(test, list) else "eq"
        tests = test if isinstance(test, Mapping) else {short_form: test}
        texts = [
            self._format_test(operator, value) for operator, value in tests.items()
        ]
        return f"{name} {', '.join(texts)}"

    def _format_test(self, operator: str, value: Json) -> str:
        """Return an operator and its value in words: `at most 3`."""
        if operator == "exists":
            return self.translate(_("is present") if value else _("is not present"))
        if isinstance(value, Mapping) and "other" in value:
            other_field = self.name_field({}, tuple(str(value["other"]).split(".")))
            value_text = self.translate(
                _("{field} of the other card", field=other_field)
            )
        else:
            value_text = self.format_value(value)
        form = OPERATOR_WORDS.get(operator)
        if form is None:
            return f"{format_id(operator)} {value_text}"
        return self.translate(_(form, value=value_text))

    def word_conditions(self, value: Json) -> Json:
        """Return a value with each condition for cards in words."""
        if isinstance(value, list):
            return [self.word_conditions(item) for item in value]
        if not isinstance(value, Mapping):
            return value
        clauses_by_key: dict[str, Json] = {}
        for key, item in value.items():
            # Packs name fields with conditions as they like, so the operators tell them.
            is_condition = isinstance(item, Mapping) and (
                key == CONDITION or _has_tests(item)
            )
            clauses_by_key[key] = (
                self.format_condition(item)
                if is_condition and isinstance(item, Mapping)
                else self.word_conditions(item)
            )
        return clauses_by_key

    def name_id(self, word: str) -> str:
        """Return the name of a word of the vocabulary, a label or a card.

        Any other text as it is.
        """
        for section in (*SECTIONS.values(), "labels"):
            entry = look_up(self.state.vocabulary, (section, word))
            name = self.pick_language(
                entry if section == "labels" else look_up(entry, ("name",))
            )
            if name:
                return name
        return (
            self.name_card(word) if word in self.state.cards else self.format_text(word)
        )

    def label_field(self, step: str) -> str:
        """Return the pack's label of a field, or an empty text if it has none."""
        name = self.pick_language(
            look_up(self.state.vocabulary, ("stats", step, "name"))
        )
        return name or self.pick_language(
            look_up(self.state.vocabulary, ("labels", step))
        )

    def name_field(self, card: Mapping[str, Json], path: DataPath) -> str:
        """Return the name of a card's field.

        Stats, labels and named parts of the card by their names.
        """
        names: list[str] = []
        for index, step in enumerate(map(str, path)):
            is_last = index == len(path) - 1
            if names and is_last and step in ("name", *TEXT_KEYS):
                # `Bite: text` would say no more than `Bite`.
                break
            part_name = look_up(card, (*path[: index + 1], "name")) if index else None
            name = part_name if isinstance(part_name, str) else self.label_field(step)
            if not name and is_last and not step.isdigit():
                name = self.name_id(step)
                if name == step:  # no word of the pack
                    name = format_id(step).capitalize()
            if name:
                names.append(name)
        return ": ".join(names) or format_id(str(path[0])).capitalize()


def _has_tests(value: Mapping[str, Json]) -> bool:
    """Return True if each value is a test of a field, such as `{has: swift}`."""
    return bool(value) and all(
        isinstance(test, Mapping) and test and test.keys() <= OPERATOR_WORDS.keys()
        for test in value.values()
    )


def _leads_into_list(path: str) -> bool:
    return any(step.isdigit() for step in path.split("."))


@dataclass(frozen=True)
class ReaderPair:
    """Reads two states of a pack, so that texts are compared in the same language."""

    before: NoteReader
    after: NoteReader

    def read_texts(self, old: str, new: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the texts of a card in both states by dotted path, each pair in one language.

        If one state lacks a text in the language, both texts are in the source language. If the
        states have different source languages, both texts are empty.
        """
        old_texts = self.before.read_texts(old)
        new_texts = self.after.read_texts(new)
        old_source = self.before.read_source_texts(old)
        new_source = self.after.read_source_texts(new)
        # Comparing a translation with a source text would mark every word as changed.
        fallback_paths = set()
        for path in old_source.keys() & new_source.keys():
            if path not in old_texts or path not in new_texts:
                fallback_paths.add(path)
        # A part may have moved to another place of its list, under another path.
        if any(map(_leads_into_list, fallback_paths)):
            fallback_paths = old_source.keys() | new_source.keys()
        # The source texts are in different languages, so neither can stand in for the other.
        if self.before.state.source != self.after.state.source:
            empty_texts = dict.fromkeys(fallback_paths, "")
            return {**old_texts, **empty_texts}, {**new_texts, **empty_texts}
        old_texts |= {
            path: old_source[path] for path in fallback_paths if path in old_source
        }
        new_texts |= {
            path: new_source[path] for path in fallback_paths if path in new_source
        }
        return old_texts, new_texts

    def read_cards(self, old: str, new: str) -> tuple[Json, Json]:
        """Return a card as both states have it, with the texts of `read_texts`."""
        old_texts, new_texts = self.read_texts(old, new)
        old_card = dict(self.before.state.cards[old])
        new_card = dict(self.after.state.cards[new])
        return replace_texts(old_card, old_texts), replace_texts(new_card, new_texts)

    def name_cards(self, old: str, new: str) -> tuple[str, str]:
        """Return the old and the new name of a card in one language.

        The new one twice if there is no such language.
        """
        old_texts, new_texts = self.read_texts(old, new)
        old_name = old_texts.get("name", "")
        new_name = new_texts.get("name", "")
        if old_name and new_name:
            return old_name, new_name
        current_name = self.after.name_card(new)
        return current_name, current_name
