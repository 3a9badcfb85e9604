"""Make the sheet of a squad for the table."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import TypeAlias

from builder.findings import Finding, sort_findings
from builder.model.base import DataPath, Json, look_up
from builder.model.card import Card
from builder.model.pack import Pack, SheetForm
from builder.model.profile import Paper, Profile
from builder.model.sheets import Reminder, SheetCard, SheetModel, SquadSheet
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.flow import Flow, render_flow
from builder.render.html.view import localize_card, pick_text
from builder.render.renderer import Renderer
from builder.roster.choice_keywords import apply_choices
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.names import Names
from builder.rules.order import find_deployment
from builder.units import pick_unit_form
from builder.usecases.build.build_options import BuildResult, Selection
from builder.usecases.build.sheet_rulings import SheetRulings
from builder.usecases.build.typeset import A4
from builder.usecases.imports.title_cards import check_title_card
from builder.usecases.preflight.brief_findings import format_number_ranges
from builder.usecases.release.rulings import open_rulings
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    check_roster,
    require_verdict,
)
from builder.usecases.roster.roster_files import RosterFiles
from builder.usecases.roster.share import draw_qr_path, make_token
from builder.usecases.roster.show import CardLine, EntryLine, list_squad

TYPE_SIZES_PT = tuple(step / 10 for step in range(72, 106, 2))
"""Type sizes of a sheet, smallest first."""
ENGINES_WITH_UNBROKEN_BLOCKS = ("weasyprint",)
"""Engines that lose nothing of columns whose blocks may not break."""
CardNumbers: TypeAlias = dict[DataPath, tuple[int, ...]]
"""The deployment numbers of each card's copies, by the card's path in the roster."""


def render_squad_sheets(
    renderer: Renderer,
    project: Project,
    select: Selection,
    profile: Profile,
    langs: Sequence[str],
) -> BuildResult:
    """Render the sheet of the selected squad in each language.

    Its pages are the result's `pages`.
    """
    assert select.roster is not None
    checkers = RosterCheckers(PackFiles(project), select.as_of)
    loaded = RosterFiles(project).load(str(select.roster))
    pages: dict[str, tuple[str, ...]] = {}
    findings: list[Finding] = []
    rendered_count = 0
    for lang in langs:
        checked = check_roster(
            checkers, loaded, project.shorten_path(select.roster), lang
        )
        require_verdict(checked)  # the sheet says whether the squad is legal
        if lang == langs[0]:
            findings += check_title_card(project, checked)
        sheet = make_squad_sheet(checked)
        if sheet is not None:
            if select.rulings:
                reader, ruling_findings = open_rulings(
                    checkers.packs, renderer.pack.id, lang
                )
                findings += ruling_findings
                sheet = SheetRulings(reader).add_to_sheet(sheet)
            flow = fit_squad_sheet(
                renderer,
                sheet,
                profile.paper or A4,
                lang,
                save_ink=select.variant == "ink",
            )
            pages[lang] = flow.keys
            findings += flow.findings
            rendered_count += flow.is_rendered
    return BuildResult(
        findings=sort_findings(findings), rendered_count=rendered_count, pages=pages
    )


def fit_squad_sheet(
    renderer: Renderer,
    sheet: SquadSheet,
    paper: Paper,
    lang: str,
    *,
    save_ink: bool = False,
) -> Flow:
    """Return the sheet in the largest type that needs no more pages than the smallest type.

    Its columns are equally long if that needs no further page. Templates get `save_ink`.
    """
    values = {
        "sheet": asdict(sheet),
        "faction": sheet.faction,
        "save_ink": save_ink,
        "whole": renderer.setup.engine in ENGINES_WITH_UNBROKEN_BLOCKS,
    }

    # The search below asks for some sizes several times.
    @cache
    def render_sheet(size: float, is_full: bool = True) -> Flow:
        sheet_values = {**values, "size": size, "full": is_full}
        return render_flow(renderer, "squad", paper, lang, sheet_values)

    def count_pages(size: float) -> int:
        return len(render_sheet(size).keys)

    # Larger type never needs fewer pages, so a binary search finds the last size that fits.
    min_pages = count_pages(TYPE_SIZES_PT[0])
    fitting_count = bisect_right(TYPE_SIZES_PT, min_pages, key=count_pages)
    size = TYPE_SIZES_PT[max(fitting_count, 1) - 1]
    even_sheet = render_sheet(size, is_full=False)
    return (
        even_sheet if len(even_sheet.keys) <= count_pages(size) else render_sheet(size)
    )


def make_squad_sheet(checked: CheckedRoster) -> SquadSheet | None:
    """Return the sheet of a checked roster in its language.

    None if the roster could not be read.
    """
    display = list_squad(checked)
    squad = checked.squad
    checker = checked.checker
    roster = checked.roster
    if display is None or squad is None or checker is None or roster is None:
        return None
    pack, lang = checker.pack, checked.lang
    names = Names(pack, lang)
    source = pack.manifest.languages.source
    numbers = _number_cards(squad, pack)
    lines = _sort_lines(display.lines, squad.entries, numbers)
    factions = {entry.card.faction for _line, entry in lines}
    params = []
    for name, value in squad.params.items():
        params.append((names.name_param(name), names.name_param_value(name, value)))
    currency = pick_text(pack.manifest.roster.currency, lang, source)
    return SquadSheet(
        name=roster.get_name(lang),
        game=pick_text(pack.manifest.name, lang, source),
        params=tuple(params),
        currency=pick_unit_form(currency, display.total),
        total=display.total,
        legal=checked.legal,
        undecided=checked.is_undecided,
        faction=factions.pop() if len(factions) == 1 else None,
        models=tuple(
            _make_model(line, entry, squad, numbers, pack, lang)
            for line, entry in lines
        ),
        deck=_make_cards(display.deck, squad.deck, numbers, pack, lang),
        trackers=_make_trackers(pack.manifest.roster.sheet, lang, source),
        code=draw_qr_path(make_token(checked)),
    )


def _sort_lines(
    lines: Sequence[EntryLine], entries: Sequence[SelectedCard], numbers: CardNumbers
) -> list[tuple[EntryLine, SelectedCard]]:
    """Return the lines with entries in the order of deployment, without undeployed ones."""
    pairs = list(zip(lines, entries, strict=True))
    # Without a declared order, the lines stay as the roster has them.
    if numbers:
        pairs = [pair for pair in pairs if pair[1].path in numbers]
    return sorted(pairs, key=lambda pair: numbers.get(pair[1].path, ()))


def _make_trackers(
    form: SheetForm, lang: str, source: str
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    trackers = []
    for row in form.trackers:
        numbers = tuple(range(row.first, row.last + 1))
        trackers.append((pick_text(row.name, lang, source), numbers))
    return tuple(trackers)


def _number_cards(squad: Squad, pack: Pack) -> CardNumbers:
    """Return the deployment numbers of each card's copies.

    Nothing if the pack declares no order.
    """
    numbers: CardNumbers = {}
    for number, placed in enumerate(find_deployment(squad, pack), 1):
        path = placed.selected.path
        numbers[path] = (*numbers.get(path, ()), number)
    return numbers


def _format_places(numbers: CardNumbers, path: DataPath) -> str:
    """Return the deployment numbers of a card as text: `2–4, 7`."""
    places = numbers.get(path, ())
    return format_number_ranges(places, max_ranges=len(places))


def _make_model(
    line: EntryLine,
    entry: SelectedCard,
    squad: Squad,
    numbers: CardNumbers,
    pack: Pack,
    lang: str,
) -> SheetModel:
    """Return one line of models, with their attachments and choices."""
    roster_entry = squad.roster.entries[entry.line]
    # A model with chosen keywords has a card of its own, in a pack that includes it.
    own_pack, card = apply_choices(pack, roster_entry)
    return SheetModel(
        number=line.number,
        card=card.id,
        name=roster_entry.name or line.entry.name,
        count=entry.count,
        cost=card.cost,
        total=line.total,
        boxes=count_boxes(own_pack, card),
        stats=tuple(list_stats(own_pack, card, lang)),
        remarks=line.entry.remarks,
        reminders=tuple(list_reminders(own_pack, card, lang)),
        carried=_make_cards(
            line.attachments, squad.list_attachments(entry), numbers, pack, lang
        ),
        place=_format_places(numbers, entry.path),
        choices=dict(entry.choices),
        uses=tuple(list_uses(own_pack, card, lang)),
    )


def _make_cards(
    displayed_cards: Sequence[CardLine],
    selected_cards: Sequence[SelectedCard],
    numbers: CardNumbers,
    pack: Pack,
    lang: str,
) -> tuple[SheetCard, ...]:
    cards = []
    for displayed, selected in zip(displayed_cards, selected_cards, strict=True):
        card = selected.card
        cards.append(
            SheetCard(
                card.id,
                card.kind,
                displayed.name,
                displayed.count,
                card.cost,
                _format_places(numbers, selected.path),
                displayed.slots,
                tuple(list_reminders(pack, card, lang)),
                tuple(list_uses(pack, card, lang)),
            )
        )
    return tuple(cards)


def count_boxes(pack: Pack, card: Card) -> int:
    """Return the number of boxes that one copy of a model has on the sheet."""
    field = pack.manifest.roster.sheet.boxes
    boxes = card.get_field(field) if field else None
    return boxes if isinstance(boxes, int) else 0


def list_stats(pack: Pack, card: Card, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the abbreviation and value of each stat on the sheet.

    A null value is printed as a dash.
    """
    form = pack.manifest.roster.sheet
    source = pack.manifest.languages.source
    for field in form.stats:
        # Kinds without the stat, such as equipment, leave it out; a null value is a stat.
        if field.partition(".")[0] not in card.data:
            continue
        term = pack.vocabulary.stats.get(field)
        name = field
        if term:
            name = pick_text(term.short, lang, source) or pick_text(
                term.name, lang, source
            )
        value = card.get_field(field)
        text = "\N{EM DASH}"
        if value is not None:
            number = re.sub("^-", "\N{MINUS SIGN}", str(value))
            text = form.signs.get(field, "{}").replace("{}", number)
        yield name, text


