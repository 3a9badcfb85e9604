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
    """The names of a pack's cards, fields and values in one language.

    A name that the pack lacks there is taken from English, the source language or any other. Else
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
        """Translate a message of the program."""
        return translate(message, self.lang)

    def choose_name(self, names_by_lang: Words, fallback: str) -> str:
        """Return the name in this language, else in another one, else the fallback."""
        if isinstance(names_by_lang, str):
            return names_by_lang
        source = self.pack.manifest.languages.source
        for lang in (self.lang, self.pack_lang, source):
            if names_by_lang.get(lang):
                return names_by_lang[lang]
        return next(iter(names_by_lang.values()), fallback)

    def name_card(self, card_id: str) -> str:
        """Return the printed name of a card, or its id if the pack lacks it."""
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
        """Return the name of a value of a roster parameter.

        It is the parameter's own name for it, else the vocabulary's label.
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

    def name_link(self, link_id: str) -> str:
        """Return the name of a link."""
        link = self.pack.manifest.roster.links.get(link_id)
        return link_id if link is None else self.choose_name(link.name, link_id)

    def name_kind(self, kind_id: str) -> str:
        """Return the name of a kind of card, in the plural if the pack states one."""
        kind = self.pack.manifest.kinds.get(kind_id)
        return (
            kind_id
            if kind is None
            else self.choose_name(kind.plural or kind.name, kind_id)
        )

    def name_field(self, path: str) -> str:
        """Return the name of a card field or a choice, such as "Speed" for `stats.speed`."""
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
        """Return the name of a field's value, such as a keyword or a faction, else the value.

        A word of the vocabulary called `FIELD-VALUE` names a value that is no word by itself.
        """
        # YAML writes `true` and `false` in small letters, and so does the vocabulary.
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
        """Return the name of a slot type. An untyped slot is "any"."""
        if not slot_type:
            return self.translate(_("any"))
        for rule in self.pack.rules.rules:
            if isinstance(rule, Slots) and rule.need:
                return self.name_value(rule.need, slot_type)
        return self.name_value("", slot_type)
