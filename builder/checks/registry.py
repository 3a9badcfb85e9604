"""The register of card checks: each in a file of its own under checks/cards, found by its folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from typing import TypeAlias

from builder.findings import Finding
from builder.model.loaded import LoadedPack

CardCheck: TypeAlias = Callable[[LoadedPack], Iterable[Finding]]
"""Judges a loaded pack. What loading itself found is not repeated."""


def card_checks() -> tuple[tuple[str, CardCheck], ...]:
    """All card checks by file name. A check's file defines its codes and a function `check`."""
    from builder.checks import cards

    found: list[tuple[str, CardCheck]] = []
    for module in sorted(pkgutil.iter_modules(cards.__path__), key=lambda module: module.name):
        loaded = importlib.import_module(f"{cards.__name__}.{module.name}")
        if hasattr(loaded, "check"):
            found.append((module.name, loaded.check))
    return tuple(found)
