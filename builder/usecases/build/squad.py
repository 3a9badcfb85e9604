"""The sheet of a squad: what a player holds at the table."""

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
from builder.roster.chosen import chosen
from builder.roster.resolve import Pick, Squad
from builder.rules.names import Names
from builder.rules.order import deployment
from builder.usecases.build.build_options import BuildResult, Selection
from builder.usecases.build.typeset import A4
from builder.usecases.roster.check_roster import JudgedRoster, Judges, judge_roster, require_verdict
from builder.usecases.roster.roster_files import RosterFiles
from builder.usecases.roster.share import draw_qr_path, make_token
from builder.usecases.roster.show import ShownCard, ShownLine, show

SIZES = tuple(step / 10 for step in range(72, 106, 2))
"""Sizes of a sheet's type in pt, smallest first."""
WHOLE = ("weasyprint",)
"""Engines that lose nothing of columns whose blocks may not break."""
Places: TypeAlias = dict[DataPath, tuple[int, ...]]


def render_squad_sheets(
    renderer: Renderer, project: Project, select: Selection, profile: Profile, langs: Sequence[str]
) -> BuildResult:
    """The sheet of the squad that is selected, in each language, as the result's `pages`."""
    assert select.roster is not None
    judges = Judges(PackFiles(project), select.as_of)
    loaded = RosterFiles(project).load(str(select.roster))
    pages: dict[str, tuple[str, ...]] = {}
    findings: list[Finding] = []
    rendered_count = 0
    for lang in langs:
        judged = judge_roster(judges, loaded, project.relative(select.roster), lang)
        require_verdict(judged)  # the sheet says whether the squad is legal
        sheet = make_squad_sheet(judged)
        if sheet is not None:
            flow = fit_squad_sheet(renderer, sheet, profile.paper or A4, lang)
            pages[lang] = flow.keys
            findings += flow.findings
            rendered_count += flow.is_rendered
    return BuildResult(findings=sort_findings(findings), rendered_count=rendered_count, pages=pages)


def fit_squad_sheet(renderer: Renderer, sheet: SquadSheet, paper: Paper, lang: str) -> Flow:
    """A sheet in the largest type with which it needs no more pages than with the smallest."""

    @cache
    def flow(size: float) -> Flow:
        how = {"size": size, "full": size < SIZES[-1], "whole": renderer.setup.engine in WHOLE}
        values = {"sheet": asdict(sheet), "faction": sheet.faction, **how}
        return render_flow(renderer, "squad", paper, lang, values)

    fitting = bisect_right(SIZES, len(flow(SIZES[0]).keys), key=lambda size: len(flow(size).keys))
    return flow(SIZES[max(fitting, 1) - 1])


def make_squad_sheet(judged: JudgedRoster) -> SquadSheet | None:
    """The sheet of a judged roster in the language it was judged in; None if it could not be read."""
    shown, squad, judge, roster = show(judged), judged.squad, judged.judge, judged.roster
    if shown is None or squad is None or judge is None or roster is None:
        return None
    pack, lang = judge.pack, judged.lang
    names, source = Names(pack, lang), pack.manifest.languages.source
    places = _places(squad, pack)
    lines = [
        pair
        for pair in zip(shown.lines, squad.entries, strict=True)
        if not places or pair[1].path in places
    ]
    lines.sort(key=lambda pair: places.get(pair[1].path, ()))
    factions = {entry.card.faction for _unused, entry in lines}
    form = pack.manifest.roster.sheet
    return SquadSheet(
        name=roster.get_name(lang),
        game=pick_text(pack.manifest.name, lang, source),
        params=tuple(
            (names.param(name), names.param_value(name, value))
            for name, value in squad.params.items()
        ),
        currency=pick_text(pack.manifest.roster.currency, lang, source),
        total=shown.total,
        legal=judged.legal,
        undecided=judged.is_undecided,
        faction=next(iter(factions), None) if len(factions) == 1 else None,
        models=tuple(_model(line, entry, squad, places, pack, lang) for line, entry in lines),
        deck=_cards(shown.deck, squad.deck, places, pack, lang),
        trackers=tuple(
            (pick_text(row.name, lang, source), tuple(range(row.first, row.last + 1)))
            for row in form.trackers
        ),
        code=draw_qr_path(make_token(judged)),
    )


