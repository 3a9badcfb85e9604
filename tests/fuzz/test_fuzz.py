"""1,000 fixed spoiled files: each ends in findings or in one clear message.

`make fuzz` tries others.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.fuzz.__main__ import Counts, fuzz, table
from tests.fuzz.kinds import kinds
from tests.fuzz.mutate import spoiled

EXAMPLES = 1_000
PARTS = 2
"""So that several processes share them."""
HEAVY = {"style", "PDF"}
"""Kinds that take a second each: `make fuzz` has them."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_spoiled_file_is_a_bug(part: int, tmp_path: Path) -> None:
    every = [kind for kind in kinds(tmp_path) if kind.name not in HEAVY][part::PARTS]
    counts: Counts = {}
    fuzz(tuple(every), counts, time.monotonic() + 3600, EXAMPLES // PARTS, memory=False)
    assert sum(one["tried"] for one in counts.values()) == EXAMPLES // PARTS
    assert not [
        (name, one["failed"]) for name, one in counts.items() if one["failed"]
    ], table(counts)


def test_the_same_number_spoils_the_same_way() -> None:
    from random import Random

    for number in range(50):
        first, second = (
            spoiled(b"id: a\nname: {en: b}\n", Random(number), [b"x: y"])
            for _unused in range(2)
        )
        assert first == second
