"""What the columns of a table seem to hold, told from their cells alone: fields, types, ranges, choices. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.table import ColumnRule
from builder.packs import file_codes
from builder.packs.scaffold import make_id
from builder.packs.tables.sheet import EMPTY_CELL, CellValue, Row, Table, make_row
from builder.packs.tables.tabular import NO, YES, cell_text

OWN = {
    "id": ("id",),
    "kind": ("kind", "вид"),
    "name": ("name", "title", "card", "имя", "название", "карта", "titel", "karte"),
    "cost": (
        "cost",
        "points",
        "price",
        "pts",
        "стоимость",
        "цена",
        "очки",
        "kosten",
        "punkte",
        "preis",
    ),
    "keywords": ("keywords", "tags", "traits", "признаки", "ключевые слова", "schlagwörter"),
    "faction": ("faction", "side", "фракция", "сторона", "fraktion"),
    "copies": ("copies", "quantity", "qty", "count", "количество", "тираж", "anzahl"),
    "art": ("art", "picture", "image", "illustration", "картинка", "рисунок", "bild"),
}
"""Words in heads of columns for what every card has."""
LONG, CHOICES, SHORT = 40, 8, 24
"""Letters from which a text is one to read; how many values of how many letters are a choice."""
MAX_DIGITS = 40
"""Characters of a number; what is longer is a text."""
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
CURRENCY = r"(?:[€$£₽]|EUR|USD|GBP|RUB|CHF)"
MONEY = re.compile(
    rf"({CURRENCY}\s*)?([-+]?[1-9]\d{{0,2}}([.,'’\s])\d{{3}}(?:\3\d{{3}})*|[-+]?\d+)([.,]\d+)?(\s*{CURRENCY})?"
)
CODE = re.compile(
    r"[\w./\\-]+\.(?:png|jpe?g|webp|gif|tiff?|svg|pdf|psd|ai|txt|mp3|ogg|wav)"
    r"|(?=(?:.*\d){2})(?:[A-Z0-9]+[-_./])+[A-Z0-9]+|[A-Z]{2,}\d{3,}"
)
"""A file name, or a code such as FX-0042 or SKU1234: the same in every language."""
NONE = frozenset(("-", "–", "—", "n/a"))
"""What stands for no value in a column of numbers."""
LANGUAGE = re.compile(r"(.*\w)\s*[@:_(\[]\s*([a-z]{2})[)\]]?", re.IGNORECASE)
"""A column's name with a language: `rules:de`, `Rules (DE)`, `rules_de`."""
TOTALS = frozenset(("total", "totals", "sum", "summe", "gesamt", "итого", "всего"))
"""Words that begin a row below the cards."""


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
        return self.rule.field.partition("@")[0].partition(".")[0]


def own_field(head: str) -> str:
    """What every card has under this or that name; empty for any other."""
    return next((field for field, words in OWN.items() if head.strip().lower() in words), "")


