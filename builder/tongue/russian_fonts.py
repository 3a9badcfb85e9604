"""Fonts of packs, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

FONTS: Mapping[str, str] = {
    "the link {name} leads out of the pack": "ссылка {name} ведёт наружу, из файлов игры",
    "{name} is the same cut of {family} as {other}": "{name} — то же начертание шрифта {family}, что и {other}",
    "{name} is packed for the web": "{name} — шрифт, упакованный для веба",
    "{name} holds several fonts": "в {name} несколько шрифтов",
    "{name} is damaged, or not a font": "{name} повреждён, или это не шрифт",
    "{name} is a variable font": "{name} — вариативный шрифт",
    "the letters of {name} are pictures, or coloured": "буквы шрифта {name} — картинки или цветные",
    "{name} has no TrueType outlines": "в {name} нет контуров TrueType",
    "{name} names no family": "в {name} не названо семейство",
    "{name} is of the family {family}, which the program brings along": (
        "{name} — из семейства {family}, а оно есть в самой программе"
    ),
    "{name} says that it must not be embedded": "в {name} сказано, что его нельзя встраивать",
    "{name} says that no part of it may be embedded without the rest": (
        "в {name} сказано, что его нельзя встраивать по частям"
    ),
    "{name} says that its outlines must not be embedded": "в {name} сказано, что его контуры нельзя встраивать",
    "the font {family} is brought along by @font-face": "шрифт {family} подключён через @font-face",
    "no font is of the family {family}": "нет ни одного шрифта из семейства {family}",
    # What to do.
    "Take one of them away, or name its family otherwise in a font editor.": (
        "Уберите один из них или назовите его семейство иначе в редакторе шрифтов."
    ),
    "Put the file itself there.": "Положите туда сам файл.",
    "Unpack it: fonttools ttLib FILE -o FILE.ttf": "Распакуйте его: fonttools ttLib ФАЙЛ -o ФАЙЛ.ttf",
    "Save each of them as a .ttf of its own.": "Сохраните каждый в отдельный файл .ttf.",
    "Fetch it again from where it came.": "Скачайте его заново оттуда, где взяли.",
    "Save each cut that is used as a font of its own: fonttools varLib.instancer FILE.ttf wght=400": (
        "Сохраните каждое нужное начертание отдельным шрифтом: fonttools varLib.instancer ФАЙЛ.ttf wght=400"
    ),
    "Save it as .ttf with TrueType outlines in a font editor.": (
        "Сохраните его в редакторе шрифтов как .ttf с контурами TrueType."
    ),
    "Name its family in a font editor.": "Впишите семейство в редакторе шрифтов.",
    "Name its family otherwise in a font editor.": "Назовите его семейство иначе в редакторе шрифтов.",
    "Put a static .ttf font in its place.": "Положите вместо него обычный, не вариативный шрифт .ttf.",
    "Ask its maker for a licence that allows it, or take another font.": (
        "Попросите у автора шрифта лицензию, которая это разрешает, или возьмите другой шрифт."
    ),
    "Put the font's file into templates/<pack>/fonts and name its family in font-family; remove @font-face.": (
        "Положите файл шрифта в templates/<pack>/fonts и назовите его семейство в font-family; @font-face уберите."
    ),
    "Correct the name, put the font into templates/<pack>/fonts, or remove the name.": (
        "Исправьте имя, положите шрифт в templates/<pack>/fonts или уберите это имя."
    ),
}
"""English form -> Russian form."""
