"""The words of verdicts, tables of lists and edits, per language."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "legal": "legal",
        "illegal": "ILLEGAL",
        "unreadable": "(not readable)",
        "col-file": "file",
        "col-name": "name",
        "col-spent": "spent",
        "col-broken": "broken",
        "lists": "{many} lists, {legal} legal, {illegal} illegal",
        "skipped": "not a roster: {file} ({what})",
        "a-collection": "a collection",
        "no-pack": "it states neither a pack nor entries",
        "no-map": "it holds no fields",
        "written": "written: {file}",
        "did-add": "added {card}{many}",
        "did-give": "gave {card}{many} to #{line}",
        "did-remove": "removed {card}{many}",
        "did-move": "moved {card} to #{line}",
        "did-name": "named {name}",
        "did-duplicate": "duplicated {card}",
        "undone": "took back: {what}",
        "no-time": "Time ran out before a legal squad was found; there may be one. Ask again, or ask for less.",
    },
    "ru": {
        "legal": "законен",
        "illegal": "НЕЗАКОНЕН",
        "unreadable": "(не читается)",
        "col-file": "файл",
        "col-name": "название",
        "col-spent": "потрачено",
        "col-broken": "нарушено",
        "lists": "ростеров: {many}, законных: {legal}, незаконных: {illegal}",
        "skipped": "не ростер: {file} ({what})",
        "a-collection": "это коллекция",
        "no-pack": "в нём нет ни pack, ни entries",
        "no-map": "в нём нет полей",
        "written": "записано: {file}",
        "did-add": "добавлено: {card}{many}",
        "did-give": "выдано: {card}{many} → #{line}",
        "did-remove": "убрано: {card}{many}",
        "did-move": "передано: {card} → #{line}",
        "did-name": "теперь называется: {name}",
        "did-duplicate": "ещё одна модель: {card}",
        "undone": "отменено: {what}",
        "no-time": "Время вышло, законный отряд не найден, хотя может быть. Спросите снова или просите меньше.",
    },
}
