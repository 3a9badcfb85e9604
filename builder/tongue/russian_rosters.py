"""Rosters, collections, tokens and seals that are not as they should be, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

ROSTERS: Mapping[str, str] = {
    "a roster must be a map of fields": "ростер — это набор полей, а здесь другое",
    "there is no pack {pack}": "игры {pack} нет",
    "the pack {pack} has errors": "в самой игре {pack} есть ошибки",
    "the pack {pack} cannot be read": "игра {pack} не читается",
    "the pack {pack} has no texts in {lang!r}": "в игре {pack} нет текстов на языке {lang!r}",
    "{pack} has no release {version}": "у игры {pack} нет выпуска {version}",
    "judged by {own}; {last} is in force from {day}": "судим по выпуску {own}; с {day} действует {last}",
    "the sample expects to be legal, but is illegal": "образец должен быть законным, но он незаконен",
    "the sample expects to be illegal, but is legal": "образец должен быть незаконным, но он законен",
    "the sample expects to break {expected}, but breaks {broken}": (
        "образец должен нарушать: {expected}; а нарушает: {broken}"
    ),
    "there is no card {value}": "карты {value} нет",
    "{card} is no part of a roster": "карта {card} в ростере не бывает",
    "Only models, what they carry and the deck are.": "Бывают модели, то, что они несут, и колода.",
    "no entry is called {who}": "строки с именем {who} нет",
    "{value} stands on several lines": "{value} стоит в нескольких строках",
    "Say which: {listed}.": "Скажите, в какой: {listed}.",
    "entry #{line} does not carry {card}": "строка #{line} не несёт {card}",
    "It carries {listed}.": "Она несёт: {listed}.",
    "{card} has to be given to a model": "{card} — это то, что дают модели",
    "{card} is not carried by a model": "{card} модели не носят",
    "Say --to WHO for what a model carries, and only for that.": (
        "Для того, что несёт модель, добавьте --to КОМУ; для остального — не надо."
    ),
    "`squadpress roster add` puts it into the squad.": "В отряд её ставит `squadpress roster add`.",
    "what a model carries is taken one by one": "то, что несёт модель, забирают по одному",
    "Leave --count away, and say it again.": "Уберите --count и повторите команду.",
    "the new name is empty": "новое название пусто",
    "Give it in quotes: 'The Long Night'.": "Возьмите его в кавычки: 'Долгая ночь'.",
    "{card} is both wanted and avoided": "{card} и нужна, и не нужна сразу",
    "Say only one of --want and --avoid.": "Оставьте одно: --want или --avoid.",
    "{file} is not a roster that can be edited": "{file} — не ростер, который можно править",
    "`squadpress roster check` says what is wrong.": "Что не так, скажет `squadpress roster check`.",
    "`squadpress check` says what is wrong.": "Что не так, скажет `squadpress check`.",
    "{file} cannot be edited by command here": "{file}: это место командой не исправить",
    "Edit it by hand; it is untouched.": "Исправьте его вручную: файл не тронут.",
    "{file} cannot be edited: {reason}": "{file} нельзя править: {reason}",
    "it is not YAML": "это не YAML",
    "it is not a map": "это не набор полей",
    "Mend the file first; `squadpress check` says where.": "Сперва почините файл; где — скажет `squadpress check`.",
    "{file} has no edit to take back": "{file}: отменять нечего",
    "Only edits made by `squadpress roster` count.": (
        "Отменяются только правки, сделанные командами `squadpress roster`."
    ),
    "{file} was changed by hand since the last edit": "{file} меняли вручную после последней правки",
    "Taking that edit back would lose the change.": "Отмена потеряла бы это изменение.",
    "{file} is not a collection: {reason}": "{file} — не коллекция: {reason}",
    "It states `pack` and `owned`: card id to copies.": "В ней есть `pack` и `owned`: карта и сколько их.",
    "{file} is a collection of {other}, not of {pack}": "{file} — коллекция игры {other}, а не {pack}",
    "Name one of the squad's pack.": "Назовите коллекцию той игры, что и отряд.",
    "{file} lists {card}, which is no card": "в {file} названа {card}, а такой карты нет",
    "{file} is a collection of {pack}, and no squad here is": (
        "{file} — коллекция игры {pack}, а отряды здесь других игр"
    ),
    "Name another one.": "Назовите другую.",
    "--painted says what of a collection counts, and none is named": (
        "--painted говорит, что из коллекции считается, а коллекция не названа"
    ),
    "Add --own COLLECTION.": "Добавьте --own КОЛЛЕКЦИЯ.",
    "a table of lists has no --explain, --verdict or --format": "у таблицы списков нет --explain, --verdict и --format",
    "Name the files: FOLDER/*.yaml.": "Назовите файлы: ПАПКА/*.yaml.",
    "{file}: none of {many} YAML files is a roster": "{file}: среди файлов YAML (их {many}) нет ни одного ростера",
    "A roster is a .yaml file that states `pack` and `entries`.": (
        "Ростер — файл .yaml, в котором есть `pack` и `entries`."
    ),
    "--all belongs to --explain": "--all идёт вместе с --explain",
    "Add --explain.": "Добавьте --explain.",
    # Tokens, verdicts and seals.
    "this is not a squad's token": "это не строка отряда",
    "A token starts with {mark}.": "Строка отряда начинается с {mark}.",
    "the token is of version {other!r}, this program reads {own}": (
        "строка отряда версии {other!r}, а эта программа читает версию {own}"
    ),
    "Update squadpress.": "Обновите squadpress.",
    "the token is longer than {most} characters": "строка отряда длиннее {most} знаков",
    "the token unpacks to more than {most} bytes": "строка отряда разворачивается больше чем в {most} байт",
    "No squad is that large.": "Таких больших отрядов не бывает.",
    "the token is damaged: it holds a character that no token has": (
        "строка отряда испорчена: в ней есть знак, которого в таких строках не бывает"
    ),
    "the token is damaged: a character of it was exchanged": "строка отряда испорчена: в ней подменён знак",
    "the token is damaged: its checksum is wrong": "строка отряда испорчена: контрольная сумма не сходится",
    "the token is damaged: it cannot be unpacked": "строка отряда испорчена: она не разворачивается",
    "Copy the whole text once more, from its first to its last character.": (
        "Скопируйте строку ещё раз целиком, от первого до последнего знака."
    ),
    "the token holds no roster": "в этой строке нет отряда",
    "the token holds no roster: {place}: {reason}": "в этой строке нет отряда: {place}: {reason}",
    "Ask for it once more.": "Попросите её ещё раз.",
    "the token is for the pack {pack}, which is not here": "строка отряда для игры {pack}, а её здесь нет",
    "the squad was built with other cards or rules than those here: judge it again": (
        "отряд собран с другими картами или правилами, чем здесь: проверьте его заново"
    ),
    "it was built with release {version}; a line `version: {version}` judges it by that": (
        "он собран по выпуску {version}; строка `version: {version}` проверит его по нему"
    ),
    "{file} holds no roster": "в {file} нет ростера",
    "{file} holds no roster: {reason}": "в {file} нет ростера: {reason}",
    "schemas/core/roster.schema.json tells its form.": "Его вид описан в schemas/core/roster.schema.json.",
    "{file} is larger than {most} bytes": "{file} больше {most} байт",
    "{file} is not JSON": "{file} — не JSON",
    "Name a file that `squadpress roster share --as json` wrote.": (
        "Назовите файл, который записала команда `squadpress roster share --as json`."
    ),
    "the squad is too large for a QR code ({many} characters)": "отряд слишком велик для QR-кода (знаков: {many})",
    "Share the token as text.": "Передайте строку текстом.",
    "{file} is not a verdict": "{file} — не вердикт",
    "Name a file that `squadpress roster check --verdict` wrote.": (
        "Назовите файл, который записала команда `squadpress roster check --verdict`."
    ),
    "key": "ключ",
    "sealed copy": "запечатанная копия",
    "disclosure": "раскрытие",
    "{file} is not a {what}": "{file} — не {what}",
    "{file} is a {what} of another version of this program": "{file} — {what} другой версии программы",
    "Name a {what} that `squadpress roster {verb}` wrote.": (
        "Нужно: {what} из файла, который записала команда `squadpress roster {verb}`."
    ),
    "Seal the squad again.": "Запечатайте отряд заново.",
    "{file} is not a legal squad": "{file} — незаконный отряд",
    "Seal what `squadpress roster check` calls legal.": (
        "Запечатать можно то, что `squadpress roster check` признаёт законным."
    ),
    "{file} is there already": "{file} уже есть",
    "Move it away first: without it the earlier seal proves nothing.": (
        "Сперва уберите его в надёжное место: без него прежняя печать ничего не докажет."
    ),
    "{file} is for the pack {pack}, which is not here": "{file} — для игры {pack}, а её здесь нет",
    "Add the pack under cards/.": "Положите игру в cards/.",
    "{file} holds no squad": "в {file} нет отряда",
    "Name the key as `squadpress roster seal` wrote it.": (
        "Назовите ключ, который записала команда `squadpress roster seal`."
    ),
    "nothing called {name} is sealed": "под именем {name} ничего не запечатано",
    "Sealed are: {listed}.": "Запечатаны: {listed}.",
    "stats.yaml of the pack {pack} is wrong: {reason}": "в stats.yaml игры {pack} ошибка: {reason}",
    "{file} says by its ending no known form": "по окончанию {file} не понять, какой это вид файла",
}
"""English form -> Russian form."""