def tidied(table: Table) -> tuple[Table, list[Finding]]:
    """A table without what stands above its columns' names, headings between its cards and totals below them; with
    languages behind an `@` and sums of money as numbers. What is passed over is noted.
    """
    texts = [[cell_text(cell) for cell in cells] for _number, cells in table.rows]
    filled = [sum(map(bool, row)) for row in texts]
    top = next((at for at, many in enumerate(filled) if 2 * many > max(filled)), 0)
    parts = [
        (one[1], one[2].lower()) if (one := LANGUAGE.fullmatch(cell)) else (cell, "")
        for cell in texts[top]
    ]
    keys = [own_field(stem) or stem.lower() for stem, _lang in parts]
    heads, source = list[CellValue](), ""
    for head, (stem, lang), key in zip(texts[top], parts, keys, strict=True):
        alike = [at for at, other in enumerate(keys) if other == key]
        langs = [parts[at][1] for at in alike]
        base = alike[next((langs.index(one) for one in ("", source) if one in langs), 0)]
        twin = lang and len(alike) > 1
        source = source or (
            lang if twin and base == len(heads) else ""
        )  # the first of a column that is in none
        heads.append((stem if base == len(heads) else f"{parts[base][0]}@{lang}") if twin else head)
    rows = [make_row(table.rows[top].number, heads)]
    passed = list[int]()
    for at, row in enumerate(texts):
        total = next(filter(None, row), "").lower().rstrip(": ") in TOTALS
        if at < top or total or (filled[at] == 1 and row[0] and len(heads) > 2):
            passed.append(table.rows[at][0])
        elif at > top:
            rows.append(make_row(table.rows[at].number, map(_plain, row)))
    for at in range(len(heads)):
        said = {row[at].text for _number, row in rows[1:] if at < len(row)} - {""}
        if said & NONE and said - NONE and all(map(NUMBER.fullmatch, said - NONE)):
            for index, (number, cells) in enumerate(rows):
                if index and at < len(cells) and cells[at].text in NONE:
                    rows[index] = Row(number, (*cells[:at], EMPTY_CELL, *cells[at + 1 :]))
    reason = _(
        "headings and totals are passed over: rows {listed}", listed=", ".join(map(str, passed))
    )
    hint = _("Name all columns in the first row if these are cards.")
    found = [
        file_codes.TABLE_ROW.finding(reason, table.place(at, 0), hint, Severity.NOTE)
        for at in passed[:1]
    ]
    kept_rows = {row.number for row in rows}
    findings = [item for item in table.findings if is_about_rows(item, kept_rows)]
    return replace(table, rows=tuple(rows), lang=source, findings=tuple(findings)), found


def is_about_rows(finding: Finding, numbers: Collection[int]) -> bool:
    """True unless an error is in a row that is not read. Totals may be broken formulas."""
    return finding.severity is not Severity.ERROR or finding.location.line in numbers


def _plain(text: str) -> str:
    """A sum of money, or a number whose thousands are surely marked, as a plain number; any other text as it is."""
    one = MONEY.fullmatch(text)
    sure = one and (one[1] or one[5] or (one[3] and (one[4] or one[3] not in ".,")))
    return re.sub(r"[^\d+-]", "", one[2]) + (one[4] or "") if one and sure else text


def infer(head: str, cells: Sequence[str], taken: Collection[str] = ()) -> Inferred:
    """What a column seems to hold; a field of its own beside those that are taken. Empty cells say that it may be left
    out.
    """
    name, _unused, lang = head.partition("@")
    said = [cell for cell in cells if cell]
    numbers = [
        float(cell.replace(",", "."))
        for cell in said
        if NUMBER.fullmatch(cell) and len(cell) <= MAX_DIGITS
    ]
    own = own_field(name)
    own = (
        ""
        if (own in taken and not lang) or (own in ("cost", "copies") and len(numbers) < len(said))
        else own
    )
    plain, full = make_id(name), len(said) == len(cells)
    numbered = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 2)))
    field = own or next((one for one in numbered if not plain or lang or one not in taken), plain)
    if lang:
        return Inferred(head, ColumnRule(field=f"{field}@{lang.strip()}"), {}, "", False)
    if own == "art":
        return Inferred(head, ColumnRule(field="art"), {}, own, False)
    if own in ("keywords", "faction"):
        words = {part.strip() for cell in said for part in re.split("[,;/\n]", cell)}
        values: dict[str, Json] = {word: make_id(word) for word in sorted(words) if word}
        split = next((sign for sign in ";/," if any(sign in cell for cell in said)), ",")
        return Inferred(head, ColumnRule(field=own, split=split, values=values), {}, own, full)
    schema: dict[str, Json]
    split = ""
    if said and len(numbers) == len(said):
        whole = all(number.is_integer() for number in numbers)
        highest = max(numbers)
        maximum = next((step for step in (10, 20, 50, 100, 1000, 10**9) if highest <= step), None)
        sort, schema = (
            own or "number",
            {"type": "integer" if whole else "number", "minimum": floor(min(0.0, *numbers))},
        )
        if maximum is not None:  # none for an article number, which counts nothing
            schema["maximum"] = maximum
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
    is_code = all(CODE.fullmatch(cell) for cell in values)
    if (
        not own
        and 2 * len(values) <= len(said)
        and len(values) <= CHOICES
        and all(len(one) <= SHORT for one in values)
    ):
        return "choice", {"enum": [*values], **({} if is_code else {"x-text": "plain"})}, ""
    if is_code and not own:
        return "text", {"type": "string", "minLength": 1}, ""
    rich = not any(sign in cell for cell in said for sign in "{}*_")
    text = "rich" if rich and any(len(cell) > LONG for cell in said) else "plain"
    return "text", {"type": "string", "minLength": 1, "x-text": text}, ""


