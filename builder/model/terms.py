"""Words of the data that people read too: sides, sorts of names, what became of a card. Only here for translators."""

from __future__ import annotations

from builder.messages import Message
from builder.messages import gettext as _

_WORDS = (
    # Sides of a card and of a cut, and how a shop reads pairs.
    *(_("front"), _("back"), _("front-back"), _("back-front"), _("left"), _("right"), _("top"), _("bottom")),
    # What a pack knows by name.
    *(_("attack"), _("card"), _("choice"), _("faction"), _("icon"), _("keyword"), _("kind"), _("label"), _("link")),
    *(_("parameter"), _("stat"), _("term"), _("value")),
    # What a field or a card has become in a release.
    *(_("art"), _("cost"), _("name"), _("slot"), _("translation"), _("wording"), _("rules"), _("misprint")),
    *(_("rule text"), _("added"), _("changed"), _("deleted"), _("gone"), _("merged"), _("new"), _("renamed")),
    *(_("split"), _("vanished")),
    # What stands on a page, and the files of a sealed squad.
    *(_("drawing"), _("gradient"), _("image"), _("text"), _("key"), _("disclosure")),
)
_TERMS = {term.msgid: term for term in _WORDS}


def term(word: str) -> Message:
    """The message of a word; a word of none is told as it stands."""
    return _TERMS.get(word) or Message(word)
