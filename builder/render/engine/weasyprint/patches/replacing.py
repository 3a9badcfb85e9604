"""How private names of the engine are replaced: all at once, for good or for a while."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

Replacement: TypeAlias = tuple[Any, str, Any]
"""Owner (a module or class of the engine), name, what takes its place."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Names of the engine that are replaced together.

    `gain` is the share of a cold build that it alone saves (`python -m tests.bench patches`); none of one that is there
    for the result. `replacements` loads the engine; `clear` forgets what was remembered of faces set so far.
    """

    name: str
    replacements: Callable[[], Iterator[Replacement]]
    gain: float | None = None
    clear: Callable[[], None] = lambda: None


def everywhere(function: Callable[..., Any], other: Callable[..., Any]) -> Iterator[Replacement]:
    """A function under its name in every module of the engine that imported it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("weasyprint.") and getattr(module, function.__name__, None) is function:
            yield module, function.__name__, other


@cache
def found(patch: Patch) -> tuple[tuple[Any, str, Any, Any], ...]:
    """Owner, name, what takes its place, the original."""
    return tuple((owner, name, other, getattr(owner, name)) for owner, name, other in patch.replacements())


def put(patch: Patch) -> None:
    """Have a patch's names replaced from now on."""
    for owner, name, other, _ in found(patch):
        setattr(owner, name, other)


@contextmanager
def in_place(patches: tuple[Patch, ...]) -> Iterator[None]:
    """Have names replaced meanwhile; what stood there before stands there again."""
    before = [(owner, name, getattr(owner, name)) for patch in patches for owner, name, *_ in found(patch)]
    for patch in patches:
        put(patch)
    try:
        yield
    finally:
        for owner, name, stood in before:
            setattr(owner, name, stood)
