"""What contradicts itself in the files of a pack, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

MODELS: Mapping[str, str] = {
    # rules.yaml
    "state exactly one of count, sum, distinct": "назовите ровно одно из count, sum, distinct",
    "state exactly one of number, param, field, one_per, share, table": (
        "назовите ровно одно из number, param, field, one_per, share, table"
    ),
    "table and by belong together": "table и by идут вместе",
    "state at least one of min, max, exactly": "назовите хотя бы одно из min, max, exactly",
    "exactly excludes min and max": "exactly не сочетается с min и max",
    "a bound that stands on the card needs `per: card` or `per: entry`": (
        "граница, которая стоит на карте, требует `per: card` или `per: entry`"
    ),
    "groups needs `per: field` or `per: choice`": "groups требует `per: field` или `per: choice`",
    "a deck belongs to the roster as a whole: `from: deck` cannot go with `per: entry`": (
        "колода — у ростера в целом: `from: deck` не сочетается с `per: entry`"
    ),
    "delete has no `new`, rename and merge have one, split has two or more": (
        "у delete нет `new`, у rename и merge оно одно, у split — два или больше"
    ),
    # stats.yaml
    "each roll of `then` states what it must reach": "каждый бросок в `then` говорит, чего должен достичь",
    "no number is named {name}; `let` of the form or of the file defines it": (
        "числа {name} нет; его задаёт `let` формы или файла"
    ),
    "{name} is thrown, but must be certain: only counts, bonuses and worths are thrown": (
        "{name} бросают кубиками, а нужно твёрдое число: бросают только count, plus и worth"
    ),
    "{name} is not listed under `given`": "{name} не перечислено в `given`",
    "`let` goes in a circle: {listed}": "`let` ходит по кругу: {listed}",
    "damage may depend on two things beside the attack (target fields, given), no more": (
        "damage зависит, кроме самого attack, не больше чем от двух вещей (поля target, given)"
    ),
    "state either ways or a duel; a duel has no other rolls": "назовите ways или duel; других бросков в duel нет",
    "in a duel each side has its own attack and model, no target and nothing given": (
        "в duel у каждой стороны свои attack и model, без target и given"
    ),
    "several ways need a roll": "для нескольких ways нужен roll",
    "with a roll each way states what it must reach, and the roll itself does not": (
        "при roll каждый из ways говорит, чего достичь, а сам roll — нет"
    ),
    "without a roll a way needs damage": "без roll у ways должен быть damage",
    "the second roll states what it must reach": "второй бросок говорит, чего должен достичь",
    "state exactly one of attack, model, target, given": "назовите ровно одно из attack, model, target, given",
    "state at least one of lt, le, gt, ge, eq": "назовите хотя бы одно из lt, le, gt, ge, eq",
    # gauges.yaml
    "{value!r} is not a length: write 25, 25mm, 2in or 12.5mm + 2in": (
        "{value!r} — не длина: пишите 25, 25mm, 2in или 12.5mm + 2in"
    ),
    "a length is empty: write 25, 25mm, 2in or 12.5mm + 2in": "длина пуста: пишите 25, 25mm, 2in или 12.5mm + 2in",
    "width is {width:g} mm, but its scales and signs need {least:g} mm": (
        "ширина {width:g} мм, а шкалам и знакам нужно {least:g} мм"
    ),
    "state either radius or diameter": "назовите radius или diameter",
    "the hole is as large as the disc": "отверстие не меньше самого диска",
    "state either first and last, or cells": "назовите first и last или cells",
    "a track has 1 to 200 boxes: last must not be below first": (
        "на дорожке от 1 до 200 клеток: last не может быть меньше first"
    ),
    "a zone lies outside the {many} boxes": "зона выходит за клетки (их {many})",
    "an outline needs a figure": "контуру нужна фигура",
    "ids used twice: {listed}": "id повторяются: {listed}",
    # Schemas of kinds.
    "{key} is no annotation": "пометки {key} нет",
    "x-ref names the kind {kind}, which pack.yaml does not list": "x-ref называет вид {kind}, а в pack.yaml его нет",
    "a kind's schema must be a map": "схема вида карт — это набор полей",
    "not JSON: {reason}": "не JSON: {reason}",
    "not UTF-8 text": "это не текст UTF-8",
    "the schema cannot be read: {reason}": "схема не читается: {reason}",
    "not a JSON Schema at {where}: {reason}": "это не JSON Schema ({where}): {reason}",
    "its root": "в корне",
    "$ref {reference} names nothing": "$ref {reference} ведёт в никуда",
    "$ref {file} lies outside the project": "$ref {file} ведёт за пределы проекта",
}
"""English form -> Russian form."""
