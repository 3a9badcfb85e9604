"""A new pack from nothing but a table: what cards state is told from their cells, their look from the columns."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import UsageError
from builder.files import write_all
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.table import TableMapping
from builder.store.inference import OWN, Inferred, kinds_of
from builder.store.layouts import Files
from builder.store.project import Project, table_pattern
from builder.store.scaffold import pack_id_of
from builder.store.tables import Table, read_tables
from builder.store.yaml import schema_line
from builder.store.yaml_edit import block
from builder.usecases.table.merge import TableOptions, import_table

COLOURS = ("#2f4858", "#8a3324", "#3b6b35", "#6a4a7c", "#a06a12", "#1f6f78")
MOOD = ("flavour", "flavor", "lore", "quote", "atmosphere", "цитата", "атмосфера", "zitat", "stimmung")
"""Heads of texts without rules."""


def table_project(folder: Path, file: Path, lang: str | None) -> tuple[list[tuple[str, bytes]], list[Finding]]:
    """The files of a new pack whose cards are a table's, and what is wrong with its cells. UsageError where the table
    holds no cards.
    """
    tables, found = read_tables(file)
    pack, kinds = pack_id_of(folder), {kind: (table, own) for kind, table, own in kinds_of(tables, file.stem)}
    if not kinds:
        told = _("Its first row names the columns, the others are cards.")
        raise UsageError(_("{file} holds no cards", file=file), told)
    whole = " ".join(str(cell) for table, _own in kinds.values() for _row, cells in table.rows for cell in cells)
    source = (lang or "").partition(",")[0] or (
        "ru" if len(re.findall("[а-яё]", whole)) > len(re.findall("[a-z]", whole)) else "en"
    )
    with TemporaryDirectory(prefix="squadpress-") as draft:
        root = Path(draft).resolve()
        for name, data in _skeleton(pack, source, kinds):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        for kind, (table, columns) in kinds.items():
            mapping = TableMapping(columns={one.head: one.rule for one in columns})
            made = import_table(Project(root), pack, kind, table, TableOptions(mapping, day=date.today()))
            write_all({} if has_errors(made.findings) else made.files)
            found += made.findings
        files = sorted(path for path in root.rglob("*") if path.is_file() and ".cache" not in path.parts)
        return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in files], found


def _skeleton(pack: str, source: str, kinds: Mapping[str, tuple[Table, Sequence[Inferred]]]) -> Files:
    """All files but the cards."""
    columns = [one for _table, own in kinds.values() for one in own]
    langs = [source, *dict.fromkeys(one.rule.field.partition("@")[2] for one in columns if "@" in one.rule.field)]

    def said(name: str) -> dict[str, Json]:
        return {"name": dict.fromkeys(langs, name)}

    title = pack.replace("-", " ").title()
    fit: Json = {
        "name": {"sizes": [15, 13, 11, 9], "heading": True},
        "body": {"sizes": [12, 11, 10, 9.2, 8.4, 7.6, 6.9, 6.5]},
    }
    entries: dict[str, Json] = {}
    for kind, (table, own) in kinds.items():
        framed: Json = ["faction"] if any(one.sort == "faction" for one in own) else []
        width, height = _size(table, own)
        look: dict[str, Json] = {
            "size": {"width": width, "height": height, "corner": 3, "bleed": 3, "safe": 3},
            "back": "common",
            "frame_by": framed,
            "order_by": ["name"],
            "fit": fit,
        }
        entries[kind] = {**said(kind.replace("-", " ").capitalize()), **look}
    languages: Json = {"source": source, **({"translations": [*langs[1:]]} if langs[1:] else {})}
    manifest: dict[str, Json] = {"id": pack, **said(title), "languages": languages, "kinds": entries}
    words = _vocabulary(columns, kinds, said)
    files: dict[str, dict[str, Json]] = {
        "pack": manifest,
        "vocabulary": {key: value for key, value in words.items() if value},
    }
    if any(one.sort == "copies" for one in columns):
        decks: Json = {kind: {"cards": [{"where": {"kind": kind}}]} for kind in kinds}
        files["products"] = {"products": {"box": {**said(title), "decks": decks}}}
    for name, value in files.items():
        file = f"cards/{pack}/{name}.yaml"
        yield file, "\n".join([schema_line(f"core/{name}", file), *block(value), ""]).encode()
    accents = {f".kind-{kind}": place for place, kind in enumerate(kinds) if place}
    accents |= {f".faction-{key}": place for place, key in enumerate(words["factions"])}
    colours = [f"{who} {{ --accent: {COLOURS[place % len(COLOURS)]} }}\n" for who, place in accents.items()]
    yield f"templates/{pack}/pack.css", (_pattern("pack.css") + "".join(colours)).encode()
    yield "gitignore", b"/output/\n/.cache/\n"
    for kind, (table, own) in kinds.items():
        yield f"schemas/{pack}/{kind}.schema.json", _schema(kind, own).encode()
        yield from ((f"templates/{pack}/{kind}/{name}", text.encode()) for name, text in _templates(kind, table, own))


def _vocabulary(
    columns: Sequence[Inferred], kinds: Iterable[str], said: Callable[[str], dict[str, Json]]
) -> dict[str, dict[str, Json]]:
    """The words of the columns: keywords and factions from their cells, the rest from their heads."""
    known = {
        sort: {str(key): said(word) for one in columns if one.sort == sort for word, key in one.rule.values.items()}
        for sort in ("keywords", "faction")
    }
    factions: dict[str, Json] = {
        key: {**name, "colour": COLOURS[place % len(COLOURS)]}
        for place, (key, name) in enumerate(known["faction"].items())
    }
    stats: dict[str, Json] = {
        one.field: {**said(one.head), "short": said(_short(one.head))["name"]}
        for one in columns
        if one.sort == "number"
    }
    labels = {one.field: said(one.head)["name"] for one in columns if one.sort in ("text", "flag") and one.schema}
    labels |= {f"kind-{kind}": said(kind.replace("-", " ").capitalize())["name"] for kind in kinds}
    return {"keywords": {**known["keywords"]}, "stats": stats, "factions": factions, "labels": labels}


def _short(name: str) -> str:
    """A name that fits below a number: that of many words by its first letters, a long word by its beginning."""
    words = name.split()
    return name if len(name) < 8 else "".join(word[0] for word in words).upper() if words[1:] else name[:4].upper()


def _pattern(name: str) -> str:
    return (table_pattern() / name).read_text("utf-8")


def _size(table: Table, columns: Sequence[Inferred]) -> tuple[int, int]:
    """A mini card for hardly any words and numbers, a tarot card for many words, else a poker card."""
    words = max(sum(len(cell) for cell in cells if isinstance(cell, str)) for _row, cells in table.rows[1:])
    few = words < 110 and sum(one.sort == "number" for one in columns) < 3
    return (44, 68) if few else (63, 88) if words < 500 else (70, 120)


def _schema(kind: str, columns: Sequence[Inferred]) -> str:
    """What a card of the kind must state."""
    needed = [one.field for one in columns if one.full and one.sort not in ("", "copies") and one.field != "name"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{kind}.schema.json",
        "title": kind,
        "description": "Inferred from a table: widen what it says where the game grows.",
        "allOf": [{"$ref": "../core/card.schema.json"}],
        "properties": {one.field: one.schema for one in columns if one.schema and one.field not in OWN},
        "required": needed,
        "unevaluatedProperties": False,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _templates(kind: str, table: Table, columns: Sequence[Inferred]) -> Iterator[tuple[str, str]]:
    """The look: numbers in rows of five, texts one below the other, choices as chips at the foot."""
    numbers = [one.field for one in columns if one.sort == "number"]
    many = -(-len(numbers) // max(1, -(-len(numbers) // 5))) or 1
    rows = [numbers[start : start + many] for start in range(0, len(numbers), many)]
    stats = [", ".join(f'"{one}": card.get("{one}", "–")' for one in row) for row in rows]
    texts = [one for one in columns if one.sort == "text" and one.field not in OWN]
    body = [_paragraph(one, sum(other.schema["x-text"] == "rich" for other in texts)) for one in texts]
    chips = {
        "faction": "faction.name if card.faction is defined",
        "choice": 'card.get("{}")',
        "flag": 'label("{0}") if card.get("{0}")',
        "list": '(card.get("{}") or []) | join(", ")',
        "keywords": 'card.keywords | map(attribute="name") | join(", ")',
    }
    framed = [one for one in columns if one.sort in chips]
    told = ", ".join(chips[one.sort].format(one.field) for one in framed)
    width = _size(table, columns)[0] - 14
    lines = -(-sum(4.6 + 1.3 * one.longest for one in framed) // width) or 1
    places = {"__stats__": "\n".join(f"{{{{ stat_row({{{row}}}) }}}}" for row in stats), "__chips__": told}
    places |= {"__texts__": "\n".join(body), "__top__": str(20.5 + 11 * len(rows)), "__kind__": kind}
    places |= {"__high__": str(5 * lines), "__bottom__": str(9 + 5 * lines)}
    places["__filled__"] = ", filled=1" if any(one.sort == "faction" for one in columns) else ""
    for name in ("front.html.j2", "front.frame.html.j2", "back.html.j2"):
        text = _pattern(name)
        for mark, filled in places.items():
            text = text.replace(mark, filled)
        yield name, text


def _paragraph(one: Inferred, rules: int) -> str:
    """A text, told by its head where it is not the only rule; a line for the mood in italics."""
    rich, mood = one.schema["x-text"] == "rich", one.head.strip().lower() in MOOD
    what = "" if mood or (rich and rules == 1) else f'<span class="what">{{{{ label("{one.field}") }}}}:</span> '
    said = f'{{{{ card["{one.field}"]{" | rich" if rich else ""} }}}}'
    style = ' class="mood"' if mood else ""
    return f'{{% if card.get("{one.field}") %}}<p{style}>{what}{said}</p>{{% endif %}}'
