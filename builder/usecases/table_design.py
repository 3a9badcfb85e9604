"""The design of a pack that is made from a table.

Schema, vocabulary, templates and styles of its cards.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import cycle
from math import ceil

from jinja2 import Environment, Template

from builder.model.base import Json
from builder.model.languages import get_text_direction
from builder.packs.project import LAYOUTS, TABLE_PATTERN
from builder.packs.scaffold import Files, make_id
from builder.packs.tables.cell_values import format_cell
from builder.packs.tables.column_names import STANDARD_NAMES, find_standard_field
from builder.packs.tables.inference import MAX_NAME_CHARACTERS, GuessedColumn
from builder.packs.tables.sheet import Table, get_cell
from builder.packs.tables.symbols import draw_icons
from builder.packs.yaml.editing import format_flow

COLOURS = ("#2f4858", "#8a3324", "#3b6b35", "#6a4a7c", "#8f5a0a", "#1f6f78")
MOTIFS = ("ring", "diamond", "petal", "tile")
"""Shapes that fill the picture area of cards without pictures."""
MOOD_HEADS = frozenset(
    (
        "flavour",
        "flavor",
        "flavour text",
        "flavor text",
        "lore",
        "quote",
        "atmosphere",
        "цитата",
        "атмосфера",
        "zitat",
        "stimmung",
    )
)
"""Heads of texts without rules."""
SIZES_MM = ((44, 68), (63, 88), (70, 120), (88.9, 139.7))
"""Sizes of cards, the smallest first: mini, poker, tarot, jumbo."""
ENGLISH_POKER_MM = (63.5, 88.9)
ART_SHARES = (0.55, 0.4, 0.3, 0.2, 0.0)
"""Shares of a card's height that its picture can take, the largest first. 0: a band instead of a
picture.
"""
PICTURE_SHARES = ART_SHARES[:4]
BODY_SIZES_PT = (11.5, 11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5, 7, 6.5)
BLEED_MM = 3
EDGE_MM, STAT_ROW_MM, CHIP_ROW_MM, PLATE_MM, BAND_MM = 7.0, 10.4, 4.7, 9.6, 16.2
"""Distances from the edge of the bleed, and heights of the parts of a face."""
MAX_ROW_STATS, MAX_STATS_IN_ROWS, MAX_LEDGER_ROWS = 5, 10, 9
LABEL_CHARACTER_MM, CHIP_CHARACTER_MM, CHIP_PADDING_MM = 1.45, 1.35, 4.6
ART_CHARACTERS, ENTRIES_CHARACTERS = 240, 160
"""The characters of text that a picture, or a list of entries, takes the place of."""


@dataclass(frozen=True, slots=True)
class CardKind:
    """A kind of card that is designed from a table: its columns, its size in mm, its layout.

    `choices` are the words of choice columns by their id, with translations by language. `skipped`
    are columns that hold these translations. `art_share` is the picture's share of the height,
    `chip_rows` the number of lines for labels at the foot. With `breaks_names`, words of names may
    break. `icons` are the names of stand-in icons by the symbols that no typeface has, `fonts` the
    families of letters that the program's fonts lack, with their files; all kinds of a pack have
    the same ones.
    """

    table: Table
    columns: Sequence[GuessedColumn]
    size: tuple[float, float]
    choices: Mapping[str, Mapping[str, str]]
    skipped: tuple[str, ...] = ()
    art_share: float = ART_SHARES[0]
    chip_rows: int = 1
    hyphens: bool = False
    breaks_names: bool = False
    max_body_pt: float = BODY_SIZES_PT[0]
    has_pictures: bool = False
    icons: Mapping[str, str] = field(default_factory=dict)
    fonts: tuple[str, ...] = ()
    font_files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def body_sizes(self) -> list[float]:
        """The type sizes of running text in pt, the largest first."""
        return [size for size in BODY_SIZES_PT if size <= self.max_body_pt]

    def list_columns(self, *types: str) -> list[GuessedColumn]:
        """Return the columns of the given types, such as `number` or `text`."""
        return [column for column in self.columns if column.sort in types]


def plan_card_kind(
    table: Table, columns: Sequence[GuessedColumn], size: tuple[float, float] | None
) -> CardKind:
    """Design a kind of card for a table. Without a size in mm, one is chosen by its texts."""
    named_columns, choices, skipped = name_choices(table, columns)
    kind = CardKind(
        table, named_columns, size or choose_size(table, columns), choices, skipped
    )
    return replace(kind, chip_rows=_count_chip_rows(kind))


def name_choices(
    table: Table, columns: Sequence[GuessedColumn]
) -> tuple[list[GuessedColumn], dict[str, dict[str, str]], tuple[str, ...]]:
    """Give ids to the words of choice columns, so that the vocabulary translates each word once.

    Return the columns that remain, the words by id and language (the source language is ""), and
    the heads of columns that held their translations.
    """
    choices: dict[str, dict[str, str]] = {}
    skipped: list[str] = []
    named_columns: list[GuessedColumn] = []
    for column in columns:
        # Only words are translated. Numbers and ids have no `x-text`.
        if column.sort == "choice" and "x-text" in column.schema:
            named_columns.append(_name_choice(column, choices))
        else:
            named_columns.append(column)
    for column in named_columns:
        if column.sort == "choice" and column.rule.values:
            for lang, head in _find_translated_heads(column.field, columns).items():
                _read_translations(table, column, lang, head, choices)
                skipped.append(head)
    remaining_columns = [
        column for column in named_columns if column.head not in skipped
    ]
    return remaining_columns, choices, tuple(skipped)


def _name_choice(
    column: GuessedColumn, choices: dict[str, dict[str, str]]
) -> GuessedColumn:
    """Replace the words of a choice column by ids, and add the words to `choices`."""
    words = column.schema["enum"]
    assert isinstance(words, list)
    ids_by_word: dict[str, Json] = {}
    for word in map(str, words):
        word_id = base_id = make_id(word) or make_id(column.head) or "value"
        number = 2
        # The same word in several columns is one entry of the vocabulary.
        while word_id in choices and choices[word_id][""] != word:
            word_id = f"{base_id}-{number}"
            number += 1
        choices[word_id] = {"": word}
        ids_by_word[word] = word_id
    rule = column.rule.model_copy(update={"values": ids_by_word})
    schema = {key: value for key, value in column.schema.items() if key != "x-text"}
    schema["enum"] = [*ids_by_word.values()]
    return replace(column, rule=rule, schema=schema)


def _find_translated_heads(
    field: str, columns: Iterable[GuessedColumn]
) -> dict[str, str]:
    """Return the headings of the columns that translate a field, by language."""
    heads: dict[str, str] = {}
    for column in columns:
        name, _at, lang = column.rule.field.partition("@")
        if lang and name == field:
            heads[lang] = column.head
    return heads


def _read_translations(
    table: Table,
    column: GuessedColumn,
    lang: str,
    head: str,
    choices: dict[str, dict[str, str]],
) -> None:
    """Add the translations of a choice column's words to `choices`."""
    word_number, translation_number = (
        table.head.index(column.head),
        table.head.index(head),
    )
    for row in table.rows[1:]:
        word = format_cell(get_cell(row, word_number))
        translation = format_cell(get_cell(row, translation_number))
        word_id = column.rule.values.get(word)
        if word_id is not None and translation:
            choices[str(word_id)].setdefault(lang, translation)


