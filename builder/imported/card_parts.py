"""Collect the parts of one card from its selections. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.imported.card import Boxes, CardTable, ImportedCard, TableRow, TitledText
from builder.imported.roles import (
    MAX_SHORT_CHARACTERS,
    ImportNames,
    ProfileRole,
    get_type_key,
)
from builder.interchange.tree import ForeignProfile, ForeignSelection


@dataclass(slots=True)
class _StatRow:
    """A stat line of a card. `is_top` is True if it belongs to the whole unit."""

    row: TableRow
    is_top: bool
    is_model: bool


@dataclass(slots=True)
class CardParts:
    """Collects the parts of one card from the selections of an imported list."""

    names: ImportNames
    roles: Mapping[str, ProfileRole]
    stats: dict[tuple[str, tuple[str, ...]], list[_StatRow]] = field(
        default_factory=dict
    )
    tables: dict[tuple[str, tuple[str, ...]], list[TableRow]] = field(
        default_factory=dict
    )
    passages: list[TitledText] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    models: list[TableRow] = field(default_factory=list)
    equipment: list[TableRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_wrapper(self, wrapper: ForeignSelection, *, is_named: bool) -> None:
        """Add the profiles, rules, keywords and notes of a selection that contains the card."""
        self._add_contents(wrapper, is_top=True)
        if is_named and not _has_profile_of_its_name(wrapper):
            self.equipment.append(TableRow(wrapper.custom_name or wrapper.name, ()))

    def add_selection(self, selection: ForeignSelection, *, is_top: bool) -> None:
        """Add the parts of one selection, without the selections below it."""
        self._add_contents(selection, is_top=is_top)
        if is_top:
            return
        name = selection.custom_name or selection.name
        row = TableRow(name, (), max(selection.number, 1))
        if selection.type == "model":
            self.models.append(row)
        elif not _has_profile_of_its_name(selection):
            self.equipment.append(row)

    def _add_contents(self, selection: ForeignSelection, *, is_top: bool) -> None:
        for profile in selection.profiles:
            self._add_profile(profile, selection, is_top=is_top)
        for rule in selection.rules:
            self.passages.append(TitledText(rule.name, rule.text))
        self.keywords += list_keywords(selection, self.names)
        if selection.notes:
            self.notes.append(selection.notes)

    def _add_profile(
        self, profile: ForeignProfile, selection: ForeignSelection, *, is_top: bool
    ) -> None:
        role = self.roles[get_type_key(profile)]
        if role is ProfileRole.TEXT:
            self.passages.append(describe_profile(profile))
            return
        key = (profile.type_name, tuple(profile.characteristics))
        values = tuple(profile.characteristics.values())
        row = TableRow(
            _make_row_name(profile, selection), values, max(selection.number, 1)
        )
        if role is ProfileRole.TABLE:
            self.tables.setdefault(key, []).append(row)
        else:
            stat_row = _StatRow(row, is_top, selection.type == "model")
            self.stats.setdefault(key, []).append(stat_row)

    def make_card(
        self, selection: ForeignSelection, side: str, cost: float, group: str
    ) -> ImportedCard:
        """Return the finished card of a selection, made from the collected parts."""
        model_count = sum(row.count for row in self.models) or max(selection.number, 1)
        stats = tuple(self._make_stat_tables(model_count))
        tables: list[CardTable] = []
        for (title, columns), rows in self.tables.items():
            tables.append(CardTable(title, columns, tuple(_merge_equal_rows(rows))))
        keywords = drop_repeated(self.keywords)
        return ImportedCard(
            name=selection.name,
            side=side,
            custom_name=selection.custom_name,
            cost=cost,
            model_count=model_count,
            stats=stats,
            tables=tuple(tables),
            passages=tuple(self._list_passages(keywords)),
            keywords=keywords,
            models=tuple(_merge_equal_rows(self.models)),
            equipment=tuple(_merge_equal_rows(self.equipment)),
            notes="\n".join(dict.fromkeys(self.notes)),
            boxes=tuple(_make_boxes(stats, self.names)),
            groups=(group,),
            entry_id=selection.entry_id,
            selection_ids=(selection.id,),
        )

    def _make_stat_tables(self, model_count: int) -> Iterator[CardTable]:
        """Yield the tables of stat lines. Each line has the number of models that use it."""
        other_model_count = model_count - self._count_models_with_stats()
        for (title, columns), stat_rows in self.stats.items():
            rows = _merge_equal_rows(
                self._list_counted_rows(stat_rows, other_model_count)
            )
            yield CardTable(title, columns, tuple(_merge_stat_lines(rows, model_count)))

    def _count_models_with_stats(self) -> int:
        """Count the models that have a stat line of their own."""
        count = 0
        for stat_rows in self.stats.values():
            for stat_row in stat_rows:
                if stat_row.is_model and not stat_row.is_top:
                    count += stat_row.row.count
        return count

    def _list_counted_rows(
        self, stat_rows: Sequence[_StatRow], other_model_count: int
    ) -> list[TableRow]:
        """Return the rows of a stat table, with model counts for lines of the whole unit.

        `other_model_count` is the number of models without a stat line of their own.
        """
        top_names = dict.fromkeys(
            stat_row.row.name for stat_row in stat_rows if stat_row.is_top
        )
        rows: list[TableRow] = []
        for stat_row in stat_rows:
            row = stat_row.row
            if not stat_row.is_top:
                rows.append(row)
                continue
            other_names = [name for name in top_names if name != row.name]
            count = self._count_models(row.name, other_names, other_model_count)
            counted_row = replace(row, count=count)
            # The unit and its wrappers may have the same stat line.
            if counted_row not in rows:
                rows.append(counted_row)
        return rows

    def _count_models(
        self, name: str, other_names: Sequence[str], other_model_count: int
    ) -> int:
        """Return how many models use a stat line of the whole unit.

        Of several stat lines, each belongs to the models of its name, and one to all others.
        """
        if not other_names:
            return max(other_model_count, 1)
        counts: Counter[str] = Counter()
        for model in self.models:
            counts[model.name.lower()] += model.count
        if name.lower() in counts:
            return counts[name.lower()]
        named_count = sum(counts[other_name.lower()] for other_name in other_names)
        return max(other_model_count - named_count, 1) if named_count else 1

    def _list_passages(self, keywords: Sequence[str]) -> Iterator[TitledText]:
        """Yield each text once. A bare title is left out if a keyword or a text already has it."""
        lower_keywords = {keyword.lower() for keyword in keywords}
        titles_with_text = {passage.title for passage in self.passages if passage.text}
        for passage in dict.fromkeys(self.passages):
            title = passage.title
            is_repeated = title.lower() in lower_keywords or title in titles_with_text
            if passage.text or not is_repeated:
                yield passage


def list_keywords(selection: ForeignSelection, names: ImportNames) -> Iterator[str]:
    """Yield the category names of a selection that are printed as keywords."""
    for name in selection.categories:
        for prefix in names.category_prefixes:
            if name.lower().startswith(prefix):
                name = name[len(prefix) :].strip()
        is_omitted = any(word in name.lower() for word in names.omitted_categories)
        if name and not is_omitted:
            yield name


def describe_profile(profile: ForeignProfile) -> TitledText:
    """Convert a profile to a titled text, for profiles that do not fit a table.

    With several columns, each value has its column's name before it.
    """
    values = [(name, text) for name, text in profile.characteristics.items() if text]
    if len(values) == 1:
        return TitledText(profile.name, values[0][1])
    description = ""
    was_short = True
    for name, text in values:
        is_short = len(text) <= MAX_SHORT_CHARACTERS
        # Short values share a line.
        if description:
            description += "; " if is_short and was_short else "\n"
        description += f"**{name}:** {text}"
        was_short = is_short
    return TitledText(profile.name, description)


def _has_profile_of_its_name(selection: ForeignSelection) -> bool:
    """Return True if the profiles and rules of a selection contain all words of its name."""
    words: set[str] = set()
    for profile in selection.profiles:
        words.update(_list_words(_make_row_name(profile, selection)))
    for rule in selection.rules:
        words.update(_list_words(rule.name))
    return not set(_list_words(selection.name)) - words


def _list_words(name: str) -> list[str]:
    return re.findall(r"\w+", name.lower())


def _make_row_name(profile: ForeignProfile, selection: ForeignSelection) -> str:
    """Return the name of a table row. The profile `- burst` of `Rifle` becomes `Rifle – burst`."""
    match = re.fullmatch(r"[-–—]\s*(\w.*)", profile.name)
    if match is None or not selection.name:
        return profile.name
    return f"{selection.name} – {match[1]}"


def drop_repeated(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names without repetitions. Upper and lower case count as equal."""
    names_by_lower_case: dict[str, str] = {}
    for name in names:
        names_by_lower_case.setdefault(name.lower(), name)
    return tuple(names_by_lower_case.values())


