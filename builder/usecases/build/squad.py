"""The sheet of a squad: what a player holds at the table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from builder.findings import Finding, in_order
from builder.model.base import lookup
from builder.model.card import Card
from builder.model.pack import Pack, SheetForm
from builder.model.profile import Profile
from builder.model.sheets import Reminder, SheetCard, SheetModel, SquadSheet
from builder.render.flow import set_flow
from builder.render.html.view import localised, pick
from builder.render.renderer import Renderer
from builder.roster.chosen import chosen
from builder.roster.resolve import Pick, Squad
from builder.rules.names import Names
from builder.store.project import Project
from builder.usecases.build.options import BuildResult, Selection
from builder.usecases.build.typeset import A4
from builder.usecases.files import PackFiles
from builder.usecases.roster.check import JudgedRoster, Judges, judge_roster
from builder.usecases.roster.files import RosterFiles
from builder.usecases.roster.share import qr_path, token
from builder.usecases.roster.show import ShownCard, ShownLine, order, show


def squad_sheets(
    renderer: Renderer, project: Project, select: Selection, profile: Profile, langs: Sequence[str]
) -> BuildResult:
    """The sheet of the squad that is selected, in each language, as the result's `pages`."""
    assert select.roster is not None
    judges = Judges(PackFiles(project), select.as_of)
    loaded = RosterFiles(project).load(str(select.roster))
    pages: dict[str, tuple[str, ...]] = {}
    findings: list[Finding] = []
    fresh = 0
    for lang in langs:
        sheet = squad_sheet(judge_roster(judges, loaded, project.relative(select.roster), lang))
        if sheet is not None:
            values = {"sheet": asdict(sheet), "faction": sheet.faction}
            flow = set_flow(renderer, "squad", profile.paper or A4, lang, values)
            pages[lang] = flow.keys
            findings += flow.findings
            fresh += flow.fresh
    return BuildResult(findings=in_order(findings), fresh=fresh, pages=pages)


def squad_sheet(judged: JudgedRoster) -> SquadSheet | None:
    """The sheet of a judged roster in the language it was judged in; None if it could not be read."""
    shown, squad, judge, roster = show(judged), judged.squad, judged.judge, judged.roster
    if shown is None or squad is None or judge is None or roster is None:
        return None
    pack, lang = judge.pack, judged.lang
    names, source = Names(pack, lang), pack.manifest.languages.source
    lines = zip(shown.lines, squad.entries, strict=True)
    factions = {entry.card.faction for entry in squad.entries}
    return SquadSheet(
        name=roster.name,
        game=pick(pack.manifest.name, lang, source),
        params=tuple((names.param(name), names.param_value(name, value)) for name, value in squad.params.items()),
        currency=pick(pack.manifest.roster.currency, lang, source),
        total=shown.total,
        legal=judged.legal,
        faction=next(iter(factions)) if len(factions) == 1 else None,
        models=tuple(_model(line, entry, squad, pack, lang) for line, entry in lines),
        deck=_cards(shown.deck, squad.deck, pack, lang),
        order=order(judged),
        code=qr_path(token(judged)),
    )


def _model(line: ShownLine, entry: Pick, squad: Squad, pack: Pack, lang: str) -> SheetModel:
    """One line of models, with what they chose."""
    own = squad.roster.entries[entry.line]
    own_pack, card = chosen(pack, own)
    form = pack.manifest.roster.sheet
    boxes = card.field(form.boxes) if form.boxes else None
    return SheetModel(
        number=line.number,
        name=own.name or line.entry.name,
        count=entry.count,
        cost=card.cost,
        total=line.total,
        boxes=boxes if isinstance(boxes, int) else 0,
        stats=tuple(_stats(own_pack, card, form, lang)),
        remarks=line.entry.remarks,
        reminders=tuple(reminders(own_pack, card, lang)),
        carried=_cards(line.carried, squad.carried(entry), pack, lang),
    )


def _cards(shown: Sequence[ShownCard], picks: Sequence[Pick], pack: Pack, lang: str) -> tuple[SheetCard, ...]:
    return tuple(
        SheetCard(one.name, one.count, its.card.cost, one.slots, tuple(reminders(pack, its.card, lang)))
        for one, its in zip(shown, picks, strict=True)
    )


def _stats(pack: Pack, card: Card, form: SheetForm, lang: str) -> Iterator[tuple[str, str]]:
    """Abbreviation and value of the stats the sheet shows; a dash for one that is null."""
    source = pack.manifest.languages.source
    for field in form.stats:
        value, term = card.field(field), pack.vocabulary.stats.get(field)
        if field.partition(".")[0] in card.data:
            short = pick(term.short, lang, source) or pick(term.name, lang, source) if term else field
            yield short, "—" if value is None else str(value)


def reminders(pack: Pack, card: Card, lang: str) -> Iterator[Reminder]:
    """The texts of a card that pack.yaml lists as reminders, in a language."""
    _, data = localised(pack, card, lang)
    for path in pack.manifest.roster.sheet.reminders:
        head, star, rest = path.partition(".*.")
        items = lookup(data, head.split("."))
        texts = [("", items)]
        if star:
            maps = items.values() if isinstance(items, Mapping) else ()
            texts = [(str(lookup(item, ["name"]) or ""), lookup(item, rest.split("."))) for item in maps]
        yield from (Reminder(name, text) for name, text in texts if isinstance(text, str))
