"""Calculate the statistics of a squad: points by role, and the results of its attacks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from builder.dice.attack_stats import (
    Attack,
    find_attacks,
    find_divisions,
    find_enemy_attacks,
    find_field_values,
    generate_profiles,
)
from builder.dice.duels import DuelSide, make_duel_side, solve_duel
from builder.dice.effects import Effect, find_uncounted_effects
from builder.dice.odds import find_mean
from builder.errors import InputUnreadable, format_located_message
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Card
from builder.model.sheets import (
    AttackTable,
    DamageTable,
    DuelLine,
    SquadShare,
    StatSheet,
    StatTable,
)
from builder.model.stats import AttackForm, Division, Profile, StatsFile
from builder.packs.pack_files import PackFiles
from builder.roster.costs import calculate_costs
from builder.roster.resolve import Squad, make_test_selection
from builder.rules.names import Names
from builder.rules.query import compile_condition
from builder.usecases.roster.check_roster import CheckedRoster


def calculate_statistics(result: CheckedRoster, stats: StatsFile) -> StatSheet | None:
    """Calculate the statistics of a checked squad. None if the squad is unreadable."""
    checker, squad, roster = result.checker, result.squad, result.roster
    if checker is None or squad is None or roster is None:
        return None
    names = Names(checker.pack, result.lang)
    factions = {entry.card.faction for entry in squad.entries}
    return StatSheet(
        name=roster.get_name(result.lang),
        game=names.choose_name(checker.pack.manifest.name, checker.pack.id),
        pack=checker.pack.id,
        lang=result.lang,
        currency=names.choose_name(checker.pack.manifest.roster.currency, ""),
        total=calculate_costs(squad).total,
        models=sum(entry.count for entry in squad.entries),
        faction=factions.pop() if len(factions) == 1 else None,
        roles=tuple(_list_role_divisions(names, squad, stats.roles)),
        attacks=tuple(make_attack_tables(names, squad, stats)),
    )


def _list_role_divisions(
    names: Names, squad: Squad, stated_roles: Sequence[Division]
) -> Iterator[tuple[str, tuple[SquadShare, ...]]]:
    """Yield the squad's models and points divided by role: a title and the shares.

    Divisions that put all models into one share are left out, unless the pack declares them.
    """
    # Parts that every division may have, so they tell no models apart.
    others = {names.translate(_("others")), names.translate(_("cards of the squad"))}
    divided = [
        (role, _calculate_shares(names, squad, role))
        for role in stated_roles or find_divisions(names.pack)
    ]
    separating_divisions = []
    for role, shares in divided:
        parts_with_models = sum(share.models > 0 for share in shares)
        part_names = {share.name for share in shares}
        # A declared role counts even if all models are in one of its parts.
        if part_names - others if stated_roles else parts_with_models > 1:
            separating_divisions.append((role, shares))
    for role, shares in separating_divisions or divided[:1]:
        title = names.choose_name(role.title, "") or names.name_field(role.by)
        yield f"{title[:1].upper()}{title[1:]}", shares


def _calculate_shares(
    names: Names, squad: Squad, role: Division
) -> tuple[SquadShare, ...]:
    """Return the models and points of each part of a division, the most points first.

    The deck is a part of its own.
    """
    bill = calculate_costs(squad)
    shares: dict[str, SquadShare] = {}
    for entry in squad.entries:
        value = entry.get_value(role.by)
        if isinstance(value, list | tuple):
            # A model with several values counts once, by the first value that the role lists.
            value = next((item for item in role.of or value if item in value), None)
        part = names.translate(_("others"))
        if value is not None:
            part = names.name_value(role.by, value)
        share = shares.get(part, SquadShare(part, 0, 0))
        points = share.points + bill.sum_entry(entry.line)
        shares[part] = SquadShare(part, share.models + entry.count, points)
    deck_points = sum(line.total for line in bill.lines if line.path[0] != "entries")
    if deck_points:
        part = names.translate(_("cards of the squad"))
        shares[part] = SquadShare(part, 0, deck_points)
    return tuple(
        sorted(shares.values(), key=lambda share: (-share.points, -share.models))
    )


def load_stat_forms(packs: PackFiles, pack: str) -> StatsFile:
    """Load the attack forms of a pack's stats.yaml. Empty without this file.

    Raise InputUnreadable if it has an error.
    """
    stats, findings = packs.load_stats(pack)
    if findings:
        form = _("stats.yaml of the pack {pack} has an error: {reason}")
        message = _(form, pack=pack, reason=format_located_message(findings[0]))
        raise InputUnreadable(
            message, _("Run: {command}", command=f"squadpress check {pack}")
        )
    return stats or StatsFile()


def make_attack_tables(
    names: Names, squad: Squad, stats: StatsFile
) -> Iterator[AttackTable]:
    """Yield a table for each different attack of a squad, with the models that have it."""
    for form in stats.attacks:
        passes = compile_condition(form.targets or stats.targets)
        targets = [
            card
            for card in names.pack.cards.values()
            if passes(make_test_selection(card), None)
        ]
        tables = _AttackTables(names, form, targets, stats)
        attacks = find_attacks(form, squad)
        yield from _join_equal_tables(
            (tables.make_table(owner, attack), count)
            for owner, attack, count in attacks
        )


def _join_equal_tables(
    counted_tables: Iterable[tuple[AttackTable, int]],
) -> Iterator[AttackTable]:
    """Join equal tables into one, with the names and number of all models that have it.

    The name of the attack does not count if the card itself is the attack.
    """
    counts: dict[AttackTable, int] = {}
    owners: dict[AttackTable, dict[str, None]] = {}
    left_out: dict[AttackTable, dict[str, None]] = {}
    for table, count in counted_tables:
        # Tables compare without `left_out`, so it is collected separately.
        key = table
        if table.name == table.owner:  # the card itself is the attack
            key = replace(table, owner="", name="")
        counts[key] = counts.get(key, 0) + count
        owners.setdefault(key, {})[table.owner] = None
        left_out.setdefault(key, {}).update(dict.fromkeys(table.left_out))
    for key, count in counts.items():
        owner = ", ".join(owners[key])
        yield replace(
            key,
            owner=owner,
            name=key.name or owner,
            count=count,
            left_out=tuple(left_out[key]),
        )


@dataclass(frozen=True, slots=True)
class _TargetGrid:
    """The axes of a table, and the profile of a target for each cell."""

    axes: tuple[str, ...]
    titles: tuple[str, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]
    profiles: tuple[Profile, ...]

    def make_table(self, numbers: Sequence[Fraction]) -> StatTable:
        """Return a table of numbers in row order, one for each cell."""
        width = len(self.columns) or 1
        row_starts = range(0, len(numbers), width)
        cells = tuple(tuple(numbers[start : start + width]) for start in row_starts)
        return StatTable(self.titles, self.axes, self.rows, self.columns, cells)


class _AttackTables:
    def __init__(
        self, names: Names, form: AttackForm, targets: Sequence[Card], stats: StatsFile
    ) -> None:
        self.names = names
        self.form = form
        self.targets = targets
        self.stats = stats
        self.hits = self._make_grid(form.list_hit_axes())
        self.grids = [
            self._make_grid(form.list_damage_axes(index))
            for index in range(form.count_damages())
        ]

    def make_table(self, owner: Card, attack: Attack) -> AttackTable:
        """Calculate the table of one attack of one model.

        Attacks with the same numbers have equal tables.
        """
        mean_hits = [attack.find_mean_hits(profile) for profile in self.hits.profiles]
        uncounted = find_uncounted_effects(attack, self.stats)
        uncounted_names = [
            self._name_rule_effect(owner, attack, effect) for effect in uncounted
        ]
        return AttackTable(
            form=self.names.choose_name(self.form.title, ""),
            note=self.names.choose_name(self.form.note, ""),
            owner=self.names.name_card(attack.model.id),
            name=self._name_attack(owner, attack),
            count=0,
            rolled=self.form.roll is not None,
            hits=self.hits.make_table(mean_hits),
            damage=tuple(self._list_damage(attack)),
            duels=tuple(self._list_duels(attack)),
            left_out=tuple(dict.fromkeys(uncounted_names)),
        )

    def _name_rule_effect(self, owner: Card, attack: Attack, effect: Effect) -> str:
        """Return the printed name of a rule that affects an attack."""
        if effect.owner == "carried":
            return self.names.name_card(effect.id)
        if effect.field.startswith("choice."):
            return self.names.name_value(effect.field, effect.id)
        if isinstance(effect.value, Mapping) and "name" in effect.value:
            card, path = attack.model, f"{effect.field}.{effect.id}"
            if effect.owner == "attack":
                # The card with the attack may be an attachment of the model.
                card = owner
                path = f"{attack.path}.{path}" if attack.path else path
            return self._name_item(card, path, effect.value)
        if effect.field.rpartition(".")[2] == effect.id:
            return self.names.name_field(effect.field)
        return self.names.name_value(effect.field, effect.id)

    def _list_duels(self, attack: Attack) -> Iterator[DuelLine]:
        """Yield the results against each attack that a target may strike back with."""
        duel = self.form.duel
        if duel is None:
            return
        own_side = make_duel_side(duel, attack.make_reading({}))
        if own_side is not None:
            for foe, names in self.foes.items():
                yield solve_duel(own_side, foe, duel, names)

    @cached_property
    def foes(self) -> Mapping[DuelSide, tuple[str, ...]]:
        """The attacks that targets strike back with, and the names of those that are equal.

        Equal attacks are joined.
        """
        names_by_side: dict[DuelSide, tuple[str, ...]] = {}
        duel = self.form.duel
        if duel is None:
            return names_by_side
        for card, enemy_attack in find_enemy_attacks(self.form, self.targets):
            side = make_duel_side(duel, enemy_attack.make_reading({}))
            if side is not None:
                name = f"{self.names.name_card(card.id)}: {self._name_attack(card, enemy_attack)}"
                names_by_side[side] = (*names_by_side.get(side, ()), name)
        return names_by_side

    def _list_damage(self, attack: Attack) -> Iterator[DamageTable]:
        for index, grid in enumerate(self.grids):
            if not attack.has_damage(index):
                continue
            way = next((way for way in self.form.ways if index < len(way.damage)), None)
            if way is None:
                continue
            spreads = [attack.find_damage(index, profile) for profile in grid.profiles]
            chances = [1 - spread.get(0, Fraction(0)) for spread in spreads]
            yield DamageTable(
                title=self.names.choose_name(way.damage[index].title, ""),
                mean=grid.make_table([find_mean(spread) for spread in spreads]),
                some=grid.make_table(chances),
            )

    def _name_attack(self, owner: Card, attack: Attack) -> str:
        if not attack.path:
            return self.names.name_card(owner.id)
        return self._name_item(owner, attack.path, attack.data)

    def _name_item(self, card: Card, path: str, data: Mapping[str, Json]) -> str:
        """Return the translated name of an item at a path of a card. Without a name, its key."""
        translations = self.names.pack.translations.get(self.names.lang, {})
        string = translations.get(card.id, {}).get(f"{path}.name")
        name = string.text if string is not None else None
        return str(name or data.get("name") or path.rpartition(".")[2])

    def _make_grid(self, axes: tuple[str, ...]) -> _TargetGrid:
        titles: list[str] = []
        values: dict[str, tuple[int | None, ...]] = {}
        for axis in axes:
            title, values[axis] = self._describe_axis(axis)
            titles.append(title)
        # A table with fewer than two axes has one row or column without a value.
        rows, columns, *_more = (*values.values(), (None,), (None,))
        profiles = tuple(generate_profiles(axes, values))
        return _TargetGrid(axes, tuple(titles), rows, columns, profiles)

    def _describe_axis(self, axis: str) -> tuple[str, tuple[int | None, ...]]:
        """Return the title and the values of an axis of a table.

        The axis is a circumstance of the form, or a field of the targets.
        """
        name = axis.removeprefix("given.")
        circumstance = self.form.given.get(name)
        if circumstance is not None and name != axis:
            return self.names.choose_name(circumstance.title, name), circumstance.values
        term = self.names.pack.vocabulary.stats.get(axis)
        title = self.names.name_field(axis)
        if term is not None and term.short:
            title = self.names.choose_name(term.short, axis)
        return title, find_field_values(self.targets, axis)
