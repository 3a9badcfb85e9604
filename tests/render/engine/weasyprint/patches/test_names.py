"""How much of the engine is replaced stays bounded, and what is put back is what was there."""

from __future__ import annotations

from pathlib import Path

import pytest

import builder.render.engine.weasyprint.patches as package
from builder.render.engine.weasyprint.patches import CORRECT, SPEED
from builder.render.engine.weasyprint.patches.replacing import Patch, in_place
from tests.bench.bench_patches import names

NAMES, LINES = 20, 1032
"""Above 900 lines stand `shapes` and `boxes`: a cold build takes more than it may even with what they save."""


@pytest.mark.slow
def test_few_names_are_replaced() -> None:
    assert len(names((*CORRECT, *SPEED))) <= NAMES


def test_in_few_lines() -> None:
    assert package.__file__ is not None
    files = Path(package.__file__).parent.glob("*.py")
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= LINES


def test_each_of_speed_states_its_gain() -> None:
    assert all(patch.gain for patch in SPEED)
    assert not any(patch.gain for patch in CORRECT)


def test_what_was_there_comes_back() -> None:
    class Owner:
        one, two = 1, 2

    patches = (
        Patch("first", lambda: iter([(Owner, "one", 10)])),
        Patch("second", lambda: iter([(Owner, "one", 100), (Owner, "two", 20)])),
    )
    with in_place(patches):
        assert (Owner.one, Owner.two) == (100, 20)
    assert (Owner.one, Owner.two) == (1, 2)
    Owner.one = 3
    with in_place(patches):
        assert Owner.one == 100
    assert Owner.one == 3
