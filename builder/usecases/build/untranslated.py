"""Cards that are not translated, or from a text that has changed since: an error, or a mark on what is printed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from builder.checks.cards.translations import STALE, untranslated
from builder.findings import Finding, Severity
from builder.messages import gettext as _, translate
from builder.model.loaded import LoadedPack
from builder.render.sheets.sheets import Stack
from builder.roster.chosen import original
from builder.usecases.build.typeset import SetCards, card_pair

MISSING_MARK, STALE_MARK = _("not translated"), _("translation out of date")
"""What is printed at the foot of a card, where that is allowed."""


@dataclass(frozen=True, slots=True)
class Untranslated:
    """What is wrong with the translations of some cards: warnings where that is `allowed`, and the mark of each card by
    language and id."""

    findings: tuple[Finding, ...]
    marks: Mapping[tuple[str, str], str]


def find_untranslated(loaded: LoadedPack, orders: Mapping[str, Iterable[str]], allowed: bool) -> Untranslated:
    """The translations of the cards that are wanted in each language."""
    findings: list[Finding] = []
    marks: dict[tuple[str, str], str] = {}
    assert loaded.pack is not None
    for lang, cards in orders.items():
        for card in dict.fromkeys(map(original, cards)) if lang != loaded.pack.manifest.languages.source else ():
            found = untranslated(loaded, lang, card)
            findings += found
            if found:
                stale = all(finding.code == STALE.code for finding in found)
                marks[lang, card] = translate(STALE_MARK if stale else MISSING_MARK, lang)
    remedy = _("Translate it; --allow-untranslated prints it all the same, and marks the card.")
    told = (replace(one, severity=Severity.WARNING) if allowed else replace(one, hint=remedy) for one in findings)
    return Untranslated(tuple(told), marks if allowed else {})


def held_to_translations(made: SetCards, loaded: LoadedPack, allowed: bool) -> SetCards:
    """Set cards with what is wrong with their translations among the findings, and the marks of those that are printed
    all the same."""
    held = find_untranslated(loaded, made.orders, allowed)
    if not held.findings:
        return made
    pack, keys = made.renderer.pack, made.rendered.keys
    notices: dict[Stack, str] = {}
    for lang, cards in made.orders.items() if held.marks and not made.failed else ():
        for card in map(pack.cards.__getitem__, cards):
            if mark := held.marks.get((lang, original(card.id))):
                pair = card_pair(made.renderer, card, lang, made.variant, keys)
                notices[pair.front] = mark
                if pair.back is not None and pack.manifest.kinds[card.kind].back == "own":
                    notices[pair.back] = mark
    return replace(
        made, notices=notices, rendered=replace(made.rendered, findings=(*made.rendered.findings, *held.findings))
    )