def choose_size(table: Table, columns: Sequence[GuessedColumn]) -> tuple[float, float]:
    """Choose a card size in mm by the longest card of a table.

    It is mini for a few words and numbers, tarot for long texts, and poker otherwise.
    """
    types = Counter(column.sort for column in columns)
    characters = find_longest_card(table)
    if types["art"]:
        characters += ART_CHARACTERS
    if types["entries"]:
        characters += ENTRIES_CHARACTERS
    if characters < 110 and types["number"] < 3:
        return SIZES_MM[0]
    return SIZES_MM[1] if characters < 500 else SIZES_MM[2]


def find_longest_card(table: Table) -> int:
    """Return the number of characters on the longest card of a table.

    A row without a name continues the card above it.
    """
    heads = enumerate(table.head)
    id_numbers = [
        number for number, head in heads if find_standard_field(head) in ("id", "name")
    ]
    longest = characters = 0
    for row in table.rows[1:]:
        if any(format_cell(get_cell(row, number)) for number in id_numbers or [0]):
            characters = 0
        characters += sum(len(format_cell(cell)) for cell in row.cells)
        longest = max(longest, characters)
    return longest


def get_regional_size(size: tuple[float, float], source: str) -> tuple[float, float]:
    """Return the size in mm that shops sell in the language's region. Only poker sizes differ."""
    return ENGLISH_POKER_MM if size == SIZES_MM[1] and source.startswith("en") else size


