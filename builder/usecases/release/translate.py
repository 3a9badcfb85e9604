"""The state of translations, and taking in what a translator filled."""

from builder.errata.translations import Coverage, coverage, filled
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.base import Json, lookup
from builder.model.card import source_hash
from builder.model.words import suggestion
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


def take(packs: PackStorage, pack: str, form: Json, file: str) -> tuple[tuple[str, int], ...]:
    """Put the texts of a filled form, which messages call by the file's name, into translations: what each that changed
    is called, and how many texts it got. UsageError where the form names what the pack does not have.
    """
    lang = lookup(form, ("lang",))
    state = working(packs, pack)[0]
    if not isinstance(lang, str) or lang not in state.languages[1:]:
        message = _("{file} is for {lang!r}, which {pack} is not translated into", file=file, lang=lang, pack=pack)
        raise UsageError(message, _("Look at its line `lang:`."))
    by_card: dict[str, dict[str, Json]] = {}
    for card, path, text, same in filled(form):
        source = lookup(state.cards.get(card, {}), path.split("."))
        if not isinstance(source, str):
            message = _("{card} has no text {path}", card=card, path=path)
            raise UsageError(message, _("Make the file anew: the card changed since it was made."))
        entry: Json = {"text": text, "source": source_hash(source), **({"same": True} if same else {})}
        by_card.setdefault(card, {})[path] = entry
    places = {card: f"{state.cards[card].get('kind')}/{card}" for card in by_card}
    return tuple((packs.translate(pack, lang, places[card], texts), len(texts)) for card, texts in by_card.items())
