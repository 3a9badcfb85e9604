"""Find out what the profiles of a roster are: stat lines, rows of tables, or texts. Pure.

The columns decide, not the names of a game:

- a stat type has 3 or more short columns and stands mostly on models and units;
- a table type has 3 or more short columns and stands mostly on upgrades, or is named like a table;
- every other type is text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from builder.interchange.tree import (
    ForeignForce,
    ForeignProfile,
    ForeignRoster,
    ForeignSelection,
)

MIN_SHORT_COLUMNS = 3
MAX_SHORT_CHARACTERS = 14
"""A column is short if most of its values have at most this many characters."""


@dataclass(frozen=True, slots=True)
class ImportNames:
    """Words that many games use in names of profile types, columns and categories, in lower case.

    `table_types` are parts of names of table types. A column of `box_columns` becomes boxes to
    tick. Categories with a part of `omitted_categories` are not printed, and `category_prefixes`
    are left out of the others.
    """

    table_types: tuple[str, ...]
    box_columns: tuple[str, ...]
    omitted_categories: tuple[str, ...]
    category_prefixes: tuple[str, ...]


class ProfileRole(StrEnum):
    """The way in which profiles of a type are printed: as stat lines, table rows or texts."""

    STAT = "stat"
    TABLE = "table"
    TEXT = "text"


@dataclass(slots=True)
class _TypeFacts:
    """The columns of a profile type with all values, and how often models and upgrades have it."""

    name: str
    values: dict[str, list[str]] = field(default_factory=dict)
    on_models: int = 0
    on_upgrades: int = 0

    def add(self, profile: ForeignProfile, *, is_model: bool) -> None:
        for column, text in profile.characteristics.items():
            self.values.setdefault(column, []).append(text)
        if is_model:
            self.on_models += 1
        else:
            self.on_upgrades += 1

    def list_short_columns(self) -> list[str]:
        return [column for column, texts in self.values.items() if _are_short(texts)]


def _are_short(texts: Iterable[str]) -> bool:
    lengths = sorted(len(text) for text in texts if text.strip())
    # A column without values tells nothing.
    if not lengths:
        return False
    # The median: one long text among many short ones changes nothing.
    return lengths[len(lengths) // 2] <= MAX_SHORT_CHARACTERS


def find_roles(roster: ForeignRoster, names: ImportNames) -> Mapping[str, ProfileRole]:
    """Decide how the profiles of each type are printed. Keys are those of `get_type_key`."""
    types = _collect_type_facts(roster)
    roles = {key: _choose_role(facts, names) for key, facts in types.items()}
    stat_columns = [
        set(facts.values)
        for key, facts in types.items()
        if roles[key] is ProfileRole.STAT
    ]
    for key, facts in types.items():
        if roles[key] is not ProfileRole.TABLE or _is_named_table(facts, names):
            continue
        # Data may call a model an upgrade. Its stat line must not be lost.
        is_like_stats = _has_box_column(facts, names) or _shares_half_of_columns(
            facts, stat_columns
        )
        if is_like_stats or not stat_columns:
            roles[key] = ProfileRole.STAT
    return roles


def get_type_key(profile: ForeignProfile) -> str:
    """Return the key of a profile's type: its id, or its name if it has no id."""
    return profile.type_id or profile.type_name


def _collect_type_facts(roster: ForeignRoster) -> dict[str, _TypeFacts]:
    """Return the facts of all profile types in a roster, by type key."""
    owners: list[ForeignSelection | ForeignRoster | ForeignForce]
    owners = [*roster.walk_selections(), roster, *roster.walk_forces()]
    types: dict[str, _TypeFacts] = {}
    for owner in owners:
        is_model = isinstance(owner, ForeignSelection) and owner.type in (
            "model",
            "unit",
        )
        for profile in owner.profiles:
            facts = types.setdefault(
                get_type_key(profile), _TypeFacts(profile.type_name)
            )
            facts.add(profile, is_model=is_model)
    return types


def _choose_role(facts: _TypeFacts, names: ImportNames) -> ProfileRole:
    if len(facts.list_short_columns()) < MIN_SHORT_COLUMNS:
        return ProfileRole.TEXT
    if _is_named_table(facts, names):
        return ProfileRole.TABLE
    return (
        ProfileRole.STAT if facts.on_models >= facts.on_upgrades else ProfileRole.TABLE
    )


def _is_named_table(facts: _TypeFacts, names: ImportNames) -> bool:
    return any(word in facts.name.lower() for word in names.table_types)


def _has_box_column(facts: _TypeFacts, names: ImportNames) -> bool:
    return any(column.strip().lower() in names.box_columns for column in facts.values)


def _shares_half_of_columns(
    facts: _TypeFacts, all_stat_columns: Iterable[set[str]]
) -> bool:
    """Return True if a type has at least half of the columns of one of the stat types."""
    for stat_columns in all_stat_columns:
        shared_columns = stat_columns & facts.values.keys()
        if len(shared_columns) * 2 >= len(stat_columns):
            return True
    return False
