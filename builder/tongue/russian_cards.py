"""What is wrong with the cards, rules and translations of a pack, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

CARDS: Mapping[str, str] = {
    "the pack's id is {id}, but its folder is {folder}": "id игры — {id}, а папка — {folder}",
    "{kind} is not a kind of this pack": "вида {kind} в этой игре нет",
    "a card must be a map of fields": "карта — это набор полей, а здесь другое",
    "{file} does not end in .yaml": "имя {file} не кончается на .yaml",
    "{file} translates {card} already": "{file} уже переводит {card}",
    # Names that lead nowhere.
    "card": "карта",
    "keyword": "ключевое слово",
    "stat": "характеристика",
    "term": "термин",
    "faction": "фракция",
    "icon": "значок",
    "kind": "вид карт",
    "parameter": "параметр",
    "link": "связь",
    "choice": "выбор",
    "value": "значение",
    "attack": "атака",
    "card or choice": "карты и выборы",
    "there is no {what} {name}": "неизвестно: {what} {name}",
    "there is no icon {value}": "значка {value} нет",
    "there is no picture {name}": "рисунка {name} нет",
    "no {kind} has a field {name}": "ни у одной карты вида {kind} нет поля {name}",
    "no {whose} has the field {name}": "поля {name} нет ({whose})",
    "no card has a field {name}": "поля {name} нет ни у одной карты",
    "{name} is a {own}, but must be a {kind}": "{name} — карта вида {own}, а нужен вид {kind}",
    "{name} does not lie in the pack's art folder": "{name} лежит не в папке art этой игры",
    "another rule is already called {rule}": "другое правило уже называется {rule}",
    "form {number} describes no attack of any card": "форма {number} не подходит ни к одной атаке",
    "the condition": "условие",
    "is not a test": "такой проверки нет",
    "this": "здесь",
    "Tests": "Проверки",
    "Tags": "Теги",
    "Icons": "Значки",
    "Pictures here": "Рисунки здесь",
    "Its texts": "Её тексты",
    "Translations in pack.yaml": "Переводы в pack.yaml",
    # The card's own story.
    "entry {number} of the history is called revision {stated}": "запись {number} истории названа ревизией {stated}",
    "the card is at revision {revision}, but its history counts {count}": (
        "у карты ревизия {revision}, а записей в истории {count}"
    ),
    "{released} is before {earlier}, the revision before it": "{released} раньше, чем {earlier} — ревизия перед ней",
    "{effective} is before the release on {released}": "{effective} раньше, чем выпуск {released}",
    "released is {stated}, but the last change is of {last}": "released — {stated}, а последняя правка — {last}",
    "{many} points where {demand} demands {number} ({source})": (
        "точек {many}, а правило {demand} требует {number} ({source})"
    ),
    "{point} is {far:.4g} from {other}, but must be {wanted} ({source})": (
        "от {point} до {other} — {far:.4g}, а нужно: {wanted} ({source})"
    ),
    "{id} is already the id of {file}": "{id} — уже id карты {file}",
    "the id is {id}, but the file is {stem}.yaml": "id — {id}, а файл — {stem}.yaml",
    "Rename the file to {id}.yaml, or write id: {stem}.": "Назовите файл {id}.yaml или напишите id: {stem}.",
    "the kind is {kind}, but the folder is {folder}": "вид — {kind}, а папка — {folder}",
    # Texts and translations.
    "a brace opens in {spot} and never closes": "скобка в {spot} открыта и не закрыта",
    "a brace closes in {spot} that never opened": "скобка в {spot} закрыта, но не открыта",
    "a star opens in {spot} and never closes": "звёздочка в {spot} открыта и не закрыта",
    "{value} is not a tag": "тега {value} нет",
    "{value} is not a roll of dice": "{value} — не бросок кубиков",
    "{value} is not a distance": "{value} — не расстояние",
    "Write {{tag:id}}; the tags are {listed}.": "Пишите {{тег:id}}; теги: {listed}.",
    "{path} has no translation into {lang}": "{path}: нет перевода на {lang}",
    "{path} has no text in {listed}": "{path}: нет текста на {listed}",
    "{path} was translated from another text ({source})": "{path}: перевод сделан с другого текста ({source})",
    "{path} is the same as the source": "{path}: перевод совпадает с исходным текстом",
    "{path} is without {lost} and with {added}, unlike the source": (
        "{path}: нет {lost}, зато есть {added} — не как в исходном тексте"
    ),
    "{path} is without {lost}, unlike the source": "{path}: нет {lost}, а в исходном тексте есть",
    "{path} is with {added}, unlike the source": "{path}: есть {added}, а в исходном тексте нет",
    "{lang} is not among the pack's translations": "перевода на {lang} у этой игры нет",
    "{card} has no text {path}": "у карты {card} нет текста {path}",
    "the file is {stem}.yaml, but its card is {stated}": "файл — {stem}.yaml, а карта в нём — {stated}",
    "Create {path} with the strings {listed}.": "Создайте {path} со строками {listed}.",
    'Add under strings: {path}: {{text: ..., source: "{hash}"}}': (
        'Добавьте в strings: {path}: {{text: ..., source: "{hash}"}}'
    ),
    'Compare with the source, then write source: "{fresh}".': (
        'Сверьте с исходным текстом и напишите source: "{fresh}".'
    ),
    # Releases.
    "the manifest cannot be read": "манифест не читается",
    "this part of the release cannot be read": "эта часть выпуска не читается",
    "the bytes are not those that were released": "это не те байты, что были выпущены",
}
"""English form -> Russian form."""
