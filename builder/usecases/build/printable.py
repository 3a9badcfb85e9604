"""Check cards before they are printed: the pack's files, and the translations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from builder.checks.cards.translations import (
    PARTIAL,
    STALE,
    find_untranslated_texts,
    find_untranslated_words,
)
from builder.findings import Finding, Severity, has_errors
from builder.messages import gettext as _, translate
from builder.model.loaded import LoadedPack
from builder.model.pack import Languages
from builder.packs.project import Project
from builder.render.drafts import can_be_drawn
from builder.render.jobs import Variant
from builder.render.sheets.sheets import Stack
from builder.roster.choice_keywords import get_original_id
from builder.usecases.appearance import (
    ENDLESS,
    check_appearance_files,
    drop_consequences,
)
from builder.usecases.build.build_options import SHOP, BuildOptions
from builder.usecases.build.typeset import RenderedCards, get_card_pair, render_cards

MISSING_MARK = _("not translated")
STALE_MARK = _("translation out of date")
"""Texts at the foot of a card that is printed although it is not translated."""

PARTIAL_MESSAGES = {
    "mark": _(
        "{lang}: {many} of {all} cards are not completely translated; missing texts are "
        "printed in {source}"
    ),
    "omit": _(
        "{lang}: {many} of {all} cards are not completely translated and are left out"
    ),
}
"""Messages about a language that pack.yaml declares partial, by what happens to its other cards."""
FindingsByCard: TypeAlias = dict[str, tuple[Finding, ...]]
CardMarks: TypeAlias = Mapping[tuple[str, str], str]
"""Texts at the foot of cards, by language and card id."""


@dataclass(frozen=True, slots=True)
class UntranslatedCards:
    """The findings about translations, and what happens to the cards, by language and id.

    `marks` are texts at the foot of a card, `omitted` are cards that are not printed.
    """

    findings: tuple[Finding, ...]
    marks: CardMarks
    omitted: frozenset[tuple[str, str]] = frozenset()

    def drop_omitted(self, orders: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Return the cards of each language without the omitted ones."""
        printed_cards: dict[str, list[str]] = {}
        for lang, cards in orders.items():
            printed_cards[lang] = [
                card
                for card in cards
                if (lang, get_original_id(card)) not in self.omitted
            ]
        return printed_cards


def find_untranslated(
    loaded: LoadedPack, orders: Mapping[str, Iterable[str]], is_allowed: bool
) -> UntranslatedCards:
    """Return the findings about translations of cards and of shared words.

    In a partial language the missing translations are counted and need not be allowed.
    """
    languages = loaded.whole.manifest.languages
    words_findings = find_untranslated_words(loaded, tuple(orders))
    findings = [_weigh_finding(finding, is_allowed) for finding in words_findings]
    marks: dict[tuple[str, str], str] = {}
    omitted: set[tuple[str, str]] = set()
    for lang, listed_cards in orders.items():
        if lang == languages.source:
            continue
        # Copies, and models with chosen keywords, share one translation.
        cards = dict.fromkeys(map(get_original_id, listed_cards))
        untranslated_cards = _find_untranslated_cards(loaded, lang, cards)
        if not untranslated_cards:
            continue
        if lang in languages.partial:
            findings.append(
                _count_partial(languages, lang, len(untranslated_cards), len(cards))
            )
        else:
            card_findings = chain.from_iterable(untranslated_cards.values())
            findings += [
                _weigh_finding(finding, is_allowed) for finding in card_findings
            ]
        if languages.partial.get(lang) == "omit":
            omitted.update((lang, card) for card in untranslated_cards)
        # Marks also appear on drafts, which are drawn although a translation is missing.
        for card, findings_of_card in untranslated_cards.items():
            marks[lang, card] = translate(_choose_mark(findings_of_card), lang)
    return UntranslatedCards(tuple(findings), marks, frozenset(omitted))


def _choose_mark(findings: Iterable[Finding]) -> str:
    is_stale = all(finding.code == STALE.code for finding in findings)
    return STALE_MARK if is_stale else MISSING_MARK


def _count_partial(
    languages: Languages, lang: str, untranslated_count: int, card_count: int
) -> Finding:
    """Return the finding with the number of untranslated cards of a partial language."""
    message = _(
        PARTIAL_MESSAGES[languages.partial[lang]],
        lang=lang,
        many=untranslated_count,
        all=card_count,
        source=languages.source,
    )
    return PARTIAL.finding(message)


def _find_untranslated_cards(
    loaded: LoadedPack, lang: str, cards: Iterable[str]
) -> FindingsByCard:
    """Return the findings of each card that is not completely translated."""
    untranslated_cards: FindingsByCard = {}
    for card in cards:
        findings = find_untranslated_texts(loaded, lang, card)
        if findings:
            untranslated_cards[card] = tuple(findings)
    return untranslated_cards


def _weigh_finding(finding: Finding, is_allowed: bool) -> Finding:
    """Return the finding as a warning if untranslated cards are allowed, otherwise as an error."""
    if is_allowed:
        return replace(finding, severity=Severity.WARNING)
    hint = _(
        "Translate them. `squadpress build --allow-untranslated` prints them with a mark."
    )
    return replace(finding, hint=hint)


def render_printable(
    project: Project, loaded: LoadedPack, options: BuildOptions
) -> RenderedCards:
    """Render the selected cards. Add the findings about the pack's files and about translations.

    Nothing is rendered if a file would take all memory or time.
    """
    file_findings = check_appearance_files(project, loaded.whole.id)
    is_endless = any(finding.code in ENDLESS for finding in file_findings)
    select, publish = options.select, options.publish
    # A print shop would print the drafts.
    drafts = not publish.strict and not publish.profile.startswith(SHOP)
    rendered_cards = render_cards(
        project, loaded, select, options.workers, is_skipped=is_endless, drafts=drafts
    )
    orders = rendered_cards.orders
    untranslated = find_untranslated(loaded, orders, publish.untranslated)
    face_findings = drop_consequences(rendered_cards.rendered.findings, file_findings)
    findings = (*face_findings, *file_findings, *untranslated.findings)
    if select.roster is not None and select.as_of is None:
        from builder.usecases.build.squad_release import find_other_cards

        findings += tuple(find_other_cards(project, select.roster))
    if select.roster is None:  # a squad is printed with all its cards
        orders = untranslated.drop_omitted(orders)
    rendered = replace(rendered_cards.rendered, findings=findings)
    rendered_cards = replace(rendered_cards, orders=orders, rendered=rendered)
    if has_errors(findings):
        if not rendered.drafts or not can_be_drawn(file_findings):
            return rendered_cards
        rendered_cards = rendered_cards.make_draft(select.variant)
    notices = _place_marks(rendered_cards, untranslated.marks, select.variant)
    return replace(rendered_cards, notices=notices)


def _place_marks(
    rendered_cards: RenderedCards, marks: CardMarks, variant: Variant
) -> Mapping[Stack, str]:
    """Return the mark of each face. Backs that cards share have none."""
    notices: dict[Stack, str] = {}
    if not marks:
        return notices
    renderer = rendered_cards.renderer
    keys = rendered_cards.rendered.keys
    for lang in rendered_cards.orders:
        for card in rendered_cards.list_cards(lang):
            mark = marks.get((lang, get_original_id(card.id)))
            if not mark:
                continue
            pair = get_card_pair(renderer, card, lang, variant, keys)
            notices[pair.front] = mark
            has_own_back = renderer.pack.manifest.kinds[card.kind].back != "common"
            if pair.back is not None and has_own_back:
                notices[pair.back] = mark
    return notices
