"""The attacks of a squad as tables: every form of the pack against every value that its targets have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from builder.dice.attacks import attacks_of, foes
from builder.dice.duels import Side, contest, side
from builder.dice.odds import expected
from builder.dice.stats import Attack, alone, occurring, profiles
from builder.model.card import Card
from builder.model.sheets import AttackTable, DamageTable, DuelLine, Table
from builder.model.stats import AttackForm, Duel, Profile, StatsFile
from builder.roster.resolve import Squad
from builder.rules.names import Names
from builder.rules.query import compile_where


def attack_tables(names: Names, squad: Squad, stats: StatsFile) -> Iterator[AttackTable]:
    """Every attack that a form describes, each once with all the models that have it."""
    for form in stats.attacks:
        passes = compile_where(form.targets or stats.targets)
        targets = [card for card in names.pack.cards.values() if passes(alone(card), None)]
        desk = _Desk(names, form, targets)
        yield from _joined((desk.attack(owner, attack), count) for owner, attack, count in attacks_of(form, squad))


def _joined(made: Iterable[tuple[AttackTable, int]]) -> Iterator[AttackTable]:
    """Attacks with the same numbers once: a model's whatever it chose, and those of cards that are the attack."""
    counts: dict[AttackTable, int] = {}
    owners: dict[AttackTable, dict[str, None]] = {}
    for table, count in made:
        key = replace(table, owner="", name="") if table.name == table.owner else table
        counts[key] = counts.get(key, 0) + count
        owners.setdefault(key, {})[table.owner] = None
    for key, count in counts.items():
        owner = ", ".join(owners[key])
        yield replace(key, owner=owner, name=key.name or owner, count=count)


@dataclass(frozen=True, slots=True)
class _Grid:
    """What one table ranges over, and every target in it, row by row."""

    axes: tuple[str, ...]
    titles: tuple[str, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]
    profiles: tuple[Profile, ...]

    def table(self, numbers: Sequence[Fraction]) -> Table:
        """The table of these numbers, one for each target."""
        wide = len(self.columns) or 1
        cells = tuple(tuple(numbers[at : at + wide]) for at in range(0, len(numbers), wide))
        return Table(self.titles, self.axes, self.rows, self.columns, cells)


class _Desk:
    """Works the attacks of one form out."""

    def __init__(self, names: Names, form: AttackForm, targets: Sequence[Card]) -> None:
        self.names, self.form, self.targets = names, form, targets
        self.hits = self._grid(form.hit_axes())
        self.foes: Mapping[Side, tuple[str, ...]] | None = None
        self.grids = [self._grid(form.axes(index)) for index in range(form.damages())]

    def attack(self, owner: Card, attack: Attack) -> AttackTable:
        """One attack of one model: two with the same numbers are one, whatever else the models chose."""
        return AttackTable(
            form=self.names.of(self.form.title, ""),
            note=self.names.of(self.form.note, ""),
            owner=self.names.card(attack.model.id),
            name=self._name(owner, attack),
            count=0,
            rolled=self.form.roll is not None,
            hits=self.hits.table([attack.hits(profile) for profile in self.hits.profiles]),
            damage=tuple(self._damage(attack)),
            duels=tuple(self._duels(attack)),
        )

    def _duels(self, attack: Attack) -> Iterator[DuelLine]:
        """The attack against every attack that a target has, those with the same numbers in one line."""
        duel = self.form.duel
        own = side(duel, attack.reading({})) if duel is not None else None
        if duel is None or own is None:
            return
        for foe, names in self._foes(duel).items():
            end = contest(own, foe, duel)
            yield DuelLine(names, end.dealt, end.taken, end.fells, end.falls)

    def _foes(self, duel: Duel) -> Mapping[Side, tuple[str, ...]]:
        """Who may strike back: the targets' attacks by what they do, with their names."""
        if self.foes is None:
            found: dict[Side, tuple[str, ...]] = {}
            for card, other in foes(self.form, self.targets):
                one = side(duel, other.reading({}))
                if one is not None:
                    found[one] = (*found.get(one, ()), f"{self.names.card(card.id)}: {self._name(card, other)}")
            self.foes = found
        return self.foes

    def _damage(self, attack: Attack) -> Iterator[DamageTable]:
        """Each sort of damage that the attack does."""
        for index, grid in enumerate(self.grids):
            if not attack.states(index):
                continue
            way = next(way for way in self.form.ways if index < len(way.damage))
            spreads = [attack.damage(index, profile) for profile in grid.profiles]
            yield DamageTable(
                title=self.names.of(way.damage[index].title, ""),
                mean=grid.table([expected(spread) for spread in spreads]),
                some=grid.table([1 - spread.get(0, Fraction(0)) for spread in spreads]),
            )

    def _name(self, owner: Card, attack: Attack) -> str:
        """The attack's printed name."""
        if not attack.path:
            return self.names.card(owner.id)
        strings: Mapping[str, object] = self.names.pack.translations.get(self.names.lang, {}).get(owner.id, {})
        told = getattr(strings.get(f"{attack.path}.name"), "text", None) or attack.data.get("name")
        return str(told or attack.path.rpartition(".")[2])

    def _grid(self, axes: tuple[str, ...]) -> _Grid:
        """What a table of these axes ranges over."""
        values = {axis: self._values(axis) for axis in axes}
        return _Grid(
            axes=axes,
            titles=tuple(self._title(axis) for axis in axes),
            rows=values[axes[0]] if axes else (None,),
            columns=values[axes[1]] if len(axes) > 1 else (None,),
            profiles=tuple(profiles(axes, values)),
        )

    def _values(self, axis: str) -> tuple[int | None, ...]:
        """The listed circumstances, or the values that the targets have."""
        if axis.startswith("given."):
            return self.form.given[axis[6:]].values
        return occurring(self.targets, axis)

    def _title(self, axis: str) -> str:
        """A circumstance by its title; a target field by its abbreviation, else its name."""
        if axis.startswith("given."):
            return self.names.of(self.form.given[axis[6:]].title, axis[6:])
        stat = self.names.pack.vocabulary.stats.get(axis)
        short = getattr(stat, "short", None)
        return self.names.of(short, axis) if short else self.names.field(axis)
