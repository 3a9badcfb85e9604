"""What stands against a release, a revision or a printer's numbers, and what was done, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

PROPOSALS: Mapping[str, str] = {
    # The version and its dates.
    "{version!r} is not a version": "{version!r} — не номер выпуска",
    "{version} exists": "выпуск {version} уже есть",
    "the pack is as {last} froze it": "игра такая же, как в выпуске {last}",
    "{version} after {last} is too small a step: {reason}, a {step} change": (
        "{version} после {last} — слишком малый шаг: {reason}, это правка рода {step}"
    ),
    "Release it as {version}.": "Выпустите её под номером {version}.",
    "nothing changed": "ничего не изменилось",
    "only wording, translations or looks changed": "изменились только формулировки, переводы или вид",
    "the id {card} is {status}": "карта {card} {status}",
    "the contract {path} changed": "изменилась схема {path}",
    "{card} is new": "карта {card} новая",
    "{card}: {path} ({sort}) changed": "{card}: изменилось {path} ({sort})",
    "{path} changed in the rules": "в правилах изменилось {path}",
    "effective on {effective}, before it is released on {released}": (
        "действует с {effective} — раньше, чем издан {released}"
    ),
    "released on {new}, but {label} before it was released on {old}": (
        "издан {new}, а предыдущий выпуск {label} — {old}"
    ),
    "effective on {new}, but {label} before it was effective on {old}": (
        "действует с {new}, а предыдущий выпуск {label} — с {old}"
    ),
    "{card} says released {stated}, the release is of {expected}": (
        "у карты {card} в released стоит {stated}, а дата выпуска — {expected}"
    ),
    # Cards and ids.
    "{card} was in {old} and is gone": "карта {card} была в выпуске {old}, а теперь её нет",
    "{card} was given up by the migrations file and is in use": "id {card} по файлу миграций оставлен, но снова занят",
    "{old} -> {target}: there is no card {target}": "{old} -> {target}: карты {target} нет",
    "{old}: the line is of {date}, the release of {released}": "{old}: дата строки {date}, а выпуска — {released}",
    "{card}: the history says {types}, but {path} changed from {old!r} to {new!r}": (
        "{card}: в истории сказано {types}, а {path} изменилось: {old!r} -> {new!r}"
    ),
    "{card} changed ({fields}) and is still revision {revision}": (
        "карта {card} изменилась ({fields}), а ревизия всё та же: {revision}"
    ),
    "{card} went to revision {revision}, but nothing in it changed": (
        "у карты {card} теперь ревизия {revision}, но в ней ничего не изменилось"
    ),
    "{card}: the note of revision {revision} is not there in {listed}": (
        "{card}: у ревизии {revision} нет заметки на {listed}"
    ),
    "{part}: {place}: {reason}": "{part}: {place}: {reason}",
    "Choose dates that do not precede those of the release before, nor each other.": (
        "Возьмите даты не раньше, чем у предыдущего выпуска, и по порядку."
    ),
    "Set `released` of the card and of its last history entry to the release's date.": (
        "Поставьте дату выпуска в `released` карты и последней записи её истории."
    ),
    "Give the history entry the type balance or rules, or take the number back.": (
        "Дайте записи истории тип balance или rules или верните число."
    ),
    "Add a line to migrations.yaml: {old, new, type: rename | merge | split | delete, date}.": (
        "Добавьте строку в migrations.yaml: {old, new, type: rename | merge | split | delete, date}."
    ),
    "Choose a new id for the new card.": "Возьмите для новой карты новый id.",
    "Correct `new`, or follow it by a line for what became of that card.": (
        "Исправьте `new` или добавьте строку о том, что стало с той картой."
    ),
    "Set its `date` to the release's date.": "Поставьте в её `date` дату выпуска.",
    "Write MAJOR.MINOR.PATCH in whole numbers.": "Пишите MAJOR.MINOR.PATCH целыми числами.",
    "Choose the next version.": "Возьмите следующий номер.",
    "Choose the version that the finding names.": "Возьмите номер, который здесь назван.",
    "Change something first.": "Сперва что-нибудь измените.",
    "`squadpress card bump ID --type TYPE --note TEXT` raises the revision and writes the history entry.": (
        "`squadpress card bump ID --type ТИП --note ТЕКСТ` поднимет ревизию и напишет запись истории."
    ),
    "Take the revision and its history entry back, or make the change it announces.": (
        "Верните прежнюю ревизию и уберите запись истории или внесите правку, о которой она говорит."
    ),
    "Add the note in every language of the pack.": "Напишите заметку на каждом языке игры.",
    # What was done with releases and cards.
    "{version} was not released.": "{version} не выпущен.",
    "{version} could be released: {cards} cards, {many} of them differ.": (
        "{version} можно выпускать: карт {cards}, из них изменились {many}."
    ),
    "{version} released: {cards} cards frozen in {folder}": "{version} выпущен: карт {cards}, они сохранены в {folder}",
    "{pack} has no release": "у игры {pack} нет выпусков",
    "`squadpress release new VERSION --effective DATE` makes the first.": (
        "Первый создаёт `squadpress release new НОМЕР --effective ДАТА`."
    ),
    "{many} files in {folder}; prove them there with: sha256sum -c SHA256SUMS": (
        "файлов {many} в {folder}; проверить их там: sha256sum -c SHA256SUMS"
    ),
    "{file}: revision {revision}": "{file}: ревизия {revision}",
    "{pack} has no card {card}": "карты {card} у игры {pack} нет",
    "{file} was not edited: {reason}": "{file} не изменён: {reason}",
    "it has no revision": "в нём нет ревизии",
    "it is not a card": "это не карта",
    "its layout is too unusual to be edited safely": "он записан слишком необычно, чтобы править его без риска",
    "Mend it (`squadpress check` says where), or edit it by hand.": (
        "Почините его (`squadpress check` скажет где) или правьте руками."
    ),
    "{folder}: pack {pack}, {count} files. Next:": "{folder}: игра {pack}, файлов {count}. Дальше:",
    "there is no finding {code}": "кода {code} нет",
    "`squadpress explain` lists all codes; groups: {listed}.": (
        "Все коды покажет `squadpress explain`; группы: {listed}."
    ),
    "Groups": "Группы",
    # Printers, pictures.
    "{file}: print both sides, then read the rulers on the back": (
        "{file}: напечатайте обе стороны и прочитайте линейки на обороте"
    ),
    "{value!r} is not two numbers such as 0.5,-1": "{value!r} — не два числа вида 0.5,-1",
    "one ruler alone does not tell the rotation": "по одной линейке поворот не узнать",
    "Give --left and --right.": "Назовите и --left, и --right.",
    "nothing is said of the printer": "о принтере ничего не сказано",
    "Give --back-offset X,Y, --back-rotation D, or readings.": (
        "Назовите --back-offset X,Y, --back-rotation D или показания линеек."
    ),
    "no printer misses by so much: at most 20 mm and 5 degrees": (
        "принтер не промахивается так сильно: не больше 20 мм и 5 градусов"
    ),
    "Check the duplex edge, and measure again.": "Проверьте, через какой край переворачивался лист, и измерьте снова.",
    "{printer}; kept in {file}": "{printer}; записано в {file}",
    "{printer} ({edge})": "{printer} ({edge})",
    "{name}: backs {across:+g} mm right, {down:+g} mm down, {rotation:+.3g}° clockwise": (
        "{name}: обороты на {across:+g} мм вправо, {down:+g} мм вниз, {rotation:+.3g}° по часовой стрелке"
    ),
    "{many} picture": "картинок: {many}",
    "{many} pictures": "картинок: {many}",
    "{folder}: {cards} in {pictures}": "{folder}: {cards}, {pictures}",
}
"""English form -> Russian form."""
