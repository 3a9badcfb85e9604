"""A squad's numbers as JSON values: exact fractions as text beside decimals. Also what the printed page gets."""

from __future__ import annotations

import json

from builder.model.base import Json
from builder.model.statsheet import DuelLine, StatSheet, Table

PLACES = 6
"""Decimals of the rounded numbers; the fractions beside them are exact."""


def table(found: Table) -> dict[str, Json]:
    """One table."""
    return {
        "axes": list(found.axes),
        "fields": list(found.fields),
        "rows": list(found.rows),
        "columns": list(found.columns),
        "cells": [[round(float(cell), PLACES) for cell in row] for row in found.cells],
        "exact": [[str(cell) for cell in row] for row in found.cells],
    }


def _duel(line: DuelLine) -> dict[str, Json]:
    """One foe."""
    numbers = {"dealt": line.dealt, "taken": line.taken, "fells": line.fells, "falls": line.falls}
    rounded: dict[str, Json] = {name: round(float(value), PLACES) for name, value in numbers.items()}
    return {"foes": list(line.names), **rounded, "exact": {name: str(value) for name, value in numbers.items()}}


def plain(sheet: StatSheet) -> dict[str, Json]:
    """The whole sheet."""
    roles: list[Json] = [
        {
            "title": title,
            "parts": [{"name": one.name, "models": one.models, "points": one.points} for one in shares],
        }
        for title, shares in sheet.roles
    ]
    attacks: list[Json] = [
        {
            "form": attack.form,
            "note": attack.note,
            "model": attack.owner,
            "name": attack.name,
            "count": attack.count,
            "rolled": attack.rolled,
            "hits": table(attack.hits),
            "damage": [
                {"title": damage.title, "mean": table(damage.mean), "some": table(damage.some)}
                for damage in attack.damage
            ],
            "duels": [_duel(line) for line in attack.duels],
        }
        for attack in sheet.attacks
    ]
    return {
        "roster": sheet.name,
        "game": sheet.game,
        "pack": sheet.pack,
        "lang": sheet.lang,
        "currency": sheet.currency,
        "total": sheet.total,
        "models": sheet.models,
        "roles": roles,
        "attacks": attacks,
    }


def as_json(sheet: StatSheet) -> str:
    """The sheet as a JSON text."""
    return json.dumps(plain(sheet), ensure_ascii=False, indent=2) + "\n"
