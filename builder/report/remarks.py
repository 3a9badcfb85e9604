"""The remarks of an order in the words of its sheet. Pure.

Findings are worded in English where they are made; a sheet in another language words anew those that orders bear. What
has no words here stays as it is: a remark in English is better than none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

PHRASES: Mapping[str, Sequence[tuple[str, str]]] = {
    "ru": (
        (
            "{kind}: {n} sheets for the table, {size} mm, are left out",
            "{kind}: листы для стола ({n} шт., {size} мм) в заказ не входят",
        ),
        (
            "{kind}: {size} mm is turned upright, front clockwise, back the other way",
            "{kind}: {size} мм, карта повёрнута стоймя: лицо по часовой стрелке, оборот против",
        ),
        (
            "{kind}: {size} mm is made as {name}, {made} mm, the card in the middle",
            "{kind}: {size} мм печатается как {name}, {made} мм, карта посередине",
        ),
        (
            "{kind}: the page reaches {far} mm past the face's bleed, its edge is mirrored there",
            "{kind}: страница на {far} мм шире вылета карты, край там отражён зеркально",
        ),
        (
            "{profile} is not installed; converted with {used}",
            "профиля {profile} нет, цвета переведены по {used}",
        ),
        (
            "{shop} wants text as outlines; there is still {what}",
            "{shop} просит текст в кривых; осталось: {what}",
        ),
        ("{n} pages held transparent drawings", "страниц с прозрачными рисунками, сведённых в картинку: {n}"),
        ("{n} pages had drawings over their type", "страниц, где рисунок лежит поверх текста: {n}"),
        ("{size} mm; the shop lists {listed} mm", "{size} мм; у типографии есть {listed} мм"),
        (
            "{pixels} pixels are {dpi} dpi here; the shop asks for {asked}",
            "{pixels} пикселей дают здесь {dpi} точек на дюйм; типография просит {asked}",
        ),
        ("a line {wide} pt wide", "линия толщиной {wide} пт"),
        (
            "{text} runs {over} mm over {safe} mm from the cut",
            "{text}: на {over} мм ближе к линии реза, чем {safe} мм",
        ),
        ("{text} is black in inks {inks}", "{text}: чёрный цвет набран красками {inks}"),
        ("art ends {far} mm past the {side} cut", "рисунок кончается в {far} мм за линией реза ({side})"),
        (
            "a border of one colour up to the art: {where} mm; bleed is {bleed} mm",
            "рисунок окружён одноцветной каймой: {where} мм при вылете {bleed} мм",
        ),
        (
            "output intent {name}; the shop prints {asked}",
            "в файле указан профиль {name}; типография печатает по {asked}",
        ),
        ("total ink was not measured: {why}", "сумма красок не измерена: {why}"),
        ("spot colour {name}", "плашечный цвет {name}"),
        ("one back for {n} fronts", "один оборот на все лица ({n})"),
        ("nothing is drawn on this page", "страница пуста"),
    )
}
"""By language: the English wording, and the same in that language."""

ENDINGS: Mapping[str, Mapping[str, str]] = {
    "ru": {
        " (and {n} more in this file)": " (и ещё {n} в этом файле)",
        " (and {n} more on this page)": " (и ещё {n} на этой странице)",
        ", at most {n} % ink": ", сумма красок не более {n} %",
    }
}
"""What may follow any of them, or the words for colours."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "ru": {
        "a symbol": "значок",
        "the profile": "условий печати",
        "left": "слева",
        "right": "справа",
        "top": "сверху",
        "bottom": "снизу",
    }
}
"""Words that stand in a phrase's places."""

MEASURES = frozenset({"size", "made", "far", "listed", "wide", "over", "safe", "where", "bleed"})
"""Places that hold lengths."""

DECIMAL = {"ru": ","}
"""What stands between the whole and the broken part of a number, where that is no point."""


def in_words(remark: str, lang: str) -> str:
    """A remark, or the words for an order's colours, in a language; unchanged where there are no words for it."""
    for english, other in ENDINGS.get(lang, {}).items():
        found = re.fullmatch("(?P<before>.+)" + _pattern(english), remark, re.DOTALL)
        if found is not None:
            values = found.groupdict()
            return in_words(values.pop("before"), lang) + other.format(**values)
    for english, other in PHRASES.get(lang, ()):
        found = re.fullmatch(_pattern(english), remark, re.DOTALL)
        if found is not None:
            return other.format(**{key: _told(key, value, lang) for key, value in found.groupdict().items()})
    return remark


def _told(key: str, value: str, lang: str) -> str:
    """What stands in a place of a phrase: a known word, a measure with the language's sign for decimals, or itself."""
    if key in MEASURES:
        return re.sub(r"(?<=\d)\.(?=\d)", DECIMAL.get(lang, "."), value)
    return WORDS.get(lang, {}).get(value, value)


@cache
def _pattern(phrase: str) -> str:
    """A phrase as a pattern, its places as groups."""
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(phrase))
