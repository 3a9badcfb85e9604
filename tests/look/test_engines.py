"""Both engines set the packs alike; all faces are compared by `python -m tests.look.engines`."""

import pytest

from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.checks.projects import ROOT
from tests.look.engines import MAX_PIXEL_SHARE, compare_engines

pytestmark = [pytest.mark.slow, pytest.mark.second]


@pytest.mark.parametrize("name", Project(ROOT).list_packs())
def test_a_card_of_each_kind_looks_alike(name: str) -> None:
    pytest.importorskip("plutoprint")
    pack = load_pack(Project(ROOT), name).pack
    assert pack is not None
    comparisons = list(compare_engines(pack, Project(ROOT).cache_dir, max_cards=1))
    assert [
        comparison
        for comparison in comparisons
        if comparison.pixels > MAX_PIXEL_SHARE and not comparison.resized_blocks
    ] == []
    assert sum(
        len(comparison.resized_blocks) for comparison in comparisons
    ) <= 0.05 * sum(comparison.blocks for comparison in comparisons)
