"""Every card of every pack, both faces, all languages, both variants: nothing overflows, nothing is complained of."""

import pytest

from builder.store.project import Project
from builder.usecases.build import build_pack
from builder.usecases.setting import BuildOptions
from tests.checks.projects import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("variant", ["full", "ink"])
@pytest.mark.parametrize("pack", Project(ROOT).packs())
def test_every_face_sets_without_a_complaint(pack, variant, tmp_path):
    result = build_pack(
        Project(ROOT), pack, BuildOptions(profile="screen", variant=variant, output=tmp_path, workers=2)
    )
    assert [f"{one.location.file}: {one.message}" for one in result.findings] == []
    assert result.files


@pytest.mark.parametrize("name", ["legal-varga-drones", "rarity-sixth-patrolman"])
def test_a_squad_sets_without_a_complaint(name, tmp_path):
    roster = ROOT / "cards" / "hydrophilia" / "rosters" / f"{name}.yaml"
    result = build_pack(Project(ROOT), "hydrophilia", BuildOptions(roster=roster, output=tmp_path, workers=1))
    assert [one.message for one in result.findings if one.code.startswith("render/")] == []
    assert len(result.files) == 2
