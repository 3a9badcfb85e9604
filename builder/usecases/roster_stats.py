"""A judged squad in numbers: its points by role, and what each attack may do to the targets of the pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from builder.errors import InputUnreadable
from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Source
from builder.model.stats import AttackForm, Role, StatsFile
from builder.model.statsheet import AttackTable, DamageTable, Share, StatSheet, Table
from builder.roster.costs import costs
from builder.roster.resolve import Pick, Squad
from builder.rules.divisions import divisions
from builder.rules.names import Names
from builder.rules.odds import expected
from builder.rules.query import compile_where
from builder.rules.stats import Attack, occurring, profiles
from builder.store.project import Project
from builder.store.stats import load_stats
from builder.usecases.roster_check import Judged


def statistics(judged: Judged, stats: StatsFile) -> StatSheet | None:
    """The squad's numbers in the language it was judged in; None if it could not be read."""
    judge, squad, roster = judged.judge, judged.squad, judged.roster
    if judge is None or squad is None or roster is None:
        return None
    names = Names(judge.pack, judged.lang)
    desk = _Desk(names, squad, stats)
    factions = {entry.card.faction for entry in squad.entries}
    return StatSheet(
        name=roster.name,
        game=names.of(judge.pack.manifest.name, judge.pack.id),
        pack=judge.pack.id,
        lang=judged.lang,
        currency=names.of(judge.pack.manifest.roster.currency, ""),
        total=costs(squad).total,
        models=sum(entry.count for entry in squad.entries),
        faction=factions.pop() if len(factions) == 1 else None,
        roles=tuple(desk.divided()),
        attacks=tuple(desk.attacks()),
    )


