"""Cards that may be printed: no file that shapes them is broken; each is translated, or marked as one that is not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.checks.cards.translations import (
    PARTIAL,
    STALE,
    find_untranslated_texts,
    find_untranslated_words,
)
from builder.findings import Finding, Severity, has_errors
from builder.messages import gettext as _, translate
from builder.model.loaded import LoadedPack
from builder.packs.project import Project
from builder.render.jobs import Variant
from builder.render.sheets.sheets import Stack
from builder.roster.chosen import original
from builder.usecases.appearance import ENDLESS, check_appearance_files, drop_consequences
from builder.usecases.build.build_options import BuildOptions
from builder.usecases.build.typeset import RenderedCards, get_card_pair, render_cards

MISSING_MARK, STALE_MARK = _("not translated"), _("translation out of date")
"""What is printed at the foot of a card, where that is allowed."""

COUNTED = {
    "mark": _(
        "{lang}: {many} of {all} cards are not completely translated; missing texts are "
        "printed in {source}"
    ),
    "omit": _("{lang}: {many} of {all} cards are not completely translated and are left out"),
}
"""How far a partial translation goes, and what becomes of the rest."""


@dataclass(frozen=True, slots=True)
class Untranslated:
    """What is wrong with the translations of some cards: warnings where that is allowed; the mark of each card by
    language and id, and the cards that are left out."""

    findings: tuple[Finding, ...]
    marks: Mapping[tuple[str, str], str]
    omitted: frozenset[tuple[str, str]] = frozenset()

    def printed(self, orders: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """The cards of each language that are printed."""
        return {
            lang: [card for card in cards if (lang, original(card)) not in self.omitted]
            for lang, cards in orders.items()
        }


def find_untranslated(
    loaded: LoadedPack, orders: Mapping[str, Iterable[str]], allowed: bool
) -> Untranslated:
    """The translations of the cards that are wanted in each language, and of the words that all cards share. What a
    partial translation lacks is counted, and needs not be `allowed`.
    """
    languages = loaded.whole.manifest.languages
    findings: list[Finding] = [*_judged(find_untranslated_words(loaded, tuple(orders)), allowed)]
    marks: dict[tuple[str, str], str] = {}
    omitted: set[tuple[str, str]] = set()
    for lang, listed in orders.items():
        cards = dict.fromkeys(map(original, listed)) if lang != languages.source else ()
        lacking = {
            card: found for card in cards if (found := find_untranslated_texts(loaded, lang, card))
        }
        way = languages.partial.get(lang)
        if way is None:
            findings += _judged(
                (finding for found in lacking.values() for finding in found), allowed
            )
        elif lacking:
            form = _(
                COUNTED[way], lang=lang, many=len(lacking), all=len(cards), source=languages.source
            )
            findings.append(PARTIAL.finding(form))
        if way == "omit":
            omitted |= {(lang, card) for card in lacking}
        if way or allowed:
            marks |= {
                (lang, card): translate(_mark(found), lang) for card, found in lacking.items()
            }
    return Untranslated(tuple(findings), marks, frozenset(omitted))


def _judged(findings: Iterable[Finding], allowed: bool) -> Iterator[Finding]:
    remedy = _("Translate them. With --allow-untranslated they are printed with a mark.")
    for one in findings:
        yield replace(one, severity=Severity.WARNING) if allowed else replace(one, hint=remedy)


def _mark(found: Iterable[Finding]) -> str:
    return STALE_MARK if all(finding.code == STALE.code for finding in found) else MISSING_MARK


def render_printable(project: Project, loaded: LoadedPack, options: BuildOptions) -> RenderedCards:
    """Set the wanted cards, with whatever keeps them from being printed among the findings: what is wrong with the
    pack's files, and with translations. Where a file would take all memory or time, nothing is set.
    """
    looks = check_appearance_files(project, loaded.whole.id)
    endless = any(finding.code in ENDLESS for finding in looks)
    made = render_cards(project, loaded, options.select, options.workers, unset=endless)
    held = find_untranslated(loaded, made.orders, options.publish.untranslated)
    findings = (*drop_consequences(made.rendered.findings, looks), *looks, *held.findings)
    orders = (
        made.orders if options.select.roster is not None else held.printed(made.orders)
    )  # a squad is printed whole
    made = replace(made, orders=orders, rendered=replace(made.rendered, findings=findings))
    return (
        made
        if has_errors(findings)
        else replace(made, notices=_notices(made, held.marks, options.select.variant))
    )


def _notices(
    made: RenderedCards, marks: Mapping[tuple[str, str], str], variant: Variant
) -> Mapping[Stack, str]:
    """The marks by the faces that they are printed on: a back that cards share is not one of them."""
    pack, notices = made.renderer.pack, {}
    for lang, cards in made.orders.items() if marks else ():
        for card in map(pack.cards.__getitem__, cards):
            if mark := marks.get((lang, original(card.id))):
                pair = get_card_pair(made.renderer, card, lang, variant, made.rendered.keys)
                notices[pair.front] = mark
                if pair.back is not None and pack.manifest.kinds[card.kind].back == "own":
                    notices[pair.back] = mark
    return notices
