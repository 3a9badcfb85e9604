"""Words in the names of columns that have a meaning for every card, in ten languages.

Pure.
"""

import re
from collections.abc import Collection, Mapping

STANDARD_NAMES = {
    "id": ("id", "card id", "identifier"),
    "kind": ("kind", "card kind", "вид", "kartenart"),
    "name": (
        *("name", "title", "card", "card name", "cardname", "card title"),
        *("имя", "название", "название карты", "карта", "наименование"),
        *(
            "titel",
            "karte",
            "kartenname",
            "bezeichnung",
            "nom",
            "titre",
            "nom de la carte",
        ),
        *(
            "nombre",
            "título",
            "nome",
            "titolo",
            "nazwa",
            "naam",
            "名前",
            "名称",
            "カード名",
        ),
        *("שם", "שם הקלף", "اسم", "الاسم", "이름"),
    ),
    "cost": (
        *(
            "cost",
            "points",
            "price",
            "pts",
            "play cost",
            "mana cost",
            "point cost",
            "points cost",
        ),
        *("стоимость", "цена", "очки", "kosten", "punkte", "preis"),
        *(
            "coût",
            "cout",
            "prix",
            "coste",
            "costo",
            "precio",
            "prezzo",
            "koszt",
            "コスト",
        ),
        *("מחיר", "עלות", "비용", "费用"),
    ),
    "keywords": (
        *("keywords", "tags", "traits", "признаки", "ключевые слова", "теги"),
        *("schlagwörter", "merkmale"),
    ),
    "faction": ("faction", "side", "фракция", "сторона", "fraktion"),
    "copies": (
        *(
            "copies",
            "quantity",
            "qty",
            "count",
            "card count",
            "number of copies",
            "no. of copies",
        ),
        *(
            "# of copies",
            "num copies",
            "quant",
            "количество",
            "кол во",
            "тираж",
            "копии",
        ),
        *(
            "anzahl",
            "menge",
            "stückzahl",
            "exemplare",
            "card copies",
            "cardcount",
            "num",
        ),
        *("stück", "kopien", "exemplaires", "quantité", "copias", "cantidad", "copie"),
        *("quantità", "ilość", "aantal", "枚数", "数量", "כמות", "עותקים"),
    ),
    "art": (
        *(
            "art",
            "picture",
            "image",
            "illustration",
            "artwork",
            "image file",
            "art file",
        ),
        *("картинка", "рисунок", "изображение", "bild", "grafik", "imagen"),
        *("immagine", "obraz", "画像", "イラスト", "תמונה", "attachments"),
    ),
}
"""Names of columns for the fields that every card has."""
HISTORY_NAMES = {
    "released": ("released", "release date", "выпущено", "veröffentlicht"),
    "revision": ("revision", "rev", "ревизия", "revisionsnummer"),
}
"""Names of columns for the history of a card."""
RICH_TEXT_WORDS = frozenset(
    (
        *(
            "rules",
            "rule",
            "text",
            "effect",
            "effects",
            "rules text",
            "rule text",
            "card text",
        ),
        *(
            "effect text",
            "ability text",
            "regeln",
            "regel",
            "regeltext",
            "effekt",
            "effekte",
        ),
        *("wirkung", "kartentext", "правила", "правило", "текст", "эффект", "эффекты"),
        *("текст правил", "текст карты", "beschreibung", "description", "описание"),
        *("effet", "effets", "règles", "règle", "texte", "efecto", "reglas", "texto"),
        *("effetto", "regole", "testo", "効果", "ルール", "テキスト", "כללים", "טקסט"),
    )
)
"""Names of columns that hold rules, however short."""
RULES_WORDS = frozenset(
    (
        *(
            "ability",
            "abilities",
            "special",
            "specials",
            "special rule",
            "special rules",
        ),
        *("special ability", "special abilities", "description", "action", "actions"),
        *("passive", "passive ability", "active ability", "bonus", "reward"),
        *(
            "fähigkeit",
            "fähigkeiten",
            "spezial",
            "sonderregel",
            "sonderregeln",
            "beschreibung",
        ),
        *(
            "spezialfähigkeit",
            "aktion",
            "aktionen",
            "способность",
            "способности",
            "умение",
        ),
        *(
            "умения",
            "особое правило",
            "особые правила",
            "спецправило",
            "спецправила",
            "описание",
        ),
        *("свойство", "свойства", "действие", "навыки"),
    )
)
"""Names of columns that hold rules, unless their cells are numbers, marks, lists or choices."""
TOTAL_WORDS = frozenset(
    (
        *(
            "total",
            "totals",
            "sum",
            "grand total",
            "average",
            "avg",
            "count",
            "subtotal",
        ),
        *("summe", "gesamt", "durchschnitt", "итого", "всего", "сумма", "среднее"),
    )
)
"""Words that begin a row below the cards."""
LANGUAGE_CODES = re.compile(
    "ar|be|bg|bn|br|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fr|ga|gl|he|hi|hr|hu|hy|is|it|ja|ka|kk"
    "|ko|la|lb|lt|lv|mk|mn|ms|mt|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|uk|ur|uz"
    "|vi|zh"
)
"""Languages that the name of a column may end in. `id` and `in` mean something else there."""
LANGUAGE_WORDS = {
    **dict.fromkeys(("english", "englisch", "английский", "eng"), "en"),
    **dict.fromkeys(("german", "deutsch", "немецкий", "ger"), "de"),
    **dict.fromkeys(("russian", "russisch", "русский", "rus"), "ru"),
    **dict.fromkeys(("french", "français", "französisch", "французский"), "fr"),
    **dict.fromkeys(("spanish", "español", "spanisch", "испанский"), "es"),
    **dict.fromkeys(("italian", "italiano", "italienisch", "итальянский"), "it"),
    **dict.fromkeys(("polish", "polski", "polnisch", "польский"), "pl"),
}
# The language may be in brackets, or behind a sign such as `@` or a space.
WITH_LANGUAGE = re.compile(r"(.*\w)\s*[@:_(\[\s-]\s*(\w+)[)\]]?")
WITH_UNIT = re.compile(r"(.*\S)\s*[(\[][^()\[\]]*[)\]]")
"""A name with something in brackets behind it: `Move (in)`."""


