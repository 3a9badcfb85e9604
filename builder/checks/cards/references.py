"""What a pack knows by name, and references to what it does not know: cards, words, icons, pictures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from posixpath import normpath

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.codes import Code, define
from builder.model.loaded import LoadedPack
from builder.model.spelling import suggestion
from builder.model.terms import term

WRONG_KIND = define(
    "cards/wrong-kind",
    _("A reference to a card of another kind"),
    _("The field is about one kind of card; rules and templates rely on that."),
    _("Name a card of the right kind."),
)
UNKNOWN_ART = define(
    "cards/unknown-art",
    _("No such picture"),
    _("A missing picture would leave a hole in the printed card."),
    _("Put the file under cards/<pack>/art/, or correct its name."),
)
ART_OUTSIDE = define(
    "cards/art-outside",
    _("A picture outside the pack"),
    _("A pack is complete in itself and opens no other file of the machine that sets it."),
    _("Copy the picture into cards/<pack>/art/ and name it from there."),
)


def _unknown(what: str, where: str) -> Code:
    return define(
        f"cards/unknown-{what}",
        _("No such {what}", what=term(what)),
        _("A name that leads nowhere prints wrongly or not at all; such names are known by {where}.", where=where),
        _("Correct the name, or add it: {where}.", where=where),
    )


CODES = {
    "card": _unknown("card", _("the id of a card file")),
    "keyword": _unknown("keyword", _("keywords in vocabulary.yaml")),
    "stat": _unknown("stat", _("stats in vocabulary.yaml")),
    "term": _unknown("term", _("terms in vocabulary.yaml")),
    "faction": _unknown("faction", _("factions in vocabulary.yaml")),
    "icon": _unknown("icon", _("files templates/<pack>/icons/*.svg")),
}
"""The code for an unknown name of each sort."""


@dataclass(frozen=True)
class KnownNames:
    """All names of one pack by sort."""

    known: dict[str, Collection[str]]
    kinds: dict[str, str]

    @classmethod
    def of(cls, loaded: LoadedPack) -> KnownNames:
        """The names of a loaded pack.

        Cards that are not valid count too, and a vocabulary that cannot be used makes no word unknown: their own
        findings say what is wrong.
        """
        assert loaded.pack is not None
        words = loaded.pack.vocabulary
        source = f"cards/{loaded.pack.id}/vocabulary.yaml"
        broken = any(finding.location.file == source and finding.severity == "error" for finding in loaded.findings)
        kinds = dict(loaded.unread)
        kinds |= {file.id: file.kind or file.folder for file in loaded.files if file.id is not None}
        known: dict[str, Collection[str]] = {"card": kinds, "icon": loaded.pack.icons}
        if not broken:
            known |= {
                "keyword": words.keywords,
                "stat": words.stats,
                "term": words.terms,
                "faction": words.factions,
            }
        return cls(known, kinds)

    def judge(self, sort: str, name: str, place: Callable[[], Location]) -> Finding | None:
        """A finding if the pack does not know the name; `sort` as in `x-ref`, `card:KIND` included.

        `place` is asked only then: places of an unchanged file are not at hand without reading it again.
        """
        base, _unused, kind = sort.partition(":")
        names = self.known.get(base)
        if names is None:
            return None
        if name not in names:
            pool = [card for card, of in self.kinds.items() if of == kind] if kind else names
            message = _("there is no {what} {name}", what=term(base), name=name)
            return CODES[base].finding(message, place(), suggestion(name, pool))
        if kind and self.kinds[name] != kind:
            near = suggestion(name, [card for card, of in self.kinds.items() if of == kind])
            message = _("{name} is a {own}, but must be a {kind}", name=name, own=self.kinds[name], kind=kind)
            return WRONG_KIND.finding(message, place(), near)
        return None


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Names that cards and the vocabulary mention, then pictures."""
    yield from _check_names(loaded)
    yield from _check_art(loaded)


def _check_names(loaded: LoadedPack) -> Iterator[Finding]:
    """The mentions that schemas mark with x-ref, and icons of the vocabulary."""
    names = KnownNames.of(loaded)
    for card, mentions in loaded.mentions.items():
        for mention in mentions:
            place = partial(loaded.documents[card].locate, mention.path, key=mention.key)
            finding = names.judge(mention.ref, mention.value, place)
            if finding:
                yield finding
    yield from _vocabulary(loaded, names)


def _vocabulary(loaded: LoadedPack, names: KnownNames) -> Iterator[Finding]:
    document = loaded.sources.get("vocabulary.yaml")
    if document is None or loaded.pack is None:
        return
    words = loaded.pack.vocabulary
    for section, terms in (("keywords", words.keywords), ("stats", words.stats), ("terms", words.terms)):
        for word, known in terms.items():
            if known.icon is not None:
                finding = names.judge("icon", known.icon, partial(document.locate, (section, word, "icon")))
                if finding:
                    yield finding
    for word, faction in words.factions.items():
        if faction.emblem is not None:
            finding = names.judge("icon", faction.emblem, partial(document.locate, ("factions", word, "emblem")))
            if finding:
                yield finding


def _check_art(loaded: LoadedPack) -> Iterator[Finding]:
    """Mentions marked `x-ref: art`."""
    for card, mentions in loaded.mentions.items():
        for mention in mentions:
            if mention.ref != "art":
                continue
            place = loaded.documents[card].locate(mention.path, key=mention.key)
            name = mention.value
            if name.startswith(("/", "~")) or "\\" in name or ":" in name or normpath(name).startswith(".."):
                yield ART_OUTSIDE.finding(_("{name} does not lie in the pack's art folder", name=name), place)
            elif normpath(name) not in loaded.art:
                hint = suggestion(name, loaded.art, _("Pictures here"))
                yield UNKNOWN_ART.finding(_("there is no picture {name}", name=name), place, hint)