def list_reminders(pack: Pack, card: Card, lang: str) -> Iterator[Reminder]:
    """Yield the texts of a card that pack.yaml lists as reminders, in a language."""
    for name, text in _list_values(
        pack, card, lang, pack.manifest.roster.sheet.reminders
    ):
        if isinstance(text, str):
            yield Reminder(name, text)


def list_uses(pack: Pack, card: Card, lang: str) -> Iterator[tuple[str, int]]:
    """Yield each item with a limited number of uses, and that number.

    The card itself has an empty name.
    """
    for name, count in _list_values(pack, card, lang, pack.manifest.roster.sheet.uses):
        if isinstance(count, int) and not isinstance(count, bool):
            yield name, count


def has_unlimited_uses(pack: Pack, card: Card, lang: str) -> bool:
    """Return True if a card states its number of uses as text, not as a number.

    It is never used up.
    """
    values = _list_values(pack, card, lang, pack.manifest.roster.sheet.uses)
    return any(isinstance(value, str) for _name, value in values)


def _list_values(
    pack: Pack, card: Card, lang: str, paths: Sequence[str]
) -> Iterator[tuple[str, Json]]:
    """Yield the values at paths of a card, in a language.

    A path with `*` has a value for each entry of a map, with the entry's name.
    """
    data = localize_card(pack, card, lang)[1]
    for path in paths:
        map_path, star, entry_path = path.partition(".*.")
        value = look_up(data, map_path.split("."))
        if not star:
            yield "", value
        elif isinstance(value, Mapping):
            for entry in value.values():
                name = str(look_up(entry, ["name"]) or "")
                yield name, look_up(entry, entry_path.split("."))