def list_design_files(pack: str, source: str, kinds: Mapping[str, CardKind]) -> Files:
    """Yield the files of a designed pack, without its cards: (path in the project, bytes)."""
    values = _collect_pack_values(pack, source, kinds)
    columns = _join_columns(kinds)
    names = ["pack", "vocabulary"]
    if any(column.sort == "copies" for column in columns):
        names.append("products")
    for name in names:
        yield f"cards/{pack}/{name}.yaml", _fill_pattern(f"{name}.yaml", values)
    yield f"templates/{pack}/pack.css", _fill_pattern("pack.css", values)
    for name in ("gitignore", "gitattributes"):
        yield name, (LAYOUTS / name).read_bytes()
    # All kinds of a pack have the same icons and fonts.
    first_kind, *_other_kinds = kinds.values()
    for name, data in first_kind.font_files.items():
        yield f"templates/{pack}/fonts/{name}", data
    for name, drawing in draw_icons(first_kind.icons).items():
        yield f"templates/{pack}/icons/{name}.svg", drawing
    for kind_id, kind in kinds.items():
        yield f"schemas/{pack}/{kind_id}.schema.json", _make_schema(kind_id, kind)
        face_values = {**values, "kind": kind_id, "plan": kind, **_plan_face(kind)}
        face_values |= _choose_motifs(kind, list(kinds).index(kind_id))
        for name in (
            "front.html.j2",
            "front.frame.html.j2",
            "back.html.j2",
            "card.css",
        ):
            yield f"templates/{pack}/{kind_id}/{name}", _fill_pattern(name, face_values)


def _choose_motifs(kind: CardKind, kind_number: int) -> dict[str, object]:
    """Choose the shapes that decorate backs, and an expression that chooses those of fronts."""
    back_motif = MOTIFS[kind_number % len(MOTIFS)]
    title = _find_title_column(kind)
    name = f'card["{title.field}"]' if title else "card.name"
    # Without factions, the length of its name gives each card a shape that stays the same.
    expression = f"{json.dumps(MOTIFS)}[({name} | string | length) % {len(MOTIFS)}]"
    for column in kind.list_columns("faction"):
        factions = dict.fromkeys(map(str, column.rule.values.values()))
        motifs = dict(zip(factions, cycle(MOTIFS), strict=False))
        expression = (
            f'{json.dumps(motifs)}.get(card.get("faction"), {json.dumps(back_motif)})'
        )
    return {"motif": expression, "back_motif": back_motif}


def _join_columns(kinds: Mapping[str, CardKind]) -> list[GuessedColumn]:
    """Return the columns of all kinds as one list."""
    columns: list[GuessedColumn] = []
    for kind in kinds.values():
        columns += kind.columns
    return columns


def _make_schema(kind_id: str, kind: CardKind) -> bytes:
    properties: dict[str, Json] = {}
    required_fields: list[str] = []
    for column in kind.columns:
        if column.schema and column.field not in STANDARD_NAMES:
            properties[column.field] = dict(column.schema)
        if column.full and column.sort not in ("", "copies") and column.field != "name":
            required_fields.append(column.field)
    values = {"kind": kind_id, "properties": properties, "needed": required_fields}
    return _fill_pattern("schema.json", values)


