"""What to do about findings of setting and printing, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

PRINT_REMEDIES: Mapping[str, str] = {
    # Finished files.
    "Build the order with `--profile shop:...`, which writes the PDF files.": (
        "Соберите заказ с `--profile shop:...`: так получатся файлы PDF."
    ),
    "Build the order with `--profile shop:...`, which writes one image for each face.": (
        "Соберите заказ с `--profile shop:...`: так получится по изображению на каждую сторону карты."
    ),
    "Save it in the shop's format.": "Сохраните его в формате, который просит типография.",
    "Save it as RGB with 8 bits a colour.": "Сохраните его как RGB, 8 бит на канал.",
    "Let the art reach all edges and save the image without transparency.": (
        "Доведите рисунок до всех краёв и сохраните изображение без прозрачности."
    ),
    "Convert it to sRGB.": "Переведите его в sRGB.",
    "Copy the whole order again, or build it anew.": "Скопируйте заказ ещё раз целиком или соберите его заново.",
    "Take it out of the folder, or build the order anew.": "Уберите файл из папки или соберите заказ заново.",
    "Build the order anew if the change was not meant.": "Если правка была нечаянной, соберите заказ заново.",
    "Build the order anew.": "Соберите заказ заново.",
    "Export it again.": "Сохраните его заново.",
    "Build the order anew, or judge it by the shop it was made for.": (
        "Соберите заказ заново или проверьте его по той типографии, для которой он сделан."
    ),
    "Let the art reach the edge of the image instead of putting a border around it.": (
        "Доведите рисунок до края изображения, а не окружайте его каймой."
    ),
    "Give each card a front and a back; a blank back needs a page too.": (
        "Дайте каждой карте лицо и оборот; пустому обороту тоже нужна страница."
    ),
    "Make both sides the same size.": "Сделайте обе стороны одного размера.",
    "Swap the two pages of each pair.": "Поменяйте страницы каждой пары местами.",
    "Add the back as the last page.": "Добавьте оборот последней страницей.",
    "Split the file into several orders.": "Разделите файл на несколько заказов.",
    "Give each front its back, a blank page where it has none; or one back for all.": (
        "Дайте каждому лицу свой оборот, хотя бы пустую страницу, — или один оборот на всех."
    ),
    "Nothing needs doing if all cards have this back; tell the shop so.": (
        "Если этот оборот у всех карт, делать ничего не надо; предупредите типографию."
    ),
    "Name the file with the backs.": "Назовите файл с оборотами.",
    "Give both files the same name but for the side, or a common back to all that have none of their own.": (
        "Назовите оба файла одинаково, кроме слова о стороне, или дайте общий оборот всем, у кого нет своего."
    ),
    "Nothing needs doing if the backs are meant to stay blank.": (
        "Если обороты и должны быть пустыми, делать ничего не надо."
    ),
    "Export it at exactly this size, bleed included; do not scale a finished image.": (
        "Сохраните его ровно этого размера вместе с вылетами; готовое изображение не масштабируйте."
    ),
    "Rotate it by a quarter: the front clockwise, the back the other way.": (
        "Поверните его на четверть оборота: лицо по часовой стрелке, оборот против."
    ),
    "Write the shop's resolution into the file; the pixels stay as they are.": (
        "Запишите в файл разрешение типографии; сами пиксели не меняйте."
    ),
    "Export with the shop's bleed and let the background reach to its end.": (
        "Сохраните с вылетами типографии и доведите фон до их края."
    ),
    "Draw the background further, to the end of the bleed.": "Доведите фон до края вылета.",
    "Draw the panel further, to the end of the bleed, or keep it inside the safe zone.": (
        "Доведите плашку до края вылета или держите её внутри безопасной зоны."
    ),
    "Export with a TrimBox of the card's size.": "Сохраните с TrimBox по обрезному формату карты.",
    "Export again with the boxes right: media around bleed around trim.": (
        "Сохраните заново с верными рамками страницы: MediaBox вокруг BleedBox, BleedBox вокруг TrimBox."
    ),
    "Export with a MediaBox that starts at 0 0.": "Сохраните так, чтобы MediaBox начинался в точке 0 0.",
    "Convert to CMYK with the shop's profile; `squadpress build --profile shop:...` does it.": (
        "Переведите в CMYK по профилю типографии; `squadpress build --profile shop:...` это делает."
    ),
    "Export with DeviceCMYK as the blending space, or flatten the transparency.": (
        "Сохраните с пространством смешивания DeviceCMYK или сведите прозрачность."
    ),
    "Export in RGB (sRGB).": "Сохраните в RGB (sRGB).",
    "Convert it to process inks, unless the shop agreed to print it.": (
        "Переведите его в триадные краски, если типография не согласилась печатать плашечный."
    ),
    "Export again.": "Сохраните заново.",
    "Export the file anew from the program it came from.": "Сохраните файл заново из той программы, где он сделан.",
    "Nothing needs doing if the side is meant to stay blank.": (
        "Если сторона и должна быть пустой, делать ничего не надо."
    ),
    "Save it without a password and without restrictions.": "Сохраните его без пароля и без запретов.",
    "Flatten layers, and export without annotations, forms and scripts.": (
        "Сведите слои и сохраните без аннотаций, форм и сценариев."
    ),
    "Export with all fonts embedded.": "Сохраните, встроив все шрифты.",
    "Ask the shop whether embedded fonts will do, or convert the text to outlines.": (
        "Спросите типографию, годятся ли встроенные шрифты, или переведите текст в кривые."
    ),
    "Put in a larger picture or print it smaller.": "Возьмите картинку крупнее или печатайте её мельче.",
    "Put in a larger picture or print it smaller, if the softness is not meant.": (
        "Если мягкость не задумана, возьмите картинку крупнее или печатайте её мельче."
    ),
    "Convert art with the shop's profile, which keeps the limit; use the shop's rich black for large black areas.": (
        "Переводите рисунки по профилю типографии: он держит предел; для больших чёрных плашек возьмите её составной"
        " чёрный."
    ),
    "Install Ghostscript (the program gs) and Pillow, and run preflight again.": (
        "Установите Ghostscript (программу gs) и Pillow и повторите preflight."
    ),
    "Export with the shop's profile as the output intent.": "Сохраните с профилем типографии как профилем вывода.",
    "Convert with the profile the shop names and export with it as the output intent.": (
        "Переведите цвета по профилю, который называет типография, и сохраните с ним как профилем вывода."
    ),
    "Set the text larger or say less.": "Наберите текст крупнее или сократите его.",
    "Set text in black ink alone (cyan, magenta, yellow 0, black 100).": (
        "Набирайте текст одной чёрной краской (голубая, пурпурная, жёлтая — 0, чёрная — 100)."
    ),
    "Draw it wider: 0.25 pt at least.": "Сделайте её толще: не меньше 0,25 пт.",
    "Export without printer's marks.": "Сохраните без печатных меток.",
    "Move the text inside, at least the shop's safe distance from the cut.": (
        "Сдвиньте текст внутрь, не ближе к линии реза, чем велит типография."
    ),
    "Move the text inward.": "Сдвиньте текст внутрь.",
    "Choose one of the shop's sizes, or ask the shop for this one.": (
        "Возьмите один из форматов типографии или спросите её об этом."
    ),
    "Make one PDF for each size.": "Сделайте отдельный PDF для каждого формата.",
    "Export as the standard asked for.": "Сохраните по тому стандарту, который просят.",
    "Export again with a program that keeps the standard, or drop the claim.": (
        "Сохраните заново программой, которая соблюдает стандарт, или не заявляйте его."
    ),
    "Export as PDF 1.6 or older.": "Сохраните как PDF 1.6 или старше.",
    "Flatten the transparency on export (PDF 1.3, PDF/X-1a).": (
        "Сведите прозрачность при сохранении (PDF 1.3, PDF/X-1a)."
    ),
    "Flatten on export; if nothing is transparent, drop the group.": (
        "Сведите прозрачность при сохранении; если прозрачного нет, уберите группу."
    ),
    # Orders.
    "Choose another preset, or give the kind one of the shop's sizes in pack.yaml.": (
        "Возьмите другую типографию или дайте виду карт в pack.yaml один из её форматов."
    ),
    "Let the template's background reach further and state a larger `bleed` of the kind's size in pack.yaml.": (
        "Доведите фон в шаблоне дальше и напишите для вида карт в pack.yaml больший `bleed`."
    ),
    "Nothing needs doing if the difference is meant; else give the kind the shop's size in pack.yaml.": (
        "Если разница задумана, делать ничего не надо; если нет — дайте виду карт в pack.yaml формат типографии."
    ),
    "Nothing needs doing; a kind with a larger bleed needs no mirroring.": (
        "Делать ничего не надо; виду карт с большим вылетом отражение не нужно."
    ),
    "Nothing needs doing; if the shop asks, backs are turned the other way on purpose.": (
        "Делать ничего не надо; если типография спросит, обороты повёрнуты в другую сторону намеренно."
    ),
    "Download the profile from its publisher and name it: --icc FILE.icc.": (
        "Скачайте профиль у того, кто его издаёт, и назовите его: --icc ФАЙЛ.icc."
    ),
    "Ask the shop whether embedded fonts will do, or convert that text to outlines with another program.": (
        "Спросите типографию, годятся ли встроенные шрифты, или переведите этот текст в кривые другой программой."
    ),
    "Nothing needs doing; plain colours instead of transparent ones keep the drawing sharp at any size.": (
        "Делать ничего не надо; сплошные цвета вместо прозрачных сохранят рисунок чётким при любом размере."
    ),
    "Draw type after what lies over it, or keep transparent drawings off the type; else it prints softer,"
    " at 600 dpi.": (
        "Рисуйте текст после того, что лежит поверх него, или не кладите на текст прозрачные рисунки; иначе он выйдет"
        " мягче, при 600 точках на дюйм."
    ),
    "Draw it with plain colours, gradients or pictures.": (
        "Нарисуйте это сплошными цветами, градиентами или картинками."
    ),
    "Build the sheets with a home profile.": "Соберите эти листы с домашним профилем.",
    # Setting faces.
    "Shorten the text, enlarge the box, or let the block shrink (class fit, sizes in pack.yaml).": (
        "Сократите текст, увеличьте рамку или дайте блоку уменьшаться (класс fit, кегли в pack.yaml)."
    ),
    "Move the box inside the card, or give it a width and height that hold its text.": (
        "Сдвиньте рамку внутрь карты или дайте ей ширину и высоту, в которые входит текст."
    ),
    "Keep text inside the safe zone that pack.yaml states for the kind.": (
        "Держите текст в безопасной зоне, названной для этого вида карт в pack.yaml."
    ),
    "Remove page breaks from the style sheet; look for text many times too long.": (
        "Уберите разрывы страниц из таблицы стилей; поищите текст, который длиннее места во много раз."
    ),
    "Use another character, or draw it as an icon.": "Возьмите другой знак или нарисуйте его значком.",
    "Put the file into the pack's templates or art folder and name it relative to there.": (
        "Положите файл в папку шаблонов или рисунков игры и назовите его оттуда."
    ),
    "Check the spelling; pictures lie in the art folder beside the templates or the cards.": (
        "Проверьте имя; рисунки лежат в папке art рядом с шаблонами или с картами."
    ),
    "Correct or remove it; the engine's documentation lists what it supports.": (
        "Исправьте или уберите это правило; что движок умеет, сказано в его документации."
    ),
    "Mend what the message names.": "Почините то, о чём сказано.",
    "Draw it with filled <path> elements in one square viewBox.": (
        "Нарисуйте его залитыми элементами <path> в одном квадратном viewBox."
    ),
    "Write it (docs/templates.md is the contract), or leave the face out of `faces` in pack.yaml.": (
        "Напишите его (как — сказано в docs/templates.md) или уберите эту сторону из `faces` в pack.yaml."
    ),
    "Correct the name, or ask with `card.x is defined` where it may be missing.": (
        "Исправьте имя или, где поля может не быть, спросите: `card.x is defined`."
    ),
    "Mend the template at the named line.": "Почините шаблон в названной строке.",
    "Declare it under `fit` of the kind in pack.yaml, or correct the class in the template.": (
        "Объявите его в `fit` вида карт в pack.yaml или исправьте класс в шаблоне."
    ),
    "Start one with: dask scheduler; or correct the address it is called by.": (
        "Запустите его: dask scheduler — или исправьте адрес."
    ),
    "Install on the worker what this machine has, then start it again.": (
        "Установите у исполнителя то же, что на этой машине, и запустите его снова."
    ),
    "Leave room beside the cards with a smaller grid: --grid 1x1.": (
        "Оставьте место рядом с картами, взяв сетку поменьше: --grid 1x1."
    ),
    "Make it smaller, print on larger paper, or use a ruler: rulers are printed in parts to be joined.": (
        "Сделайте её меньше, возьмите бумагу побольше или линейку: линейки печатаются частями, которые склеивают."
    ),
    "Shorten the text, enlarge the gauge, or use an icon.": "Сократите текст, увеличьте шаблон или возьмите значок.",
    "Use a letter that the font has, or an icon.": "Возьмите букву, которая есть в шрифте, или значок.",
}
"""English remedy -> Russian remedy."""