def entered(columns: Sequence[Inferred]) -> Iterator[Inferred]:
    """Columns that go on below a card as entries of lists: those that begin with one word are of one list, as the rest
    are; one column alone is a list of texts or numbers.
    """
    words = Counter(one.head.split()[0] for one in columns)
    rest = next((one.head for one in columns if words[one.head.split()[0]] == 1), "")
    groups = [first if words[first := one.head.split()[0]] > 1 else rest for one in columns]
    for one, group in zip(columns, groups, strict=True):
        alike = [other for other, its in zip(columns, groups, strict=True) if its == group]
        keys = [make_id(other.head.removeprefix(group)) or "name" for other in alike]
        parts: Json = {key: {**other.schema} for key, other in zip(keys, alike, strict=True)}
        sort, field = "entries", f"{make_id(group)}.*.{keys[alike.index(one)]}"
        items: dict[str, Json] = {"type": "object", "properties": parts}
        if len(alike) == 1:
            sort, field, items = (
                "lines" if "x-text" in one.schema else "list",
                f"{one.field}.*",
                {**one.schema},
            )
        whole: dict[str, Json] = {"description": f"{group}.", "type": "array", "items": items}
        yield replace(
            one, rule=one.rule.model_copy(update={"field": field}), schema=whole, sort=sort
        )


def kinds_of(
    tables: Sequence[Table], name: str
) -> Iterator[tuple[str, Table, list[Inferred], list[Finding]]]:
    """The kinds of card of a table: a sheet each, or as a column `kind` says, else one of this name; with their
    columns, of which the first of texts is the name where none is called so, and notes.
    """
    for table, found in map(tidied, (one for one in tables if len(one.rows) > 1)):
        width, last = range(len(table.head)), ""
        rows = [
            [*map(cell_text, cells), *[""] * len(width)][: len(width)]
            for _row, cells in table.rows[1:]
        ]
        sort = next((place for place in width if own_field(table.head[place]) == "kind"), None)
        main = [place for place in width if own_field(table.head[place]) in ("id", "name")] or [0]
        named = [
            last := (row[sort] or last if sort is not None else table.sheet or name) for row in rows
        ]
        rule = ColumnRule(field="kind", values={one: make_id(one) for one in named})
        for kind in dict.fromkeys(named):
            own = [row for row, one in zip(rows, named, strict=True) if one == kind]
            cards = [row for row in own if any(row[place] for place in main)]
            columns, more = list[Inferred](), list[Inferred]()
            for place, head in enumerate(table.head):
                if head and head not in table.head[:place]:
                    goes_on = any(row[place] for row in own if row not in cards)
                    cells = (
                        [row[place] for row in own if row[place]]
                        if goes_on
                        else [row[place] for row in cards]
                    )
                    one = infer(
                        head, cells, {one.field for one in columns if "@" not in one.rule.field}
                    )
                    one = replace(
                        one, longest=max(map(len, (*cells, ""))), full=one.full and not goes_on
                    )
                    (more if goes_on and one.schema else columns).append(one)
            columns += entered(more)
            columns = [
                replace(one, rule=rule, sort="") if one.field == "kind" else one
                for one in columns
                if one.field
            ]
            first = next((place for place, one in enumerate(columns) if one.sort == "text"), None)
            if first is not None and all(one.field != "name" for one in columns):
                columns[first] = replace(columns[first], rule=ColumnRule(field="name"))
            yield make_id(kind) or "card", table, columns, found
            found = []
