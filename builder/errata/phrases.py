"""The words of release notes, per language. No game's words: those come from the pack."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "{pack}: what changed in {new}",
        "dates": "Published {released}, in force from {effective}. Compared with {old}.",
        "title-work": "{pack}: what the next release changes",
        "dates-work": "Not yet published. Compared with {old}.",
        "none": "No card changed.",
        "added": "New card.",
        "renamed": "Formerly “{old}”.",
        "merged": "Withdrawn; its place is taken by {names}.",
        "split": "Withdrawn; split into {names}.",
        "deleted": "Withdrawn.",
        "vanished": "Withdrawn.",
        "rules": "Rules",
        "rule-changed": "The rule changed.",
        "rule-added": "A new rule.",
        "rule-gone": "The rule is withdrawn.",
        "revision": "revision {number}",
        "everyone": "For everyone",
        "cost": "Cost",
        "name": "Name",
        "keywords": "Keywords",
        "faction": "Faction",
        "art": "Picture",
        "before": "Before",
        "after": "After",
        "type-rules": "Rules change",
        "type-balance": "Balance",
        "type-wording": "Wording",
        "type-misprint": "Misprint",
        "type-art": "Art",
        "checklist": "Cards to swap after {old}",
        "swap": "Swap",
        "put-in": "Add",
        "take-out": "Take out",
    },
    "ru": {
        "title": "{pack}: что изменилось в выпуске {new}",
        "dates": "Опубликовано {released}, действует с {effective}. Сравнение с выпуском {old}.",
        "title-work": "{pack}: что изменит следующий выпуск",
        "dates-work": "Ещё не опубликовано. Сравнение с выпуском {old}.",
        "none": "Ни одна карточка не изменилась.",
        "added": "Новая карточка.",
        "renamed": "Прежнее название: «{old}».",
        "merged": "Изъята; вместо неё — {names}.",
        "split": "Изъята; разделена на {names}.",
        "deleted": "Изъята.",
        "vanished": "Изъята.",
        "rules": "Правила",
        "rule-changed": "Правило изменилось.",
        "rule-added": "Новое правило.",
        "rule-gone": "Правило отменено.",
        "revision": "редакция {number}",
        "everyone": "Для всех",
        "cost": "Стоимость",
        "name": "Название",
        "keywords": "Ключевые слова",
        "faction": "Фракция",
        "art": "Рисунок",
        "before": "Было",
        "after": "Стало",
        "type-rules": "Изменение правил",
        "type-balance": "Баланс",
        "type-wording": "Формулировка",
        "type-misprint": "Опечатка",
        "type-art": "Рисунок",
        "checklist": "Карточки, которые пора заменить после {old}",
        "swap": "Заменить",
        "put-in": "Добавить",
        "take-out": "Убрать",
    },
}


def phrase(lang: str, name: str, **values: object) -> str:
    """One phrase in a language, in English where the language has none."""
    table = PHRASES.get(lang) or PHRASES["en"]
    return table[name].format(**values)
