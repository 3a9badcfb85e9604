"""What a release changed and what that does to squads, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

RELEASES: Mapping[str, str] = {
    "{pack}: {old} and {new} do not differ": "{pack}: {old} и {new} не различаются",
    "{pack}: {old} -> {new}, {count}": "{pack}: {old} -> {new}, {count}",
    "{many} card": "карт: {many}",
    "{many} cards": "карт: {many}",
    "{cards}, {parts} places besides": "{cards}, других мест: {parts}",
    "Nothing differs.": "Различий нет.",
    "Besides the cards": "Кроме карт",
    ", was {old}": ", была {old}",
    ", revision {old} -> {new}": ", ревизия {old} -> {new}",
    "an empty text": "пустой текст",
    "added": "добавлена",
    "changed": "изменена",
    "renamed": "переименована",
    "merged": "слита",
    "split": "разделена",
    "deleted": "убрана",
    "vanished": "исчезла",
    "new": "новое",
    "gone": "убрано",
    "cost": "цена",
    "slot": "слоты",
    "rule text": "текст правил",
    "wording": "формулировка",
    "name": "название",
    "art": "рисунок",
    "translation": "перевод",
    "BROKEN": "СТАЛ НЕЗАКОНЕН",
    "legal": "законен",
    "illegal": "незаконен",
    "unread": "не читается",
    "{old} is now {new}": "{old} теперь {new}",
    "{old} is gone": "карты {old} больше нет",
    "{old} is gone, split into {heirs}": "карты {old} больше нет, вместо неё {heirs}",
    "changed: {listed}": "изменились: {listed}",
    " (because of {listed})": " (из-за изменений: {listed})",
    "{many} squad: {legal} legal, {worse} no longer legal": (
        "отрядов: {many}, законных: {legal}, переставших быть законными: {worse}"
    ),
    "{many} squads: {legal} legal, {worse} no longer legal": (
        "отрядов: {many}, законных: {legal}, переставших быть законными: {worse}"
    ),
    "{many} way in which a legal squad can become illegal": "способов стать незаконным у законного отряда: {many}",
    "{many} ways in which a legal squad can become illegal": "способов стать незаконным у законного отряда: {many}",
    "{file}: ids brought to {version}": "{file}: id приведены к выпуску {version}",
    "the rule changed": "правило изменилось",
    "the rule is new": "новое правило",
    "the card is {status}": "карта {status}",
    "{path}: {old} -> {new}": "{path}: {old} -> {new}",
}
"""English form -> Russian form."""
