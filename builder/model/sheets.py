"""The data of squad sheets and attack tables. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule to remember during the game: its name ("" for the card's own text) and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card on a squad sheet that a model has attached, or that belongs to the squad.

    `count` is the number of all its copies. `place` and `uses` are as in SheetModel.
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
    """Models of one line on a squad sheet.

    `boxes` and `uses` (what, how often) are those of one copy. `stats` are pairs of abbreviation
    and value. `total` is the cost with all attachments. `place` is the place in the deployment
    order, such as 4 or 4-6. `choices` are given by id.
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
    """One card in the deployment order on a squad sheet."""

    number: int
    label: str
    name: str
    beside: str
    cost: int | float | None


@dataclass(frozen=True, slots=True)
class SquadSheet:
    """Everything printed on a squad sheet.

    `legal` is True if the squad breaks no rule, `undecided` if this is not known. `faction` is set
    if all models belong to one faction. `models` are those that are deployed, in that order.
    `trackers` are names with numbers to cross out. `code` is a QR code of the squad: its modules
    per side, and an SVG path of the dark ones.
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
    """A part of a squad: its name, its number of models, and their cost with attachments."""

    name: str
    models: int
    points: int | float


@dataclass(frozen=True, slots=True)
class StatTable:
    """Exact chances or means for the values of at most two fields of the target.

    `cells` are given by row and column. None is printed as a dash. `axes` are the printed names of
    the fields, `fields` their paths.
    """

    axes: tuple[str, ...]
    fields: tuple[str, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]
    cells: tuple[tuple[Fraction, ...], ...]

    @property
    def top(self) -> Fraction:
        """The largest number in the table."""
        return max((max(row) for row in self.cells if row), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class DamageTable:
    """One type of damage: its mean, and the chance that there is any."""

    title: str
    mean: StatTable
    some: StatTable


@dataclass(frozen=True, slots=True)
class DuelLine:
    """The expected result of a duel with one target, or with several equal ones.

    It has the means of the damage, and the chances that a side is taken out.
    """

    names: tuple[str, ...]
    dealt: Fraction
    taken: Fraction
    fells: Fraction
    falls: Fraction


@dataclass(frozen=True, slots=True)
class AttackTable:
    """The numbers of one attack, and how many models have it.

    `hits` is the chance to hit if `rolled` is True, else the mean number of successes. `left_out`
    are the names of rules that the numbers do not include.
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
        """The name of the model with the attack, and the number of such models."""
        copies = f" ×{self.count}" if self.count > 1 else ""
        return (
            f"{self.owner}{copies}"
            if self.name == self.owner
            else f"{self.owner}: {self.name}{copies}"
        )


@dataclass(frozen=True, slots=True)
class StatSheet:
    """The dice statistics of a whole squad.

    `roles` are its divisions by title. `faction` is set if all models belong to one faction.
    """

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
