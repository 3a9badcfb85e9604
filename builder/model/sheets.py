"""What sheets besides cards show: a squad, and its numbers. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule to remember: its name (empty for a card's own text) and its marked-up text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card (by its id) that is carried or belongs to the squad as a whole.

    `count` are all its copies; `place` and `uses` are as in SheetModel.
    """

    card: str
    kind: str
    name: str
    count: int
    cost: int | float | None
    place: str = ""
    slots: tuple[str, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    uses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SheetModel:
    """One line of models of a card, by its id.

    `boxes` and `uses` (what, how often) per copy, `stats` as pairs of abbreviation and value,
    `total` with all it carries; `place` in the deployment order, such as 4 or 4-6, where there is
    one; `choices` by their ids.
    """

    number: int
    card: str
    name: str
    count: int
    cost: int | float | None
    total: int | float
    boxes: int
    stats: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    reminders: tuple[Reminder, ...]
    carried: tuple[SheetCard, ...]
    place: str
    choices: Mapping[str, str]
    uses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SheetStep:
    """One card put on the table.

    Its number, the step's label, its name, whom it follows or who bears it, its cost.
    """

    number: int
    label: str
    name: str
    beside: str
    cost: int | float | None


@dataclass(frozen=True, slots=True)
class SquadSheet:
    """The data of a printed squad sheet.

    `legal` is true if the squad breaks no rule, `undecided` if this is not known.

    `faction` is set if all models belong to the same faction.

    `models` are those that are deployed, in that order; `trackers` are names with the numbers to
    cross out. `code` is a QR code that brings the squad back: its modules a side and an SVG path of
    the dark ones.
    """

    name: str
    game: str
    params: tuple[tuple[str, str], ...]
    currency: str
    total: int | float
    legal: bool
    undecided: bool
    faction: str | None
    models: tuple[SheetModel, ...]
    deck: tuple[SheetCard, ...]
    trackers: tuple[tuple[str, tuple[int, ...]], ...]
    code: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class SquadShare:
    """One part of a squad: its name, how many models, what they cost with all they carry."""

    name: str
    models: int
    points: int | float


@dataclass(frozen=True, slots=True)
class StatTable:
    """Exact numbers over values of at most two target fields: `cells` by row and column.

    None is a dash.

    `axes` are the fields' printed names, `fields` their paths.
    """

    axes: tuple[str, ...]
    fields: tuple[str, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]
    cells: tuple[tuple[Fraction, ...], ...]

    @property
    def top(self) -> Fraction:
        """The largest number."""
        return max((max(row) for row in self.cells if row), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class DamageTable:
    """One sort of damage: its mean, and the chance that there is any."""

    title: str
    mean: StatTable
    some: StatTable


@dataclass(frozen=True, slots=True)
class DuelLine:
    """Blow for blow against one foe (`names`: all with the same numbers).

    Means, and the chances that one is felled.
    """

    names: tuple[str, ...]
    dealt: Fraction
    taken: Fraction
    fells: Fraction
    falls: Fraction


@dataclass(frozen=True, slots=True)
class AttackTable:
    """One attack and how many models have it.

    `hits`: the chance to hit if `rolled`, else the mean of successes.

    `left_out` are the names of rules on the attack, its model or its load that the numbers do not
    count.
    """

    form: str
    note: str
    owner: str
    name: str
    count: int
    rolled: bool
    hits: StatTable
    damage: tuple[DamageTable, ...]
    duels: tuple[DuelLine, ...] = ()
    left_out: tuple[str, ...] = field(default=(), compare=False)

    @property
    def label(self) -> str:
        """Whose attack it is and how many models have it.

        A card that is itself the attack is named once.
        """
        copies = f" ×{self.count}" if self.count > 1 else ""
        return (
            f"{self.owner}{copies}"
            if self.name == self.owner
            else f"{self.owner}: {self.name}{copies}"
        )


@dataclass(frozen=True, slots=True)
class StatSheet:
    """The whole squad. `roles` are divisions by title; `faction` is its models' only one, if so."""

    name: str
    game: str
    pack: str
    lang: str
    currency: str
    total: int | float
    models: int
    faction: str | None
    roles: tuple[tuple[str, tuple[SquadShare, ...]], ...]
    attacks: tuple[AttackTable, ...]
