"""Command lines that cannot be done as they are, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "Error: {message}": "Ошибка: {message}",
    "Try '{command} {option}' for help.": "Подробнее: {command} {option}",
    "No such command {name!r}. {advice}": "Команды {name!r} нет. {advice}",
    "no such option: {name}": "опции {name} нет",
    "no such option: {name}. {advice}": "опции {name} нет. {advice}",
    "missing option {name}": "не хватает опции {name}",
    "missing argument {name}": "не хватает аргумента {name}",
    "invalid value for {name}: {reason}": "{name}: такое значение не годится ({reason})",
    "{name} must be from {least} to {most}": "{name}: можно от {least} до {most}",
    "{name} may only be: {listed}": "{name}: можно только {listed}",
    "interrupted": "прервано",
    "Files already written are whole; run the command again to finish.": (
        "Файлы, которые уже записаны, целы; повторите команду, чтобы закончить."
    ),
    "unexpected {sort}: {error}": "неожиданный сбой {sort}: {error}",
    "This is a bug in squadpress. Run again with SQUADPRESS_DEBUG=1 and report what it prints.": (
        "Это ошибка в squadpress. Повторите с SQUADPRESS_DEBUG=1 и сообщите о том, что напечатано."
    ),
    "Run: {command}": "Выполните: {command}",
    "{file} could not be written: {reason}": "{file} не записать: {reason}",
    "Check that the folder may be written to and that the disk has room; earlier files are untouched.": (
        "Проверьте, что в папку можно писать и что на диске есть место; прежние файлы не тронуты."
    ),
    "{file} exists": "{file} уже есть",
    "A published version is never overwritten; choose the next one.": (
        "Изданный выпуск не переписывают: выберите следующий номер."
    ),
    "{file} is there and is no package of this program": "{file} уже есть, и это не пакет этой программы",
    "Move it, or name another place.": "Уберите его или назовите другое место.",
    "{file}: there is no such file": "{file}: такого файла нет",
    "Name a roster file.": "Назовите файл ростера.",
    "Name roster files, or a folder of them.": "Назовите файлы ростеров или папку с ними.",
    "Name a new file.": "Назовите новый файл.",
    # Projects, packs and states.
    "no pack under {folder}": "в {folder} нет ни одной игры",
    "no pack {pack!r} under {folder}": "игры {pack!r} в {folder} нет",
    "A pack is a folder of cards/ with a pack.yaml; `squadpress new mygame` writes one.": (
        "Игра — папка в cards/, в которой есть pack.yaml; `squadpress new mygame` создаст такую."
    ),
    "{folder} is not inside a project: neither it nor any folder above has a cards/ folder": (
        "{folder} не внутри проекта: папки cards/ нет ни в ней, ни выше"
    ),
    "Go into your project's folder, name it with --project DIR, or start one with `squadpress new mygame`.": (
        "Перейдите в папку проекта, назовите её: --project ПАПКА — или начните новый: `squadpress new mygame`."
    ),
    "this project has several packs": "в этом проекте несколько игр",
    "there are several packs": "игр здесь несколько",
    "two packs are named: {pack} and {pack_option}": "названы две игры: {pack} и {pack_option}",
    "Name one.": "Назовите одну.",
    "Name one: {listed}.": "Назовите одну: {listed}.",
    "Name one with --pack: {listed}.": "Назовите одну: --pack, на выбор {listed}.",
    "{name} is neither a release of {pack}, nor a day after its first one, nor a project's folder": (
        "{name} — не выпуск игры {pack}, не день после первого её выпуска и не папка проекта"
    ),
    "`squadpress release new` makes the first.": "Первый создаёт `squadpress release new`.",
    "{pack} has no language {lang}": "языка {lang} у игры {pack} нет",
    "{label} cannot be read as a pack": "{label} не читается как игра",
    "`squadpress release diff` still compares it.": "Сравнить его всё же можно: `squadpress release diff`.",
    "a PDF needs a folder": "для PDF нужна папка",
    "Name one with --output DIR.": "Назовите её: --output ПАПКА.",
    # Cards that are chosen to be printed.
    "cards cannot be selected by {field!r}": "по полю {field!r} карты не выбирают",
    "no {field} {value!r} in the pack {pack}": "в игре {pack} нет {field} {value!r}",
    "no card passes {listed}": "ни одна карта не подходит под {listed}",
    "the pack {pack} has no cards": "в игре {pack} нет карт",
    "Select with kind=..., faction=... or patterns of ids such as 'a*,b*'.": (
        "Выбирают по kind=..., faction=... или по началу id: 'a*,b*'."
    ),
    "{file} is a squad of the pack {pack}": "{file} — отряд игры {pack}",
    "{file}: no card {name!r}": "{file}: карты {name!r} нет",
    "{file} fields no cards": "в {file} нет ни одной карты",
    "Add entries to the squad.": "Добавьте в отряд модели.",
    "no profile {name!r}": "профиля {name!r} нет",
    "profile {name} has no paper": "в профиле {name} не названа бумага",
    "Add `paper: {width: ..., height: ...}` in mm.": "Добавьте `paper: {width: ..., height: ...}` в мм.",
    "profile {profile} prints one face a page, no sheets": (
        "профиль {profile} печатает по одной стороне карты на странице, а не листы"
    ),
    "Choose home-a4 or home-letter.": "Возьмите home-a4 или home-letter.",
    "no preset {name!r} of a print shop": "типографии {name!r} нет",
    "{file}: id is {id!r}": "{file}: id — {id!r}",
    "Call it {name!r}.": "Назовите его {name!r}.",
    "no printer {name!r}": "принтера {name!r} нет",
    "squadpress calibrate, then squadpress printer set NAME ...": (
        "Сперва squadpress calibrate, потом squadpress printer set ИМЯ ..."
    ),
    "{name!r} is no name": "{name!r} — не имя",
    "Lower-case Latin letters, digits and hyphens.": "Строчные латинские буквы, цифры и дефисы.",
    "Mend the file, or delete it and set the printers anew.": (
        "Почините файл или удалите его и задайте принтеры заново."
    ),
    "no pack id can be made from {folder!r}": "из {folder!r} не получается id игры",
    "Choose a folder name with Latin letters or digits, such as mygame.": (
        "Возьмите для папки имя из латинских букв и цифр, например mygame."
    ),
    "{folder} already exists and is not an empty folder": "{folder} уже есть, и это не пустая папка",
    "Choose another name; nothing was changed.": "Возьмите другое имя; ничего не изменено.",
    "Check that you may write there and that the disk has room.": (
        "Проверьте, что туда можно писать и что на диске есть место."
    ),
    "the page could not be set: {told}": "страницу не набрать: {told}",
    "Mend the template or the text it speaks of.": "Почините шаблон или текст, о котором речь.",
    # Translations.
    "{pack} is not translated into {lang}": "перевода игры {pack} на {lang} нет",
    "{file} cannot be read": "{file} не читается",
    "Name the file the translator filled.": "Назовите файл, который заполнил переводчик.",
    "{file} is for {lang!r}, which {pack} is not translated into": (
        "{file} — для {lang!r}, а перевода игры {pack} на него нет"
    ),
    "Look at its line `lang:`.": "Посмотрите на строку `lang:` в нём.",
    "Make the file anew: the card changed since it was made.": "Создайте файл заново: карта с тех пор изменилась.",
    # What is not installed.
    "the solver OR-tools is not installed": "решатель OR-tools не установлен",
    "Install squadpress with its extra `solve`: squadpress[solve].": (
        "Установите squadpress с дополнением `solve`: squadpress[solve]."
    ),
    "QR codes need segno": "для QR-кодов нужен segno",
    "Install squadpress with its extra `share`: squadpress[share].": (
        "Установите squadpress с дополнением `share`: squadpress[share]."
    ),
}
"""English form -> Russian form."""
