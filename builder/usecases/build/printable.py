"""Cards that may be printed: no file that shapes them is broken; each is translated, or marked as one that is not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from builder.checks.cards.translations import STALE, untranslated, untranslated_words
from builder.findings import Finding, Severity, has_errors
from builder.messages import gettext as _, translate
from builder.model.loaded import LoadedPack
from builder.render.jobs import Variant
from builder.render.sheets.sheets import Stack
from builder.roster.chosen import original
from builder.store.project import Project
from builder.usecases.build.options import BuildOptions
from builder.usecases.build.typeset import SetCards, card_pair, set_cards
from builder.usecases.looks import ENDLESS, judge_files

MISSING_MARK, STALE_MARK = _("not translated"), _("translation out of date")
"""What is printed at the foot of a card, where that is allowed."""


@dataclass(frozen=True, slots=True)
class Untranslated:
    """What is wrong with the translations of some cards: warnings where that is `allowed`, and the mark of each card by
    language and id."""

    findings: tuple[Finding, ...]
    marks: Mapping[tuple[str, str], str]


def find_untranslated(loaded: LoadedPack, orders: Mapping[str, Iterable[str]], allowed: bool) -> Untranslated:
    """The translations of the cards that are wanted in each language, and of the words that all cards share."""
    findings: list[Finding] = [*untranslated_words(loaded, tuple(orders))]
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


def set_printable(project: Project, loaded: LoadedPack, options: BuildOptions) -> SetCards:
    """Set the wanted cards, with whatever keeps them from being printed among the findings: what is wrong with the
    pack's files, and with translations. Where a file would take all memory or time, nothing is set.
    """
    assert loaded.pack is not None
    looks = judge_files(project, loaded.pack.id)
    endless = any(finding.code in ENDLESS for finding in looks)
    made = set_cards(project, loaded, options.select, options.workers, unset=endless)
    held = find_untranslated(loaded, made.orders, options.publish.untranslated)
    findings = (*made.rendered.findings, *looks, *held.findings)
    made = replace(made, rendered=replace(made.rendered, findings=findings))
    return made if has_errors(findings) else replace(made, notices=_notices(made, held.marks, options.select.variant))


def _notices(made: SetCards, marks: Mapping[tuple[str, str], str], variant: Variant) -> Mapping[Stack, str]:
    """The marks by the faces that they are printed on: a back that cards share is not one of them."""
    pack, notices = made.renderer.pack, {}
    for lang, cards in made.orders.items() if marks else ():
        for card in map(pack.cards.__getitem__, cards):
            if mark := marks.get((lang, original(card.id))):
                pair = card_pair(made.renderer, card, lang, variant, made.rendered.keys)
                notices[pair.front] = mark
                if pair.back is not None and pack.manifest.kinds[card.kind].back == "own":
                    notices[pair.back] = mark
    return notices