def simplify_name(name: str) -> str:
    """Return a column name in lower case, without brackets, units and punctuation."""
    text = name.strip().lower()
    has_unit = WITH_UNIT.fullmatch(text)
    if has_unit:
        text = has_unit[1]
    text = text.strip("[]<>{}*:!?. ")
    return " ".join(re.sub(r"[_\-]", " ", text).split())


def find_standard_field(name: str) -> str:
    """Return the standard field that a column name means, such as "cost" for "Points", or ""."""
    return find_named_field(name, STANDARD_NAMES)


def find_history_field(name: str) -> str:
    """Return "released" or "revision" if the column name means it, else ""."""
    return find_named_field(name, HISTORY_NAMES)


def find_named_field(name: str, names_by_field: Mapping[str, Collection[str]]) -> str:
    """Return the field that has this name in one of its languages, or ""."""
    simple_name = simplify_name(name)
    for field, names in names_by_field.items():
        if simple_name in names:
            return field
    return ""


def is_rich_text_name(name: str) -> bool:
    """Return True if a column name means rules text, such as "Effect"."""
    return simplify_name(name) in RICH_TEXT_WORDS


def is_likely_rules_name(name: str) -> bool:
    """Return True if a column name may mean rules text, such as "Ability"."""
    return is_rich_text_name(name) or simplify_name(name) in RULES_WORDS


def split_language(name: str) -> tuple[str, str]:
    """Split a column name into the name and its language: "Rules (DE)" into "Rules" and "de".

    `Rules (DE)` is `Rules` and `de`.
    """
    match = WITH_LANGUAGE.fullmatch(name)
    if not match:
        return name, ""
    stem, code = match.groups()
    word = code.lower()
    lang = word if LANGUAGE_CODES.fullmatch(word) else LANGUAGE_WORDS.get(word, "")
    is_bracketed = name.rstrip().endswith((")", "]"))
    # `Up to it` and `Type no` end in words, not in languages.
    is_word = name.removeprefix(stem)[0].isspace() and not is_bracketed
    if not lang or (is_word and word == lang and not code.isupper()):
        return name, ""
    return stem, lang


def find_language_word(name: str) -> str:
    """Return the language code of a heading that names a language: "de" for "Deutsch", or ""."""
    word = simplify_name(name)
    is_code = name.strip().isupper() and LANGUAGE_CODES.fullmatch(word)
    return word if is_code else LANGUAGE_WORDS.get(word, "")


def strip_unit(name: str) -> str:
    """Return a column name without the unit in brackets: "Move" for "Move (in)"."""
    match = WITH_UNIT.fullmatch(name.strip())
    return match[1] if match else name.strip()
