"""Every card of every pack, both faces, all languages, the ink-saving variant in one: nothing overflows, all can be
read.
"""

from collections.abc import Iterable

import pytest

from builder.pdfinfo.read import read
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.options import Built
from tests.checks.projects import ROOT
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow

SMALLEST = 6.5
SYMBOLS = range(0xE000, 0xF900)
"""Letters of the icon fonts: signs within a line, not text."""


def too_small(files: Iterable[Built]) -> list[tuple[str, int, str, float]]:
    """Text in finished files that is set smaller than legible, icons apart."""
    return [
        (file.path.name, page.number, text.text, text.size)
        for file in files
        for page in read(file.path).pages
        for text in page.texts
        if text.visible and text.size < SMALLEST - 0.01 and any(ord(letter) not in SYMBOLS for letter in text.text)
    ]


def source_language(project: Project, name: str) -> str:
    pack = load_pack(project, name).pack
    assert pack is not None
    return pack.manifest.languages.source


@pytest.mark.parametrize("variant", ["full", "ink"])
@pytest.mark.parametrize("pack", Project(ROOT).packs())
def test_every_face_sets_without_a_complaint(pack, variant, tmp_path):
    project, asked = Project(ROOT), {"profile": "screen", "variant": variant, "output": tmp_path, "workers": 2}
    # The variant knows no language: what it changes is seen in the one that all others are measured by.
    langs = ("all",) if variant == "full" else (source_language(project, pack),)
    result = build_pack(project, pack, build_options(**asked, langs=langs))
    assert [f"{one.location.file}: {one.message}" for one in result.findings] == []
    assert result.files
    assert too_small(result.files) == []


@pytest.mark.parametrize("name", ["legal-varga-drones", "rarity-sixth-patrolman"])
def test_a_squad_sets_without_a_complaint(name, tmp_path):
    roster = ROOT / "cards" / "hydrophilia" / "rosters" / f"{name}.yaml"
    result = build_pack(Project(ROOT), "hydrophilia", build_options(roster=roster, output=tmp_path, workers=1))
    assert [one.message for one in result.findings if one.code.startswith("render/")] == []
    assert len(result.files) == 2
    assert too_small(result.files) == []