def _collect_pack_values(
    pack: str, source: str, kinds: Mapping[str, CardKind]
) -> dict[str, object]:
    """Return the template variables for files that all kinds of the pack share."""
    columns = _join_columns(kinds)
    langs = [source]
    for kind in kinds.values():
        langs += _list_translations(kind)
    langs = list(dict.fromkeys(langs))
    words_by_sort: dict[str, dict[str, str]] = {"keywords": {}, "faction": {}}
    for column in columns:
        if column.sort in words_by_sort:
            for word, key in column.rule.values.items():
                words_by_sort[column.sort][str(key)] = word
    choices: dict[str, Mapping[str, str]] = {}
    for kind in kinds.values():
        choices |= kind.choices
    first_kind, *_other_kinds = kinds.values()
    return {
        "pack": pack,
        "langs": langs,
        "kinds": kinds,
        "icons": first_kind.icons,
        "families": partial(_format_families, first_kind.fonts),
        "stats": _collect_stats(kinds),
        "choices": choices,
        "keywords": words_by_sort["keywords"],
        "factions": words_by_sort["faction"],
        "labels": _collect_labels(kinds),
        "colours": COLOURS,
        "motifs": MOTIFS,
        "needs_right_to_left": any(get_text_direction(lang) == "rtl" for lang in langs),
        "localized": lambda name: format_flow(dict.fromkeys(langs, name)),
        "localized_word": partial(_format_choice, langs),
    }


def _format_choice(langs: Iterable[str], words: Mapping[str, str]) -> str:
    """Format a word in all languages as YAML. Missing translations get the source word."""
    return format_flow({lang: words.get(lang, words[""]) for lang in langs})


def _list_translations(kind: CardKind) -> list[str]:
    """Return the languages that a kind has translated columns or words for."""
    langs = [column.rule.field.partition("@")[2] for column in kind.columns]
    for words in kind.choices.values():
        langs += words
    return [lang for lang in langs if lang]


def _collect_labels(kinds: Mapping[str, CardKind]) -> dict[str, str]:
    """Return the headings that faces print, by their ids in the vocabulary."""
    labels: dict[str, str] = {}
    for kind_id, kind in kinds.items():
        for column in kind.columns:
            if column.schema and column.sort in (
                "text",
                "flag",
                "choice",
                "list",
                "lines",
            ):
                labels[column.field] = column.label
            if column.sort == "entries":
                group, key = column.rule.field.split(".*.")
                labels[f"{group}-{key}"] = capitalize_name(key)
        labels[f"kind-{kind_id}"] = capitalize_name(kind_id)
    return labels


def _collect_stats(kinds: Mapping[str, CardKind]) -> dict[str, tuple[str, str]]:
    """Return the name and a short form of each number column, by field."""
    stats: dict[str, tuple[str, str]] = {}
    for kind in kinds.values():
        for row in _split_stats(kind.list_columns("number")):
            max_characters = int(_get_text_width(kind) / len(row) / LABEL_CHARACTER_MM)
            for column in row:
                short = shorten_heading(column.label, max_characters)
                # Kinds share the vocabulary, so the shortest form of all of them counts.
                name, other_short = stats.get(column.field, (column.label, short))
                stats[column.field] = (name, min(other_short, short, key=len))
    return stats


def _get_text_width(kind: CardKind) -> float:
    """Return the width in mm that texts on a face can have."""
    return kind.size[0] - 2 * (EDGE_MM - BLEED_MM)


def shorten_heading(heading: str, max_characters: int) -> str:
    """Shorten a heading to a number of characters: to initials, or to its beginning.

    Return it unchanged if it fits.
    """
    heading = heading.strip()
    if len(heading) <= max_characters:
        return heading
    words = heading.split()
    if len(words) > 1:
        return "".join(word[0] for word in words).upper()
    return f"{heading[: max(3, max_characters - 1)]}."


def _split_stats(numbers: Sequence[GuessedColumn]) -> list[Sequence[GuessedColumn]]:
    """Divide number columns into rows of about equal length."""
    if not numbers:
        return []
    rows = ceil(len(numbers) / MAX_ROW_STATS)
    length = ceil(len(numbers) / rows)
    return [numbers[start : start + length] for start in range(0, len(numbers), length)]


def _count_chip_rows(kind: CardKind) -> int:
    """Return the number of lines that the labels at the foot of the fullest card need."""
    width = 0.0
    for column in _list_chips(kind):
        width += CHIP_PADDING_MM + CHIP_CHARACTER_MM * column.longest
    return ceil(width / _get_text_width(kind))


def _list_chips(kind: CardKind) -> list[GuessedColumn]:
    return kind.list_columns("faction") + kind.list_columns("keywords", "flag")


