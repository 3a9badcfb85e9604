"""Per-card tables for the fast path: what one card adds to each rule, worked out once per pack and parameters.

A rule that the cards alone decide becomes a row of numbers; of any other rule only the cards that can concern it are
known, and a roster with such a card has the rule asked in full. The tables never decide otherwise than `evaluate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.rules import Allow, Limit, LinkRule, Requires, Rule, Select, Slots, Source, Where
from builder.roster.resolve import Pick
from builder.rules.bounds import number
from builder.rules.evaluate import Evaluator, applies_to
from builder.rules.forms.counting import Counter, values
from builder.rules.forms.relations import Permit
from builder.rules.query import compile_where, is_static, static_part

INFINITE = float("inf")
OF_ROLE = {Role.ENTRY: Source.ENTRIES, Role.ATTACHMENT: Source.ATTACHMENTS, Role.DECK: Source.DECK}


@dataclass(slots=True)
class Row:
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


@dataclass(slots=True)
class Tables:
    """The rows for one set of parameters, the bounds of the sums and sets, and the rules that are always asked.

    `permits` and `slots` are the rules, by index, that an entry's card and load decide; `loads` remembers the answers.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    sums: list[tuple[int, float, float]] = field(default_factory=list)
    sets: list[tuple[int, float, float]] = field(default_factory=list)
    always: set[int] = field(default_factory=set)
    permits: list[tuple[int, Permit]] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    loads: dict[tuple[str, tuple[tuple[str, str | None], ...]], frozenset[int]] = field(default_factory=dict)


def build(evaluator: Evaluator, params: Mapping[str, int | str]) -> Tables:
    """The tables of a pack for these parameters."""
    pack = evaluator.pack
    tables = Tables()
    picks: dict[str, Pick] = {}
    for card in pack.cards.values():
        source = OF_ROLE.get(pack.role(card))
        if source is not None:
            tables.rows[card.id] = Row(source)
            picks[card.id] = Pick(card, source, (), 0, 1, 1)
    for index, (rule, form) in enumerate(evaluator.rules):
        if not applies_to(rule.when, params):
            continue
        if rule.when is not None and rule.when.exists is not None:
            _ask(index, tables, picks, _wide(rule.when.exists))
        elif isinstance(form, Counter) and _tabular(form.rule):
            _tabulate(index, form, tables, picks, params)
        elif isinstance(form, Permit) and _cards_decide(form.rule, pack):
            tables.permits.append((index, form))
        elif isinstance(rule, Slots) and is_static(rule.select.where) and is_static(rule.select.bearer or Where()):
            tables.slots.append(index)
        else:
            _ask_form(index, rule, tables, picks)
    return tables


def _tabular(rule: Limit) -> bool:
    """True if the cards alone decide a limit, and not entry by entry."""
    if rule.per not in ("roster", "card") or rule.select.bearer is not None or not is_static(rule.select.where):
        return False
    asked = rule.measure.sum or rule.measure.distinct or ""
    if asked.startswith("choice."):
        return False
    return rule.per == "roster" or rule.measure.count


def _cards_decide(rule: Allow, pack: Pack) -> bool:
    """True if an allow rule asks for no choice, neither itself nor on any card."""
    conditions = [rule.select.where, rule.select.bearer or Where(), rule.bearer or Where()]
    if any("choice." in where.model_dump_json() for where in conditions):
        return False
    return rule.field is None or not any("choice." in str(card.field(rule.field)) for card in pack.cards.values())


def _tabulate(
    index: int, form: Counter, tables: Tables, picks: Mapping[str, Pick], params: Mapping[str, int | str]
) -> None:
    """Write a limit into the rows of the cards that it counts."""
    rule = form.rule
    taken = [pick for pick in picks.values() if form.selector.takes(pick)]
    if rule.per == "card":
        for pick in taken:
            row = tables.rows[pick.card.id]
            row.copies.append(index)
            least, most = _span(form, params, pick.card)
            row.least, row.most = max(row.least, least), min(row.most, most)
        return
    least, most = _span(form, params, None)
    if rule.measure.distinct is not None:
        for pick in taken:
            tables.rows[pick.card.id].kinds.append((len(tables.sets), values(pick, rule.measure.distinct)))
        tables.sets.append((index, least, most))
        return
    for pick in taken:
        amount = 1 if rule.measure.sum is None else number(pick.value(rule.measure.sum)) or 0
        if amount:
            tables.rows[pick.card.id].adds.append((len(tables.sums), amount))
    tables.sums.append((index, least, most))


def _span(form: Counter, params: Mapping[str, int | str], card: Card | None) -> tuple[float, float]:
    """Least and most allowed, unlimited where no bound applies."""
    least, most = -INFINITE, INFINITE
    for kind, bound in form.bounds(params, card):
        if kind != "max":
            least = max(least, bound.value)
        if kind != "min":
            most = min(most, bound.value)
    return least, most


def _wide(select: Select) -> Select:
    """A selection by the card alone that leaves out no pick of the given one."""
    return Select(source=select.source, where=static_part(select.where))


def _ask(index: int, tables: Tables, picks: Mapping[str, Pick], select: Select) -> None:
    """Have a rule asked for rosters with a card that the selection may mean."""
    passes = compile_where(select.where)
    for name, pick in picks.items():
        if select.source in (Source.ALL, pick.source) and passes(pick, None):
            tables.rows[name].asks.add(index)


def _ask_form(index: int, rule: Rule, tables: Tables, picks: Mapping[str, Pick]) -> None:
    """Have a rule asked for rosters with a card that may concern it; always where nothing may break it too."""
    if isinstance(rule, Limit):
        needs_none = rule.min is None and rule.exactly is None
        if rule.per == "roster" and not needs_none:
            tables.always.add(index)
        elif needs_none or (rule.per in ("entry", "card") and rule.select.source is Source.ENTRIES):
            _ask(index, tables, picks, _wide(rule.select))
        elif rule.per == "entry":
            _ask(index, tables, picks, Select(where=static_part(rule.select.bearer or Where())))
        else:
            groups = rule.groups if rule.groups is not None else rule.select.where
            _ask(index, tables, picks, Select(source=rule.select.source, where=static_part(groups)))
    elif isinstance(rule, LinkRule | Requires | Allow | Slots):
        _ask(index, tables, picks, _wide(rule.select))