def _merge_equal_rows(rows: Iterable[TableRow]) -> list[TableRow]:
    """Merge rows with equal names and values, and add their counts."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for row in rows:
        counts[row.name, row.values] += row.count
    return [TableRow(name, values, count) for (name, values), count in counts.items()]


def _merge_stat_lines(rows: Sequence[TableRow], model_count: int) -> list[TableRow]:
    """Merge stat lines with equal values into one line named after all of them.

    A model may have several of them, so they are not more than the models.
    """
    rows_by_values: dict[tuple[str, ...], list[TableRow]] = {}
    for row in rows:
        rows_by_values.setdefault(row.values, []).append(row)
    merged = []
    for values, group in rows_by_values.items():
        names = " / ".join(dict.fromkeys(row.name for row in group))
        count = sum(row.count for row in group)
        if len(group) > 1:
            count = min(count, model_count)
        merged.append(TableRow(names, values, count))
    return merged


def _make_boxes(stats: Sequence[CardTable], names: ImportNames) -> Iterator[Boxes]:
    """Yield damage boxes for each stat line with a number in one of the `box_columns`."""
    row_count = sum(len(table.rows) for table in stats)
    for table in stats:
        lower_columns = [column.strip().lower() for column in table.columns]
        box_columns = [name for name in names.box_columns if name in lower_columns]
        if not box_columns:
            continue
        index = lower_columns.index(box_columns[0])
        for row in table.rows:
            # A number, perhaps with a footnote mark or a remark in brackets.
            match = re.fullmatch(r"(\d+)(?:\s*[*†(\[].*)?", row.values[index].strip())
            if match and int(match[1]) > 0:
                yield Boxes(row.count, int(match[1]), row.name if row_count > 1 else "")
