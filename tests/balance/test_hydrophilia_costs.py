"""Every printed cost follows the formula that the pack's notes state."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.balance.model import Data, die, hit, worth
from tests.house.source import ROOT

PACK = ROOT / "cards" / "hydrophilia"
TOLERANCE = 0.5
ROW = re.compile(
    r"^\| `(?P<card>[a-z-]+)` \|[^|]*\| (?P<sum>\d+\.\d+) \|$", re.MULTILINE
)


def allowances() -> dict[str, float]:
    text = (PACK / "notes.md").read_text(encoding="utf-8")
    return {row["card"]: float(row["sum"]) for row in ROW.finditer(text)}


def cards() -> list[Path]:
    return sorted((PACK / "character").rglob("*.yaml"))


def load(path: Path) -> Data:
    value: Data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    return value


@pytest.mark.parametrize("path", cards(), ids=lambda path: path.stem)
def test_a_cost_lies_within_the_stated_tolerance(path: Path) -> None:
    card = load(path)
    assert card["cost"] == pytest.approx(
        worth(card, allowances()[path.stem]), abs=TOLERANCE
    )


def test_the_notes_speak_of_every_character_and_no_other() -> None:
    assert set(allowances()) == {path.stem for path in cards()}


def test_a_stronger_card_is_worth_more() -> None:
    card = load(PACK / "character" / "directorate" / "patrolman.yaml")
    tougher = {**card, "health": card["health"] + 1}
    faster = {**card, "movement": card["movement"] + 1}
    exposed = {**card, "evasion": card["evasion"] - 1}
    assert worth(exposed, 0) < worth(card, 0) < min(worth(tougher, 0), worth(faster, 0))


def test_double_one_misses_and_double_six_hits() -> None:
    assert hit(-5) == pytest.approx(35 / 36)
    assert hit(40) == pytest.approx(1 / 36)
    assert die(None) == 0
