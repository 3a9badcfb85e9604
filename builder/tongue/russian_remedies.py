"""What to do about each sort of finding, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

_WHERE = {
    "the id of a card file": "id файла карты",
    "keywords in vocabulary.yaml": "keywords в vocabulary.yaml",
    "stats in vocabulary.yaml": "stats в vocabulary.yaml",
    "terms in vocabulary.yaml": "terms в vocabulary.yaml",
    "factions in vocabulary.yaml": "factions в vocabulary.yaml",
    "files templates/<pack>/icons/*.svg": "файлы templates/<pack>/icons/*.svg",
    "roster.params in pack.yaml": "roster.params в pack.yaml",
    "roster.links in pack.yaml": "roster.links в pack.yaml",
    "roster.choices in pack.yaml": "roster.choices в pack.yaml",
    "kinds in pack.yaml": "kinds в pack.yaml",
    "choices of the parameter in pack.yaml": "choices этого параметра в pack.yaml",
}
"""Where a name can be added."""

REMEDIES: Mapping[str, str] = {
    **{f"Correct the name, or add it: {en}.": f"Исправьте имя или добавьте его: {ru}." for en, ru in _WHERE.items()},
    # Files.
    "Make it an ordinary file that you may read, or remove it.": (
        "Пусть это будет обычный файл, который вам можно читать, — или уберите его."
    ),
    "Split the file, or move pictures and other bulk to files of their own.": (
        "Разделите файл или вынесите рисунки и прочий объём в отдельные файлы."
    ),
    "Save the file as UTF-8 in your editor.": "Сохраните файл в редакторе как UTF-8.",
    "Write what belongs here (`squadpress new` makes a small pack to look at), or remove the file.": (
        "Напишите то, чему здесь место (`squadpress new` создаст небольшую игру для примера), или уберите файл."
    ),
    "Replace the tab with spaces: two for each level.": "Замените табуляцию пробелами: по два на уровень.",
    "Look at this line and the one above: indentation, a missing colon or quote, an unclosed bracket.": (
        "Посмотрите на эту строку и на предыдущую: отступ, пропущенное двоеточие или кавычка, незакрытая скобка."
    ),
    "Remove the word that begins with an exclamation mark; put quotes around a text that must begin with one.": (
        "Уберите слово с восклицательным знаком в начале; текст, который должен так начинаться, возьмите в кавычки."
    ),
    "Write the value out where it is needed.": "Выпишите значение там, где оно нужно.",
    "Remove one of them.": "Уберите одно из двух.",
    "Put each document into a file of its own.": "Вынесите каждый документ в свой файл.",
    "Write the key as a plain word.": "Напишите ключ простым словом.",
    "Flatten the data.": "Сделайте данные менее вложенными.",
    "Correct the field's name, or add it to the kind's schema.": (
        "Исправьте имя поля или добавьте его в схему вида карт."
    ),
    "Add the field; the kind's schema describes it.": "Добавьте поле; оно описано в схеме вида карт.",
    "Write a value of the expected sort; quotes make a text of a number.": (
        "Напишите значение нужного рода; в кавычках число становится текстом."
    ),
    "Write year-month-day, such as 2026-03-01.": "Пишите год-месяц-день: 2026-03-01.",
    "Use one of the allowed values, or extend the kind's schema.": (
        "Возьмите одно из допустимых значений или расширьте схему вида карт."
    ),
    "Write it in the expected form.": "Напишите по образцу.",
    "Use a value within the bounds.": "Возьмите значение в этих границах.",
    "Compare the value with the forms in the kind's schema.": "Сверьте значение с тем, что допускает схема вида карт.",
    "Mend schemas/<pack>/<kind>.schema.json: JSON Schema 2020-12.": (
        "Почините schemas/<pack>/<kind>.schema.json: это JSON Schema 2020-12."
    ),
    "docs/formats.md describes each file and its keys.": "Файлы и их ключи описаны в docs/formats.md.",
    "Create the file; `squadpress new` writes a small pack as a pattern.": (
        "Создайте файл; `squadpress new` напишет небольшую игру для образца."
    ),
    "Rename the folder or change `id` in pack.yaml.": "Переименуйте папку или измените `id` в pack.yaml.",
    "Rename the file so that it ends in .yaml.": "Переименуйте файл так, чтобы он кончался на .yaml.",
    "Correct `kind`, or add the kind to pack.yaml.": "Исправьте `kind` или добавьте такой вид в pack.yaml.",
    "Keep one of the files.": "Оставьте один из двух файлов.",
    "The annotations are x-text (plain, rich), x-ref (card, card:KIND, keyword, stat, term, faction, icon, art) and"
    " x-where (true).": (
        "Пометки: x-text (plain, rich), x-ref (card, card:ВИД, keyword, stat, term, faction, icon, art) и"
        " x-where (true)."
    ),
    # Rosters.
    "Correct the key, or declare it under `roster` in pack.yaml.": (
        "Исправьте ключ или объявите его в pack.yaml, в разделе `roster`."
    ),
    "Write a value that pack.yaml allows.": "Возьмите значение, которое допускает pack.yaml.",
    "Correct `pack`, or add the pack under cards/.": "Исправьте `pack` или положите игру в cards/.",
    "Use one of the values that pack.yaml declares for the choice.": (
        "Возьмите одно из значений, которые названы для этого выбора в pack.yaml."
    ),
    "Take one of the repairs that the hint names, nearest first.": "Возьмите одну из названных поправок, лучше первую.",
    "Correct `expect` in the roster if the new verdict is right, else the rule or the card.": (
        "Исправьте `expect` в ростере, если новый вердикт верен; если нет — правило или карту."
    ),
    "Run `squadpress check` and mend the pack first.": "Сперва выполните `squadpress check` и почините игру.",
    "Take the card out of one squad, or correct the collection.": (
        "Уберите карту из какого-нибудь отряда или поправьте коллекцию."
    ),
    "Correct the id; it is the card's file name without .yaml.": "Исправьте id: это имя файла карты без .yaml.",
    "Put the card where its kind belongs.": "Поставьте карту туда, где место картам её вида.",
    "Use a tie that pack.yaml declares under roster.links.": "Возьмите связь из roster.links в pack.yaml.",
    "Name an entry of this roster.": "Назовите строку этого ростера.",
    "Give the meant entry an `id` and name that.": "Дайте нужной строке свой `id` и назовите его.",
    "Use a choice that pack.yaml declares under roster.choices.": "Возьмите выбор из roster.choices в pack.yaml.",
    "Use one of the values that pack.yaml declares, or the id of a card of the chosen kind.": (
        "Возьмите одно из значений, названных в pack.yaml, или id карты нужного вида."
    ),
    "Use a parameter that pack.yaml declares under roster.params.": "Возьмите параметр из roster.params в pack.yaml.",
    "State it at the top of the roster.": "Укажите его в начале ростера.",
    "Give each entry an id of its own.": "Дайте каждой строке свой id.",
    "Judge it with the pack that it names.": "Проверяйте его с той игрой, которую он называет.",
    # Releases.
    "Restore the file from your repository or from a published copy.": (
        "Восстановите файл из хранилища или из изданной копии."
    ),
    "Restore the file from your repository; changes belong into a new release.": (
        "Восстановите файл из хранилища; правкам место в новом выпуске."
    ),
    "Use the version of squadpress that made the release, or go without this card.": (
        "Возьмите ту версию squadpress, которая сделала выпуск, или обойдитесь без этой карты."
    ),
    "`squadpress release impact OLD NEW FILE` says what the newer release does to it.": (
        "Что с ним делает новый выпуск, скажет `squadpress release impact СТАРЫЙ НОВЫЙ ФАЙЛ`."
    ),
    "Correct `version` in the roster, or remove it to use the cards as they are.": (
        "Исправьте `version` в ростере или уберите эту строку, чтобы взять карты как они есть."
    ),
    # Cards.
    "Put the file under cards/<pack>/art/, or correct its name.": (
        "Положите файл в cards/<pack>/art/ или исправьте имя."
    ),
    "Copy the picture into cards/<pack>/art/ and name it from there.": (
        "Скопируйте рисунок в cards/<pack>/art/ и назовите его оттуда."
    ),
    "Name a card of the right kind.": "Назовите карту нужного вида.",
    "Write it as in rules.yaml: {keywords: {has: id}}, {cost: {le: 3}}, {faction: id}.": (
        "Пишите как в rules.yaml: {keywords: {has: id}}, {cost: {le: 3}}, {faction: id}."
    ),
    "Keep one history entry per revision, numbered from 1, and write the last number as `revision`.": (
        "На каждую ревизию — одна запись истории, с номера 1; последний номер стоит в `revision`."
    ),
    "Write the date of the last history entry as `released`.": "Напишите в `released` дату последней записи истории.",
    "Correct the date.": "Исправьте дату.",
    "Move the point, or correct the demand in rules.yaml.": "Подвиньте точку или исправьте требование в rules.yaml.",
    "Add or remove points, or correct their roles.": "Добавьте или уберите точки либо исправьте их роли.",
    "Rename the file to <id>.yaml, or correct the id.": "Назовите файл <id>.yaml или исправьте id.",
    "Give one of the cards another id.": "Дайте одной из карт другой id.",
    "Draw templates/<pack>/icons/<name>.svg, or correct the name.": (
        "Нарисуйте templates/<pack>/icons/<name>.svg или исправьте имя."
    ),
    "Add the text in this language.": "Добавьте текст на этом языке.",
    "Add the text in the missing language.": "Добавьте текст на недостающем языке.",
    "Move the file into the folder named after its kind, or correct `kind`.": (
        "Переложите файл в папку с именем вида или исправьте `kind`."
    ),
    "Close it, or put a backslash before a sign that means itself.": (
        "Закройте её или поставьте перед знаком, который значит сам себя, обратную черту."
    ),
    "The tags are key, stat, term, icon, card, dice, dist: {key:id}.": (
        "Теги: key, stat, term, icon, card, dice, dist — например {key:id}."
    ),
    "Write {dice:2d6+1} or {dist:1.5}.": "Пишите {dice:2d6+1} или {dist:1.5}.",
    "Correct the name, or add the kind to pack.yaml or the keyword to vocabulary.yaml.": (
        "Исправьте имя, добавьте вид в pack.yaml или ключевое слово в vocabulary.yaml."
    ),
    "Correct the field's name; a field inside another is written with dots.": (
        "Исправьте имя поля; поле внутри другого пишут через точку."
    ),
    "Correct the name; a field inside another is written with dots.": (
        "Исправьте имя; поле внутри другого пишут через точку."
    ),
    "Give each rule an id of its own.": "Дайте каждому правилу свой id.",
    "Correct the field's name in stats.yaml; paths inside a card are written with dots.": (
        "Исправьте имя поля в stats.yaml; путь внутри карты пишут через точку."
    ),
    "Correct `from`, `where` and `bearer` of the form, or take it out.": (
        "Исправьте `from`, `where` и `bearer` формы или уберите её."
    ),
    # Translations.
    "Add the string to the translation file, with the hash of its source.": (
        "Добавьте строку в файл перевода вместе с хешем исходного текста."
    ),
    "Bring the translation up to date, then write the new hash as `source`.": (
        "Обновите перевод, потом напишите новый хеш в `source`."
    ),
    "Correct the path or the id, or remove the translation.": "Исправьте путь или id либо уберите перевод.",
    "Translate it, or add `same: true` if the same words are meant.": (
        "Переведите или добавьте `same: true`, если слова и должны совпадать."
    ),
    "Use the same tags with the same ids in both languages.": (
        "Поставьте в обоих языках одни и те же теги с теми же id."
    ),
    "Add the language under `languages` in pack.yaml, or rename the folder under i18n/.": (
        "Добавьте язык в `languages` в pack.yaml или переименуйте папку в i18n/."
    ),
}
"""English remedy -> Russian remedy."""
