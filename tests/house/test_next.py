"""`next` without a default is a bug when a user's file does not contain the item."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import modules, place

ENDLESS = {
    (
        "builder/render/engines/plutoprint/engine.py",
        "next(numbers)",
    ): "a count without an end",
    ("builder/packs/sources.py", "next(_load_numbers)"): "a count without an end",
    ("builder/pdfinfo/state.py", "next(iter(cache))"): "an entry was just added",
    (
        "builder/usecases/watch/watched_files.py",
        "next(self._changes)",
    ): "the watcher yields for ever",
}
"""Calls whose iterator never ends or has an item, and why."""


def calls_without_default(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each call of `next`, or of `__next__`, that has no default."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        named = isinstance(node.func, ast.Name) and node.func.id == "next"
        direct = isinstance(node.func, ast.Attribute) and node.func.attr == "__next__"
        if direct or (named and len(node.args) < 2):
            yield node.lineno, ast.get_source_segment(source, node) or ""


def all_calls() -> Iterator[tuple[Path, int, str]]:
    for path in modules():
        for line, call in calls_without_default(path.read_text(encoding="utf-8")):
            yield path, line, call


def test_next_has_a_default_or_an_endless_iterator() -> None:
    wrong = [
        f"{place(path)}:{line} {call}"
        for path, line, call in all_calls()
        if (place(path), call) not in ENDLESS
    ]
    assert wrong == []


def test_every_reason_is_needed() -> None:
    assert {(place(path), call) for path, _line, call in all_calls()} == ENDLESS.keys()


def test_calls_without_a_default_are_found() -> None:
    source = "next(a)\nnext(b, 1)\nc.__next__()\nx = [next(iter(d))]"
    assert [line for line, _call in calls_without_default(source)] == [1, 3, 4]
