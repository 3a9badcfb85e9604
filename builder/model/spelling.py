"""The nearest right spelling of a word that is unknown, and lists of words for a message. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from builder.messages import gettext as _


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one; None if none is near."""
    from difflib import get_close_matches

    folded = {item.casefold(): item for item in known}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def some(words: Iterable[str], limit: int = 12) -> str:
    """Words in order as a list for a message, cut after `limit`."""
    ordered = sorted(words)
    rest = len(ordered) - limit
    listed = ", ".join(ordered[:limit])
    return _("{listed} and {rest} more", listed=listed, rest=rest) if rest > 0 else listed


def suggestion(word: str, known: Iterable[str], what: str = _("Known here")) -> str:
    """A hint for an unknown word: the nearest right spelling, else what there is."""
    words = tuple(known)
    near = nearest(word, words)
    if near:
        return _("Did you mean {word}?", word=near)
    return _("{what}: {listed}.", what=what, listed=some(words)) if words else ""