class _Desk:
    """Works one squad out."""

    def __init__(self, names: Names, squad: Squad, stats: StatsFile) -> None:
        self.names, self.squad, self.stats = names, squad, stats
        passes = compile_where(stats.targets)
        self.targets = [card for card in names.pack.cards.values() if passes(_alone(card), None)]
        self.values: dict[str, tuple[int | None, ...]] = {}

    def divided(self) -> Iterator[tuple[str, tuple[Share, ...]]]:
        """Every division of the squad; of those that nobody declared, only what tells models apart."""
        stated = self.stats.roles
        made = [(role, self.shares(role)) for role in stated or divisions(self.names.pack)]
        several = made if stated else [one for one in made if sum(share.models > 0 for share in one[1]) > 1]
        for role, shares in several or made[:1]:
            title = self.names.of(role.title, "") or self.names.field(role.by)
            yield f"{title[:1].upper()}{title[1:]}", shares

    def shares(self, role: Role) -> tuple[Share, ...]:
        """One division: models and points of each part, largest first; the deck is a part of its own."""
        bill = costs(self.squad)
        found: dict[str, tuple[int, int | float]] = {}
        for entry in self.squad.entries:
            part = self._part(entry, role)
            models, points = found.get(part, (0, 0))
            found[part] = (models + entry.count, points + bill.of_entry(entry.line))
        deck = sum(line.total for line in bill.lines if line.path[0] != "entries")
        if deck:
            found[self.names.say("stats-deck")] = (0, deck)
        ordered = sorted(found.items(), key=lambda item: (-item[1][1], -item[1][0]))
        return tuple(Share(part, models, points) for part, (models, points) in ordered)

    def _part(self, entry: Pick, role: Role) -> str:
        """The name of the part an entry belongs to."""
        value = entry.value(role.by)
        if isinstance(value, list | tuple):
            value = next((item for item in role.of or value if item in value), None)
        return self.names.say("stats-rest") if value is None else self.names.value(role.by, value)

    def attacks(self) -> Iterator[AttackTable]:
        """Every attack that a form describes, each once with all the models that have it."""
        for form in self.stats.attacks:
            title = self.names.of(form.title, "")
            for owner, attack, count in self._found(form):
                yield AttackTable(
                    form=title,
                    note=self.names.of(form.note, ""),
                    owner=self.names.card(attack.model.id),
                    name=self._name(owner, attack),
                    count=count,
                    rolled=form.roll is not None,
                    hits=self._table(form.hit_axes(), lambda profile, one=attack: one.hits(profile)),
                    damage=tuple(self._damage(attack)),
                )

    def _found(self, form: AttackForm) -> Iterator[tuple[Card, Attack, int]]:
        """Cards with attacks of a form, each attack once, and how many models have it."""
        picks = self.squad.entries if form.of == "entries" else [
            pick for entry in self.squad.entries for pick in self.squad.carried(entry)
        ]  # fmt: skip
        counts: dict[tuple[str, str, str], int] = {}
        found: dict[tuple[str, str, str], tuple[Card, Attack]] = {}
        passes = compile_where(form.where)
        for pick in picks:
            bearer = (pick.bearer or pick).card
            for path, data in _sources(form, pick.card):
                if passes(_alone(pick.card.model_copy(update={"data": data})), None):
                    key = (bearer.id, pick.card.id, path)
                    counts[key] = counts.get(key, 0) + pick.count
                    found[key] = (pick.card, Attack(form, data, bearer, path))
        for key, (owner, attack) in found.items():
            yield owner, attack, counts[key]

    def _name(self, owner: Card, attack: Attack) -> str:
        """The attack's printed name."""
        if not attack.path:
            return self.names.card(owner.id)
        strings: Mapping[str, object] = self.names.pack.translations.get(self.names.lang, {}).get(owner.id, {})
        told = getattr(strings.get(f"{attack.path}.name"), "text", None) or attack.data.get("name")
        return str(told or attack.path.rpartition(".")[2])

    def _damage(self, attack: Attack) -> Iterator[DamageTable]:
        """Each sort of damage that the attack does."""
        for index in range(attack.form.damages()):
            if not attack.states(index):
                continue
            axes = attack.form.axes(index)
            way = next(way for way in attack.form.ways if index < len(way.damage))
            yield DamageTable(
                title=self.names.of(way.damage[index].title, ""),
                mean=self._table(axes, lambda profile, at=index: expected(attack.damage(at, profile))),
                some=self._table(axes, lambda profile, at=index: 1 - attack.damage(at, profile).get(0, Fraction(0))),
            )

    def _table(self, axes: Sequence[str], ask: object) -> Table:
        """A number for every combination of values of these target fields."""
        assert callable(ask)
        for axis in axes:
            if axis not in self.values:
                self.values[axis] = occurring(self.targets, axis)
        rows = self.values[axes[0]] if axes else (None,)
        columns = self.values[axes[1]] if len(axes) > 1 else (None,)
        asked = [ask(profile) for profile in profiles(axes, self.values)]
        cells = tuple(tuple(asked[at : at + len(columns)]) for at in range(0, len(asked), len(columns) or 1))
        return Table(tuple(self._axis(axis) for axis in axes), tuple(axes), rows, columns, cells)

    def _axis(self, path: str) -> str:
        """A target field by its abbreviation, else its name."""
        stat = self.names.pack.vocabulary.stats.get(path)
        short = getattr(stat, "short", None)
        return self.names.of(short, path) if short else self.names.field(path)


def _alone(card: Card) -> Pick:
    """A card as a pick, for conditions that look at the card alone."""
    return Pick(card=card, source=Source.ENTRIES, path=(), line=0, count=1, each=1)


def _sources(form: AttackForm, card: Card) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The attacks on a card: place and fields."""
    if form.source is None:
        yield "", card.data
        return
    held = card.field(form.source)
    for name, data in held.items() if isinstance(held, Mapping) else ():
        if isinstance(data, Mapping):
            yield f"{form.source}.{name}", data


def declared(project: Project, pack: Pack) -> StatsFile:
    """The forms that a pack declares, none where it has no stats.yaml. InputUnreadable where they are wrong."""
    found, flaws = load_stats(project, pack.id)
    if flaws:
        message = f"stats.yaml of the pack {pack.id} is wrong: {flaws[0].message}"
        raise InputUnreadable(message, f"Run: squadpress check {pack.id}")
    return found or StatsFile()