def _plan_face(kind: CardKind) -> dict[str, object]:
    """Return the elements of a face for its templates, with positions in mm from the bleed edge."""
    numbers = kind.list_columns("number")
    title = _find_title_column(kind)
    texts = [
        column
        for column in kind.list_columns("text")
        if column.field not in STANDARD_NAMES and column is not title
    ]
    other_texts = [
        column for column in texts if column.head.strip().lower() not in MOOD_HEADS
    ]
    has_text = bool(texts or kind.list_columns("entries", "lines"))
    # A ledger has one line for each number. Without text it fills the body.
    in_ledger = len(numbers) > MAX_STATS_IN_ROWS or (len(numbers) > 2 and not has_text)
    rows = [] if in_ledger else _split_stats(numbers)
    has_picture = kind.art_share > 0
    art = round(kind.art_share * kind.size[1] + BLEED_MM, 1) if has_picture else 0
    plate = PLATE_MM if has_picture else BAND_MM
    stats_top = round(art + plate + 1.8, 1)
    body_gap = 0.6 if rows else 0.2
    body_top = round(stats_top + STAT_ROW_MM * len(rows) + body_gap, 1)
    chips_bottom = 6.4
    body_bottom = round(chips_bottom + CHIP_ROW_MM * kind.chip_rows + 0.8, 1)
    return {
        "title": title,
        "rows": rows,
        "ledger": numbers if in_ledger else [],
        "ledger_columns": 1 if len(numbers) <= MAX_LEDGER_ROWS else 2,
        "texts": texts,
        "headings": len(other_texts) > 1,
        "moods": MOOD_HEADS,
        "lines": kind.list_columns("lines"),
        "entries": kind.list_columns("entries"),
        "facts": kind.list_columns("choice", "list"),
        "chips": _list_chips(kind),
        "has_art": kind.has_pictures or bool(kind.list_columns("art")),
        "has_picture": has_picture,
        "art": art,
        "plate": plate,
        "stats_top": stats_top,
        "body_top": body_top,
        "body_bottom": body_bottom,
        "chips_bottom": chips_bottom,
        "edge": EDGE_MM,
    }


def _find_title_column(kind: CardKind) -> GuessedColumn | None:
    """Return the text column whose values serve as titles for cards without names, or None."""
    if any(column.field == "name" for column in kind.columns):
        return None
    for column in kind.list_columns("text"):
        is_short = (
            column.longest <= MAX_NAME_CHARACTERS
            and column.schema.get("x-text") != "rich"
        )
        if is_short and column.full and column.field not in STANDARD_NAMES:
            return column
    return None


def capitalize_name(name: str) -> str:
    """Format an id as words, such as `Night bird` for `night-bird`."""
    return name.replace("-", " ").capitalize()


def _format_families(fonts: Sequence[str], family: str) -> str:
    """Format a CSS list of font families: the given one, then those with missing characters."""
    return ", ".join([family, *(f'"{name}"' for name in fonts)])


def _make_title(name: str) -> str:
    return name.replace("-", " ").title()


def _mix_with_white(colour: str, share: float) -> str:
    """Mix a colour (#rrggbb) with a share of white, 0 to 1."""
    mixed_colour = "#"
    for part in bytes.fromhex(colour[1:]):
        mixed_colour += f"{round(part + (255 - part) * share):02x}"
    return mixed_colour


def _fill_pattern(name: str, values: Mapping[str, object]) -> bytes:
    """Fill in a template file of a new pack. Its placeholders have double square brackets."""
    return _load_pattern(name).render(values).encode()


@cache
def _load_pattern(name: str) -> Template:
    """Compile a template file of a new pack once, because compiling takes longer than filling."""
    # The files are templates themselves, so the pattern needs other brackets than theirs.
    jinja = Environment(
        "[%", "%]", "[[", "]]", "[#", "#]", trim_blocks=True, keep_trailing_newline=True
    )
    jinja.filters |= {
        "yaml": format_flow,
        "json": partial(json.dumps, ensure_ascii=False),
        "capital": capitalize_name,
        "title": _make_title,
        "pale": _mix_with_white,
    }
    return jinja.from_string((TABLE_PATTERN / name).read_text("utf-8"))
