"""What stands against finished files at a print shop, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

PREFLIGHT: Mapping[str, str] = {
    # Places and measures.
    "page {page}": "стр. {page}",
    "at {x:.1f},{y:.1f} mm": "в точке {x:.1f}; {y:.1f} мм",
    "{first} {rest}": "{first} {rest}",
    "{width:.4g} × {height:.4g} mm": "{width:.4g} × {height:.4g} мм",
    "{width:g} × {height:g} mm": "{width:g} × {height:g} мм",
    "{name} {width:g} × {height:g}": "{name} {width:g} × {height:g}",
    "{name} {size}": "{name} {size}",
    "{wide} × {high} pixels": "{wide} × {high} пикселей",
    "{wide} × {high} px": "{wide} × {high} пикс.",
    "{pixels} ({size})": "{pixels} ({size})",
    "{side} {far:.2f} mm": "{side} {far:.2f} мм",
    "left": "слева",
    "right": "справа",
    "top": "сверху",
    "bottom": "снизу",
    "{what} (and {many} more on this page)": "{what} (и ещё {many} на этой странице)",
    "{what} (and {many} more in this file)": "{what} (и ещё {many} в этом файле)",
    "a symbol": "значок",
    "without a name": "без имени",
    # The file as a whole.
    "{shop} takes {form} images": "{shop} принимает изображения {form}",
    "{shop} takes PDF files": "{shop} принимает файлы PDF",
    "no pages": "страниц нет",
    "the file is encrypted": "файл зашифрован",
    "the file is damaged in one place": "файл повреждён в одном месте",
    "the file is damaged in {many} places": "файл повреждён, мест: {many}",
    "one operator of the page cannot be followed": "один оператор страницы не выполнить",
    "{many} operators of the page cannot be followed": "операторов страницы, которые не выполнить: {many}",
    "nothing is drawn on this page": "страница пуста",
    "the file holds a script": "в файле есть сценарий",
    "the file has layers": "в файле есть слои",
    "{many} annotation": "аннотаций: {many}",
    "{many} annotations": "аннотаций: {many}",
    "the file claims no standard; the shop wants {wanted}": (
        "файл не заявлен ни по какому стандарту; типография просит {wanted}"
    ),
    "the file claims {claim}; the shop wants {wanted}": "файл заявлен как {claim}; типография просит {wanted}",
    "claims {standard}, but {reason}": "файл заявлен как {standard}, но {reason}",
    "it has no output intent": "в нём не назван профиль вывода",
    "a font is not embedded": "шрифт не встроен",
    "it does not say whether it is trapped": "в нём не сказано, сделан ли треппинг",
    "it has no file identifier": "в нём нет идентификатора файла",
    "it is encrypted": "он зашифрован",
    "a page has neither TrimBox nor ArtBox": "у страницы нет ни TrimBox, ни ArtBox",
    "something is transparent": "в нём есть прозрачность",
    "it holds RGB colours": "в нём есть цвета RGB",
    "it has layers": "в нём есть слои",
    "PDF {version}; {standard} goes up to {newest}": "PDF {version}; {standard} — не новее {newest}",
    "PDF {version}; shops read up to {newest}": "PDF {version}; типографии читают не новее {newest}",
    "no PDF/X output intent; the shop wants {standard}": (
        "не назван профиль вывода PDF/X; типография просит {standard}"
    ),
    "output intent {name} is of {many} colours, not four inks": (
        "профиль вывода {name}: цветов {many}, а нужны четыре краски"
    ),
    "output intent {name}; the shop prints {asked}": "профиль вывода {name}; типография печатает по {asked}",
    # Pages: boxes, sizes, bleed, safe zone.
    "no TrimBox": "нет TrimBox (обрезного формата)",
    "the TrimBox reaches outside the BleedBox": "TrimBox выходит за BleedBox",
    "the BleedBox reaches outside the MediaBox": "BleedBox выходит за MediaBox",
    "the MediaBox starts at {x:.4g}, {y:.4g} mm": "MediaBox начинается в точке {x:.4g}; {y:.4g} мм",
    "{size}, but page {page} is {other}": "обрезной формат {size}, а у страницы {page} — {other}",
    "{size}; the shop lists {listed} mm": "обрезной формат {size}; у типографии есть {listed} мм",
    "bleed of {short}; the shop asks for {wanted:g} mm": "вылеты: {short}; типография просит {wanted:g} мм",
    "art ends {far:.2f} mm past the {side} cut": "рисунок кончается в {far:.2f} мм за линией реза ({side})",
    "{text} runs {over:.2f} mm over the cut": "{text}: выходит за линию реза на {over:.2f} мм",
    "{text} runs {over:.2f} mm over {safe:g} mm from the cut": (
        "{text}: на {over:.2f} мм ближе к линии реза, чем {safe:g} мм"
    ),
    "text outside the cut": "текст за линией реза",
    "a line outside the cut": "линия за линией реза",
    # Pairs and numbers of cards.
    "one page alone is no pair": "одна страница — не пара",
    "{many} pages do not make pairs of front and back": "страниц {many}, на пары «лицо — оборот» их не разделить",
    "{size}, but page {page}, its other side, is {other}": (
        "обрезной формат {size}, а у другой стороны, страницы {page}, — {other}"
    ),
    "front-back": "«лицо, оборот»",
    "back-front": "«оборот, лицо»",
    "the shop reads {order}, but the fronts are all alike and the backs differ": (
        "типография читает страницы в порядке {order}, но лица все одинаковы, а обороты разные"
    ),
    "one page: a card without a back, or a back without cards": (
        "одна страница: карта без оборота или оборот без карт"
    ),
    "{cards} cards; the shop takes {most} in one order": "карт {cards}; типография берёт в заказ не больше {most}",
    "one back for {many} fronts": "один оборот на все лица ({many})",
    "{fronts} front, but {backs} backs": "лиц {fronts}, а оборотов {backs}",
    "{fronts} fronts, but {backs} backs": "лиц {fronts}, а оборотов {backs}",
    "every back is drawn like its front": "каждый оборот нарисован как своё лицо",
    "{size}, but its front, page {page}, is {other}": "обрезной формат {size}, а у лица, страницы {page}, — {other}",
    "lies, but its front, page {page}, stands (or the other way)": (
        "страница лежит, а её лицо, страница {page}, стоит (или наоборот)"
    ),
    # Type, lines, pictures, colours.
    "font {name} is not embedded": "шрифт {name} не встроен",
    "text in fonts, first {text}": "текст набран шрифтами, первый: {text}",
    "{text} is {size:.3g} pt; the shop prints from {least:g} pt": (
        "{text}: кегль {size:.3g} пт; типография печатает от {least:g} пт"
    ),
    "{text} is black in inks {inks}": "{text}: чёрный цвет набран красками {inks}",
    "a line {wide:.2f} pt wide": "линия толщиной {wide:.2f} пт",
    "{wide} × {high} pixels are {dpi:.0f} dpi here; the shop asks for {wanted}": (
        "{wide} × {high} пикселей дают здесь {dpi:.0f} точек на дюйм; типография просит {wanted}"
    ),
    "text": "текст",
    "image": "изображение",
    "gradient": "градиент",
    "drawing": "рисунок",
    "{sort} in {colour}": "{sort}: цвет {colour}",
    "{many} × {sort} in {colour}": "{many} × {sort}: цвет {colour}",
    "transparency is mixed in DeviceRGB": "прозрачность смешивается в DeviceRGB",
    "spot colour {name}": "плашечный цвет {name}",
    "a transparency group": "группа прозрачности",
    "a soft mask": "мягкая маска",
    "opacity {alpha:.2g}": "непрозрачность {alpha:.2g}",
    "blend mode {mode}": "режим наложения {mode}",
    " (RGB colours as converted here)": " (цвета RGB переведены здесь)",
    "{percent:.0f} % ink{how}; the shop's limit is {limit:g} %": (
        "суммарное наложение красок {percent:.0f} %{how}; у типографии предел {limit:g} %"
    ),
    "total ink was not measured: {reason}": "суммарное наложение красок не измерено: {reason}",
    "Ghostscript is not installed": "Ghostscript не установлен",
    "Pillow is not installed": "Pillow не установлен",
    "Install it (the program gs).": "Установите его (программу gs).",
    "Install it: pip install 'squadpress[press]'.": "Установите: pip install 'squadpress[press]'.",
    "pages cannot be compared as pictures without pypdfium2": "без pypdfium2 не сравнить страницы как картинки",
    "images cannot be read without Pillow": "без Pillow изображения не прочитать",
    "Ghostscript gave up: {reason}": "Ghostscript не справился: {reason}",
    "Ghostscript could not draw the file: {reason}": "Ghostscript не нарисовал файл: {reason}",
    "it said nothing": "без объяснений",
    # Images.
    "{pixels}; the shop takes {wanted}": "{pixels}; типография принимает {wanted}",
    "no resolution is written into it; the shop asks for {wanted} dpi": (
        "разрешение в файле не записано; типография просит {wanted} точек на дюйм"
    ),
    "says {said} dpi; the shop asks for {wanted}": (
        "в файле записано {said} точек на дюйм; типография просит {wanted}"
    ),
    "{form}; the shop asks for {wanted}": "{form}; типография просит {wanted}",
    "colours are {mode}": "цвета: {mode}",
    "a palette": "палитра",
    "16 or more bits deep": "16 бит на канал или больше",
    "not opaque here": "здесь прозрачно",
    "an alpha channel, though all of it is opaque": "есть альфа-канал, хотя прозрачного ничего нет",
    "colour profile {profile}": "цветовой профиль {profile}",
    "a border of one colour up to the art: {where}; bleed is {bleed:.3g} mm": (
        "рисунок окружён одноцветной каймой: {where}; вылет — {bleed:.3g} мм"
    ),
    "{size}, but its front {name} has {other}": "{size}, а у лица {name} — {other}",
    "every back is the picture of its front": "каждый оборот — та же картинка, что его лицо",
    "{many} front without a back": "лиц {many}, и ни одного оборота",
    "{many} fronts without any back": "лиц {many}, и ни одного оборота",
    "no back is called {card!r}": "оборота с именем {card!r} нет",
    "no front is called {card!r}": "лица с именем {card!r} нет",
    # Folders of files and what cannot be read at all.
    "cannot be read": "не читается",
    "is for {other}, not for {shop}": "сделан для {other}, а не для {shop}",
    "is missing": "файла нет",
    "is missing; on it: {listed}": "файла нет, а на нём: {listed}",
    "pages: {many}; the manifest counts {counted}": "страниц {many}; в манифесте — {counted}",
    "not the file that the manifest was written for": "это не тот файл, для которого писался манифест",
    "the manifest does not name this file": "в манифесте этого файла нет",
    "{folder} holds no PDF or image to judge": "в {folder} нет ни PDF, ни изображений",
    "Name a file, or the folder of an order.": "Назовите файл или папку заказа.",
    "--backs belongs to a PDF of fronts": "--backs — это обороты к PDF с лицами",
    "Name that file; of images name their folder.": "Назовите этот PDF; для изображений назовите их папку.",
    "{file} is a folder, not a PDF": "{file} — папка, а не PDF",
    "{file} is a folder, not an image": "{file} — папка, а не изображение",
    "Name the file.": "Назовите файл.",
    "{file}: the PDF asks for a password": "{file}: PDF защищён паролем",
    "Save it without one and try again.": "Сохраните его без пароля и повторите.",
    "{file}: cannot be read as a PDF: {reason}": "{file}: не читается как PDF: {reason}",
    "Check that it is a whole PDF.": "Проверьте, что это PDF и что он цел.",
    "{file}: damaged: an object is not what it should be ({reason})": (
        "{file}: повреждён: объект не того рода ({reason})"
    ),
    "Save it anew from the program it came from.": "Сохраните его заново из той программы, где он сделан.",
    "{file}: no image that can be read": "{file}: это не изображение, которое можно прочитать",
    "Save it anew as PNG or JPEG.": "Сохраните его заново как PNG или JPEG.",
    "{file}: cannot be read as an image: {reason}": "{file}: не читается как изображение: {reason}",
    "Check that it is whole.": "Проверьте, что файл цел.",
    # The report with pictures.
    "The file": "Файл",
    "What belongs to no page shown here": "Что не относится к страницам ниже",
    "Pages with findings that are not drawn here: {many}.": (
        "Страниц с замечаниями, которые здесь не нарисованы: {many}."
    ),
    "File": "Файл",
    "Size": "Размер",
    "Found": "Найдено",
    "{many} files": "файлов: {many}",
    "{many} page": "страниц: {many}",
    "{many} pages": "страниц: {many}",
}
"""English form -> Russian form."""
