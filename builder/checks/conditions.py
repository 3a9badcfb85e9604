"""A condition (`Where`) put to anything that has fields: a card, or a point of its diagram."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from builder.model.rules import Ref, Where
from builder.rules.query import COMPARE, parts

Field: TypeAlias = Callable[[str], object]
"""The value of a field by its dotted path; None where it is absent."""


def passes(where: Where, field: Field) -> bool:
    """True if the condition holds. A comparison with another card never does: there is none here."""
    for path, test in where.fields.items():
        for name, wanted in parts(test):
            if isinstance(wanted, Ref) or not COMPARE[name](field(path), wanted):
                return False
    return (
        all(passes(inner, field) for inner in where.all)
        and (not where.any or any(passes(inner, field) for inner in where.any))
        and not any(passes(inner, field) for inner in where.none)
    )
