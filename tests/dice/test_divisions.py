"""Divisions of a squad that nobody declared: what the roster rules look at, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.dice.attack_stats import find_divisions
from builder.model.pack import Role
from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.cli.every_pack import PACKS, ROOT

LANTERNS = ROOT / "tests" / "toys" / "lanterns"


@pytest.mark.parametrize(("project", "folder"), PACKS, ids=lambda value: value.name)
def test_every_division_distinguishes_cards_or_is_a_choice(
    project: Path, folder: Path
) -> None:
    pack = load_pack(Project(project), folder.name).pack
    assert pack is not None
    found = find_divisions(pack)
    assert found
    entries = [
        card for card in pack.cards.values() if pack.find_role(card) is Role.ENTRY
    ]
    for one in found:
        if one.by == "keywords":
            assert one.of
            assert all(
                any(word in card.keywords for card in entries) for word in one.of
            )
        elif one.by.startswith("choice."):
            assert one.by[7:] in pack.manifest.roster.choices
        elif len(found) > 1:
            assert len({card.get_field(one.by) for card in entries}) > 1


def test_the_rules_of_a_pack_name_its_divisions() -> None:
    pack = load_pack(Project(LANTERNS), "lanterns").pack
    assert pack is not None
    by = [one.by for one in find_divisions(pack)]
    assert by[:2] == ["keywords", "faction"]
