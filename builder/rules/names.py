"""Name cards, fields, values, parameters and links of a pack in a language."""

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
    """A pack's names in one language.

    A name that the pack lacks there is taken from English, the source language or any other; else
    it is the id.
    """

    def __init__(self, pack: Pack, lang: str) -> None:
        self.pack = pack
        self.lang = lang
        languages = pack.manifest.languages
        available = [name for name in (lang, "en") if name in languages.all]
        self.pack_lang = available[0] if available else languages.source
        """The language of the pack's names."""

    def translate(self, message: str) -> str:
        """Return a message of the program in the language."""
        return translate(message, self.lang)

    def choose_name(self, names: Words, fallback: str) -> str:
        """Return one localized name."""
        if isinstance(names, str):
            return names
        source = self.pack.manifest.languages.source
        for lang in (self.lang, self.pack_lang, source):
            if names.get(lang):
                return names[lang]
        return next(iter(names.values()), fallback)

    def name_card(self, card_id: str) -> str:
        """Return a card's printed name."""
        card = self.pack.cards.get(card_id)
        if card is None:
            return card_id
        translated_cards = self.pack.translations.get(self.pack_lang, {})
        string = translated_cards.get(card_id, {}).get("name")
        # an empty translation is one that nobody has written yet
        return string.text if string is not None and string.text else card.name

    def name_param(self, name: str) -> str:
        """Return the name of a roster parameter."""
        param = self.pack.manifest.roster.params.get(name)
        return name if param is None else self.choose_name(param.name, name)

    def name_param_value(self, name: str, value: object) -> str:
        """Return the name of a roster parameter's value.

        Its own in the pack, else the label of that word.
        """
        param = self.pack.manifest.roster.params.get(name)
        text = str(value)
        if param is not None and text in param.names:
            return self.choose_name(param.names[text], text)
        labels = self.pack.vocabulary.labels
        return self.choose_name(labels[text], text) if text in labels else text

    def name_subject(self, violation: Violation) -> str:
        """Return the name of the card that a violation is about."""
        return (
            self.name_card(violation.subject.card)
            if violation.subject is not None
            else ""
        )

    def name_link(self, name: str) -> str:
        """Return the name of a link."""
        link = self.pack.manifest.roster.links.get(name)
        return name if link is None else self.choose_name(link.name, name)

    def name_kind(self, name: str) -> str:
        """Return the name of a kind of card, in the plural if the pack gives it."""
        kind = self.pack.manifest.kinds.get(name)
        return (
            name if kind is None else self.choose_name(kind.plural or kind.name, name)
        )

    def name_field(self, path: str) -> str:
        """Return the name of a card field or a choice."""
        if path.startswith("choice."):
            choice_id = path.removeprefix("choice.")
            choice = self.pack.manifest.roster.choices.get(choice_id)
            return (
                choice_id
                if choice is None
                else self.choose_name(choice.name, choice_id)
            )
        choice_names = CHOICE_STEP.findall(path)
        if choice_names:
            choice_name = self.name_field(f"choice.{choice_names[0]}")
            return f"{choice_name}, {self.name_field(path.rpartition('.')[2])}"
        if path in ENVELOPE_WORDS:
            return self.translate(ENVELOPE_WORDS[path])
        vocabulary = self.pack.vocabulary
        # a name of the whole path goes before one of its last step
        for word in (path, path.rpartition(".")[2]):
            if word in vocabulary.stats:
                return self.choose_name(vocabulary.stats[word].name, word)
            if word in vocabulary.labels:
                return self.choose_name(vocabulary.labels[word], word)
            for table in (vocabulary.terms, vocabulary.keywords):
                if word in table:
                    return self.choose_name(table[word].name, word)
        return path

    def name_value(self, path: str, value: object) -> str:
        """Return the name of a field's value, if it is a keyword, faction, card, kind or choice.

        A word of the vocabulary called `FIELD-VALUE` names a value that is no word by itself.
        """
        text = str(value).lower() if isinstance(value, bool) else str(value)
        vocabulary = self.pack.vocabulary
        if path.startswith("choice."):
            choice = self.pack.manifest.roster.choices.get(path[7:])
            if choice is not None and text in choice.values:
                return self.choose_name(choice.values[text], text)
            return self.name_card(text)
        if path == "faction" and text in vocabulary.factions:
            return self.choose_name(vocabulary.factions[text].name, text)
        if path == "kind":
            return self.name_kind(text)
        for word in (text, f"{path.rpartition('.')[2]}-{text}"):
            for table in (vocabulary.keywords, vocabulary.terms, vocabulary.stats):
                if word in table:
                    return self.choose_name(table[word].name, text)
        return self.name_card(text)

    def name_slot(self, slot_type: str) -> str:
        """Return the name of a slot's type. The empty text is the type of a slot for anything."""
        if not slot_type:
            return self.translate(_("any"))
        for rule in self.pack.rules.rules:
            if isinstance(rule, Slots) and rule.need:
                return self.name_value(rule.need, slot_type)
        return self.name_value("", slot_type)
