"""What is to be known of an order for a print shop, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

ORDERS: Mapping[str, str] = {
    "{kind}: {many} sheet for the table, {size}, is left out": (
        "{kind}: листы для стола ({many} шт., {size}) в заказ не входят"
    ),
    "{kind}: {many} sheets for the table, {size}, are left out": (
        "{kind}: листы для стола ({many} шт., {size}) в заказ не входят"
    ),
    "Print them at home: {command}.": "Напечатайте их дома: {command}.",
    "{kind}: {shop} makes no cards of {size}; it makes {sizes}": (
        "{kind}: карт {size} типография {shop} не делает; у неё есть {sizes}"
    ),
    "{kind}: faces bleed {bleed:g} mm; {shop} needs {needed:.2f} mm": (
        "{kind}: вылет {bleed:g} мм; типографии {shop} нужно {needed:.2f} мм"
    ),
    "{kind}: {size} is turned upright, front clockwise, back the other way": (
        "{kind}: {size}, карта повёрнута стоймя: лицо по часовой стрелке, оборот против"
    ),
    "{kind}: {size} is made as {name}, {made}, the card in the middle": (
        "{kind}: {size} печатается как {name}, {made}, карта посередине"
    ),
    "{kind}: the page reaches {far:.2f} mm past the face's bleed, its edge is mirrored there": (
        "{kind}: страница на {far:.2f} мм шире вылета карты, край там отражён зеркально"
    ),
    "{asked} is not installed; converted with {used}": "профиля {asked} нет, цвета переведены по {used}",
    "the profile": "условий печати",
    "at most {limit:g} % ink": "сумма красок не более {limit:g} %",
    "cannot be turned into inks: {what}": "не перевести в краски: {what}",
    "a picture inside a drawing": "картинка внутри рисунка",
    "a pattern with a colour of its own": "узор с собственным цветом",
    "{shop} wants text as outlines; there is still {what}": "{shop} просит текст в кривых; осталось: {what}",
    "{many} page held transparent drawings": "страниц с прозрачными рисунками, сведённых в картинку: {many}",
    "{many} pages held transparent drawings": "страниц с прозрачными рисунками, сведённых в картинку: {many}",
    "{many} page had drawings over its type": "страниц, где рисунок лежит поверх текста: {many}",
    "{many} pages had drawings over their type": "страниц, где рисунок лежит поверх текста: {many}",
    "{file} is no ICC profile for CMYK": "{file} — не профиль ICC для CMYK",
    "Name an ICC profile for CMYK.": "Назовите профиль ICC для CMYK.",
    "Name the profile of the printing condition.": "Назовите профиль условий печати.",
    "no CMYK profile is installed to convert colours with": "нет профиля CMYK, по которому перевести цвета",
    "apt-get install libgs-common (or icc-profiles), or name a profile: --icc FILE.icc.": (
        "apt-get install libgs-common (или icc-profiles), или назовите профиль: --icc ФАЙЛ.icc."
    ),
    "pictures need the packages pillow and pypdfium2, which are not installed": (
        "для картинок нужны пакеты pillow и pypdfium2, а они не установлены"
    ),
    "Install them: pip install 'squadpress[press]'.": "Установите их: pip install 'squadpress[press]'.",
    "nothing to order from {shop}: all that was chosen are sheets for the table": (
        "у {shop} нечего заказывать: выбраны только листы для стола"
    ),
    "Print at home.": "Напечатайте их дома.",
    "the order sheet cannot be set: {reason}": "лист заказа не набрать: {reason}",
    "gauges are not ordered from a shop of cards": "линейки у типографии карт не заказывают",
    "Print them with --profile home-a4.": "Напечатайте их с --profile home-a4.",
    "sheets, marks and printers are matters of home printing": "листы, метки и принтеры — дело домашней печати",
    "Leave those options out.": "Уберите эти опции.",
}
"""English form -> Russian form."""
