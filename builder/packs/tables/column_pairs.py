"""Columns that translate each other and name no language: *Название* and *Name*. Pure.

Their names must mean the same in different languages. Other columns follow if their names and
cells are in the same two scripts, side by side.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

from builder.findings import Finding
from builder.messages import gettext as _
from builder.packs.tables.column_names import simplify_name
from builder.packs.tables.numbers import is_plain_number
from builder.packs.tables.sheet import Table, get_cell

HEADING_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "name": {
        "en": ("name", "title", "card name", "card title"),
        "de": ("name", "titel", "bezeichnung", "kartenname"),
        "ru": ("имя", "название", "наименование", "название карты"),
        "fr": ("nom", "titre"),
        "es": ("nombre", "título", "titulo"),
        "it": ("nome", "titolo"),
        "pl": ("nazwa", "tytuł"),
    },
    "rules": {
        "en": ("rules", "rule", "rules text", "rule text"),
        "de": ("regeln", "regel", "regeltext"),
        "ru": ("правила", "правило", "текст правил"),
        "fr": ("règles", "règle", "regles"),
        "es": ("reglas", "regla"),
        "it": ("regole", "regola"),
        "pl": ("zasady", "reguły"),
    },
    "text": {
        "en": ("text", "card text"),
        "de": ("text", "kartentext"),
        "ru": ("текст", "текст карты"),
        "fr": ("texte",),
        "es": ("texto",),
        "it": ("testo",),
        "pl": ("tekst",),
    },
    "effect": {
        "en": ("effect", "effects"),
        "de": ("effekt", "effekte", "wirkung"),
        "ru": ("эффект", "эффекты", "действие"),
        "fr": ("effet", "effets"),
        "es": ("efecto", "efectos"),
        "it": ("effetto", "effetti"),
        "pl": ("efekt", "efekty"),
    },
    "ability": {
        "en": ("ability", "abilities", "special"),
        "de": ("fähigkeit", "fähigkeiten", "sonderregel", "sonderregeln"),
        "ru": (
            "способность",
            "способности",
            "умение",
            "умения",
            "свойство",
            "свойства",
        ),
        "fr": ("capacité", "capacités", "pouvoir"),
        "es": ("habilidad", "habilidades"),
        "it": ("abilità", "capacità"),
        "pl": ("zdolność", "zdolności"),
    },
    "description": {
        "en": ("description",),
        "de": ("beschreibung",),
        "ru": ("описание",),
        "fr": ("description",),
        "es": ("descripción", "descripcion"),
        "it": ("descrizione",),
        "pl": ("opis",),
    },
    "flavour": {
        "en": ("flavour", "flavor", "flavour text", "flavor text", "lore", "quote"),
        "de": ("stimmung", "zitat", "stimmungstext"),
        "ru": ("атмосфера", "цитата", "художественный текст", "флейвор"),
        "fr": ("ambiance", "citation", "texte d'ambiance"),
        "es": ("ambientación", "cita"),
        "it": ("ambientazione", "citazione"),
        "pl": ("klimat", "cytat"),
    },
    "type": {
        "en": ("type", "class"),
        "de": ("typ", "klasse"),
        "ru": ("тип", "класс"),
        "fr": ("type", "classe"),
        "es": ("tipo", "clase"),
        "it": ("tipo", "classe"),
        "pl": ("typ", "klasa"),
    },
}
"""Names of columns with texts, by their meaning and language."""
MIN_SCRIPT_SHARE = 0.8
"""A text is in a script if at least this share of its letters is."""


class TranslatedColumn(NamedTuple):
    """A column that translates another column, with the indices of both and the language."""

    place: int
    base: int
    lang: str


@dataclass(frozen=True, slots=True)
class ColumnPairs:
    """The columns of a table that translate each other, and the language they translate from."""

    source: str = ""
    translations: tuple[TranslatedColumn, ...] = ()


class NamedColumn(NamedTuple):
    """A column whose name is a known word, with the languages that use this word."""

    place: int
    meaning: str
    langs: frozenset[str]


def find_pairs(table: Table, source: str = "") -> ColumnPairs:
    """Find columns that translate each other, such as "Name" and "Название"."""
    columns = list_named_columns(table)
    pairs = find_equal_meanings(table, columns)
    if not pairs:
        return ColumnPairs()
    source = source or choose_source(pairs)
    translations = choose_translations(pairs, columns, source)
    translations += find_neighbour_translations(table, translations)
    return ColumnPairs(source, tuple(translations))


def find_equal_meanings(
    table: Table, columns: Sequence[NamedColumn]
) -> list[tuple[NamedColumn, NamedColumn]]:
    """Return the pairs of columns whose names mean the same in different languages."""
    pairs: list[tuple[NamedColumn, NamedColumn]] = []
    for first, second in combinations(columns, 2):
        are_equal = first.meaning == second.meaning and not first.langs & second.langs
        if are_equal and have_different_texts(table, first.place, second.place):
            pairs.append((first, second))
    return pairs


def choose_translations(
    pairs: Sequence[tuple[NamedColumn, NamedColumn]],
    columns: Sequence[NamedColumn],
    source: str,
) -> list[TranslatedColumn]:
    """Return the columns that translate a column of the source language."""
    translations: dict[int, TranslatedColumn] = {}
    for base, translation in pairs:
        if source in translation.langs:
            base, translation = translation, base
        lang = choose_other_language(translation, columns, source)
        place = translation.place
        if source in base.langs and lang and place not in translations:
            translations[place] = TranslatedColumn(place, base.place, lang)
    return list(translations.values())


def list_named_columns(table: Table) -> list[NamedColumn]:
    """Return the columns with texts whose names are known words."""
    columns: list[NamedColumn] = []
    for place, name in enumerate(table.head):
        simple_name = simplify_name(name)
        # A name with a language is a translation already.
        if "@" in name:
            continue
        for meaning, words_by_lang in HEADING_WORDS.items():
            # One word may belong to several languages, such as `Name`.
            langs = {
                lang for lang, words in words_by_lang.items() if simple_name in words
            }
            if langs:
                columns.append(NamedColumn(place, meaning, frozenset(langs)))
                break
    return columns


def choose_source(pairs: Sequence[tuple[NamedColumn, NamedColumn]]) -> str:
    """Return the language that most pairs have in common, which is the source language."""
    counts: Counter[str] = Counter()
    for first, _second in pairs:
        # Sorted, because of equal counts the language that was added first wins.
        counts.update(sorted(first.langs))
    return max(counts, key=lambda lang: (counts[lang], lang == "en"))


def choose_other_language(
    column: NamedColumn, columns: Sequence[NamedColumn], source: str
) -> str:
    """Return the language of a translated column, which most columns have in common."""
    counts: Counter[str] = Counter()
    candidates = column.langs - {source}
    for named_column in columns:
        counts.update(sorted(named_column.langs & candidates))
    return max(counts, key=counts.__getitem__) if counts else ""


def have_different_texts(table: Table, first_index: int, second_index: int) -> bool:
    """Return True if two columns have texts that differ in some row, and no numbers."""
    has_difference = False
    for row in table.rows[1:]:
        first = get_cell(row, first_index).text
        second = get_cell(row, second_index).text
        if is_plain_number(first) or is_plain_number(second):
            return False
        if first and second and first != second:
            has_difference = True
    return has_difference


def find_neighbour_translations(
    table: Table, pairs: Sequence[TranslatedColumn]
) -> list[TranslatedColumn]:
    """Find further translations: neighbouring columns in the scripts of known pairs."""
    if not pairs:
        return []
    base_script = find_column_script(table, pairs[0].base)
    script = find_column_script(table, pairs[0].place)
    if not base_script or script in ("", base_script):
        return []
    scripts = [find_column_script(table, place) for place in range(len(table.head))]
    used_places = {item.place for item in pairs} | {item.base for item in pairs}
    neighbours: list[TranslatedColumn] = []
    for place, next_place in pairwise(range(len(table.head))):
        if place in used_places or next_place in used_places:
            continue
        # Authors write the translation on either side.
        if (scripts[place], scripts[next_place]) == (base_script, script):
            neighbours.append(TranslatedColumn(next_place, place, pairs[0].lang))
        elif (scripts[place], scripts[next_place]) == (script, base_script):
            neighbours.append(TranslatedColumn(place, next_place, pairs[0].lang))
        else:
            continue
        used_places.update((place, next_place))
    return neighbours


def find_column_script(table: Table, column_index: int) -> str:
    """Return the script of a column's name and cells, "latin" or "cyrillic", or "" if mixed."""
    name = table.head[column_index]
    script = find_script(name)
    texts = [get_cell(row, column_index).text for row in table.rows[1:]]
    return script if script and find_script(" ".join(texts)) == script else ""


def find_script(text: str) -> str:
    """Return the script of nearly all letters in a text, "latin" or "cyrillic", or ""."""
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return ""
    latin_count = sum(character < "\u0250" for character in letters)
    cyrillic_count = sum("\u0400" <= character < "\u0530" for character in letters)
    min_count = MIN_SCRIPT_SHARE * len(letters)
    if latin_count >= min_count:
        return "latin"
    return "cyrillic" if cyrillic_count >= min_count else ""


def report_pairs(
    table: Table, pairs: ColumnPairs, used_names: Collection[str]
) -> list[Finding]:
    """Report which columns are read as translations of which others."""
    listed: list[str] = []
    for item in pairs.translations:
        name = table.head[item.place]
        if name in used_names:
            listed.append(f"{name} -> {table.head[item.base]} ({item.lang})")
    if not listed:
        return []
    message = _("columns are read as translations: {listed}", listed=", ".join(listed))
    hint = _("Change `columns` in the mapping file if they are fields of their own.")
    return [table.report_columns(message, hint)]
