"""What setting faces and composing sheets finds, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

SETTING: Mapping[str, str] = {
    # One face, and several that are wrong in the same way.
    "{face}: {what}": "{face}: {what}",
    "{face} and {many} more face: {what}": "{face} (и ещё {many}): {what}",
    "{face} and {many} more faces: {what}": "{face} (и ещё {many}): {what}",
    "runs over several pages instead of one": "занимает несколько страниц вместо одной",
    "block {block!r} may shrink, but to which sizes?": "блок {block!r} может уменьшаться, но до каких кеглей?",
    "block {block!r} does not fit even at {size:g} pt: {much}": "блок {block!r} не входит даже при {size:g} пт: {much}",
    "box {block!r} overflows: {much}": "рамка {block!r} переполнена: {much}",
    "{many} line ({over:.1f} mm) too many": "лишних строк {many} ({over:.1f} мм)",
    "{many} lines ({over:.1f} mm) too many": "лишних строк {many} ({over:.1f} мм)",
    "{aside:.1f} mm too wide": "шире на {aside:.1f} мм",
    "Shorten the text, or give the block more room.": "Сократите текст или дайте блоку больше места.",
    "text in {box} is cut off by the trim": "текст в рамке {box} обрезан краем карты",
    "text in {box} comes nearer than {safe:g} mm to the trim": "текст в рамке {box} ближе {safe:g} мм к краю карты",
    "a box": "без имени",
    "the template {name} is missing": "шаблона {name} нет",
    "there is no template {name}": "шаблона {name} нет",
    "A template may include files of its own pack and of base/ only.": (
        "Шаблон может включать файлы только своей игры и base/."
    ),
    "Templates run in a sandbox: they may print and compute, not reach into the program.": (
        "Шаблоны работают в песочнице: они печатают и считают, но внутрь программы не ходят."
    ),
    "the icon {name} cannot be read: {reason}": "значок {name} не читается: {reason}",
    "viewBox {box} is not four numbers": "viewBox {box} — не четыре числа",
    # What the engine and the templates say.
    '.notdef glyph rendered for Unicode string unsupported by fonts: "{letter}" ({number})': (
        "ни в одном шрифте нет знака «{letter}» ({number})"
    ),
    "Failed to load image at {url}: {reason}": "картинку {url} не загрузить: {reason}",
    "Failed to load stylesheet at {url}: {reason}": "таблицу стилей {url} не загрузить: {reason}",
    "Failed to load stylesheet at {url} : {reason}": "таблицу стилей {url} не загрузить: {reason}",
    "Failed to render SVG image {url}": "картинку SVG {url} не нарисовать",
    "Ignored `{rule}` at {line}:{column}, {reason}.": "в стиле пропущено `{rule}` ({line}:{column}): {reason}",
    "Parse error at {line}:{column}: {reason}": "стиль не разобрать ({line}:{column}): {reason}",
    "Error: {reason} at {line}:{column}.": "ошибка в стиле ({line}:{column}): {reason}",
    "Invalid or unsupported selector, {reason}": "такого селектора движок не знает: {reason}",
    "Unknown rule {rule} at {line}:{column}": "неизвестное правило {rule} ({line}:{column})",
    "Unknown empty rule {rule} at {line}:{column}": "неизвестное пустое правило {rule} ({line}:{column})",
    "invalid value": "такое значение не годится",
    "unknown property": "такого свойства нет",
    "property not supported yet": "этого свойства движок не умеет",
    "FileNotFoundError: {reason}": "{reason}",
    "Refused: {reason}": "{reason}",
    "{url} lies outside the pack": "{url} лежит вне игры",
    "the pack has no file {name}": "файла {name} в игре нет",
    "{name} is undefined": "имени {name} нет",
    "'builder.render.view.View object' has no attribute {name}": "поля {name} здесь нет",
    "{whole} has no attribute {name}": "в {whole} нет {name}",
    "{whole} has no element {name}": "в {whole} нет элемента {name}",
    "no {group} is called {name}; is it {near}?": "неизвестно: {group} {name}; может быть, {near}?",
    "no {group} is called {name}": "неизвестно: {group} {name}",
    "label": "подпись",
    "unexpected end of template, expected {wanted}.": "шаблон кончился, а нужно {wanted}",
    "unexpected {sign}": "неожиданно: {sign}",
    "Expected an expression, got {sign}": "нужно выражение, а стоит {sign}",
    "expected token {wanted}, got {sign}": "нужно {wanted}, а стоит {sign}",
    "unexpected char {sign} at {number}": "неожиданный знак {sign} (место {number})",
    "Encountered unknown tag {name}. {rest}": "неизвестный тег {name}: {rest}",
    "Encountered unknown tag {name}.": "неизвестный тег {name}",
    "Unexpected end of template. {rest}": "шаблон кончился раньше времени: {rest}",
    "access to attribute {name} of {whole} object is unsafe.": "поле {name} у {whole} трогать нельзя",
    "ZeroDivisionError: {reason}": "деление на ноль: {reason}",
    "TypeError: {reason}": "действие не для таких значений: {reason}",
    "No filter named {name}.": "фильтра {name} нет",
    "No test named {name}.": "проверки {name} нет",
    # Sheets, gauges, files for cutting machines.
    "the marks lie on cards of {size}": "метки лежат на картах {size}",
    "a card of {card} does not fit the paper of {profile} ({room})": (
        "карта {card} не входит на бумагу профиля {profile} ({room})"
    ),
    "Choose a profile with larger paper, or --profile screen.": (
        "Возьмите профиль с бумагой побольше или --profile screen."
    ),
    "{columns} × {rows} cards of {card} need {need}; {room} with margins of {margin:g} mm holds less": (
        "для {columns} × {rows} карт {card} нужно {need}; на {room} с полями {margin:g} мм столько не входит"
    ),
    "What fits: {listed}.": "Входит: {listed}.",
    "{columns} × {rows} on the paper upright": "{columns} × {rows}, если лист стоит",
    "{columns} × {rows} on the paper lying": "{columns} × {rows}, если лист лежит",
    "one card on bare paper without margins": "одна карта на листе без полей",
    "{grid!r} is no grid": "{grid!r} — не сетка",
    "Write columns x rows: --grid 3x3.": "Пишите столбцы x строки: --grid 3x3.",
    "--zip and --icc are for a print shop's package": "--zip и --icc — для заказа в типографии",
    "Choose one: --profile shop:drivethrucards.": "Назовите типографию: --profile shop:drivethrucards.",
    "no paper {paper!r} for gauges": "бумаги {paper!r} для линеек и шаблонов нет",
    "{gauge} measures {width:.1f} × {height:.1f} mm and fits on no page": (
        "{gauge}: {width:.1f} × {height:.1f} мм — ни на одну страницу не входит"
    ),
    "{text!r} needs {wide:.1f} mm at the smallest type size but has {room:.1f} mm": (
        "для {text!r} самым мелким кеглем нужно {wide:.1f} мм, а места {room:.1f} мм"
    ),
    "{letter!r} is in no font": "{letter!r} нет ни в одном шрифте",
    "{file}: not an SVG icon: {reason}": "{file}: не значок SVG: {reason}",
    "it states no viewBox of four numbers": "в нём нет viewBox из четырёх чисел",
    "Use filled paths in a square viewBox.": "Рисуйте залитыми контурами в квадратном viewBox.",
    # What was done.
    "setting faces": "набираю",
    "{file}: {what} on {pages}": "{file}: {what}, {pages}",
    "{file}: {what} on {pages}, unchanged": "{file}: {what}, {pages}, без изменений",
    "{many} gauge or token": "линеек, шаблонов и жетонов: {many}",
    "{many} gauges and tokens": "линеек, шаблонов и жетонов: {many}",
    "{many} cut line": "линий реза: {many}",
    "{many} cut lines": "линий реза: {many}",
    "{pack}: {fresh} face set, {known} from cache, {seconds:.1f} s": (
        "{pack}: набрано сторон: {fresh}, взято из кэша: {known}, {seconds:.1f} с"
    ),
    "{pack}: {fresh} faces set, {known} from cache, {seconds:.1f} s": (
        "{pack}: набрано сторон: {fresh}, взято из кэша: {known}, {seconds:.1f} с"
    ),
    "{pack}: no printed face differs from {since}": "{pack}: ни одна напечатанная сторона не отличается от {since}",
    # What is not there, or gave up.
    "faces kept in the cache are damaged": "стороны карт в кэше повреждены",
    "They are removed now: run again to set them anew.": "Теперь они убраны: повторите, и они наберутся заново.",
    "faces kept in the cache are gone": "сторон карт больше нет в кэше",
    "Run again to set them anew.": "Повторите, и они наберутся заново.",
    "the cache cannot be written: {file}: {reason}": "в кэш не записать: {file}: {reason}",
    "Check that the project's folder may be written to and that the disk has room.": (
        "Проверьте, что в папку проекта можно писать и что на диске есть место."
    ),
    "a process that sets cards died": "процесс, который набирает карты, погиб",
    "Run again with --workers 1 to see why.": "Повторите с --workers 1, чтобы увидеть почему.",
    "a font that cards were set with is no longer installed": "шрифт, которым набраны карты, больше не установлен",
    "Delete .cache/ and build again.": "Удалите .cache/ и соберите заново.",
    "the font package {package} is missing": "нет пакета шрифта {package}",
    "Install it: pip install {package}.": "Установите: pip install {package}.",
    "the font Roboto is not installed": "шрифт Roboto не установлен",
    "Install it: pip install font-roboto": "Установите: pip install font-roboto",
    "the font file {file} is missing": "нет файла шрифта {file}",
    "Install it again: pip install font-roboto": "Установите заново: pip install font-roboto",
    "a library that sets text is missing: {reason}": "нет библиотеки, которая набирает текст: {reason}",
    "Debian, Ubuntu: sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 · "
    "macOS: brew install pango harfbuzz, and set DYLD_FALLBACK_LIBRARY_PATH to Homebrew's lib folder": (
        "Debian, Ubuntu: sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 · "
        "macOS: brew install pango harfbuzz, в DYLD_FALLBACK_LIBRARY_PATH — папка lib от Homebrew"
    ),
    "the library harfbuzz-subset is missing; without it setting takes many times longer": (
        "нет библиотеки harfbuzz-subset; без неё набор во много раз дольше"
    ),
    "Debian, Ubuntu: sudo apt-get install libharfbuzz-subset0 · macOS: brew install harfbuzz": (
        "Debian, Ubuntu: sudo apt-get install libharfbuzz-subset0 · macOS: brew install harfbuzz"
    ),
}
"""English form -> Russian form."""