def _places(squad: Squad, pack: Pack) -> Places:
    """The numbers under which the copies of each card go to the table; nothing where the pack states no order."""
    places: Places = {}
    for number, placed in enumerate(deployment(squad, pack), 1):
        places[placed.pick.path] = (*places.get(placed.pick.path, ()), number)
    return places


def _place(places: Places, path: DataPath) -> str:
    """The numbers of a card as text: `2–4, 7`."""
    runs: list[list[int]] = []
    for number in places.get(path, ()):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join("\N{EN DASH}".join(dict.fromkeys((str(run[0]), str(run[-1])))) for run in runs)


def _model(
    line: ShownLine, entry: Pick, squad: Squad, places: Places, pack: Pack, lang: str
) -> SheetModel:
    """One line of models, with what they chose."""
    own = squad.roster.entries[entry.line]
    own_pack, card = chosen(pack, own)
    form = pack.manifest.roster.sheet
    boxes = card.field(form.boxes) if form.boxes else None
    return SheetModel(
        number=line.number,
        card=card.id,
        name=own.name or line.entry.name,
        count=entry.count,
        cost=card.cost,
        total=line.total,
        boxes=boxes if isinstance(boxes, int) else 0,
        stats=tuple(_stats(own_pack, card, form, lang)),
        remarks=line.entry.remarks,
        reminders=tuple(list_reminders(own_pack, card, lang)),
        carried=_cards(line.carried, squad.carried(entry), places, pack, lang),
        place=_place(places, entry.path),
        choices=dict(entry.choices),
        uses=tuple(_uses(own_pack, card, lang)),
    )


def _cards(
    shown: Sequence[ShownCard], picks: Sequence[Pick], places: Places, pack: Pack, lang: str
) -> tuple[SheetCard, ...]:
    return tuple(
        SheetCard(
            its.card.id,
            its.card.kind,
            one.name,
            one.count,
            its.card.cost,
            _place(places, its.path),
            one.slots,
            tuple(list_reminders(pack, its.card, lang)),
            tuple(_uses(pack, its.card, lang)),
        )
        for one, its in zip(shown, picks, strict=True)
    )


def _stats(pack: Pack, card: Card, form: SheetForm, lang: str) -> Iterator[tuple[str, str]]:
    """Abbreviation and value of the stats the sheet shows; a dash for one that is null."""
    source = pack.manifest.languages.source
    for field in form.stats:
        value, term = card.field(field), pack.vocabulary.stats.get(field)
        if field.partition(".")[0] in card.data:
            short = (
                pick_text(term.short, lang, source) or pick_text(term.name, lang, source)
                if term
                else field
            )
            number = "\N{MINUS SIGN}" + str(value)[1:] if str(value).startswith("-") else str(value)
            yield (
                short,
                "\N{EM DASH}"
                if value is None
                else form.signs.get(field, "{}").replace("{}", number),
            )


def list_reminders(pack: Pack, card: Card, lang: str) -> Iterator[Reminder]:
    """The texts of a card that pack.yaml lists as reminders, in a language."""
    found = _listed(pack, card, lang, pack.manifest.roster.sheet.reminders)
    return (Reminder(name, text) for name, text in found if isinstance(text, str))


def _uses(pack: Pack, card: Card, lang: str) -> Iterator[tuple[str, int]]:
    """What of a card may be used a number of times: its name (nothing for the card itself), and how often."""
    found = _listed(pack, card, lang, pack.manifest.roster.sheet.uses)
    return (
        (name, many) for name, many in found if isinstance(many, int) and not isinstance(many, bool)
    )


def has_unlimited_uses(pack: Pack, card: Card, lang: str) -> bool:
    """True if a card states in words how often it may be used, not as a number: it is never used up."""
    return any(
        isinstance(value, str)
        for _name, value in _listed(pack, card, lang, pack.manifest.roster.sheet.uses)
    )


def _listed(pack: Pack, card: Card, lang: str, paths: Sequence[str]) -> Iterator[tuple[str, Json]]:
    """What stands at paths of a card, in a language; for a `*` once for each entry of a map, with its name."""
    _, data = localize_card(pack, card, lang)
    for path in paths:
        head, star, rest = path.partition(".*.")
        items = look_up(data, head.split("."))
        if not star:
            yield "", items
        for item in items.values() if star and isinstance(items, Mapping) else ():
            yield str(look_up(item, ["name"]) or ""), look_up(item, rest.split("."))
