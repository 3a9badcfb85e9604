"""Both engines set the packs alike; all faces are compared by `python -m tests.look.engines`."""

import pytest

from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.checks.projects import ROOT
from tests.look.engines import MOST, compared

pytestmark = [pytest.mark.slow, pytest.mark.second]


@pytest.mark.parametrize("name", Project(ROOT).list_packs())
def test_a_card_of_each_kind_looks_alike(name: str) -> None:
    pytest.importorskip("plutoprint")
    pack = load_pack(Project(ROOT), name).pack
    assert pack is not None
    found = list(compared(pack, Project(ROOT).cache_dir, most=1))
    assert [each for each in found if each.pixels > MOST and not each.other] == []
    assert sum(len(each.other) for each in found) <= 0.05 * sum(each.blocks for each in found)
