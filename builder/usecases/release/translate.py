"""The state of translations, and taking in what a translator filled."""

from collections.abc import Sequence

from builder.errata.translations import Coverage, coverage
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.base import Json, lookup
from builder.model.card import source_hash
from builder.model.words import suggestion
from builder.store.translation_files import FilledText
from builder.usecases.storage import PackStorage, working


def coverages(packs: PackStorage, pack: str, langs: tuple[str, ...] = ()) -> tuple[Coverage, ...]:
    """The asked languages, or all translations of the pack. UsageError for one it does not have."""
    state = working(packs, pack)[0]
    known = state.languages[1:]
    for lang in langs:
        if lang not in known:
            message = _("{pack} is not translated into {lang}", pack=pack, lang=lang)
            raise UsageError(message, suggestion(lang, known, _("Its translations")))
    releases = packs.releases(pack)
    older = [releases.load(release.version)[0] for release in reversed(releases.all())]
    return tuple(coverage(state, lang, older) for lang in langs or known)


def take(
    packs: PackStorage, pack: str, lang: str, texts: Sequence[FilledText], file: str
) -> tuple[tuple[str, int], ...]:
    """Put the texts of a translator's file, which messages call by the file's name, into translations: what each that
    changed is called, and how many texts it got. A text that was made from another source text than today's stays a
    stale one. UsageError where the file names what the pack does not have.
    """
    state = working(packs, pack)[0]
    if lang not in state.languages[1:]:
        message = _("{file} is for {lang!r}, which {pack} is not translated into", file=file, lang=lang, pack=pack)
        raise UsageError(message, suggestion(lang, state.languages[1:], _("Its translations")))
    by_card: dict[str, dict[str, Json]] = {}
    for one in texts:
        if not isinstance(lookup(state.cards.get(one.card, {}), one.path.split(".")), str):
            message = _("{card} has no text {path}", card=one.card, path=one.path)
            raise UsageError(message, _("Make the file anew: the card changed since it was made."))
        same: dict[str, Json] = {"same": True} if one.text == one.source else {}
        entry: Json = {"text": one.text, "source": source_hash(one.source), **same}
        if state.translations.get(lang, {}).get(one.card, {}).get(one.path) != entry:
            by_card.setdefault(one.card, {})[one.path] = entry
    places = {card: f"{state.cards[card].get('kind')}/{card}" for card in by_card}
    return tuple((packs.translate(pack, lang, places[card], new), len(new)) for card, new in by_card.items())
