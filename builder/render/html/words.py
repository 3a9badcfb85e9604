"""The words and pictures a template may ask for by id, in one language. Notes which other cards were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from builder.messages import gettext as _
from builder.model.pack import Pack, Term
from builder.model.terms import term
from builder.render.html.view import View, card_view, pick

if TYPE_CHECKING:
    from markupsafe import Markup


FUNCTIONS = (
    *("keyword", "keyword_help", "term", "term_help", "stat", "stat_name", "label", "colour"),
    *("icon", "card_of", "card_name", "dice", "distance"),
)
"""What templates call by name."""


class Words:
    """Look-ups for one language of one pack.

    `glyphs` gives the letter of each icon. `used` collects the ids of cards whose text was asked for, so that a face
    is set again when one of them changes.
    """

    def __init__(self, pack: Pack, lang: str, glyphs: Mapping[str, str]) -> None:
        self.pack = pack
        self.lang = lang
        self.glyphs = glyphs
        self.used: set[str] = set()

    def _name(self, texts: Mapping[str, str]) -> str:
        return pick(texts, self.lang, self.pack.manifest.languages.source)

    @property
    def pack_name(self) -> str:
        """The game's name."""
        return self._name(self.pack.manifest.name)

    def _term(self, table: Mapping[str, Term], word: str, group: str) -> Term:
        if word not in table:
            raise _unknown(group, word, table)
        return table[word]

    def keyword(self, word: str) -> str:
        """A keyword's printed name."""
        return self._name(self._term(self.pack.vocabulary.keywords, word, "keyword").name)

    def keyword_group(self, word: str) -> str | None:
        """The group of words a keyword belongs to; None for one without a group, or unknown."""
        term = self.pack.vocabulary.keywords.get(word)
        return term.group if term else None

    def keyword_help(self, word: str) -> str:
        """What a keyword means; empty where the vocabulary does not say."""
        return self._name(self._term(self.pack.vocabulary.keywords, word, "keyword").help)

    def term(self, word: str) -> str:
        """Another word of the game."""
        return self._name(self._term(self.pack.vocabulary.terms, word, "term").name)

    def term_help(self, word: str) -> str:
        """What a word of the game means; empty where the vocabulary does not say."""
        return self._name(self._term(self.pack.vocabulary.terms, word, "term").help)

    def stat(self, word: str) -> str:
        """A stat's abbreviation, or its name where it has none."""
        term = self._term(self.pack.vocabulary.stats, word, "stat")
        return self._name(term.short) or self._name(term.name)

    def stat_name(self, word: str) -> str:
        """A stat's full name."""
        return self._name(self._term(self.pack.vocabulary.stats, word, "stat").name)

    def label(self, name: str) -> str:
        """A fixed string of the pack's templates."""
        labels = self.pack.vocabulary.labels
        if name not in labels:
            raise _unknown("label", name, labels)
        return self._name(labels[name])

    def colour(self, faction: str) -> str:
        """A faction's colour."""
        factions = self.pack.vocabulary.factions
        if faction not in factions:
            raise _unknown("faction", faction, factions)
        return factions[faction].colour

    def icon(self, name: str) -> Markup:
        """An icon as an element in the icon font."""
        from markupsafe import Markup

        if name not in self.glyphs:
            raise _unknown("icon", name, self.glyphs)
        return Markup('<i class="icon">{}</i>').format(self.glyphs[name])

    def card_of(self, card: str) -> View:
        """Another card, whole."""
        if card not in self.pack.cards:
            raise _unknown("card", card, self.pack.cards)
        self.used.add(card)
        return card_view(self.pack, self.pack.cards[card], self.lang)

    def card_name(self, card: str) -> str:
        """Another card's name."""
        return str(self.card_of(card).name)

    def dice(self, expression: str) -> str:
        """A dice expression with the language's own letter for a die (label `die`, `d` without one)."""
        labels = self.pack.vocabulary.labels
        letter = self._name(labels["die"]) if "die" in labels else "d"
        return expression.replace("d", letter).replace("-", "\N{MINUS SIGN}")

    def distance(self, number: str) -> str:
        """A distance with the pack's unit and the language's decimal sign (label `decimal`, a point without one)."""
        labels = self.pack.vocabulary.labels
        point = self._name(labels["decimal"]) if "decimal" in labels else "."
        return number.replace(".", point) + self.pack.manifest.distance_unit

    def faction(self, faction: str | None) -> View | None:
        """A faction's name, emblem and colours, or None."""
        known = self.pack.vocabulary.factions.get(faction) if faction else None
        if known is None:
            return None
        return View(
            {
                "id": faction,
                "name": self._name(known.name),
                "help": self._name(known.help),
                "emblem": known.emblem,
                "colour": known.colour,
                "tint": known.tint,
            }
        )


def _unknown(group: str, word: str, known: Mapping[str, object]) -> Exception:
    """The error of asking for something that is not there, with the nearest spelling."""
    from difflib import get_close_matches

    from jinja2 import UndefinedError

    near = get_close_matches(word, list(known), 1)
    if near:
        return UndefinedError(
            _("no {group} is called {name!r}; is it {near!r}?", group=term(group), name=word, near=near[0])
        )
    return UndefinedError(_("no {group} is called {name!r}", group=term(group), name=word))
