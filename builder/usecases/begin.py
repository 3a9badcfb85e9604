"""A new pack from nothing but a table: what cards state is told from their cells, their look from the columns."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jinja2 import Environment

from builder.errors import UsageError
from builder.files import is_within, read_limited, write_files
from builder.findings import Finding, has_errors
from builder.messages import describe_os_error, gettext as _
from builder.model.languages import get_text_direction
from builder.model.table import TableMapping
from builder.packs import file_codes
from builder.packs.project import LAYOUTS, TABLE_PATTERN, Project
from builder.packs.scaffold import Files, make_pack_id
from builder.packs.tables.inference import OWN, Inferred, kinds_of, own_field
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table
from builder.packs.tables.tabular import cell_text
from builder.packs.yaml.editing import format_flow
from builder.usecases.table import TableOptions, import_table

COLOURS = ("#2f4858", "#8a3324", "#3b6b35", "#6a4a7c", "#a06a12", "#1f6f78")
MOOD = (
    "flavour",
    "flavor",
    "lore",
    "quote",
    "atmosphere",
    "цитата",
    "атмосфера",
    "zitat",
    "stimmung",
)
"""Heads of texts without rules."""


class _Kind(NamedTuple):
    """A kind of card: its table, what the columns hold, and the trimmed size in mm."""

    table: Table
    columns: Sequence[Inferred]
    size: tuple[float, float]

    def of(self, *sorts: str) -> list[Inferred]:
        """The columns of these sorts."""
        return [one for one in self.columns if one.sort in sorts]


def table_project(
    folder: Path, request: TableRequest, size: tuple[float, float] | None = None
) -> tuple[list[tuple[str, bytes]], list[Finding]]:
    """The files of a new pack whose cards are a table's, of a trimmed size in mm or one that suits them, and what is
    wrong with its cells. UsageError where the table holds no cards.
    """
    tables, found = request.read()
    pack, kinds, art = make_pack_id(folder), dict[str, _Kind](), dict[str, bytes | None]()
    for kind, table, columns, notes in kinds_of(tables, request.kind or request.name):
        found += notes
        art |= (
            _pictures(table, request.folder, found)
            if table not in [own.table for own in kinds.values()]
            else ()
        )
        kinds[kind] = _Kind(table, columns, size or _size(table, columns))
    if not kinds:
        told = _("Its first row names the columns, the others are cards.")
        raise UsageError(_("{file} holds no cards", file=request.files[0]), told)
    whole = " ".join(
        cell.text
        for kind in kinds.values()
        for _row, cells in kind.table.rows[1:]
        for cell in cells
    )
    guess = "ru" if len(re.findall("[а-яё]", whole)) > len(re.findall("[a-z]", whole)) else "en"
    source = request.lang or next(
        (own.table.lang for own in kinds.values() if own.table.lang), guess
    )
    with TemporaryDirectory(prefix="squadpress-") as draft:
        root = Path(draft).resolve()
        for name, data in _skeleton(pack, source, kinds):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        for name, own in kinds.items():
            lost = {"values": {name: None for name, data in art.items() if data is None}}
            rules = {
                one.head: one.rule.model_copy(update=lost if one.sort == "art" else {})
                for one in own.columns
            }
            options = TableOptions(TableMapping(columns=rules), day=date.today())
            made = import_table(Project(root), pack, name, own.table, options)
            write_files({} if has_errors(made.findings) else made.files)
            found += made.findings
        write_files(
            {root / "cards" / pack / "art" / name: data for name, data in art.items() if data}
        )
        files = sorted(
            path for path in root.rglob("*") if path.is_file() and ".cache" not in path.parts
        )
        return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in files], [
            *dict.fromkeys(found)
        ]


def _pictures(
    table: Table, folder: Path, found: list[Finding]
) -> Iterator[tuple[str, bytes | None]]:
    """The pictures that cards name and that lie beside the table. What cannot be read is told, and None."""
    art = next(
        (place for place, head in enumerate(table.head) if own_field(head) == "art"),
        len(table.head),
    )
    for row, cells in table.rows[1:]:
        name = cell_text(cells[art]) if art < len(cells) else ""
        if not name:
            continue
        path, cell, data = folder / name, table.name(row, art), None
        told = _("{cell}: no picture beside the table is called {name}", cell=cell, name=name)
        try:
            if ".." not in Path(name).parts and is_within(folder, path) and path.is_file():
                data = read_limited(path)
        except (OSError, ValueError) as error:
            told = _("{cell}: {reason}", cell=cell, reason=describe_os_error(error))
        yield name, data
        if data is None:
            found.append(file_codes.TABLE_PICTURE.finding(told, table.place(row, art)))


def _skeleton(pack: str, source: str, kinds: Mapping[str, _Kind]) -> Files:
    columns = [one for kind in kinds.values() for one in kind.columns]
    langs = [
        source,
        *dict.fromkeys(
            one.rule.field.partition("@")[2] for one in columns if "@" in one.rule.field
        ),
    ]
    known = {
        sort: {
            str(key): word
            for one in columns
            if one.sort == sort
            for word, key in one.rule.values.items()
        }
        for sort in ("keywords", "faction")
    }
    entries = (one.rule.field.split(".*.") for one in columns if one.sort == "entries")
    labels = {one.field: one.head for one in columns if one.sort in ("text", "flag") and one.schema}
    labels |= {f"{group}-{key}": _capital(key) for group, key in entries}
    labels |= {f"kind-{kind}": _capital(kind) for kind in kinds}
    words = {
        "keywords": known["keywords"],
        "factions": known["faction"],
        "labels": labels,
        "colours": COLOURS,
    }
    stats = {one.field: one for one in columns if one.sort == "number"}.values()
    common: dict[str, object] = {
        "pack": pack,
        "langs": langs,
        "kinds": kinds,
        "stats": stats,
        **words,
    }
    common["needs_right_to_left"] = any(get_text_direction(lang) == "rtl" for lang in langs)
    common["said"] = lambda name: format_flow(dict.fromkeys(langs, name))
    for name in (
        "pack",
        "vocabulary",
        *(["products"] if any(one.sort == "copies" for one in columns) else []),
    ):
        yield f"cards/{pack}/{name}.yaml", _filled(f"{name}.yaml", common)
    yield f"templates/{pack}/pack.css", _filled("pack.css", common)
    for name in ("gitignore", "gitattributes"):
        yield name, (LAYOUTS / name).read_bytes()
    for kind, own in kinds.items():
        stated = {
            one.field: one.schema for one in own.columns if one.schema and one.field not in OWN
        }
        full = [
            one.field
            for one in own.columns
            if one.full and one.sort not in ("", "copies") and one.field != "name"
        ]
        schema = {"kind": kind, "properties": stated, "needed": full}
        yield f"schemas/{pack}/{kind}.schema.json", _filled("schema.json", schema)
        for name in ("front.html.j2", "front.frame.html.j2", "back.html.j2"):
            yield f"templates/{pack}/{kind}/{name}", _filled(name, {"kind": kind, **_look(own)})


def _capital(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _filled(name: str, places: Mapping[str, object]) -> bytes:
    """A file of the pattern, its places in double square brackets filled."""
    jinja = Environment(
        "[%", "%]", "[[", "]]", "[#", "#]", trim_blocks=True, keep_trailing_newline=True
    )
    jinja.filters |= {
        "yaml": format_flow,
        "json": partial(json.dumps, ensure_ascii=False),
        "short": _short,
    }
    jinja.filters |= {"capital": _capital, "title": lambda text: text.replace("-", " ").title()}
    return jinja.from_string((TABLE_PATTERN / name).read_text("utf-8")).render(places).encode()


def _short(name: str) -> str:
    """A name that fits below a number: that of many words by its first letters, a long word by its beginning."""
    words = name.split()
    return (
        name
        if len(name) < 8
        else "".join(word[0] for word in words).upper()
        if words[1:]
        else name[:4].upper()
    )


def _size(table: Table, columns: Sequence[Inferred]) -> tuple[int, int]:
    """A mini card for hardly any words and numbers, a tarot card for many words or a picture and some, else poker."""
    main = [
        place for place, head in enumerate(table.head) if own_field(head) in ("id", "name")
    ] or [0]
    letters = [0]
    for _row, cells in table.rows[1:]:  # further rows of a card have no name
        own = sum(len(cell.text) for cell in cells)
        letters.append(
            own
            + (
                0
                if any(cell.text for place in main for cell in cells[place : place + 1])
                else letters.pop()
            )
        )
    sorts = {one.sort for one in columns}
    words = max(letters) + 240 * ("art" in sorts) + 160 * ("entries" in sorts)
    few = words < 110 and sum(one.sort == "number" for one in columns) < 3
    return (44, 68) if few else (63, 88) if words < 500 else (70, 120)


def _look(own: _Kind) -> dict[str, object]:
    """What is on a face: numbers in rows of five, texts one below the other, choices as chips at the foot."""
    numbers, texts = own.of("number"), [one for one in own.of("text") if one.field not in OWN]
    many = -(-len(numbers) // max(1, -(-len(numbers) // 5))) or 1
    framed = own.of("faction") + own.of("choice", "flag", "list", "keywords")
    return {
        "rows": [numbers[start : start + many] for start in range(0, len(numbers), many)],
        "texts": texts,
        "rules": sum(one.schema.get("x-text") == "rich" for one in texts),
        "moods": MOOD,
        "lines": own.of("lines"),
        "entries": own.of("entries"),
        "framed": framed,
        "high": 5 * (-(-sum(4.6 + 1.3 * one.longest for one in framed) // (own.size[0] - 14)) or 1),
        "art": round(0.34 * own.size[1]) if own.of("art") else 0,
    }
