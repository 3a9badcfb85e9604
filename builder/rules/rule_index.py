"""The rule index: what one card adds to each rule, worked out once per pack and parameters.

A rule that the cards alone decide becomes a row of numbers; of any other rule only the cards that can concern it are
known, and a roster with such a card has the rule asked in full. The index never decides otherwise than the rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.model.pack import Pack
from builder.model.rules import Select, Source
from builder.roster.resolve import Pick, picks_of
from builder.rules.query import compile_where, static_part
from builder.rules.violation import Params

INFINITE = float("inf")
FitsLoad: TypeAlias = Callable[[Pick, Sequence[Pick]], bool]
"""May a bearer carry a load?"""


@dataclass(slots=True)
class IndexRow:
    """What one card means for the rules.

    `adds` are (sum index, amount) of whole-roster sums; `kinds` (set index, value) of whole-roster sets; `most` the
    tightest (least, most) of its own number of copies; `asks` the rules, by index, that must be asked in full.
    """

    source: Source
    adds: list[tuple[int, int | float]] = field(default_factory=list)
    kinds: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    least: float = 0
    most: float = INFINITE
    copies: list[int] = field(default_factory=list)
    asks: set[int] = field(default_factory=set)


class RuleIndex:
    """The rows for one set of parameters, the bounds of the sums and sets, and the rules that are always asked.

    `by_load` are the rules, by number, that an entry's card and load decide; `loads` remembers the answers.
    """

    def __init__(self, pack: Pack, params: Params) -> None:
        self.params = params
        self.picks = picks_of(pack)
        self.rows = {name: IndexRow(pick.source) for name, pick in self.picks.items()}
        self.sums: list[tuple[int, float, float]] = []
        self.sets: list[tuple[int, float, float]] = []
        self.always: set[int] = set()
        self.by_load: list[tuple[int, FitsLoad]] = []
        self.loads: dict[tuple[str, tuple[tuple[str, str | None], ...]], frozenset[int]] = {}

    def ask(self, number: int, select: Select) -> None:
        """Have a rule asked in full for rosters with a card that the selection may mean."""
        passes = compile_where(static_part(select.where))
        for name, pick in self.picks.items():
            if select.source in (Source.ALL, pick.source) and passes(pick, None):
                self.rows[name].asks.add(number)

    def bound_copies(self, number: int, card: str, least: float, most: float) -> None:
        """Have a rule asked where a card comes in fewer or more copies."""
        row = self.rows[card]
        row.copies.append(number)
        row.least, row.most = max(row.least, least), min(row.most, most)

    def bound_sum(
        self, number: int, weights: Mapping[str, int | float], least: float, most: float
    ) -> None:
        """Have a rule asked where the weights of all cards of a roster add up to less or more."""
        for card, weight in weights.items():
            self.rows[card].adds.append((len(self.sums), weight))
        self.sums.append((number, least, most))

    def bound_values(
        self, number: int, values: Mapping[str, tuple[str, ...]], least: float, most: float
    ) -> None:
        """Have a rule asked where the cards of a roster have fewer or more different values."""
        for card, held in values.items():
            self.rows[card].kinds.append((len(self.sets), held))
        self.sets.append((number, least, most))
