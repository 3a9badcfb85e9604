"""What cards, fields, values, parameters and ties of a pack are called in a language."""

from collections.abc import Mapping

from builder.messages import gettext as _, pgettext, translate
from builder.model.base import CHOICE_STEP, Words
from builder.model.pack import Pack
from builder.model.rules import Slots
from builder.rules.violation import Violation

ENVELOPE_WORDS = {
    "cost": pgettext("rule", "cost"),
    "keywords": _("keyword"),
    "faction": _("faction"),
    "id": _("card"),
    "kind": pgettext("rule", "kind"),
    "name": _("name"),
}


class Names:
    """A pack's names in one language; where the pack does not have it, in English, else in the source language, then in
    any; last the id."""

    def __init__(self, pack: Pack, lang: str) -> None:
        self.pack = pack
        self.lang = lang
        known = pack.manifest.languages
        self.pack_lang = next((one for one in (lang, "en") if one in known.all), known.source)
        """The language of the pack's names."""

    def translate(self, message: str) -> str:
        """What the program itself says, in the language."""
        return translate(message, self.lang)

    def choose_name(self, names: Words, fallback: str) -> str:
        """One localized name."""
        if isinstance(names, str):
            return names
        source = self.pack.manifest.languages.source
        return (
            names.get(self.lang)
            or names.get(self.pack_lang)
            or names.get(source)
            or next(iter(names.values()), fallback)
        )

    def name_card(self, name: str) -> str:
        """A card's printed name."""
        card = self.pack.cards.get(name)
        if card is None:
            return name
        strings: Mapping[str, object] = self.pack.translations.get(self.pack_lang, {}).get(name, {})
        found = strings.get("name")
        return getattr(found, "text", None) or card.name

    def name_param(self, name: str) -> str:
        """A roster parameter."""
        param = self.pack.manifest.roster.params.get(name)
        return self.choose_name(param.name, name) if param is not None else name

    def name_param_value(self, name: str, value: object) -> str:
        """A roster parameter's value: a choice by its name in the pack, else by the label of that word."""
        param, text = self.pack.manifest.roster.params.get(name), str(value)
        if param is not None and text in param.names:
            return self.choose_name(param.names[text], text)
        labels = self.pack.vocabulary.labels
        return self.choose_name(labels[text], text) if text in labels else text

    def name_subject(self, violation: Violation) -> str:
        """The card that a violation is about."""
        return self.name_card(violation.subject.card) if violation.subject is not None else ""

    def name_link(self, name: str) -> str:
        """A tie."""
        link = self.pack.manifest.roster.links.get(name)
        return self.choose_name(link.name, name) if link is not None else name

    def name_kind(self, name: str) -> str:
        """A kind of card, in the plural where the pack gives it."""
        kind = self.pack.manifest.kinds.get(name)
        return self.choose_name(kind.plural or kind.name, name) if kind is not None else name

    def name_field(self, path: str) -> str:
        """A card field or a choice."""
        if path.startswith("choice."):
            choice = self.pack.manifest.roster.choices.get(path[7:])
            return self.choose_name(choice.name, path[7:]) if choice is not None else path[7:]
        if steps := CHOICE_STEP.findall(path):
            return f"{self.name_field(f'choice.{steps[0]}')}, {self.name_field(path.rpartition('.')[2])}"
        if path in ENVELOPE_WORDS:
            return self.translate(ENVELOPE_WORDS[path])
        words = self.pack.vocabulary
        for part in (path, path.rpartition(".")[2]):
            if part in words.stats:
                return self.choose_name(words.stats[part].name, part)
            if part in words.labels:
                return self.choose_name(words.labels[part], part)
            for table in (words.terms, words.keywords):
                if part in table:
                    return self.choose_name(table[part].name, part)
        return path

    def name_value(self, path: str, value: object) -> str:
        """A field's value: the name of the keyword, faction, card, kind or choice where it is one.

        A word of the vocabulary called `FIELD-VALUE` names a value that is no word by itself.
        """
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words = self.pack.vocabulary
        if path.startswith("choice."):
            choice = self.pack.manifest.roster.choices.get(path[7:])
            if choice is not None and text in choice.values:
                return self.choose_name(choice.values[text], text)
            return self.name_card(text)
        if path == "faction" and text in words.factions:
            return self.choose_name(words.factions[text].name, text)
        if path == "kind":
            return self.name_kind(text)
        for word in (text, f"{path.rpartition('.')[2]}-{text}"):
            for table in (words.keywords, words.terms, words.stats):
                if word in table:
                    return self.choose_name(table[word].name, text)
        return self.name_card(text)

    def name_slot(self, kind: str) -> str:
        """A slot's type; the empty text is a slot for anything."""
        if not kind:
            return self.translate(_("any"))
        fields = (
            rule.need for rule in self.pack.rules.rules if isinstance(rule, Slots) and rule.need
        )
        return self.name_value(next(fields, ""), kind)
