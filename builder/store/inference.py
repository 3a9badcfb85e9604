"""What the columns of a table seem to hold, told from their cells alone: fields, types, ranges, choices. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.model.base import Json
from builder.model.table import ColumnRule
from builder.store.scaffold import id_of
from builder.store.tables import Table
from builder.store.tabular import NO, YES, cell_text

OWN = {
    "id": ("id",),
    "kind": ("kind", "вид"),
    "name": ("name", "title", "card", "имя", "название", "карта", "titel", "karte"),
    "cost": ("cost", "points", "price", "pts", "стоимость", "цена", "очки", "kosten", "punkte"),
    "keywords": ("keywords", "tags", "traits", "признаки", "ключевые слова", "schlagwörter"),
    "faction": ("faction", "side", "фракция", "сторона", "fraktion"),
    "copies": ("copies", "quantity", "qty", "count", "количество", "тираж", "anzahl"),
}
"""Words in heads of columns for what every card has."""
LONG, CHOICES, SHORT = 40, 8, 24
"""Letters from which a text is one to read; how many values of how many letters are a choice."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A column: its field, how its cells are read, what the schema says of it, how it is printed, letters of a cell."""

    head: str
    rule: ColumnRule
    schema: Mapping[str, Json]
    sort: str
    full: bool
    longest: int = 0

    @property
    def field(self) -> str:
        """The field without its language."""
        return self.rule.field.partition("@")[0]


def infer(head: str, cells: Sequence[str], taken: Collection[str] = ()) -> Inferred:
    """What a column seems to hold; a field of its own beside those that are taken. Empty cells say that it may be left
    out.
    """
    name, _unused, lang = head.partition("@")
    said = [cell for cell in cells if cell]
    numbers = [float(cell.replace(",", ".")) for cell in said if re.fullmatch(r"[-+]?\d+([.,]\d+)?", cell)]
    own = next((field for field, words in OWN.items() if name.strip().lower() in words), "")
    own = "" if (own in taken and not lang) or (own in ("cost", "copies") and len(numbers) < len(said)) else own
    plain, full = id_of(name), len(said) == len(cells)
    numbered = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 2)))
    field = own or next(one for one in numbered if not plain or lang or one not in taken)
    if lang:
        return Inferred(head, ColumnRule(field=f"{field}@{lang.strip()}"), {}, "", False)
    if own in ("keywords", "faction"):
        words = {part.strip() for cell in said for part in re.split("[,;/\n]", cell)}
        values: dict[str, Json] = {word: id_of(word) for word in sorted(words) if word}
        split = next((sign for sign in ";/," if any(sign in cell for cell in said)), ",")
        return Inferred(head, ColumnRule(field=own, split=split, values=values), {}, own, full)
    schema: dict[str, Json]
    split = ""
    if said and len(numbers) == len(said):
        whole = all(number.is_integer() for number in numbers)
        most = next(step for step in (10, 20, 50, 100, 1000, 10**9) if max(numbers) <= step)
        bounds = {"minimum": int(min(0.0, *numbers)), "maximum": most}
        sort, schema = own or "number", {"type": "integer" if whole else "number", **bounds}
    elif said and all(cell.lower() in YES | NO for cell in said):
        sort, schema = "flag", {"type": "boolean"}
    else:
        sort, schema, split = _words(said, own)
    rule = ColumnRule(field=field, split=split)
    return Inferred(head, rule, {"description": f"{name.strip()}.", **schema}, sort, full)


def _words(said: Sequence[str], own: str) -> tuple[str, dict[str, Json], str]:
    """A column of words, a list, a choice or texts: what it is, its schema, the sign that parts its items."""
    for sign in ";", "/", ",":
        parts = [part.strip() for cell in said for part in cell.split(sign)]
        listed = len(parts) > len(said) > 2 and all(0 < len(part) <= SHORT for part in parts)
        if listed and len(set(parts)) < len(parts):
            return "list", {"type": "array", "items": {"type": "string", "minLength": 1}}, sign
    values = dict.fromkeys(said)
    if not own and 2 * len(values) <= len(said) and len(values) <= CHOICES and all(len(one) <= SHORT for one in values):
        return "choice", {"enum": [*values]}, ""
    rich = not any(sign in cell for cell in said for sign in "{}*_")
    text = "rich" if rich and any(len(cell) > LONG for cell in said) else "plain"
    return "text", {"type": "string", "minLength": 1, "x-text": text}, ""


def kinds_of(tables: Sequence[Table], name: str) -> Iterator[tuple[str, Table, list[Inferred]]]:
    """The kinds of card of a table: a sheet each, or as a column `kind` says, else one of this name; with their
    columns, of which the first of texts is the name where none is called so.
    """
    for table in (one for one in tables if len(one.rows) > 1):
        width = range(len(table.head))
        rows = [
            [cell_text(cells[place]) if place < len(cells) else "" for place in width] for _row, cells in table.rows[1:]
        ]
        sort = next((place for place in width if table.head[place].lower() in OWN["kind"]), None)
        named = [row[sort] if sort is not None else table.sheet or name for row in rows]
        rule = ColumnRule(field="kind", values={one: id_of(one) for one in named})
        for kind in dict.fromkeys(named):
            own = [row for row, one in zip(rows, named, strict=True) if one == kind]
            columns = list[Inferred]()
            for place, head in enumerate(table.head):
                if head and head not in table.head[:place]:
                    cells = [row[place] for row in own]
                    one = infer(head, cells, {one.field for one in columns})
                    columns.append(replace(one, longest=max(map(len, (*cells, "")))))
            columns = [replace(one, rule=rule, sort="") if one.field == "kind" else one for one in columns if one.field]
            first = next((place for place, one in enumerate(columns) if one.sort == "text"), None)
            if first is not None and all(one.field != "name" for one in columns):
                columns[first] = replace(columns[first], rule=ColumnRule(field="name"))
            yield id_of(kind) or "card", table, columns
