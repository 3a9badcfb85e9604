"""What is wrong with a file before its contents can be read, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

YAML: Mapping[str, str] = {
    "this is a folder, not a file": "это папка, а не файл",
    "this is no ordinary file": "это не обычный файл",
    "cannot be read: {reason}": "не читается: {reason}",
    "{size} MB are more than the {most} MB a data file may have": (
        "{size} МБ — больше, чем {most} МБ, допустимые для файла данных"
    ),
    "byte {byte} is not UTF-8 text": "байт {byte} — не текст UTF-8",
    "the file is empty": "файл пуст",
    "the file holds no value": "в файле ничего не сказано",
    "a second document begins here": "здесь начинается второй документ",
    "the tag {tag} is not allowed": "тег {tag} недопустим",
    "more than {most} levels": "вложенность больше {most} уровней",
    "{key} stands here a second time; the first is in line {line}": (
        "{key} стоит здесь во второй раз; впервые — в строке {line}"
    ),
    "a list, map or alias cannot be a key": "список, набор полей или ссылка ключом быть не могут",
    "merge keys (<<) are not part of YAML 1.2": "ключей слияния (<<) в YAML 1.2 нет",
    "an empty key": "пустой ключ",
    "*{name} contains itself": "*{name} содержит сам себя",
    "nothing is anchored as &{name}": "метки &{name} в файле нет",
    "the aliases of this file stand for more than {most} values": (
        "ссылки этого файла разворачиваются больше чем в {most} значений"
    ),
    "the line is indented with a tab": "отступ строки сделан табуляцией",
    "a tab stands where a value should begin": "табуляция стоит там, где должно начинаться значение",
    "{problem}: {line}": "{problem}: {line}",
    "{problem} at the end of the file": "{problem} — в конце файла",
    "A text that holds a colon and a space needs quotes around it.": (
        "Текст, в котором есть двоеточие с пробелом, берут в кавычки."
    ),
    "A text that begins with a special sign needs quotes around it.": (
        "Текст, который начинается с особого знака, берут в кавычки."
    ),
}
"""English form -> Russian form."""

SCANNER: Mapping[str, str] = {
    "mapping values are not allowed in this context": "двоеточие здесь неуместно",
    "mapping keys are not allowed in this context": "ключ здесь неуместен",
    "block sequence entries are not allowed in this context": "пункт списка (-) здесь неуместен",
    "could not find expected ':'": "не хватает двоеточия",
    "found unexpected ':'": "двоеточие здесь неуместно",
    "did not find expected key": "здесь ожидался ключ",
    "did not find expected '-' indicator": "здесь ожидался пункт списка (-)",
    "did not find expected ',' or ']'": "здесь ожидалась запятая или ]",
    "did not find expected ',' or '}'": "здесь ожидалась запятая или }",
    "did not find expected node content": "здесь ожидалось значение",
    "did not find expected <document start>": "здесь ожидалось начало документа",
    "did not find expected comment or line break": "здесь ожидался конец строки",
    "did not find expected whitespace or line break": "здесь ожидался пробел или конец строки",
    "did not find expected alphabetic or numeric character": "здесь ожидалась буква или цифра",
    "did not find expected hexdecimal number": "здесь ожидалось шестнадцатеричное число",
    "found character that cannot start any token": "с такого знака ничто не начинается",
    "found unexpected end of stream": "файл кончился раньше, чем закрылась кавычка",
    "found unexpected document indicator": "новый документ начался раньше, чем закрылась кавычка",
    "found unknown escape character": "после обратной черты стоит неизвестный знак",
    "found a tab character where an indentation space is expected": "табуляция вместо пробелов отступа",
    "found a tab character that violates indentation": "табуляция нарушает отступ",
    "found undefined tag handle": "неизвестный тег",
    "control characters are not allowed": "в файле есть управляющий знак",
}
"""What the scanner of YAML (libyaml) complains of -> the same in Russian."""
